import { describe, expect, it } from 'vitest';
import type { Hooks } from '../../../src/client/index.ts';
import { transferParams } from '../operations.ts';
import { clientOf, failure, json, scripted } from '../support.ts';

describe('an idempotency key', () => {
  const hooks: Hooks = {
    request: () => ({
      headers: { 'x-payment-key': 'planted', 'Idempotency-Key': 'planted', 'x-trace': 't1' },
    }),
  };
  const post = { method: 'POST', path: '/v2/payouts' } as const;

  it('in a header is not replaced by a hook, in any attempt', async () => {
    const fetch = scripted(json({}, 500), json({}));
    await clientOf(fetch, { hooks, retries: { limit: 1, minDelay: 0 } }).request(post, {
      headers: { 'X-Idempotency-Key': 'k1' },
    });
    expect(fetch.seen.map(({ headers }) => headers['x-idempotency-key'])).toEqual(['k1', 'k1']);
    expect(fetch.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
    expect(fetch.seen.map(({ headers }) => headers['x-trace'])).toEqual(['t1', 't1']);
  });

  it.each(['idempotency-key', 'Idempotency-KEY'])('is that of the call, in the header %s', async (name) => {
    const fetch = scripted(json({}, 500), json({}));
    const client = clientOf(fetch, { retries: { limit: 1, minDelay: 0 } });
    const given = (key: string) => ({ headers: { [name]: key } });
    const calls = [
      client.request(post, given('job-1')),
      client.request({ ...post, body: {} }, given('job-2')),
    ];
    await Promise.all(calls);
    expect(calls.map(({ requestId }) => requestId)).toEqual(['job-1', 'job-2']);
    const sent = fetch.seen.map(({ headers }) => headers['idempotency-key']).sort();
    expect(sent).toEqual(['job-1', 'job-1', 'job-2']);
    const blank = await failure(client.request(post, given(' ')));
    expect(blank).toMatchObject({ field: name, outcome: 'not-sent' });
  });

  it.each(['Idempotency-Key', 'X-Idempotency-Key'])(
    'in %s alone is refused for a payment, which would get another key',
    async (name) => {
      const { requestId: _own, ...params } = transferParams;
      const options = { headers: { [name]: 'job-7' } };
      const error = await failure(clientOf(scripted(json({}))).transfers.create(params, options));
      expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
      expect(error).toMatchObject({ field: 'options' });
      expect(error.message).toContain('the idempotency key is `requestId` in the parameters');
      const fetch = scripted(json({ transferDetails: { id: 't1', status: 'CREATED' } }));
      await clientOf(fetch).transfers.create(transferParams, options);
      expect(fetch.seen[0]?.headers[name.toLowerCase()]).toBe('job-7');
    },
  );

  it.each<[first: object, second: object]>([
    [{ 'Idempotency-Key': 'k1' }, { 'idempotency-key': 'k2' }],
    [{ 'Idempotency-Key': 'k1' }, { 'X-Idempotency-Key': 'k2' }],
  ])('may not be two: %j and %j', async (first, second) => {
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const own = { params: { header: first }, body: {} } as never;
    const calls = [
      client.request(post, { headers: { ...first, ...second } }),
      client.api<never>().POST('/v2/payouts' as never, own, { headers: { ...second } }),
    ];
    for (const call of calls)
      expect(await failure(call)).toMatchObject({
        name: 'InvalidRequestError',
        outcome: 'not-sent',
        message: expect.stringContaining('is a second idempotency key: give one'),
      });
    expect(fetch.seen).toEqual([]);
    await client.request(post, { headers: { 'Idempotency-Key': 'k1', 'X-Idempotency-Key': 'k1' } });
    expect(fetch.seen).toHaveLength(1);
  });

  it('that the caller sends in a header of another name, too, is not replaced by a hook', async () => {
    const fetch = scripted(json({}));
    await clientOf(fetch, { hooks }).request(
      { ...post, body: { requestId: 'k2' }, retrySafety: 'keyed' },
      { headers: { 'X-Payment-Key': 'k2' } },
    );
    expect(fetch.seen[0]?.headers['x-payment-key']).toBe('k2');
  });

  it('in a body gets no rival in a header of a hook', async () => {
    const fetch = scripted(json({}));
    await clientOf(fetch, { hooks }).request({ ...post, body: { requestId: 'k2' }, retrySafety: 'keyed' });
    expect(JSON.parse(fetch.seen[0]?.body ?? '')).toEqual({ requestId: 'k2' });
    expect(fetch.seen[0]?.headers).not.toHaveProperty('idempotency-key');
  });
});
