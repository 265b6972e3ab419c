import { isPaymentsError } from 'stablecoin-payments';
import type { Database, PayoutMessage, PayoutRow, Sql } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, type BenchOptions, makeBench, makeBenchByHand, openBoss } from './bench.ts';

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());

const ada = { by: 'Ada' };
const who = { ...ada, reason: 'test' };

/** The database, of which statements with a text find no row for the first times: somebody else was first. */
function contested(text: string, times = 1): Database {
  let left = times;
  const over = (sql: Sql): Sql => ({
    query: async (statement, values) => {
      if (!statement.includes(text) || left === 0) return sql.query(statement, values);
      left -= 1;
      return { rows: [] };
    },
  });
  return { ...over(opened.db), transaction: (work) => opened.db.transaction((sql) => work(over(sql))) };
}

/** A bench whose jobs are run by hand, one at a time. */
async function byHand(options: BenchOptions = {}) {
  const made = await makeBenchByHand(opened, options);
  bench = made.bench;
  return made;
}

/** Changes the first payment of each stored payout. */
async function change(more: object): Promise<void> {
  const { rows } = await bench.db.query<{ key: string; situation: string }>(
    'select key, situation from payout',
  );
  for (const { key, situation } of rows) {
    const stored = JSON.parse(situation);
    Object.assign(stored.parts[0], more);
    await bench.db.query('update payout set situation = $2 where key = $1', [key, JSON.stringify(stored)]);
  }
}
const firstRow = async (): Promise<PayoutRow> => {
  const [row] = await bench.rows();
  if (row === undefined) throw new Error('no row');
  return row;
};
const count = async (table: string) => (await bench.db.query(`select 1 as one from ${table}`)).rows.length;
const UNKNOWN = '00000000-0000-5000-8000-000000000000';

