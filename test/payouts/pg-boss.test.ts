import type { Emulator } from 'stablecoin-payments/emulator';
import {
  type Database,
  type PayoutChange,
  type PayoutOrder,
  payoutsOnPgBoss,
  type Sql,
} from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { repair } from '../../src/payouts/pg-boss/repair.ts';
import { rulesFrom } from '../../src/payouts/rules/rules.ts';
import { type Bench, lookupIn, makeBench, openBoss } from './bench.ts';

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());

/** A bench whose lookup reads the emulator. */
async function withLookup(options: Parameters<typeof makeBench>[1] = {}): Promise<Bench> {
  const made: Bench = await makeBench(opened, {
    look: 100,
    lookup: lookupIn((): Emulator => made.emulator),
    ...options,
  });
  return made;
}
const QUIET = 200_000;
const bad = (id: string): PayoutOrder => bench.order(id, { recipients: [{ userId: 'nobody', amount: '1' }] });
const count = async (table: string) => (await bench.db.query(`select 1 as one from ${table}`)).rows.length;

describe('migrate', () => {
  it('makes nothing that is there: a statement that makes an index waits for the transactions of other processes', async () => {
    bench = await makeBench(opened);
    const statements: string[] = [];
    const noting = (sql: Sql): Sql => ({
      query: (text, values) => {
        statements.push(text);
        return sql.query(text, values);
      },
    });
    const db: Database = {
      ...noting(bench.db),
      transaction: (work) => bench.db.transaction((sql) => work(noting(sql))),
    };
    const { payments } = bench;
    await payoutsOnPgBoss({ boss: opened.boss, db, payments }).migrate();
    expect(statements.filter((text) => text.startsWith('create'))).toEqual([]);
    await bench.db.query('drop index payout_open');
    await payoutsOnPgBoss({ boss: opened.boss, db, payments }).migrate();
    expect(statements.filter((text) => text.startsWith('create'))).toHaveLength(1);
  });
});

describe('enqueue', () => {
  it('is whole or not at all, and again changes nothing', async () => {
    bench = await makeBench(opened);
    const orders = [
      bench.order('a', { group: 'g' }),
      bench.order('b', { group: 'g', recipients: [1, 2].map(() => ({ userId: bench.payee, amount: '1' })) }),
    ];
    await expect(bench.payouts.enqueue([...orders, bench.order('c', { chain: '' })])).rejects.toThrow(
      'Payout "c"',
    );
    expect(await bench.rows()).toEqual([]);
    expect(await bench.payouts.enqueue(orders)).toEqual({ added: 2, known: 0 });
    expect(await bench.payouts.enqueue([...orders, bench.order('c')])).toEqual({ added: 1, known: 2 });
    expect((await bench.rows()).map(({ id, recipient }) => `${id} ${recipient}`)).toEqual([
      'a a',
      'b b/1',
      'b b/2',
      'c c',
    ]);
    expect(await opened.boss.findJobs('payouts')).toHaveLength(3);
  });

  it('refuses a changed order, by its fields, and a name that is known in another format', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('E1', { group: 'g' })]);
    await expect(bench.payouts.enqueue([bench.order('E1', { group: 'g', chain: 'BASE' })])).rejects.toThrow(
      'chain differs from the enqueued order',
    );
    await expect(bench.payouts.enqueue([bench.order('e 1', { group: 'g' })])).rejects.toThrow(
      'differs from the known "E1"',
    );
    const twice = bench.order('E2', {
      group: 'g',
      recipients: [{ id: 'E1', userId: bench.payee, amount: '1' }],
    });
    await expect(bench.payouts.enqueue([twice])).rejects.toThrow(
      'the recipient "E1" is already in the group',
    );
    const payer = bench.payer.toUpperCase();
    await expect(bench.payouts.enqueue([bench.order('E1', { group: 'g', payer })])).rejects.toThrow(
      `Payout "E1": payer "${payer}" differs from the known "${bench.payer}" only in case or hyphens`,
    );
  });

  it('by several processes at once adds each order once', async () => {
    bench = await makeBench(opened);
    const orders = Array.from({ length: 20 }, (_, place) => bench.order(`o${place}`));
    const reports = await Promise.all([1, 2, 3].map(() => bench.payouts.enqueue(orders)));
    expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(20);
  });

  it('takes a corrected order once no payment of it can have moved money, and pays that one', async () => {
    bench = await makeBench(opened);
    const corrected = bench.order('a', { recipients: [{ userId: bench.payee, amount: '9' }] });
    await bench.payouts.enqueue([bench.order('a')]);
    await expect(bench.payouts.enqueue([corrected])).rejects.toThrow('recipients differs');
    await bench.payouts.cancel({ id: 'a' }, { by: 'Ada', reason: 'wrong amount' });
    expect(await bench.payouts.enqueue([bench.order('a')])).toEqual({ added: 0, known: 1 });
    expect(await bench.payouts.enqueue([corrected])).toEqual({ added: 1, known: 0 });
    expect(await bench.payouts.enqueue([bench.order('a')])).toEqual({ added: 0, known: 1 });
    await bench.work();
    expect(bench.ledger()).toEqual([expect.stringMatching(/^9 /)]);
    expect(await bench.rows()).toHaveLength(1);
    await expect(bench.payouts.enqueue([bench.order('a', { chain: 'BASE' })])).rejects.toThrow('differs');
  });
});

