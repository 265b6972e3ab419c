import {
  type Database,
  type PayoutOrder,
  type PayoutRow,
  payoutMessageOf,
  type Sql,
} from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, type BenchOptions, type Job, makeBench, makeBenchByHand, openBoss } from './bench.ts';

/**
 * design.md, *Rounds*: "All rounds of an `id` are one question: in the transaction in which an attempt is stored, the gate asks
 * whether any payment of the order moved or may move money; if so nothing is called, and the notice names it."
 */

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
let planned: Job[];
let run: (job: Job | undefined) => Promise<string | undefined>;
beforeAll(async () => {
  opened = await openBoss();
  // Makes the queues, which a boss by hand does not.
  await makeBench(opened);
});
afterAll(() => opened.close());

const ada = { by: 'Ada' };
const REFUSED = { code: '400', error: 'USER_NOT_FOUND' };

/** The service refuses the calls whose numbers are named, and takes the others. */
async function open(refused: readonly number[] = [1], options: BenchOptions = {}) {
  let calls = 0;
  const made = await makeBenchByHand(opened, {
    through: (emulator) => (url, init) => {
      calls += 1;
      return refused.includes(calls)
        ? Promise.resolve(Response.json(REFUSED, { status: 400 }))
        : emulator.fetch(url, init);
    },
    ...options,
  });
  ({ bench, planned, run } = made);
  return { calls: () => calls };
}
/** Runs the jobs of a payment, again and again, until no new one is due. */
async function runAll(requestId?: string) {
  for (let place = 0; place < planned.length && place < 50; place += 1) {
    const job = planned[place];
    const key = JSON.stringify(job?.data);
    if (
      job !== undefined &&
      (job.startAfter ?? 0) < 1 &&
      (requestId === undefined || key.includes(requestId))
    )
      await run(job);
  }
}
const keys = async () =>
  (await bench.db.query<{ key: string }>('select key from payout order by payer, id, round')).rows.map(
    ({ key }) => key,
  );
const rowOf = async (): Promise<PayoutRow> => {
  const [row] = await bench.rows();
  if (row === undefined) throw new Error('no row');
  return row;
};
const notices = async () =>
  (await bench.review()).flatMap((one) => (one.kind === 'notice' ? [`${one.notice} ${one.detail}`] : []));
/** An event says that a payment was paid after all. */
const hearPaid = (requestId: string, id = 'late', transferId = 'the-first') =>
  bench.payouts.webhookHandlers['WALLET.TRANSFER.*'](
    { eventType: 'WALLET.TRANSFER.UPDATE', data: { id: transferId, requestId, status: 'COMPLETED' } },
    { id },
  );
const corrected = (more: Partial<PayoutOrder> = {}) =>
  bench.order('a', { recipients: [{ userId: bench.payee, amount: '9' }], ...more });

/** How a second round comes about, after the first one was refused or proved absent. */
const ways: Record<string, (first: string) => Promise<unknown>> = {
  payAgain: (first) => bench.payouts.payAgain(first, ada),
  'a corrected order': () => bench.payouts.enqueue([corrected()]),
};

describe.each(Object.entries(ways))('after %s', (_name, again) => {
  const secondRound = async (options: BenchOptions = {}) => {
    const made = await open([1], options);
    await bench.payouts.enqueue([bench.order('a')]);
    await runAll();
    expect(await bench.states()).toEqual(['rejected USER_NOT_FOUND']);
    const [first = ''] = await keys();
    await again(first);
    const [, second = ''] = await keys();
    return { ...made, first, second };
  };

  it('the second round is paid where nothing speaks against it', async () => {
    const { calls, second } = await secondRound();
    await runAll(second);
    expect([calls(), await bench.states()]).toEqual([2, ['accepted -']]);
  });

  it.each([
    ['that was read', true],
    ['that waits to be read', false],
  ])('an event that round one was paid, %s, stops the second one', async (_case, isRead) => {
    const { calls, first, second } = await secondRound();
    await hearPaid(first);
    if (isRead) await runAll(first);
    await runAll(second);
    expect(calls()).toBe(1);
    await runAll(first);
    await bench.pass(10_000);
    await run(planned.at(-1));
    for (const job of [...planned]) await run(job);
    expect([calls(), await bench.states()]).toEqual([1, ['undecided ANOTHER_ROUND_MAY_BE_PAID']]);
    expect(await notices()).toContain(`ANOTHER_ROUND_MAY_BE_PAID ${first} rejected`);
    // A person who knows that round one was paid closes the second one.
    await bench.payouts.settle(second, { state: 'cancelled', by: 'Ada' });
    await expect(bench.payouts.payAgain(second, ada)).rejects.toThrow(
      `Payment ${first} may have moved money`,
    );
    await expect(bench.payouts.enqueue([corrected({ chain: 'BASE' })])).rejects.toThrow(
      'differs from the enqueued',
    );
  });

  it.each([
    ['in the moment before the attempt is stored', 'update payout set situation'],
    ['after the attempt was stored, before the call', 'select p.cancelled_by'],
  ])('an event that comes %s stops it, too', async (_case, text) => {
    let isArmed = false;
    const first = { key: '' };
    const over = (sql: Sql): Sql => ({
      async query(statement, values) {
        const isGate = text.startsWith('select') && statement.includes(text);
        // The database is asked after the attempt was stored.
        if (isArmed && isGate) {
          isArmed = false;
          await hearPaid(first.key);
        }
        return sql.query(statement, values);
      },
    });
    const db: Database = {
      ...over(opened.db),
      transaction: async (work) => {
        if (isArmed && text.startsWith('update')) {
          isArmed = false;
          await hearPaid(first.key);
        }
        return opened.db.transaction((sql) => work(over(sql)));
      },
    };
    const { calls, second, ...made } = await secondRound({ db });
    first.key = made.first;
    isArmed = true;
    await runAll(second);
    expect(isArmed).toBe(false);
    expect([calls(), await bench.states()]).toEqual([1, [expect.stringMatching(/^queued/)]]);
    await runAll(made.first);
    await bench.pass(10_000);
    for (const job of [...planned]) await run(job);
    expect([calls(), await bench.states()]).toEqual([1, ['undecided ANOTHER_ROUND_MAY_BE_PAID']]);
  });

  it('an approval that waits under the key of round one stops it', async () => {
    const { calls, first, second } = await secondRound();
    await bench.payouts.webhookHandlers['TRANSFER.APPROVAL.*'](
      { eventType: 'TRANSFER.APPROVAL.PENDING', data: { transferDetails: { id: 't', requestId: first } } },
      { id: 'e' },
    );
    await runAll(first);
    await runAll(second);
    expect([calls(), await bench.states()]).toEqual([1, ['undecided ANOTHER_ROUND_MAY_BE_PAID']]);
  });
});