describe('what is refused, with the field and the remedy', () => {
  const wake: PayoutMessage = { type: 'wake' };
  it.each<[string, () => Promise<unknown>, string | RegExp]>([
    [
      'too many at once',
      () => bench.payouts.work({ concurrency: 1001 }),
      '`concurrency` must be a whole number from 1 to 1000, but is 1001',
    ],
    ['none at once', () => bench.payouts.work({ concurrency: 0 }), '`concurrency` must be a whole number'],
    ['an unknown option', () => bench.payouts.work({ workers: 2 } as never), '`workers` is not an option'],
    [
      'a key that is none',
      () => bench.payouts.message('a', 'm', wake),
      '`requestId` must be the idempotency key',
    ],
    [
      'a message without an id',
      () => bench.payouts.message(UNKNOWN, '', wake),
      '`messageId` must be a non-empty string',
    ],
    [
      'no scope',
      () => bench.payouts.hold(null as never, who),
      'The scope must be an object, but is null. Nothing was changed.',
    ],
    ['an id of nobody', () => bench.payouts.cancel({ id: 'b' }, who), 'No payout has the id "b".'],
    [
      'an id that the payer does not have',
      () => bench.payouts.cancel({ payer: bench.payer, id: 'zzz' }, who),
      'No payout has the id "zzz". Nothing was changed.',
    ],
    [
      'a payer and a group that do not belong together',
      () => bench.payouts.hold({ payer: bench.payer, group: 'h' }, who),
      'No payout has all of these. The nearest is payout "c" of payer "another" in group "h". Nothing was changed.',
    ],
    [
      'a payment that is no key',
      () => bench.payouts.settle('a', { state: 'rejected', by: 'Ada' }),
      'No payment has the requestId "a". The payment of payout "a" is ',
    ],
    [
      'the id of a payout',
      () => bench.payouts.payAgain('c', ada),
      /No payment has the requestId "c"\. The payment of payout "c" is "[0-9a-f-]{36}"\. Nothing was changed\./,
    ],
    [
      'a key with a wrong digit',
      async () => {
        const { requestId } = await firstRow();
        await bench.payouts.payAgain(`0000${requestId.slice(4)}`, ada);
      },
      /No payment has the requestId "0000.*"\. Did you mean "[0-9a-f-]{36}"\? Nothing was changed\./,
    ],
    [
      'what is nearly a key',
      () => bench.payouts.payAgain('-'.repeat(36), ada),
      'No payment has the requestId "-----',
    ],
    [
      'a word that payAgain does not have',
      () => bench.payouts.payAgain(UNKNOWN, who as never),
      'The decision: `reason` is not an option',
    ],
    [
      'a settlement that says nothing',
      async () => {
        const { requestId } = await firstRow();
        await bench.payouts.settle(requestId, { by: 'Ada', transferID: 't' } as never);
      },
      'The settlement: `transferID` is not an option. Did you mean `transferId`? Nothing was changed.',
    ],
    [
      'the name of nobody',
      () => bench.payouts.payAgain(UNKNOWN, { by: ' ' }),
      'The decision: `by` must name the person who decides, but is empty. Nothing was changed.',
    ],
  ])('%s', async (_name, command, message) => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([
      bench.order('a', { group: 'g' }),
      bench.order('c', { group: 'h', payer: 'another' }),
    ]);
    const refused = Promise.resolve().then(command);
    await expect(refused).rejects.toThrow(message);
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(isPaymentsError(error) && [error.code, error.outcome]).toEqual([
      _name.includes('at once') || _name === 'an unknown option' ? 'configuration' : 'invalid_request',
      'not-sent',
    ]);
    expect(await bench.states()).toEqual(['queued -', 'queued -']);
    expect(await count('payout_hold')).toBe(0);
    expect(await count('payout_message')).toBe(0);
  });

  it('a payment that is in a call, and one that was split', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    await change({ phase: 'call', token: 'another', begun: Date.now() });
    const settlement = { state: 'rejected', by: 'Ada' } as const;
    const { requestId } = await firstRow();
    const refused = bench.payouts.settle(requestId, settlement);
    await expect(refused).rejects.toThrow('is in a call. Try again in two');
    // The command sent nothing; what the call came to is not known.
    const error = await refused.catch((thrown: unknown) => thrown);
    expect(isPaymentsError(error) && [error.code, error.outcome]).toEqual(['invalid_request', 'unknown']);
    expect(await bench.payouts.cancel({}, who)).toMatchObject({ inCall: 1, cancelled: 0 });

    bench = await makeBench(opened);
    const recipients = [bench.payee, 'nobody'].map((userId) => ({ userId, amount: '2' }));
    await bench.payouts.enqueue([bench.order('b', { recipients })]);
    const batch = await firstRow();
    await bench.work();
    await expect(bench.payouts.settle(batch.requestId, settlement)).rejects.toThrow('settle its halves');
  });

  it('an earlier round, once a later one was followed', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.cancel({}, who);
    const { requestId } = await firstRow();
    const second = await bench.payouts.payAgain(requestId, ada);
    await bench.payouts.cancel({}, who);
    await bench.payouts.payAgain(second.requestId, ada);
    await expect(bench.payouts.payAgain(requestId, ada)).rejects.toThrow('is not of the latest round');
    expect(await count('payout')).toBe(3);
  });
});

