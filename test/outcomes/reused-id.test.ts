import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../src/index.ts';
import { transferParams } from '../client/operations.ts';
import { clientOf, failure, hanging, json, networkFailure, type Step, scripted } from '../client/support.ts';
import { heldTransfer } from '../fixtures/index.ts';

const reversed = <T extends object>(value: T): T =>
  Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, item]) => [
        name,
        typeof item === 'object' && !Array.isArray(item) ? reversed(item) : item,
      ]),
  ) as T;

describe('the same payment under the same id', () => {
  const forms: readonly [what: string, params: typeof transferParams][] = [
    ['its fields in another order', reversed(transferParams)],
    ['fields that are undefined', { ...transferParams, memo: undefined } as typeof transferParams],
    ['the id in capitals', { ...transferParams, requestId: transferParams.requestId.toUpperCase() }],
    ['the amount as another number form', { ...transferParams, amount: Number('2.55e1') }],
  ];
  it.each(forms)('may be sent again with %s', async (_what, params) => {
    const fetch = scripted(json(heldTransfer));
    const client = clientOf(fetch);
    await client.transfers.create(transferParams);
    await client.transfers.create(params);
    expect(fetch.seen).toHaveLength(2);
  });
});

describe('another payment under the same id', () => {
  const other = { ...transferParams, amount: 26 };
  const ends: readonly [what: string, step: Step, outcome: string, words: string][] = [
    ['succeeded', json(heldTransfer), 'succeeded', 'made its payment'],
    ['was refused', json({ error: 'USER_FROZEN' }, 400), 'rejected', 'was refused'],
    ['ended without a response', networkFailure('ECONNRESET'), 'unknown', 'may have made its payment'],
    ['was refused as known', json({}, 409), 'unknown', 'may have made its payment'],
  ];
  it.each(ends)('is not sent, and says that the earlier call %s', async (_what, step, outcome, words) => {
    const fetch = scripted(step);
    const client = clientOf(fetch, { retries: 0 });
    await client.transfers.create(transferParams).catch(() => undefined);
    const error = await failure(client.transfers.create(other));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      code: 'request_id_reused',
      // What is told is of the key: it may have paid, if not this payload.
      outcome: outcome === 'rejected' ? 'not-sent' : 'unknown',
      attempts: 0,
      earlier: { operation: 'transfers.create', outcome },
    });
    expect(error.message).toContain('used this `requestId` with another payload');
    expect(error.message).toContain(words);
    expect(JSON.parse(JSON.stringify(error)).earlier).toEqual({ operation: 'transfers.create', outcome });
    expect(fetch.seen).toHaveLength(1);
  });

  it('is refused to every client with the token, and sent for another token, which leaves the first open', async () => {
    const fetch = scripted(
      networkFailure('ECONNRESET'),
      json({ error: 'USER_FROZEN' }, 400),
      json(heldTransfer),
    );
    const first = clientOf(fetch, { retries: 0 });
    await failure(first.transfers.create(transferParams));
    expect(await failure(clientOf(fetch).transfers.create(other))).toMatchObject({
      code: 'request_id_reused',
      outcome: 'unknown',
    });
    const stranger = clientOf(fetch, { accessToken: 'of-another-company' });
    expect(await failure(stranger.transfers.create(other))).toMatchObject({
      status: 400,
      outcome: 'unknown',
    });
    await first.transfers.create(transferParams);
    expect(fetch.seen.map(({ body }) => JSON.parse(String(body)).amount)).toEqual([25.5, 26, 25.5]);
  });

  it('was not paid because another client paid its own under the id', async () => {
    const fetch = scripted(json(heldTransfer), json({ error: 'INSUFFICIENT_BALANCE' }, 400));
    await clientOf(fetch).transfers.create(transferParams);
    const second = clientOf(fetch, { accessToken: 'of-another-company' });
    const error = await failure(second.transfers.create(other));
    expect(error).toMatchObject({ status: 400, outcome: 'unknown' });
    expect(error.message).toContain('may have made the payment');
    expect(await failure(second.transfers.create(transferParams))).toMatchObject({
      code: 'request_id_reused',
      outcome: 'unknown',
    });
  });

  it('says when the earlier call is still under way', async () => {
    const controller = new AbortController();
    const client = clientOf(scripted(hanging));
    const first = failure(client.transfers.create(transferParams, { signal: controller.signal }));
    const error = await failure(client.transfers.create(other));
    expect(error).toMatchObject({ earlier: { outcome: 'pending' } });
    controller.abort();
    await first;
  });
});
