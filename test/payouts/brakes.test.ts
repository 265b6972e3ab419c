import { describe, expect, test, vi } from 'vitest';
import { type Bench, begin, bench, MONTH, refusal, responding, usingDatabase } from './support.ts';

const db = usingDatabase();
const frozen = responding(403, refusal('PROFILE_FROZEN'));

/** The reasons that the list shows. */
async function listed({ payouts }: Bench): Promise<unknown[]> {
  const reasons: unknown[] = [];
  for await (const { reason } of payouts.list({ month: MONTH })) reasons.push(reason);
  return reasons;
}

describe('a refusal of the payer', () => {
  test('rejects nobody, pauses all of the payer’s payouts, and one call shows when it is over', async () => {
    let calls = 0;
    let isFrozen = true;
    const at = await bench(db(), {
      through: (emulator) => (url, init) => {
        calls += 1;
        return isFrozen ? frozen(url, init) : emulator.fetch(url, init);
      },
    });
    await at.enqueue(Array.from({ length: 200 }, () => ({})));
    const worker = at.payouts.startWorker({ pollInterval: 10, concurrency: 16 });
    await vi.waitFor(async () => expect((await at.rows())[0]).toBeDefined());
    await vi.waitFor(() => expect(calls).toBeGreaterThanOrEqual(16));
    await at.pass(0.5);
    await worker.stop();
    // The first group, and one call for each pause that is over.
    expect(calls).toBeLessThan(40);
    expect(new Set((await at.rows()).map(({ state }) => state))).toEqual(new Set(['queued']));
    const reasons: unknown[] = [];
    for await (const { reason } of at.payouts.list({ month: MONTH })) reasons.push(reason);
    expect(new Set(reasons)).toEqual(new Set(['PROFILE_FROZEN']));
    isFrozen = false;
    await at.pass(120);
    const second = at.payouts.startWorker({ pollInterval: 10, concurrency: 16 });
    await vi.waitFor(
      async () => expect(new Set((await at.rows()).map(({ state }) => state))).toEqual(new Set(['accepted'])),
      {
        timeout: 20_000,
      },
    );
    await second.stop();
  });

  test('a pause that the service asks for holds for the payer, in every worker', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const busy = responding(429, refusal('SLOW_DOWN'), { 'retry-after': '30' });
    expect(await at.work(busy)).toBe(1);
    await at.enqueue([{}, {}, {}]);
    expect(await at.work()).toBe(0);
    await at.pass(29);
    expect(await at.work()).toBe(0);
    await at.pass(10);
    await at.work();
    await at.pass(10);
    await at.work();
    expect(new Set((await at.rows()).map(({ state }) => state))).toEqual(new Set(['accepted']));
  });
});

describe('after a pause', () => {
  test('one call is under way for the payer, with other payers and other workers beside it', async () => {
    const at = await bench(db(), { payers: ['second'] });
    await at.enqueue([{}, ...Array.from({ length: 6 }, () => ({ payer: 'second' }))]);
    const payerOf = (init?: RequestInit) => JSON.parse(String(init?.body)).source.userId;
    expect(
      await at.work((url, init) =>
        payerOf(init) === 'second' ? frozen(url, init) : at.emulator.fetch(url, init),
      ),
    ).toBe(7);
    await at.pass(2);
    const beside: number[] = [];
    const calls = await at.work(async (url, init) => {
      await at.pass(2);
      beside.push(await at.work(frozen));
      return frozen(url, init);
    });
    expect([calls, beside]).toEqual([1, [0]]);
  });

  test('a call whose worker died is waited for no longer than it can last', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}]);
    await at.work(frozen);
    await at.pass(2);
    const one = { attempts: [{ number: 2 }] };
    expect(await begin(db(), at.rules, 1)).toMatchObject(one);
    expect(await begin(db(), at.rules, 1)).toMatchObject({ attempts: [] });
    await at.pass(120);
    expect(await begin(db(), at.rules, 1)).toMatchObject({ attempts: [{}] });
  });
});