describe('where somebody else is first', () => {
  it.each(['insert into payout_name', 'insert into payout ('])('enqueue tries again: %s', async (text) => {
    bench = await makeBench(opened, { db: contested(text) });
    expect(await bench.payouts.enqueue([bench.order('a')])).toEqual({ added: 1, known: 0 });
    expect(await bench.states()).toEqual(['queued -']);
  });

  it('enqueue tries again where the name of a recipient was given back meanwhile', async () => {
    let isGivenBack = false;
    const over = (sql: Sql): Sql => ({
      async query(statement, values) {
        const found = await sql.query<never>(statement, values);
        if (isGivenBack || !statement.includes('insert into payout_name')) return found;
        isGivenBack = true;
        await sql.query(`delete from payout_name where scope like '["recipient"%'`);
        return { rows: found.rows.filter((row) => !JSON.stringify(row).includes('recipient')) };
      },
    });
    const db: Database = {
      ...over(opened.db),
      transaction: (work) => opened.db.transaction((sql) => work(over(sql))),
    };
    bench = await makeBench(opened, { db });
    const added = await bench.payouts.enqueue([bench.order('a', { group: 'g' })]);
    expect([added, await count('payout_name')]).toEqual([{ added: 1, known: 0 }, 2]);
  });

  it('enqueue gives up after six times, and has stored nothing', async () => {
    bench = await makeBench(opened, { db: contested('insert into payout (', 6) });
    await expect(bench.payouts.enqueue([bench.order('a')])).rejects.toThrow('enqueue them again.');
    expect([await bench.rows(), await count('payout_name')]).toEqual([[], 0]);
  });

  it('a corrected order is enqueued once the earlier one is seen as it is', async () => {
    bench = await makeBench(opened, { db: contested('update payout set version = version + 1') });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.cancel({}, who);
    expect(await bench.payouts.enqueue([bench.order('a', { chain: 'BASE' })])).toEqual({
      added: 1,
      known: 0,
    });
    expect(await bench.states()).toEqual(['queued -']);
  });

  it('payAgain and settle change nothing, and say so', async () => {
    bench = await makeBench(opened, { db: contested('update payout set version = version + 1', 6) });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.cancel({}, who);
    const { requestId } = await firstRow();
    await expect(bench.payouts.payAgain(requestId, ada)).rejects.toThrow('look at it again');
    expect(await count('payout')).toBe(1);

    bench = await makeBench(opened, { db: contested('update payout set situation') });
    await bench.payouts.enqueue([bench.order('a')]);
    await change({ state: 'accepted', phase: 'look' });
    const settlement = { state: 'paid', by: 'Ada', transferId: 't' } as const;
    const mine = (await firstRow()).requestId;
    await expect(bench.payouts.settle(mine, settlement)).rejects.toThrow('look at it again');
    expect(await count('payout_transfer')).toBe(0);
    await bench.payouts.settle(mine, settlement);
    expect(await bench.rows()).toMatchObject([{ state: 'paid', transferId: 't', evidence: 'person' }]);
  });

  it('settle says that another payment has taken the transfer meanwhile', async () => {
    bench = await makeBench(opened, { db: contested('select request_id from payout_transfer') });
    await bench.payouts.enqueue([bench.order('a')]);
    await change({ state: 'accepted', phase: 'look' });
    const { requestId } = await firstRow();
    await bench.db.query(`insert into payout_transfer (transfer_id, request_id) values ('t', $1)`, [UNKNOWN]);
    const settlement = { state: 'paid', by: 'Ada', transferId: 't' } as const;
    await expect(bench.payouts.settle(requestId, settlement)).rejects.toThrow(
      `Transfer t settles another payment already: payment ${requestId} is undecided.`,
    );
    expect(await bench.states()).toEqual(['undecided TRANSFER_OF_ANOTHER_PAYMENT']);
  });

  it('cancel looks again, and leaves what the service has or what is gone', async () => {
    bench = await makeBench(opened, { db: contested('update payout set situation') });
    await bench.payouts.enqueue([bench.order('a')]);
    expect(await bench.payouts.cancel({}, who)).toMatchObject({ cancelled: 1 });
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.work();
    expect(await bench.payouts.cancel({}, who)).toEqual({ cancelled: 0, inDoubt: 0, inCall: 0, tooLate: 1 });
    bench = await makeBench(opened, { db: contested('select p.key, p.situation, p.version') });
    await bench.payouts.enqueue([bench.order('a')]);
    expect(await bench.payouts.cancel({}, who)).toMatchObject({ cancelled: 0, tooLate: 1 });
  });

  it('the brake of a payer is written again, and a step that cannot write it fails', async () => {
    const rejected = (id: string) => bench.order(id, { recipients: [{ userId: 'nobody', amount: '1' }] });
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const { planned, run } = await byHand({ db: contested('update payout_payer'), onError });
    await bench.payouts.enqueue([rejected('a')]);
    expect(await run(planned[0])).toBe('completed');
    expect(await bench.states()).toEqual(['rejected USER_NOT_FOUND']);
    expect(await count('payout_payer')).toBe(1);

    const again = await byHand({ db: contested('update payout_payer', 100), onError });
    await bench.payouts.enqueue([rejected('a')]);
    expect(await again.run(again.planned[0])).toBe('failed');
    expect(errors).toMatchObject([
      { message: expect.stringContaining('changed too often'), outcome: 'unknown' },
    ]);
    expect(await bench.states()).toEqual(['queued -']);
  });
});

