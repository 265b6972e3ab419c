import { createPayouts } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';
import { type Bench, bench, MONTH, refusal, responding, usingDatabase } from './support.ts';

const db = usingDatabase();
const lost = () => Promise.reject(new TypeError('terminated'));

/** Payouts of another payer in the same database. */
async function another(at: Bench, needsApproval = false) {
  const other = at.emulator.createUser({ rails: ['usd'] }).userId;
  const theirs = createPayouts({ db: db(), payments: at.client, userId: other });
  const orders = [{ employee: 'X1', payee: at.payee, amount: '10', needsApproval }];
  await theirs.enqueue({ month: MONTH, currency: 'usdc', chain: 'POLYGON', orders });
  return { other, theirs };
}

describe('payers that share a database', () => {
  test('are looked up each by its own payouts', async () => {
    const asked: string[] = [];
    const at = await bench(db(), {
      lookup: async ({ payer }) => {
        asked.push(payer);
        return null;
      },
    });
    await at.enqueue([{}]);
    await another(at);
    await db().query(`update payout_payment set state = 'accepted'`);
    await at.payouts.sweep();
    expect(asked).toEqual([at.userId]);
  });

  test('are compared with the pending approvals each by its own payouts', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }]);
    await another(at, true);
    await at.work();
    await db().query(`update payout_payment set state = 'awaiting_approval', transfer_id = 't-' || request_id,
      last_attempt_at = now() - interval '1 hour'`);
    await at.payouts.sweep();
    const { rows } = await db().query('select payer from payout_payment where missing_since is not null');
    expect(rows).toEqual([{ payer: at.userId }]);
  });

  test('pause each for itself, also within one worker', async () => {
    const at = await bench(db(), { payers: ['second'] });
    await at.enqueue([{}, { payer: 'second' }]);
    const busy = responding(429, refusal('SLOW_DOWN'), { 'retry-after': '600' });
    const payerOf = (init?: RequestInit) => JSON.parse(String(init?.body)).source.userId;
    await at.work((url, init) =>
      payerOf(init) === 'second' ? busy(url, init) : at.emulator.fetch(url, init),
    );
    await at.enqueue([{}, { payer: 'second' }, {}, { payer: 'second', employee: 'E9' }]);
    expect(await at.work()).toBe(1);
    expect((await at.rows()).filter(({ payer, state }) => payer === at.userId && state === 'queued')).toEqual(
      [],
    );
  });
});

test('the time in which a missing transfer proves nothing begins with the last attempt', async () => {
  const at = await bench(db(), { lookup: async () => null, maxFailures: 1 });
  await at.enqueue([{}]);
  await at.pass(3600);
  await at.work(lost);
  await at.payouts.sweep();
  expect(await at.states()).toEqual([['undecided', 'RETRIES_USED_UP']]);
  await at.pass(119);
  await at.payouts.sweep();
  expect(await at.states()).toEqual([['undecided', 'RETRIES_USED_UP']]);
  await at.pass(3600);
  await at.payouts.sweep();
  expect(await at.states()).toEqual([['undecided', 'NOT_FOUND_BY_LOOKUP']]);
});

test('after a resume, refusals are counted anew', async () => {
  const at = await bench(db(), { maxRefusals: 3 });
  await at.enqueue(Array.from({ length: 6 }, () => ({ payee: 'nobody' })));
  const holds = async () => (await db().query('select from payout_hold')).rows.length;
  await at.work();
  await at.payouts.resume();
  await at.payouts.enqueue({
    ...{ month: '2026-12', currency: 'usdc', chain: 'POLYGON' },
    orders: ['E1', 'E2'].map((employee) => ({ employee, payee: 'nobody', amount: '1' })),
  });
  await at.work();
  expect(await holds()).toBe(0);
});