describe('a worker', () => {
  it('pays each payout once: singles, batches, approvals and refusals', async () => {
    bench = await withLookup();
    const batch = bench.order('batch', {
      recipients: [
        { userId: bench.payee, amount: '2' },
        { userId: 'nobody', amount: '3' },
      ],
    });
    await bench.payouts.enqueue([
      bench.order('a'),
      bad('b'),
      batch,
      bench.order('d', { requireApproval: true }),
    ]);
    await bench.work();
    await bench.pass(10_000);
    await bench.work();
    expect(
      (await bench.rows()).map(({ recipient, state, reason, evidence }) => [
        recipient,
        state,
        reason,
        evidence,
      ]),
    ).toEqual([
      ['a', 'paid', null, 'lookup'],
      ['b', 'rejected', 'USER_NOT_FOUND', 'response'],
      ['batch/1', 'paid', null, 'lookup'],
      ['batch/2', 'rejected', 'USER_NOT_FOUND', 'response'],
      ['d', 'awaiting_approval', null, 'response'],
    ]);
    expect(bench.ledger()).toHaveLength(3);
  });

  it('that dies in a call leaves a payout that is called for again under the same key, in doubt', async () => {
    bench = await withLookup();
    await bench.payouts.enqueue([bench.order('a')]);
    // A process stored an attempt, sent it and died: its job comes back.
    const { rows } = await bench.db.query<{ situation: string }>('select situation from payout');
    const situation = JSON.parse(rows[0]?.situation ?? '');
    Object.assign(situation.parts[0], {
      phase: 'call',
      token: 'lost',
      begun: Date.now(),
      firstBegun: Date.now(),
    });
    await bench.db.query('update payout set situation = $1', [JSON.stringify(situation)]);
    await bench.emulator.fetch('https://service.test/v2/wallets/transfers', {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: situation.parts[0].body,
    });
    await bench.work();
    expect(await bench.states()).toEqual(['paid -']);
    expect(bench.ledger()).toHaveLength(1);
    expect(bench.emulator.requests()).toHaveLength(2);
  });

  it('whose response is lost pays once, also where the service refuses a key that it knows', async () => {
    for (const duplicates of ['replay', 'refuse'] as const) {
      bench = await withLookup({ emulator: { dialect: { duplicates } } });
      bench.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit' });
      await bench.payouts.enqueue([bench.order('a')]);
      await bench.work();
      await bench.pass(10_000);
      await bench.work();
      expect(await bench.states()).toEqual(['paid -']);
      expect(bench.ledger()).toHaveLength(1);
    }
  });

  it('takes no step that another one has stored first, and goes on', async () => {
    bench = await withLookup({
      through: (emulator) => async (url, init) => {
        const response = await emulator.fetch(url, init);
        await bench.db.query('update payout set version = version + 1');
        return response;
      },
    });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.work();
    // What became of the call is not known here, and is not guessed.
    expect(await bench.states()).toEqual(['queued -']);
    await bench.db.query(`update payout set next_at = now() - interval '5 minutes'`);
    expect(bench.ledger()).toHaveLength(1);
  });

  it('pauses all payouts of a payer whose balance is empty, and tries one call after the pause', async () => {
    bench = await makeBench(opened, { pause: { first: 30_000, most: 30_000 } });
    bench.emulator.setBalance({ userId: bench.payer, currency: 'usdc', chain: 'POLYGON', amount: 0 });
    await bench.payouts.enqueue(['a', 'b', 'c', 'd'].map((id) => bench.order(id)));
    await bench.work();
    expect(new Set(await bench.states())).toEqual(new Set(['queued INSUFFICIENT_BALANCE']));
    const { pauses } = await bench.payouts.summary();
    expect(pauses).toMatchObject([{ payer: bench.payer, reason: 'INSUFFICIENT_BALANCE' }]);
    const before = bench.emulator.requests().length;
    await bench.pass(60_000);
    await bench.work();
    expect(bench.emulator.requests().length - before).toBe(1);
    bench.emulator.setBalance({ userId: bench.payer, currency: 'usdc', chain: 'POLYGON', amount: 1000 });
    await bench.pass(200_000);
    await bench.work();
    await bench.pass(200_000);
    await bench.work();
    expect(new Set(await bench.states())).toEqual(new Set(['accepted -']));
    expect(bench.ledger()).toHaveLength(4);
  });

  it('holds a payer after so many payouts rejected in a row, until somebody resumes', async () => {
    bench = await makeBench(opened, { maxRefusals: 3 });
    await bench.payouts.enqueue(Array.from({ length: 12 }, (_, place) => bad(`bad${place}`)));
    const worker = await bench.payouts.work({ concurrency: 1 });
    await vi.waitFor(
      async () => expect(await bench.review()).toMatchObject([{ kind: 'hold', by: 'maxRefusals' }]),
      { timeout: 20_000 },
    );
    await worker.stop();
    await bench.work();
    const states = await bench.states();
    expect(states.filter((state) => state.startsWith('rejected')).length).toBe(3);
    expect(await bench.payouts.resume({ payer: bench.payer }, { by: 'Ada' })).toEqual({ holds: 1 });
    expect(await bench.review()).toEqual([]);
  });

  it('gives a transfer to the first payment that shows it, and leaves the second to a person', async () => {
    const shown = { transferType: 'WALLET.TRANSFER', transferDetails: { id: 'same', status: 'COMPLETED' } };
    bench = await makeBench(opened, { through: () => async () => Response.json(shown) });
    await bench.payouts.enqueue([bench.order('a'), bench.order('b')]);
    await bench.work();
    expect((await bench.states()).sort()).toEqual(['paid -', 'undecided TRANSFER_OF_ANOTHER_PAYMENT']);
    const review = await bench.review();
    expect(review).toMatchObject([
      { kind: 'undecided', reason: 'TRANSFER_OF_ANOTHER_PAYMENT', transferId: null },
      { kind: 'notice', detail: 'same' },
    ]);
  });

  it('sends the same bytes in every attempt', async () => {
    const bodies: string[] = [];
    bench = await makeBench(opened, {
      through: (emulator) => async (url, init) => {
        bodies.push(String(init?.body));
        const response = await emulator.fetch(url, init);
        return bodies.length < 3 ? Promise.reject(new TypeError('reset')) : response;
      },
    });
    await bench.payouts.enqueue([bench.order('a')]);
    for (let turn = 0; turn < 3; turn += 1) {
      await bench.work();
      await bench.pass(5000);
    }
    expect(bodies.length).toBeGreaterThanOrEqual(3);
    expect(new Set(bodies).size).toBe(1);
  });

  it('leaves a row of a later release alone', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.db.query(`update payout set situation = replace(situation, '"version":1', '"version":99')`);
    const { rows: before } = await bench.db.query('select situation, version from payout');
    await bench.work();
    expect((await bench.db.query('select situation, version from payout')).rows).toEqual(before);
    expect(bench.emulator.requests()).toEqual([]);
    expect((await opened.boss.findJobs('payouts', { queued: true })).length).toBe(1);
  });
});

