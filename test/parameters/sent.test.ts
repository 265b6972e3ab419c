import { describe, expect, it } from 'vitest';
import { defineResource, type Hooks, ofType } from '../../src/index.ts';
import { offrampParams, onrampParams, transferParams } from '../client/operations.ts';
import { batch, bridge, clientOf, failure, json, scripted } from '../client/support.ts';

async function refusal(act: (client: ReturnType<typeof clientOf>) => PromiseLike<unknown>) {
  const fetch = scripted(json({}));
  const error = await failure(act(clientOf(fetch)));
  expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
  expect(fetch.seen).toHaveLength(0);
  return error;
}

describe('an idempotency key', () => {
  const hooks: Hooks = {
    request: () => ({
      headers: { 'x-payment-key': 'planted', 'Idempotency-Key': 'planted', 'x-trace': 't1' },
    }),
  };
  const Payouts = defineResource('payouts', {
    byHeader: {
      method: 'POST',
      path: '/v2/payouts',
      idempotencyKey: { header: 'X-Payment-Key', value: 'k1' },
    },
    byField: { method: 'POST', path: '/v2/payouts', idempotencyKey: { field: 'ref', value: 'k2' } },
  });

  it('in a header is not replaced by a hook, in any attempt', async () => {
    const fetch = scripted(json({}, 500), json({}));
    await clientOf(fetch, { hooks, retries: { limit: 1, minDelay: 0 } })
      .with({ Payouts })
      .Payouts.byHeader();
    expect(fetch.seen.map(({ headers }) => headers['x-payment-key'])).toEqual(['k1', 'k1']);
    expect(fetch.seen.map(({ headers }) => headers['x-trace'])).toEqual(['t1', 't1']);
  });

  it.each(['idempotency-key', 'Idempotency-KEY'])(
    'for a header may be given in the call, as %s',
    async (name) => {
      const place = {
        method: 'POST',
        path: '/v2/pay',
        idempotencyKey: { header: 'Idempotency-Key' },
      } as const;
      const Pay = defineResource('pay', { bare: place, full: { ...place, body: ofType<object>() } });
      const fetch = scripted(json({}, 500), json({}));
      const client = clientOf(fetch, { retries: { limit: 1, minDelay: 0 } }).with({ Pay });
      const given = (key: string) => ({ headers: { [name]: key } });
      const calls = [
        client.Pay.bare(given('job-1')),
        client.Pay.full({}, given('job-2')),
        client.request(place, given('job-3')),
      ];
      await Promise.all(calls);
      expect(calls.map(({ requestId }) => requestId)).toEqual(['job-1', 'job-2', 'job-3']);
      const sent = fetch.seen.map(({ headers }) => headers['idempotency-key']).sort();
      expect(sent).toEqual(['job-1', 'job-1', 'job-2', 'job-3']);
      const blank = await failure(client.request(place, given(' ')));
      expect(blank).toMatchObject({ field: 'Idempotency-Key', outcome: 'not-sent' });
    },
  );

  it.each(['Idempotency-Key', 'X-Idempotency-Key'])(
    'in %s alone is refused for a payment, which would get another key',
    async (name) => {
      const { requestId: _own, ...params } = transferParams;
      const options = { headers: { [name]: 'job-7' } };
      const error = await refusal((client) => client.transfers.create(params, options));
      expect(error).toMatchObject({ field: 'options' });
      expect(error.message).toContain('the idempotency key is `requestId` in the parameters');
      const fetch = scripted(json({ transferDetails: { id: 't1', status: 'CREATED' } }));
      await clientOf(fetch).transfers.create(transferParams, options);
      expect(fetch.seen[0]?.headers[name.toLowerCase()]).toBe('job-7');
    },
  );

  it('in a body gets no rival in a header of a hook', async () => {
    const fetch = scripted(json({ ref: 'k2' }));
    await clientOf(fetch, { hooks }).with({ Payouts }).Payouts.byField();
    expect(JSON.parse(fetch.seen[0]?.body ?? '')).toEqual({ ref: 'k2' });
    expect(fetch.seen[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it.each(['', ' ', '\t\n', '\u00a0', '\u200b', '\u2060\ufeff', '--'])(
    'that is blank is refused: %j',
    async (requestId) => {
      for (const [namespace, params] of [
        ['transfers', transferParams],
        ['bridges', bridge],
        ['onramps', onrampParams],
        ['offramps', offrampParams],
      ] as const) {
        const error = await refusal((client) => client[namespace].create({ ...params, requestId } as never));
        expect(error).toMatchObject({ field: 'requestId' });
      }
    },
  );
});

describe('a field that is not enumerable', () => {
  const hidden = (value: object, name: string, content: unknown) =>
    Object.defineProperty({ ...value }, name, { value: content, enumerable: false });

  it('is refused, as JSON would leave it out', async () => {
    const params = hidden(transferParams, 'requireApproval', true);
    const error = await refusal((client) => client.transfers.create(params as never));
    expect(error).toMatchObject({ field: 'requireApproval' });
    const nested = { ...transferParams, source: hidden({ userId: 'u1' }, 'accountId', 'a1') };
    expect(await refusal((client) => client.transfers.create(nested as never))).toMatchObject({
      field: 'source.accountId',
    });
  });

  it('of a framework is left out', async () => {
    const fetch = scripted(json({ transferType: 'x', transferDetails: { id: 'i', status: 's' } }));
    const params = hidden(transferParams, '__ob__', {});
    await clientOf(fetch).transfers.create(params as never);
    expect(JSON.parse(fetch.seen[0]?.body ?? '')).not.toHaveProperty('__ob__');
  });
});

describe('an amount', () => {
  // The number of this text is another amount than the text.
  const inexact = [Number('9999999999.999999'), 0.1 + 0.2, 2 ** 53, 1 + Number.EPSILON];
  it.each(inexact)('of more than 15 significant digits is refused: %d', async (amount) => {
    for (const [create, field] of [
      [(client) => client.transfers.create({ ...transferParams, amount }), 'amount'],
      [(client) => client.bridges.create({ ...bridge, amount }), 'amount'],
      [
        (client) => client.onramps.create({ ...onrampParams, source: { ...onrampParams.source, amount } }),
        'source.amount',
      ],
      [
        (client) =>
          client.offramps.create({ ...offrampParams, destination: { ...offrampParams.destination, amount } }),
        'destination.amount',
      ],
      [
        (client) =>
          client.transfers.createBatch({
            ...batch,
            destination: { batch: [{ userId: 'u2', amount }] },
          } as never),
        'destination.batch[0].amount',
      ],
    ] satisfies [(client: ReturnType<typeof clientOf>) => PromiseLike<unknown>, string][]) {
      const error = await refusal(create);
      expect(error).toMatchObject({ field });
      expect(error.message).toContain('at most 15 significant digits');
      expect(error.message).not.toContain(String(amount));
    }
  });

  it.each([0.01, 25, 1e15, 1e21, 123456789.123456, 999999999999.999])(
    'of 15 digits is sent as it is: %d',
    async (amount) => {
      const fetch = scripted(json({ transferType: 'x', transferDetails: { id: 'i', status: 's' } }));
      await clientOf(fetch).transfers.create({ ...transferParams, amount });
      expect(JSON.parse(fetch.seen[0]?.body ?? '').amount).toBe(amount);
    },
  );
});