it('payAgain after a proved absence, then an event that round one was paid: nothing is called', async () => {
  let calls = 0;
  const made = await makeBenchByHand(opened, {
    look: 5000,
    maxFailures: 1,
    lookup: async () => null,
    through: () => async () => {
      calls += 1;
      return new Response('{"code":500,"error":"oops"}', { status: 500 });
    },
  });
  ({ bench, planned, run } = made);
  await bench.payouts.enqueue([bench.order('a')]);
  await runAll();
  await bench.pass(200_000);
  for (const job of [...planned]) await run(job);
  expect(await bench.states()).toEqual(['rejected NOT_FOUND_BY_LOOKUP']);
  const { requestId: first } = await rowOf();
  const { requestId: second } = await bench.payouts.payAgain(first, ada);
  await hearPaid(first);
  await runAll(first);
  await runAll(second);
  expect([calls, await bench.states()]).toEqual([1, ['undecided ANOTHER_ROUND_MAY_BE_PAID']]);
  expect(await notices()).toContain(`ANOTHER_ROUND_MAY_BE_PAID ${first} rejected`);
});

describe('a batch of which one half was paid', () => {
  const halves = async () => {
    // The batch and its second half are refused.
    const made = await open([1, 3]);
    const recipients = ['1', '2'].map((amount) => ({ userId: bench.payee, amount }));
    await bench.payouts.enqueue([bench.order('b', { recipients })]);
    await runAll();
    const rows = await bench.rows();
    const [batch = ''] = await keys();
    const [{ requestId: paid = '', transferId } = {}, { requestId: refused = '' } = {}] = rows;
    await hearPaid(paid, 'paid', transferId ?? '');
    await runAll(batch);
    return { ...made, batch, paid, refused };
  };

  it('is paid again for the other one alone', async () => {
    const { calls, batch } = await halves();
    const { requestId } = await bench.payouts.payAgain(batch, ada);
    await runAll(requestId);
    expect([calls(), (await bench.states()).toSorted()]).toEqual([4, ['accepted -', 'paid -']]);
  });

  it('is paid to nobody again where the batch was paid after all', async () => {
    const { calls, batch } = await halves();
    const { requestId } = await bench.payouts.payAgain(batch, ada);
    await hearPaid(batch, 'batch');
    await runAll(batch);
    await runAll(requestId);
    expect([calls(), (await bench.states()).toSorted()]).toEqual([
      3,
      ['paid -', 'undecided ANOTHER_ROUND_MAY_BE_PAID'],
    ]);
  });

  it('has a row to which each of its keys leads, in any form', async () => {
    const { batch, paid, refused } = await halves();
    const { requestId: second } = await bench.payouts.payAgain(refused, ada);
    for (const [key, row] of [
      [batch, batch],
      [paid, batch],
      [refused, batch],
      [second, second],
    ] as const) {
      for (const form of [key, key.toUpperCase(), key.replaceAll('-', '')]) {
        const event = { eventType: 'WALLET.TRANSFER.UPDATE', data: { requestId: form, status: 'PENDING' } };
        expect(payoutMessageOf(event)?.requestId).toBe(form);
        await bench.payouts.message(form, `m-${form}`, { type: 'wake' });
        const { rows } = await bench.db.query('select key from payout_message where id = $1', [`m-${form}`]);
        expect(rows).toEqual([{ key: row }]);
      }
    }
    for (const job of [...planned]) await run(job);
    // Each is found by commands, too: the batch by its halves.
    await expect(bench.payouts.settle(batch, { state: 'rejected', by: 'Ada' })).rejects.toThrow(
      'settle its halves',
    );
    await bench.payouts.settle(paid.replaceAll('-', ''), { state: 'paid', by: 'Ada' });
    await bench.payouts.settle(refused.toUpperCase(), { state: 'rejected', by: 'Ada' });
    expect(new Set((await bench.rows()).map(({ requestId }) => requestId))).toEqual(new Set([paid, second]));
  });
});

it('a payout is cancelled by a message that names an earlier round: the latest one is not called', async () => {
  const { calls } = await open();
  await bench.payouts.enqueue([bench.order('a')]);
  await runAll();
  const { requestId: first } = await rowOf();
  await bench.payouts.payAgain(first, ada);
  await bench.payouts.message(first, 'm', { type: 'cancel', by: 'Ada' });
  await runAll();
  expect([calls(), await bench.states(), await notices()]).toEqual([1, ['cancelled CANCELLED'], []]);
});