describe('onChange', () => {
  it('is told of each move of each recipient once, in the transaction that says so', async () => {
    const told: string[] = [];
    bench = await withLookup({
      onChange: async (sql, { recipient, from, to }: PayoutChange) => {
        told.push(`${recipient} ${from} ${to}`);
        await sql.query('insert into ledger (line) values ($1)', [`${recipient} ${to}`]);
      },
    });
    await bench.db.query('drop table if exists ledger');
    await bench.db.query('create table ledger (line text primary key)');
    await bench.payouts.enqueue([bench.order('a'), bad('b')]);
    await bench.work();
    await bench.pass(10_000);
    await bench.work();
    expect(told.sort()).toEqual(['a accepted paid', 'a queued accepted', 'b queued rejected']);
    await bench.payouts.enqueue([bench.order('c')]);
    await bench.payouts.cancel({ id: 'c' }, { by: 'Ada', reason: 'test' });
    await bench.work();
    expect(told).toContain('c queued cancelled');
    expect(await count('ledger')).toBe(4);
  });

  it('that throws is told again, while what was proved stays stored and review shows it', async () => {
    let isBroken = true;
    const told: string[] = [];
    bench = await makeBench(opened, {
      onChange: (_sql, { to }) => {
        if (isBroken) throw new TypeError('ledger');
        told.push(to);
      },
    });
    await bench.payouts.enqueue([bad('a')]);
    await bench.work();
    expect(await bench.states()).toEqual(['rejected USER_NOT_FOUND']);
    expect(await bench.review()).toMatchObject([{ kind: 'problem', problem: 'onChange: TypeError' }]);
    isBroken = false;
    await bench.pass(60_000);
    await bench.work();
    expect(told).toEqual(['rejected']);
    expect(await bench.review()).toEqual([]);
  });
});