describe('a job', () => {
  it.each([
    ['without a key', { id: UNKNOWN, data: null }, 'failed'],
    ['of a row that is gone', { id: UNKNOWN, data: { key: UNKNOWN } }, 'completed'],
  ])('%s calls for nothing', async (_name, job, status) => {
    const { run } = await byHand();
    await bench.payouts.enqueue([bench.order('a')]);
    expect(await run(job)).toBe(status);
    expect([bench.emulator.requests(), await bench.states()]).toEqual([[], ['queued -']]);
  });

  it('that is not the own one of a call leaves it alone, and comes back for a message', async () => {
    const { planned, run } = await byHand();
    await bench.payouts.enqueue([bench.order('a')]);
    await change({ phase: 'call', token: 'another', begun: Date.now() });
    const { requestId } = await firstRow();
    const stranger = { id: UNKNOWN, data: { key: requestId } };
    await run(stranger);
    expect(planned).toHaveLength(1);
    await bench.payouts.message(requestId, 'm', { type: 'wake', requestId });
    await run(planned[1]);
    expect(planned.map(({ startAfter }) => startAfter)).toEqual([0, 0, 5]);
    expect([bench.emulator.requests(), await bench.states()]).toEqual([[], ['queued -']]);
  });

  it('plans no look at a row that changed meanwhile', async () => {
    const { planned, run } = await byHand({ db: contested('update payout set job_id') });
    await bench.payouts.enqueue([bench.order('a')]);
    await change({ due: Date.now() + 3_600_000 });
    await run(planned[0]);
    expect(planned).toHaveLength(1);
    await run(planned[0]);
    expect(planned).toHaveLength(2);
  });

  it.each([
    ['mayCall waits', { mayCall: async () => 'wait' as const }, '', 'queued HELD'],
    ['mayCall cancels', { mayCall: async () => 'cancel' as const }, '', 'cancelled CANCELLED'],
    ['somebody cancelled it', {}, "update payout set cancelled_by = 'Ada'", 'cancelled CANCELLED'],
    [
      'its payer is paused',
      {},
      `insert into payout_payer (payer, brake) select payer, '{"pausedUntil":9e15,"reason":"PROFILE_FROZEN"}' from payout`,
      'queued PROFILE_FROZEN',
    ],
  ])('does not call where %s', async (_name, options, statement, state) => {
    const { planned, run } = await byHand(options);
    await bench.payouts.enqueue([bench.order('a')]);
    if (statement !== '') await bench.db.query(statement);
    await run(planned[0]);
    expect([bench.emulator.requests(), await bench.states()]).toEqual([[], [state]]);
  });

  it('does not call where another one tries the call after a pause', async () => {
    // Issue 63: whoever loses the place reads the brake again, and waits where it keeps changing.
    const { planned, run } = await byHand({ db: contested('update payout_payer', 21) });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.db.query(
      `insert into payout_payer (payer, brake) select payer, '{"reason":"PROFILE_FROZEN","pauses":1}' from payout`,
    );
    await run(planned[0]);
    expect([bench.emulator.requests(), await bench.states()]).toEqual([[], ['queued PROFILE_FROZEN']]);
  });
});