describe('refusals in a row', () => {
  test('hold the payer’s payouts and say why, until somebody resumes', async () => {
    let isBroken = true;
    const at = await bench(db(), {
      maxRefusals: 5,
      through: (emulator) => (url, init) =>
        isBroken ? responding(400, refusal('USER_FROZEN'))(url, init) : emulator.fetch(url, init),
    });
    await at.enqueue(Array.from({ length: 60 }, () => ({})));
    const worker = at.payouts.startWorker({ pollInterval: 10, concurrency: 4 });
    const count = async (state: string) => (await at.rows()).filter((row) => row.state === state).length;
    await vi.waitFor(async () => expect(await count('rejected')).toBeGreaterThanOrEqual(5));
    await at.pass(5);
    await worker.stop();
    expect(await count('rejected')).toBeLessThan(15);
    const held = await db().query('select by, reason from payout_hold');
    expect(held.rows).toEqual([{ by: 'maxRefusals', reason: 'TOO_MANY_REFUSALS USER_FROZEN' }]);
    isBroken = false;
    expect(await at.payouts.resume()).toMatchObject({ holds: 1 });
    const { payouts } = await at.payouts.payAgain({ month: MONTH, reason: 'USER_FROZEN' }, 'same');
    expect(payouts).toBe(await count('queued').then((queued) => queued - (60 - payouts)));
    const second = at.payouts.startWorker({ pollInterval: 10 });
    await vi.waitFor(async () => expect(await count('accepted')).toBe(60), { timeout: 20_000 });
    await second.stop();
  });

  test('do not count payouts that a person cancelled while their calls were under way', async () => {
    const at = await bench(db(), { maxRefusals: 2 });
    await at.enqueue([{}, {}, {}]);
    await at.work(async (url, init) => {
      await at.payouts.cancel({ by: 'Ada' });
      return responding(429, refusal('SLOW_DOWN'))(url, init);
    });
    expect(new Set((await at.states()).map(([, reason]) => reason))).toEqual(new Set(['CANCELLED']));
    expect((await db().query('select from payout_hold')).rows).toEqual([]);
  });

  test('are counted anew after each payout that the service takes', async () => {
    const at = await bench(db(), { maxRefusals: 3 });
    await at.enqueue(Array.from({ length: 12 }, (_, place) => (place % 3 === 2 ? {} : { payee: 'nobody' })));
    while ((await at.work()) > 0);
    expect((await at.rows()).filter(({ state }) => state === 'queued')).toEqual([]);
    expect((await db().query('select from payout_hold')).rows).toEqual([]);
  });
});