describe('commands', () => {
  const who = { by: 'Ada', reason: 'test' };

  it('hold stops a scope before the next call, until resume', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a', { group: 'g' }), bench.order('b')]);
    expect(await bench.payouts.hold({ group: 'g' }, who)).toEqual({ payouts: 1 });
    await bench.work();
    expect(await bench.states()).toEqual(['queued HELD', 'accepted -']);
    expect(await bench.review()).toMatchObject([{ kind: 'hold', group: 'g', by: 'Ada', reason: 'test' }]);
    expect(await bench.payouts.resume({}, { by: 'Ada' })).toEqual({ holds: 1 });
    await bench.pass(120_000);
    await bench.work();
    expect(await bench.states()).toEqual(['accepted -', 'accepted -']);
  });

  it('cancel ends what is surely unpaid, leaves what is in doubt to a lookup, and says what is too late', async () => {
    bench = await withLookup({ pause: { first: 60_000, most: 60_000 } });
    await bench.payouts.enqueue([bench.order('late')]);
    await bench.work();
    bench.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit' });
    await bench.payouts.enqueue([bench.order('doubt')]);
    await bench.work();
    await bench.payouts.enqueue([bench.order('new')]);
    expect(await bench.payouts.cancel({}, who)).toMatchObject({ cancelled: 1, inDoubt: 1, inCall: 0 });
    expect(await bench.states()).toEqual([
      'undecided CANCELLED_IN_DOUBT',
      expect.stringMatching(/accepted|paid/),
      'cancelled CANCELLED',
    ]);
    await bench.pass(QUIET);
    await bench.work();
    expect(await bench.states()).toEqual(['cancelled CANCELLED', 'paid -', 'cancelled CANCELLED']);
    expect(bench.ledger()).toHaveLength(1);
  });

  it('settle names one payment, is refused before the quiet time, and confirms a final state', async () => {
    bench = await makeBench(opened, { maxFailures: 1 });
    bench.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit' });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.work();
    const [review] = await bench.review();
    if (review?.kind !== 'undecided') throw new Error('nothing to review');
    expect(review).toMatchObject({
      reason: 'RETRIES_USED_UP',
      whatToDo: expect.stringContaining('requestId'),
    });
    const { requestId } = review;
    await expect(bench.payouts.settle(requestId, { state: 'rejected', by: 'Ada' })).rejects.toThrow(
      review.lookFrom.toISOString(),
    );
    await expect(
      bench.payouts.settle('00000000-0000-5000-8000-000000000000', { state: 'rejected', by: 'Ada' }),
    ).rejects.toThrow('No payment has');
    await bench.pass(QUIET);
    await bench.payouts.settle(requestId, { state: 'rejected', by: 'Ada' });
    expect(await bench.states()).toEqual(['rejected SETTLED_BY_A_PERSON']);
    await expect(
      bench.payouts.settle(requestId, { state: 'paid', by: 'Ada', transferId: 't' }),
    ).rejects.toThrow('which is final');
    await bench.payouts.message(requestId, 'm1', { type: 'decision', decision: 'APPROVED', requestId });
    await bench.work();
    expect(await bench.review()).toMatchObject([{ kind: 'notice', notice: 'CONTRADICTION' }]);
    await bench.payouts.settle(requestId, { state: 'rejected', by: 'Ada' });
    expect(await bench.review()).toEqual([]);
    await expect(bench.payouts.payAgain(requestId, { by: 'Ada' })).rejects.toThrow('may have moved money');
  });

  it('a person cannot settle a payment with the transfer of another one', async () => {
    bench = await makeBench(opened, { maxFailures: 1 });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.work();
    bench.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit' });
    await bench.payouts.enqueue([bench.order('b')]);
    await bench.work();
    const [first, second] = await bench.rows();
    const settlement = { state: 'paid', by: 'Ada', transferId: first?.transferId ?? '' } as const;
    await expect(bench.payouts.settle(second?.requestId ?? '', settlement)).rejects.toThrow(
      `settles payment ${first?.requestId} already`,
    );
    expect((await bench.rows())[1]).toMatchObject({ state: 'undecided', reason: 'RETRIES_USED_UP' });
  });

  it('payAgain makes one new round, however often it is called, and pays it', async () => {
    bench = await withLookup();
    await bench.payouts.enqueue([bench.order('a', { recipients: [{ userId: bench.payee, amount: '4' }] })]);
    await bench.payouts.cancel({ id: 'a' }, { by: 'Ada', reason: 'test' });
    const [row] = await bench.rows();
    const requestId = row?.requestId ?? '';
    const [first, second] = await Promise.all(
      [1, 2].map(() => bench.payouts.payAgain(requestId, { by: 'Ada' })),
    );
    expect(second).toEqual(first);
    await bench.work();
    await bench.pass(10_000);
    await bench.work();
    expect(await bench.rows()).toMatchObject([{ state: 'paid', requestId: first?.requestId }]);
    await expect(bench.payouts.payAgain(first?.requestId ?? '', { by: 'Ada' })).rejects.toThrow('is paid');
    expect(await bench.payouts.payAgain(requestId, { by: 'Ada' })).toEqual(first);
    expect(bench.ledger()).toHaveLength(1);
  });

  it('name who decides, and refuse a scope that no payout has by naming the nearest', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a', { group: 'november' })]);
    await expect(bench.payouts.hold({ group: 'novembre' }, who)).rejects.toThrow('Did you mean "november"?');
    await expect(bench.payouts.cancel({ group: undefined as never }, who)).rejects.toThrow(
      'The scope: `group` must be a non-empty string, but is missing. Nothing was changed.',
    );
    await expect(bench.payouts.hold({ month: '11' } as never, who)).rejects.toThrow('Did you mean `group`?');
    await expect(bench.payouts.hold({}, { by: '', reason: 'x' })).rejects.toThrow('`by` must name');
    await expect(bench.payouts.cancel({}, { by: 'Ada' } as never)).rejects.toThrow('`reason` must say why');
    await bench.payouts.enqueue([bench.order('a', { payer: 'another' })]);
    await expect(bench.payouts.cancel({ id: 'a' }, who)).rejects.toThrow('name the payer');
    await expect(bench.payouts.cancel({ id: 'a', payer: bench.payee }, who)).rejects.toThrow(
      'No payout has the payer',
    );
    expect(await bench.states()).toEqual(['queued -', 'queued -']);
  });
});

