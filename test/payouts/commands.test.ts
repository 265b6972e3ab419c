import { createPayouts, type Database, payoutRequestId } from 'stablecoin-payments/payouts';
import { describe, expect, test, vi } from 'vitest';
import { type Bench, begin, bench, MONTH, usingDatabase } from './support.ts';

const db = usingDatabase();
const scopes = [{}, { month: MONTH }, { month: MONTH, employee: 'E7' }] as const;

/** A payroll with the same amount for each employee. */
const payrollOf = ({ payee }: Bench, amount: string, batchSize = 1, employees = ['E1']) => ({
  month: MONTH,
  currency: 'usdc',
  chain: 'POLYGON',
  batchSize,
  orders: employees.map((employee) => ({ employee, payee, amount })),
});

const settled = (at: Bench, state: string, count: number) =>
  vi.waitFor(async () => expect((await at.rows()).filter((row) => row.state === state)).toHaveLength(count), {
    timeout: 20_000,
  });

describe('a hold', () => {
  test('counts a worker that does not confirm within ten seconds', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    await begin(db(), at.rules);
    await db().query('update payout_attempt set worker = gen_random_uuid()');
    const clock = vi.spyOn(performance, 'now');
    let now = 0;
    clock.mockImplementation(() => (now += 1000));
    const held = await at.payouts.hold();
    clock.mockRestore();
    expect(held).toEqual({ payouts: 1, unconfirmed: 1 });
  });

  test('is confirmed by a worker that never learned that its COMMIT was carried out', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    let isLost = true;
    const losing: Database = {
      query: (text, values) => db().query(text, values),
      async transaction(work) {
        const result = await db().transaction(work);
        if (!isLost) return result;
        isLost = false;
        throw new Error('the response to COMMIT was lost');
      },
    };
    const payouts = createPayouts({ db: losing, payments: at.client, userId: at.userId });
    const worker = payouts.startWorker({ pollInterval: 10, onError: () => {} });
    await vi.waitFor(async () => expect((await at.rows())[0]?.attempts).toBe(1), { timeout: 20_000 });
    expect(await at.payouts.hold()).toEqual({ payouts: 1, unconfirmed: 0 });
    await worker.stop();
  });

  test('ends with no payout stranded, whoever looked at it meanwhile', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}]);
    await at.payouts.hold({ month: MONTH });
    expect(await at.work()).toBe(0);
    expect(await at.payouts.resume()).toEqual({ payouts: 2, holds: 1 });
    expect(await at.work()).toBe(2);
  });

  test('of a wider scope stays when a smaller one ends', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}]);
    await at.payouts.hold({ month: MONTH });
    await at.payouts.hold({ employee: 'E1' });
    expect(await at.payouts.resume({ employee: 'E1' })).toEqual({ payouts: 0, holds: 1 });
    expect(await at.work()).toBe(0);
  });
});

test('holds, resumes and cancels at the same time as workers never wait for each other', async () => {
  const at = await bench(db());
  await at.enqueue(Array.from({ length: 60 }, () => ({})));
  const errors: unknown[] = [];
  const workers = [1, 2].map(() =>
    at.payouts.startWorker({ pollInterval: 5, concurrency: 4, onError: (error) => errors.push(error) }),
  );
  for (let turn = 0; turn < 6; turn += 1) {
    await Promise.all([at.payouts.hold({ month: MONTH }), at.payouts.hold({ employee: `E${turn + 1}` })]);
    await Promise.all([at.payouts.resume({ month: MONTH }), at.payouts.resume()]);
  }
  await settled(at, 'accepted', 60);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(errors).toEqual([]);
  expect(at.emulator.state().transfers).toHaveLength(60);
});

describe('what a command cannot find is refused, with the nearest name:', () => {
  const commands = (at: Bench) => ({
    hold: at.payouts.hold,
    resume: at.payouts.resume,
    cancel: at.payouts.cancel,
    acknowledge: at.payouts.acknowledge,
    settleByHand: (scope: object) => at.payouts.settleByHand(scope, { state: 'rejected', by: 'Ada' }),
    payAgain: (scope: object) => at.payouts.payAgain(scope, 'derived'),
  });

  test.each(['hold', 'resume', 'cancel', 'acknowledge', 'settleByHand', 'payAgain'] as const)(
    '%s',
    async (name) => {
      const at = await bench(db());
      await at.enqueue([{}, { employee: 'E7' }]);
      const command = commands(at)[name];
      const [{ request_id: key = '' } = {}] = await at.rows();
      const typo = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
      await expect(command({ employee: 'e7' })).rejects.toThrow(
        'No payout has the employee "e7". The nearest is "E7". Nothing was changed.',
      );
      await expect(command({ month: '2026-10' })).rejects.toThrow('The nearest is "2026-11".');
      await expect(command({ month: MONTH, employee: 'Zoe' })).rejects.toThrow(RangeError);
      await expect(command({ requestId: typo })).rejects.toThrow(`The nearest is "${key}".`);
      await at.payouts.enqueue({ ...payrollOf(at, '10'), month: '2026-12' });
      for (const scope of [
        { month: '2026-12', requestId: key },
        { employee: 'E7', requestId: key },
      ])
        await expect(command(scope)).rejects.toThrow('No payout has all of these.');
      expect((await db().query('select from payout_hold')).rows).toEqual([]);
      expect((await at.states()).map(([state]) => state)).toEqual(['queued', 'queued', 'queued']);
    },
  );

  test.each(scopes)('and nothing else: %j', async (scope) => {
    const at = await bench(db());
    await at.enqueue([{}, { employee: 'E7' }]);
    expect((await at.payouts.hold(scope)).payouts).toBeGreaterThan(0);
  });
});

