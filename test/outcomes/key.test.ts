import { describe, expect, it } from 'vitest';
import { type ClientOptions, PaymentsClient, type PaymentsError } from '../../src/index.ts';
import { transferParams } from '../client/operations.ts';
import {
  clientOf,
  cutBody,
  failure,
  hanging,
  json,
  networkFailure,
  type Step,
  scripted,
  text,
} from '../client/support.ts';
import { heldTransfer } from '../fixtures/index.ts';

/** Pays twice under one key, with two clients that share a service, and returns the second error. */
async function payTwice(first: Step, second: Step, options: ClientOptions = {}): Promise<PaymentsError> {
  const fetch = scripted(first, second);
  const params = { ...transferParams, requestId: crypto.randomUUID() };
  await clientOf(fetch, { retries: 0 })
    .transfers.create(params)
    .catch(() => undefined);
  return failure(clientOf(fetch, { retries: 0, ...options }).transfers.create(params));
}

const lost = networkFailure('ECONNRESET');
const later: readonly [what: string, step: Step, options?: ClientOptions][] = [
  ['a refused connection', networkFailure('ECONNREFUSED')],
  ['400', json({ error: 'INSUFFICIENT_BALANCE' }, 400)],
  ['401', json({ error: 'UNAUTHORIZED' }, 401)],
  ['403', json({ error: 'USER_FROZEN' }, 403)],
  ['404', json({ error: 'USER_NOT_FOUND' }, 404)],
  ['429', text('', 429)],
  ['503 with Retry-After', text('', 503, { 'retry-after': '1' })],
  ['a failing token', json({}), { accessToken: () => Promise.reject(new Error('vault is down')) }],
  [
    'an aborted wait for a token',
    json({}),
    { accessToken: () => new Promise<string>(() => undefined), timeout: 100 },
  ],
];

describe('a key whose first call is open', () => {
  it.each(later)('stays open after %s', async (_what, step, options) => {
    const error = await payTwice(lost, step, options);
    expect(error.outcome).toBe('unknown');
    expect(error.message).toContain(
      'An earlier call with this requestId may have made the payment: retry with the same requestId, or look it up.',
    );
    expect(error.message).not.toContain('made no payment');
  });

  it.each(later.filter(([, , options]) => options === undefined))(
    'was paid if the first call was, whatever the second meets: %s',
    async (_what, step, options) => {
      const error = await payTwice(json(heldTransfer), step, options);
      expect(error.outcome).toBe('succeeded');
      expect(error.message).toContain(
        'An earlier call with this requestId made the payment: do not send it again.',
      );
    },
  );

  it.each(later)('is closed by a refusal that it never left: %s', async (_what, step, options) => {
    const error = await payTwice(json({ error: 'USER_FROZEN' }, 403), step, options);
    expect(['not-sent', 'rejected']).toContain(error.outcome);
  });

  it('stays open after parameters that are refused here', async () => {
    const client = clientOf(scripted(lost), { retries: 0 });
    const params = { ...transferParams, requestId: crypto.randomUUID() };
    await failure(client.transfers.create(params));
    const error = await failure(client.transfers.create({ ...params, amount: -1 }));
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      field: 'amount',
      outcome: 'unknown',
      requestId: params.requestId,
    });
    expect(error.message).toContain('An earlier call with this requestId may have made the payment');
    const options = await failure(client.transfers.create(params, { timeout: -1 }));
    expect(options).toMatchObject({ name: 'InvalidRequestError', outcome: 'unknown' });
    const token = await failure(client.transfers.create(params, { accessToken: '' }));
    expect(token).toMatchObject({
      name: 'ConfigurationError',
      outcome: 'unknown',
      requestId: params.requestId,
    });
    expect(token.message).toContain('An earlier call with this requestId may have made the payment');
  });

  it.each<[string, object]>([
    ['a field of its body', { body: { amount: 5, ref: 'k2' }, idempotencyKey: { field: 'ref' } }],
    ['a value for a field', { body: { amount: 5 }, idempotencyKey: { field: 'ref', value: 'k2' } }],
    ['a value for a header', { body: { amount: 5 }, idempotencyKey: { header: 'ref', value: 'k2' } }],
    ['the usual field', { body: { amount: 5, requestId: 'k2' }, retrySafety: 'keyed' }],
  ])(
    'stays open after a described request that is refused here, with its key in %s',
    async (_what, keyed) => {
      const client = clientOf(scripted(lost), { retries: 0 });
      const pay = (other: object = {}) =>
        failure(client.request({ method: 'POST', path: '/v2/pay', ...keyed, ...other }));
      await pay();
      for (const [field, wrong] of [
        ['path', { path: '/v2//pay' }],
        ['request', { paht: '/v2/pay' }],
        ['essential', { essential: 'id' }],
      ] as const) {
        const error = await pay(wrong);
        expect(error).toMatchObject({ code: 'invalid_request', field, outcome: 'unknown', requestId: 'k2' });
        expect(error.message).toContain('An earlier call with this idempotency key may have been carried');
      }
    },
  );

  it('is told as known once the service said so', async () => {
    const error = await payTwice(json({ error: 'RESOURCE_CONFLICT' }, 400), networkFailure('ECONNREFUSED'));
    expect(error.outcome).toBe('unknown');
    expect(error.message).toContain('The service has an earlier request with this requestId.');
  });

  it('is open while another call is under way', async () => {
    const fetch = scripted(hanging, networkFailure('ECONNREFUSED'));
    const client = clientOf(fetch, { retries: 0 });
    const controller = new AbortController();
    const first = failure(client.transfers.create(transferParams, { signal: controller.signal }));
    expect(await failure(client.transfers.create(transferParams))).toMatchObject({ outcome: 'unknown' });
    controller.abort();
    expect(await first).toMatchObject({ outcome: 'unknown' });
  });

  it('is open after a refusal whose body was lost', async () => {
    const error = await payTwice(cutBody(400), networkFailure('ECONNREFUSED'));
    expect(error.outcome).toBe('unknown');
  });
});