describe('messages', () => {
  const event = (eventType: string, data: object, id = 'e1') =>
    bench.payouts.webhookHandlers[
      eventType.startsWith('WALLET') ? 'WALLET.TRANSFER.*' : 'TRANSFER.APPROVAL.*'
    ]({ eventType, data }, { id });

  it('settle an approval, once, also when they come before the transfer is known', async () => {
    bench = await makeBench(opened, {
      through: (emulator) => async (url, init) => {
        const response = await emulator.fetch(url, init);
        const { transferDetails }: { transferDetails: { id: string } } = await response.clone().json();
        // The event overtakes the response.
        await event('TRANSFER.APPROVAL.REJECTED', { transferId: transferDetails.id });
        await event('TRANSFER.APPROVAL.REJECTED', { transferId: transferDetails.id });
        return response;
      },
    });
    await bench.payouts.enqueue([bench.order('a', { requireApproval: true })]);
    await bench.work();
    expect(await bench.states()).toEqual(['rejected APPROVAL_REJECTED']);
    expect(await bench.review()).toEqual([]);
  });

  it('that carry the record count as evidence, by whatever key of the payout', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.work();
    const [row] = await bench.rows();
    await event('WALLET.TRANSFER.UPDATE', {
      id: row?.transferId,
      requestId: row?.requestId,
      status: 'COMPLETED',
    });
    await bench.work();
    expect(await bench.rows()).toMatchObject([{ state: 'paid', evidence: 'event' }]);
    await event('WALLET.TRANSFER.UPDATE', { id: row?.transferId, status: 'FAILED' }, 'e2');
    await event('ONRAMP.STATUS.COMPLETED', { id: row?.transferId }, 'e3');
    await bench.work();
    expect(await bench.review()).toMatchObject([{ kind: 'notice', notice: 'CONTRADICTION' }]);
  });

  it('of transfers that are nobody’s change nothing, and are forgotten', async () => {
    bench = await makeBench(opened);
    await event('WALLET.TRANSFER.UPDATE', { id: 'strange', status: 'COMPLETED' });
    expect(await count('payout_message')).toBe(1);
    await bench.db.query(`update payout_message set at = now() - interval '31 days'`);
    await repairNow();
    expect(await count('payout_message')).toBe(0);
  });
});