describe('onChange', () => {
  it.each([
    ['an error', new RangeError('secret'), 'onChange: RangeError'],
    ['what is no error', 'secret', 'onChange: string'],
  ])('that throws %s is shown by name, and told again', async (_name, thrown, problem) => {
    const { planned, run } = await byHand({ onChange: () => Promise.reject(thrown) });
    await bench.payouts.enqueue([bench.order('a')]);
    await run(planned[0]);
    expect(await bench.review()).toMatchObject([{ kind: 'problem', problem }]);
    expect(planned.map(({ startAfter }) => startAfter)).toEqual([0, 30]);
  });

  it('that throws about a row which changed meanwhile plans nothing', async () => {
    const onChange = () => Promise.reject(new Error('x'));
    const { planned, run } = await byHand({ onChange, db: contested('update payout set problem') });
    await bench.payouts.enqueue([bench.order('a')]);
    await run(planned[0]);
    expect([await bench.review(), planned.length]).toEqual([[], 1]);
  });
});

it('a message about a payment that nobody knows is kept, and no job looks', async () => {
  const { planned } = await byHand();
  await bench.payouts.message(UNKNOWN, 'm', { type: 'wake' });
  await bench.payouts.webhookHandlers.otherwise({ eventType: 'USER.CREATED', data: {} }, { id: 'e' });
  expect([planned, await count('payout_message')]).toEqual([[], 1]);
});

it('a person settles a payment with the transfer that is stored as its own', async () => {
  bench = await makeBench(opened);
  await bench.payouts.enqueue([bench.order('a')]);
  await change({ state: 'undecided', phase: 'done' });
  const { requestId } = await firstRow();
  await bench.db.query(`insert into payout_transfer (transfer_id, request_id) values ('t', $1)`, [requestId]);
  await bench.payouts.settle(requestId, { state: 'paid', by: 'Ada', transferId: 't' });
  expect(await bench.states()).toEqual(['paid SETTLED_BY_A_PERSON']);
});

it('a recipient whom the record of a paid batch calls unpaid may be paid by an order of its own', async () => {
  const { planned, run } = await byHand({
    through: () => async () =>
      Response.json({
        transferType: 'WALLET.TRANSFER',
        transferDetails: {
          id: 't',
          status: 'COMPLETED',
          recipients: [
            { userId: bench.payee, amount: '1', status: 'COMPLETED' },
            { userId: 'other', amount: '2', status: 'FAILED' },
          ],
        },
      }),
  });
  const recipient = { id: 'Bob', userId: 'other', amount: '2' };
  const recipients = [{ id: 'Ann', userId: bench.payee, amount: '1' }, recipient];
  await bench.payouts.enqueue([bench.order('a', { group: 'g', recipients })]);
  const own = (one: typeof recipient) => [bench.order('b', { group: 'g', recipients: [one] })];
  await expect(bench.payouts.enqueue(own(recipient))).rejects.toThrow('"Bob" is already in the group');
  await run(planned[0]);
  expect(await bench.states()).toEqual(['paid -', 'rejected RECIPIENT_NOT_PAID']);
  await expect(bench.payouts.enqueue(own({ ...recipient, id: 'Ann' }))).rejects.toThrow('"Ann" is already');
  expect(await bench.payouts.enqueue(own(recipient))).toEqual({ added: 1, known: 0 });
});

it('list reads more than a page, each recipient once', async () => {
  bench = await makeBench(opened);
  const recipients = Array.from({ length: 50 }, () => ({ userId: bench.payee, amount: '1' }));
  await bench.payouts.enqueue(
    Array.from({ length: 11 }, (_, place) => bench.order(`o${place}`, { recipients })),
  );
  const names = (await bench.rows()).map(({ recipient }) => recipient);
  expect([names.length, new Set(names).size]).toEqual([550, 550]);
});