describe('a person', () => {
  test.each([
    ['everything', {}, []],
    ['a month', { month: MONTH }, ['2026-12']],
    ['a payout', { month: MONTH, employee: 'E1' }, [MONTH, '2026-12']],
  ])('holds %s before the next call, and resumes it', async (_name, scope, paid) => {
    const at = await bench(db());
    const enqueue = (month: string, employee: string) =>
      at.payouts.enqueue({
        month,
        currency: 'usdc',
        chain: 'POLYGON',
        orders: [{ employee, payee: at.payee, amount: '10' }],
      });
    await enqueue(MONTH, 'E1');
    await enqueue(MONTH, 'E2');
    await enqueue('2026-12', 'E1');
    const held = await at.payouts.hold({ ...scope, by: 'Ada', reason: 'wrong file' });
    expect(held).toEqual({ payouts: 3 - paid.length, unconfirmed: 0 });
    while ((await at.work()) > 0);
    const { rows } = await db().query<{ month: string }>(
      `select month from payout where state = 'accepted' order by month`,
    );
    expect(rows.map(({ month }) => month)).toEqual(paid);
    const listed: unknown[] = [];
    for await (const { employee, reason } of at.payouts.list({ month: MONTH }))
      listed.push([employee, reason]);
    expect(listed[0]).toEqual(['E1', 'HELD']);
    expect(await at.payouts.resume(scope)).toEqual({ payouts: 3 - paid.length, holds: 1 });
    while ((await at.work()) > 0);
    expect((await at.rows()).map(({ state }) => state)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(at.ledger()).toHaveLength(3);
  });

  test('holds a payment also under the keys of its halves, until its own key is resumed', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}], 2);
    const [{ request_id: requestId = '' } = {}] = await at.rows();
    await at.work(async (url, init) => {
      await at.payouts.hold({ requestId });
      return responding(404, refusal('USER_NOT_FOUND'))(url, init);
    });
    expect(await at.work()).toBe(0);
    expect(await listed(at)).toEqual(['HELD', 'HELD']);
    expect(await at.payouts.resume({ requestId })).toEqual({ payouts: 2, holds: 1 });
    expect(await at.work()).toBe(2);
    expect(at.ledger()).toHaveLength(2);
  });

  test('cancels the halves of a batch by the key of the batch', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}], 2);
    const [{ request_id: requestId = '' } = {}] = await at.rows();
    await at.work(responding(404, refusal('USER_NOT_FOUND')));
    expect(await at.payouts.cancel({ requestId })).toEqual({ cancelled: 2, inDoubt: 0, tooLate: 0 });
    expect(await at.work()).toBe(0);
  });

  test('holds a whole batch with one of its payouts, and the payouts of one payer only', async () => {
    const at = await bench(db(), { payers: ['second'] });
    await at.enqueue([{}, {}], 2);
    await at.payouts.hold({ employee: 'E2' });
    expect(await at.work()).toBe(0);
    await at.payouts.resume();
    await at.payouts.hold({ payer: 'second' });
    expect(await at.work()).toBe(1);
    await expect(at.payouts.hold({ payer: 'third' })).rejects.toThrow('not a payer of these payouts');
    await expect(at.payouts.hold(JSON.parse('{ "moth": "2026-11" }'))).rejects.toThrow(
      '`moth` is not a field. Did you mean `month`? Nothing was changed.',
    );
  });

  test('cancels what was surely not paid; what is in doubt is found out, and never called again', async () => {
    const at = await bench(db(), { lookup: async () => null });
    await at.enqueue([{}, {}, {}]);
    await db().query(`update payout_payment set due_at = due_at + interval '1 hour' where request_id in
      (select request_id from payout_order where employee = 'E1')`);
    await at.work(async () => {
      throw new TypeError('terminated');
    });
    const [, lost] = await at.rows();
    await at.payouts.cancel({ employee: lost?.employee ?? '', by: 'Ada' });
    expect(await at.payouts.cancel({ month: MONTH, employee: 'E1', by: 'Ada' })).toEqual({
      cancelled: 1,
      inDoubt: 0,
      tooLate: 0,
    });
    expect(await at.payouts.cancel({ by: 'Ada' })).toMatchObject({ cancelled: 0, inDoubt: 2, tooLate: 1 });
    await at.pass(4000);
    expect(await at.work()).toBe(0);
    expect(await at.states()).toEqual([
      ['rejected', 'CANCELLED'],
      ['undecided', 'CANCELLED_IN_DOUBT'],
      ['undecided', 'CANCELLED_IN_DOUBT'],
    ]);
    await at.pass(121);
    await at.payouts.sweep();
    expect(new Set((await at.states()).map(([, reason]) => reason))).toEqual(new Set(['CANCELLED']));
    expect(at.ledger()).toEqual([]);
  });

  test('cancels what a lookup would give a new key', async () => {
    const at = await bench(db(), { lookup: async () => null });
    await at.enqueue([{}]);
    await at.work(responding(400, refusal('INSUFFICIENT_BALANCE')));
    await at.pass(2);
    await at.work(responding(409, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS')));
    expect(await at.states()).toEqual([['undecided', 'KEY_KNOWN_AFTER_REFUSAL']]);
    expect(await at.payouts.cancel({ by: 'Ada' })).toEqual({ cancelled: 0, inDoubt: 1, tooLate: 0 });
    await at.pass(130);
    await at.payouts.sweep();
    expect(await at.work()).toBe(0);
    expect(await at.states()).toEqual([['rejected', 'CANCELLED']]);
    expect(at.ledger()).toEqual([]);
  });

  test('cancels a batch as a whole', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}], 2);
    const [row] = await at.rows();
    await expect(at.payouts.cancel({ employee: 'E1' })).rejects.toThrow('part of a batch of 2');
    expect(await at.payouts.cancel({ requestId: row?.request_id ?? '' })).toMatchObject({ cancelled: 2 });
    expect(await at.payouts.cancel({ month: MONTH })).toMatchObject({ tooLate: 2 });
  });

  test('sees what a payroll would do before it is enqueued', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const payroll = {
      month: MONTH,
      currency: 'usdc',
      chain: 'POLYGON',
      batchSize: 2,
      orders: ['E1', 'E2', 'E3', 'E4'].map((employee) => ({ employee, payee: at.payee, amount: '10' })),
    };
    expect(await at.payouts.preview(payroll)).toEqual({
      payouts: 3,
      payments: 2,
      amount: '30.000000',
      known: 1,
    });
    expect(await at.rows()).toHaveLength(1);
    await expect(at.payouts.preview({ ...payroll, month: '2026-13' })).rejects.toThrow('month must be');
  });
});