const repairNow = () =>
  repair({ db: bench.db, boss: opened.boss, rules: rulesFrom({}, false), tells: false });

describe('the repair', () => {
  it('gives a job to rows that have none alive, or an unread message, and leaves the others', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a'), bench.order('b')]);
    await bench.db.query(`update payout set next_at = now() - interval '10 minutes'`);
    expect(await repairNow()).toBe(0);
    await opened.boss.deleteAllJobs('payouts');
    await bench.db.query(`update payout set next_at = now() - interval '10 minutes'`);
    expect(await repairNow()).toBe(2);
    await bench.work();
    expect(await bench.states()).toEqual(['accepted -', 'accepted -']);
    // A message whose job was lost, and one that came in the moment in which its transfer was stored.
    const [row] = await bench.rows();
    await bench.db.query(`insert into payout_message (id, transfer_id, message) values ('m', $1, $2)`, [
      row?.transferId,
      JSON.stringify({
        type: 'record',
        record: { transferDetails: { id: row?.transferId, status: 'COMPLETED' } },
      }),
    ]);
    await opened.boss.deleteAllJobs('payouts');
    await bench.db.query(`update payout set next_at = now() - interval '10 minutes'`);
    expect(await repairNow()).toBe(2);
    await bench.work();
    expect((await bench.states())[0]).toBe('paid -');
  });
});