test('a payout that a lookup did not find can be cancelled, and is then paid by nobody', async () => {
  const at = await bench(db(), { lookup: async () => null, maxFailures: 1 });
  await at.enqueue([{}]);
  await at.work(() => Promise.reject(new TypeError('terminated')));
  await at.pass(121);
  await at.payouts.sweep();
  expect(await at.states()).toEqual([['undecided', 'NOT_FOUND_BY_LOOKUP']]);
  expect(await at.payouts.cancel({ employee: 'E1' })).toEqual({ cancelled: 1, inDoubt: 0, tooLate: 0 });
  expect(await at.states()).toEqual([['rejected', 'CANCELLED']]);
  for (const filter of [{ reason: 'NOT_FOUND_BY_LOOKUP' }, { month: MONTH }, { state: 'rejected' }] as const)
    expect(await at.payouts.payAgain(filter, 'derived')).toMatchObject({ payments: 0 });
  expect(await at.work()).toBe(0);
});

describe('after a wrong file', () => {
  test('what was cancelled with nothing in doubt is enqueued again with the right values', async () => {
    const at = await bench(db());
    await at.enqueue([{ amount: '100' }, { amount: '20' }]);
    await expect(at.enqueue([{ amount: '10' }])).rejects.toThrow('Cancel it first.');
    await at.payouts.cancel({ employee: 'E1', by: 'Ada' });
    expect(await at.enqueue([{ amount: '100' }, { amount: '20' }])).toBe(0);
    expect(await at.payouts.preview(payrollOf(at, '10'))).toMatchObject({ payouts: 1, amount: '10.000000' });
    expect(await at.payouts.enqueue(payrollOf(at, '10'))).toBe(1);
    expect(await at.payouts.enqueue(payrollOf(at, '10'))).toBe(0);
    await expect(at.enqueue([{ amount: '100' }])).rejects.toThrow('another amount');
    const listed = [];
    for await (const { employee, amount, state } of at.payouts.list({ month: MONTH }))
      listed.push([employee, Number(amount), state]);
    expect(listed).toEqual([
      ['E1', 10, 'queued'],
      ['E2', 20, 'queued'],
    ]);
    const { rows } = await db().query(
      'select employee, amount::int as amount, request_id, reason from payout_past',
    );
    const first = payoutRequestId({ payer: at.userId, month: MONTH, employee: 'E1' });
    expect(rows).toEqual([{ employee: 'E1', amount: 100, request_id: first, reason: 'CANCELLED' }]);
    await expect(at.payouts.settleByHand(first, { state: 'rejected', by: 'Ada' })).rejects.toThrow(
      'Another key',
    );
    await at.work();
    expect(at.ledger().toSorted()).toEqual(['payee 10 COMPLETED', 'payee 20 COMPLETED']);
    // A second correction of the same person has a key of its own again.
    expect((await at.rows())[0]?.request_id).not.toBe(first);
  });

  test('of a cancelled batch some payouts are corrected, and the others are still counted', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}, {}], 3);
    await at.payouts.cancel({ month: MONTH });
    expect(await at.enqueue([{}, { amount: '11' }, {}])).toBe(1);
    expect(await at.payouts.cancel({ month: MONTH })).toEqual({ cancelled: 1, inDoubt: 0, tooLate: 2 });
    const [{ request_id: key = '' } = {}] = await at.rows();
    await expect(at.payouts.payAgain(key, 'same')).rejects.toThrow('Use a derived key.');
    expect(await at.payouts.payAgain(key, 'derived')).toMatchObject({ payouts: 2 });
    await at.work();
    expect(at.ledger()).toEqual(['batch 20 COMPLETED']);
  });

  test('what is in doubt, or was not cancelled, is not', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    await at.work(() => Promise.reject(new TypeError('terminated')));
    expect(await at.payouts.cancel({ employee: 'E1' })).toMatchObject({ inDoubt: 1 });
    await expect(at.enqueue([{ amount: '11' }])).rejects.toThrow('another amount');
  });

  test('a cancelled batch is corrected in new batches, as often as it must be', async () => {
    const at = await bench(db());
    const employees = ['E1', 'E2', 'E3'];
    const keys = new Set<string | undefined>();
    for (const amount of ['1', '2', '3']) {
      expect(await at.payouts.enqueue(payrollOf(at, amount, 2, employees))).toBe(3);
      for (const { request_id } of await at.rows()) keys.add(request_id);
      if (amount !== '3') await at.payouts.cancel({ month: MONTH });
    }
    expect(keys.size).toBe(6);
    expect(await at.work()).toBe(2);
    expect(at.ledger().toSorted()).toEqual(['batch 3 COMPLETED', 'batch 6 COMPLETED']);
    await expect(at.payouts.enqueue(payrollOf(at, '4', 1, employees))).rejects.toThrow('another amount');
  });
});
