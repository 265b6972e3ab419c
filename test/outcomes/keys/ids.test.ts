import { describe, expect, it } from 'vitest';
import { requestId, transferParams } from '../../client/operations.ts';
import { bridge, clientOf, failure, json, scripted } from '../../client/support.ts';
import * as wire from '../../fixtures/index.ts';

describe('idempotency ids', () => {
  it('are made, one per call, and known before the call ends', async () => {
    const fetch = scripted(json(wire.bridgeTransfer));
    const client = clientOf(fetch);
    const calls = [client.bridges.create(bridge), client.bridges.create(bridge)];
    const ids = calls.map(({ requestId }) => requestId);
    await Promise.all(calls);
    expect(fetch.seen.map(({ body }) => JSON.parse(body ?? '').requestId)).toEqual(ids);
    expect(new Set(ids).size).toBe(2);
  });

  it('are free again when nothing was sent', async () => {
    const fetch = scripted(json(wire.heldTransfer));
    const client = clientOf(fetch);
    const signal = AbortSignal.abort();
    expect((await failure(client.transfers.create(transferParams, { signal }))).outcome).toBe('not-sent');
    const headers = { authorization: 'x' };
    expect((await failure(client.transfers.create(transferParams, { headers }))).outcome).toBe('not-sent');
    await client.transfers.create({ ...transferParams, amount: 26 });
    expect(fetch.seen).toHaveLength(1);
  });

  it('stay known when an earlier call was made', async () => {
    const client = clientOf(scripted(json(wire.heldTransfer)));
    await client.transfers.create(transferParams);
    const signal = AbortSignal.abort();
    expect((await failure(client.transfers.create(transferParams, { signal }))).outcome).toBe('unknown');
  });

  it('are those among the parameters themselves, whatever their `toJSON` says', async () => {
    const fetch = scripted(json(wire.heldTransfer));
    const { requestId: _own, ...params } = transferParams;
    for (const given of [
      { ...params, toJSON: () => transferParams },
      { ...transferParams, toJSON: () => params },
      { ...params, requestId: Object(requestId) },
    ])
      expect(await failure(clientOf(fetch).transfers.create(given))).toMatchObject({
        name: 'InvalidRequestError',
        outcome: 'not-sent',
        message: expect.stringContaining('`requestId` must be a'),
      });
    expect(fetch.seen).toHaveLength(0);
  });

  it.each([7, null, Object(requestId)])('are texts: %j is none, and not that of the error', async (id) => {
    const error = await failure(clientOf(scripted()).transfers.create({ ...transferParams, requestId: id }));
    expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
    expect(error.requestId).toBeUndefined();
  });
});