it('the repair has a message heard at once that came in the moment in which its transfer was stored', async () => {
  bench = await makeBench(opened);
  await bench.payouts.enqueue([bench.order('a')]);
  await bench.work();
  const [row] = await bench.rows();
  const transferDetails = { id: row?.transferId, requestId: row?.requestId, status: 'COMPLETED' };
  await bench.db.query(`insert into payout_message (id, transfer_id, message) values ('m', $1, $2)`, [
    row?.transferId,
    JSON.stringify({ type: 'record', record: { transferDetails } }),
  ]);
  await repairNow();
  await bench.work();
  expect(await bench.states()).toEqual(['paid -']);
});

describe('reports', () => {
  it('count and list the latest round, by any filter', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a', { group: 'g' }), bench.order('b'), bad('c')]);
    await bench.work();
    const { lines, toReview, oldestQueued } = await bench.payouts.summary();
    expect(lines.map(({ state, reason, recipients, amount }) => [state, reason, recipients, amount])).toEqual(
      [
        ['accepted', null, 2, '51'],
        ['rejected', 'USER_NOT_FOUND', 1, '1'],
      ],
    );
    expect([toReview, oldestQueued]).toEqual([0, null]);
    const listed = async (filter: object) => {
      const ids: string[] = [];
      for await (const { id } of bench.payouts.list(filter)) ids.push(id);
      return ids.join();
    };
    expect(await listed({ group: 'g' })).toBe('a');
    expect(await listed({ state: 'rejected', reason: 'USER_NOT_FOUND' })).toBe('c');
    expect(await listed({ payer: bench.payer })).toBe('a,b,c');
    await expect(listed({ state: 'done' })).rejects.toThrow("The filter: `state` must be 'queued'");
    await expect(listed({ employee: 'a' })).rejects.toThrow('Did you mean `id`?');
  });
});

it('refuses options that are none', () => {
  const { boss, db } = opened;
  const pay = (more: object) => () => makeOptions({ boss, db, ...more });
  const { payments } = { payments: { transfers: { create: async () => ({}) } } };
  expect(pay({ payments, once: true })).toThrow('`once` is not an option');
  expect(pay({ payments, boss: {} })).toThrow('`boss` must be a PgBoss');
  expect(pay({ payments, db: {} })).toThrow('`db` must have the functions `query` and `transaction`');
  expect(pay({ payments: {} })).toThrow('`payments` must be a PaymentsClient');
  expect(pay({ payments, onchange: () => {} })).toThrow(
    'The options of `payoutsOnPgBoss`: `onchange` is not an option. Did you mean `onChange`?',
  );
  expect(pay({ payments, onChange: 'log' })).toThrow('`onChange` must be a function, but is');
  expect(pay({ payments, pause: { frist: 1 } })).toThrow('`pause`: `frist` is not an option');
});

const makeOptions = (options: object) => payoutsOnPgBoss(options as Parameters<typeof payoutsOnPgBoss>[0]);