describe('a key', () => {
  it('is for one address: the same body for another record is another payload', async () => {
    const client = clientOf(scripted(json({ id: 'p1', requestId: 'k1' })));
    const pay = (path: string, query = {}) =>
      client.request({
        method: 'POST',
        path,
        query,
        body: { requestId: 'k1', amount: 5 },
        retrySafety: 'keyed',
      });
    await pay('/customers/alice/pay');
    await pay('/customers/alice/pay');
    expect(await failure(pay('/customers/bob/pay'))).toMatchObject({
      code: 'request_id_reused',
      outcome: 'unknown',
    });
    expect(await failure(pay('/customers/alice/pay', { dry: true }))).toMatchObject({
      code: 'request_id_reused',
    });
  });

  it('is remembered by service: another origin knows nothing of it', async () => {
    const fetch = scripted(lost, json({ error: 'USER_FROZEN' }, 403));
    const paying = (baseUrl: string) =>
      failure(
        new PaymentsClient({ baseUrl, accessToken: 't', fetch, retries: 0 }).transfers.create(transferParams),
      );
    expect(await paying('https://one.example')).toMatchObject({ outcome: 'unknown' });
    expect(await paying('https://two.example')).toMatchObject({ outcome: 'rejected' });
  });
});

describe('an operation that the caller declares', () => {
  it('never speaks of a payment', async () => {
    const client = clientOf(
      scripted(json({ error: 'USER_ALREADY_EXISTS' }, 409), json({ error: 'RESOURCE_CONFLICT' }, 409)),
    );
    const create = () =>
      failure(
        client.request({
          method: 'POST',
          path: '/v2/users',
          body: { requestId: 'u1' },
          retrySafety: 'keyed',
        }),
      );
    for (const error of [await create(), await create()]) {
      expect(error.outcome).toBe('unknown');
      expect(error.message).not.toContain('payment');
    }
  });
});
