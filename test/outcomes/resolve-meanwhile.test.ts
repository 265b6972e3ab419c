import { describe, expect, it } from 'vitest';
import { errorFromJSON, type RequestOptions, type ResolveOptions } from '../../src/index.ts';
import { transferParams } from '../client/operations.ts';
import { clientOf, failure, hanging, json, networkFailure, type Step, scripted } from '../client/support.ts';
import { heldTransfer } from '../fixtures/index.ts';

const lost = networkFailure('ECONNRESET');
const known = json({ error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' }, 400);
const refused = json({ error: 'INSUFFICIENT_BALANCE' }, 400);

/** A payment that failed, and what happens to later calls under its key. */
async function failed(first: Step, ...later: Step[]) {
  const fetch = scripted(first, ...later);
  const payments = clientOf(fetch, { retries: 0, sleep: () => undefined });
  const error = await failure(payments.transfers.create(transferParams));
  const payAgain = (options?: RequestOptions) => payments.transfers.create(transferParams, options);
  const resolve = (options: ResolveOptions, of: unknown = error) =>
    payments.resolve(of, { deadline: 10_000, ...options });
  return { payments, error, payAgain, resolve };
}

describe('another call under the key', () => {
  it.each([
    ['a payment that is known', known],
    ['a payment that was refused', refused],
  ])('that is under way outweighs a lookup that finds nothing: %s', async (_what, first) => {
    const { error, payAgain, resolve } = await failed(first, hanging, known);
    const stop = new AbortController();
    const other = failure(payAgain({ signal: stop.signal }));
    const lookup = () => 'not-made' as const;
    for (const one of [error, errorFromJSON(error.toJSON())])
      expect(await resolve({ lookup }, one)).toMatchObject({ state: 'undecided', evidence: 'none' });
    stop.abort();
    await other;
    expect(await resolve({ lookup })).toMatchObject({ state: 'not-made', evidence: 'lookup' });
  });

  it('that was lost while the lookup searched makes it search again', async () => {
    const { payAgain, resolve } = await failed(known, lost);
    let searches = 0;
    const lookup = async () => {
      searches += 1;
      if (searches === 1) await failure(payAgain());
      return 'not-made' as const;
    };
    expect(await resolve({ lookup })).toMatchObject({ state: 'not-made', evidence: 'lookup' });
    expect(searches).toBe(2);
  });

  it('that was lost while the lookup searched takes from a refusal what it proved', async () => {
    const { payAgain, resolve } = await failed(refused, lost);
    let paying: Promise<unknown> | undefined;
    const lookup = async () => {
      paying ??= failure(payAgain());
      await paying;
      return undefined;
    };
    expect(await resolve({ lookup })).toMatchObject({ state: 'undecided' });
  });

  it('that was made outweighs a lookup also for an error of another process, and for one that sent nothing', async () => {
    const { payments, error, payAgain, resolve } = await failed(lost, json(heldTransfer));
    const copy = errorFromJSON(error.toJSON());
    await payAgain();
    const unsent = await failure(payments.transfers.create({ ...transferParams, amount: -1 }));
    for (const one of [copy, unsent])
      expect(await resolve({ lookup: () => 'not-made' }, one)).toMatchObject({ state: 'undecided' });
  });

  it('that is under way outweighs a lookup for an error that sent nothing', async () => {
    const { payments, payAgain, resolve } = await failed(known, hanging);
    const stop = new AbortController();
    const other = failure(payAgain({ signal: stop.signal }));
    const unsent = await failure(payments.transfers.create({ ...transferParams, amount: -1 }));
    expect(await resolve({ lookup: () => 'not-made' }, unsent)).toMatchObject({ state: 'undecided' });
    stop.abort();
    await other;
  });
});
