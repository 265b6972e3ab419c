import { PaymentsClient } from 'stablecoin-payments';
import { createPayouts } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';
import { type Bench, bench, refusal, responding, usingDatabase } from './support.ts';

const db = usingDatabase();
const unlisted = responding(409, refusal('AMOUNT_OVER_TIER'));

/** The same payouts over a client whose `refusals` list more names. */
const withRefusals = (at: Bench, refusals: { sure?: string[]; known?: string[] }) =>
  createPayouts({
    db: db(),
    userId: at.userId,
    payments: new PaymentsClient({
      ...{ baseUrl: 'https://service.test', accessToken: 'token', refusals },
      fetch: at.emulator.fetch,
    }),
  });

/** Payouts that a name leaves in doubt which the client does not know. */
async function doubted(size = 1, options: Parameters<typeof bench>[1] = {}) {
  const at = await bench(db(), { maxFailures: 2, ...options });
  await at.enqueue([{}, {}], size);
  for (let time = 0; time < 2; time += 1) {
    await at.work(unlisted);
    await at.pass(100);
  }
  expect(await at.states()).toEqual(Array(2).fill(['undecided', 'RETRIES_USED_UP']));
  return at;
}

describe('a refusal under a name that the client does not know', () => {
  test('is kept with its status and name, and review groups the doubts by it', async () => {
    const at = await doubted();
    const { rows } = await db().query('select distinct status, name, finding from payout_attempt');
    expect(rows).toEqual([{ status: 409, name: 'AMOUNT_OVER_TIER', finding: 'open' }]);
    const review = await at.payouts.review();
    expect(review.map(({ doubts }) => doubts)).toEqual(
      Array(2).fill([
        { status: 409, name: 'AMOUNT_OVER_TIER', remedy: expect.stringContaining('refusals.sure') },
      ]),
    );
  });

  test('is judged again by the sweep once `refusals.sure` lists it', async () => {
    const at = await doubted();
    await at.payouts.sweep();
    expect(await at.states()).toEqual(Array(2).fill(['undecided', 'RETRIES_USED_UP']));
    await withRefusals(at, { sure: ['AMOUNT_OVER_TIER'] }).sweep();
    expect(await at.states()).toEqual(Array(2).fill(['rejected', 'AMOUNT_OVER_TIER']));
    expect(await at.payouts.review()).toEqual([]);
    expect(at.ledger()).toEqual([]);
  });

  test('strands no batch: once it is listed, the batch is tried in halves', async () => {
    const at = await doubted(2);
    await withRefusals(at, { sure: ['AMOUNT_OVER_TIER'] }).sweep();
    expect((await at.states()).map(([state]) => state)).toEqual(['queued', 'queued']);
    expect(await at.work()).toBe(2);
    expect(at.ledger()).toHaveLength(2);
  });

  test('makes a payment known once `refusals.known` lists it', async () => {
    const at = await doubted();
    await withRefusals(at, { known: ['AMOUNT_OVER_TIER'] }).sweep();
    expect(await at.states()).toEqual(Array(2).fill(['made', 'AMOUNT_OVER_TIER']));
  });

  test('closes nothing where its words speak of an earlier request, whatever its name', async () => {
    const at = await bench(db(), { maxFailures: 1 });
    await at.enqueue([{}]);
    const error = { code: 'AMOUNT_OVER_TIER', message: 'this requestId was used already' };
    await at.work(responding(400, { status: 'error', error }));
    await withRefusals(at, { sure: ['AMOUNT_OVER_TIER'] }).sweep();
    expect(await at.states()).toEqual([['undecided', 'RETRIES_USED_UP']]);
    const [row] = await at.payouts.review();
    expect(row?.doubts[0]?.remedy).not.toContain('sure');
    await withRefusals(at, { known: ['AMOUNT_OVER_TIER'] }).sweep();
    expect((await at.states())[0]?.[0]).toBe('made');
  });

  test('proves nothing of an attempt whose response was lost', async () => {
    const at = await bench(db(), { maxFailures: 2 });
    await at.enqueue([{}]);
    await at.work(() => Promise.reject(new TypeError('terminated')));
    await at.pass(100);
    await at.work(unlisted);
    await withRefusals(at, { sure: ['AMOUNT_OVER_TIER'] }).sweep();
    expect(await at.states()).toEqual([['undecided', 'RETRIES_USED_UP']]);
    expect(await at.rows()).toMatchObject([{ doubts: 1 }]);
  });
});
