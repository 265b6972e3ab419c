import { describe, expect, it } from 'vitest';
import type { ClientOptions, PaymentsError, StandardSchema } from '../../../src/client/index.ts';
import { transferParams, usParams } from '../../client/operations.ts';
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
} from '../../client/support.ts';
import { heldTransfer } from '../../fixtures/index.ts';

/** Pays twice under one key, with a client and one that is derived from it, and returns the second error. */
async function payTwice(first: Step, second: Step, options: ClientOptions = {}): Promise<PaymentsError> {
  const client = clientOf(scripted(first, second), { retries: 0 });
  const params = { ...transferParams, requestId: crypto.randomUUID() };
  await client.transfers.create(params).catch(() => undefined);
  return failure(client.withOptions(options).transfers.create(params));
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
    expect(error.message).toMatch(
      /(An earlier call with this requestId|This call) may have made the payment: retry with the same requestId, or look it up\./,
    );
    expect(error.message).not.toContain('made no payment');
  });

  // "While another mark stands, a failure whose own attempts did not come to `succeeded` has the outcome `unknown`."
  it.each(later)(
    'is unknown if the first call was made, whatever the second meets: %s',
    async (_what, step, options) => {
      const error = await payTwice(json(heldTransfer), step, options);
      expect(error.outcome).toBe('unknown');
      expect(error.message).toContain(
        'may have made the payment: retry with the same requestId, or look it up.',
      );
    },
  );

  // Row 7, and "Retry-After says when to try again, never what was proved": a 503 leaves it open.
  it.each(later.filter(([what]) => what !== '503 with Retry-After'))(
    'is closed by a refusal that it never left: %s',
    async (_what, step, options) => {
      const error = await payTwice(json({ error: 'USER_FROZEN' }, 403), step, options);
      expect(['not-sent', 'rejected']).toContain(error.outcome);
    },
  );

  const redirected: Step = () => Object.defineProperty(new Response('{}'), 'redirected', { value: true });
  const read: Step = () => Object.defineProperty(new Response('{}'), 'bodyUsed', { value: true });
  // Row 2, and "attempts join": what came before is weaker.
  it.each<[what: string, last: Step]>([
    ['a redirect that `fetch` followed', redirected],
    ['a response that cannot be read', read],
    ['a response that is too large', text('x'.repeat(11 * 1024 * 1024))],
    ['a body cut short', cutBody()],
  ])('stays open where a refusal for now was followed by %s', async (_what, last) => {
    const fetch = scripted(json({}, 429), last, json({ error: 'USER_FROZEN' }, 403));
    const client = clientOf(fetch, { retries: { limit: 1, minDelay: 0 } });
    expect(await failure(client.transfers.create(transferParams))).toMatchObject({ attempts: 2 });
    expect(await failure(client.transfers.create(transferParams))).toMatchObject({
      status: 403,
      outcome: 'unknown',
    });
  });

  it('stays open where a refusal for now was followed by success', async () => {
    const fetch = scripted(json({}, 429), json(heldTransfer), json({ error: 'USER_FROZEN' }, 403));
    const client = clientOf(fetch, { retries: { limit: 1, minDelay: 0 } });
    await client.transfers.create(transferParams);
    expect(await failure(client.transfers.create(transferParams))).toMatchObject({
      status: 403,
      outcome: 'unknown',
    });
  });

  it('stays open where a refusal for now was followed by a schema that never ends', async () => {
    const fetch = scripted(json({}, 429), json({}), json({ error: 'USER_FROZEN' }, 403));
    const client = clientOf(fetch, { retries: { limit: 1, minDelay: 0 } });
    const controller = new AbortController();
    const validate = () => {
      controller.abort();
      return new Promise<never>(() => undefined);
    };
    const schema: StandardSchema<object> = { '~standard': { validate } };
    const pay = (options: object = {}) =>
      failure(
        client.request(
          { method: 'POST', path: '/v2/pay', body: { requestId: 'k1' }, retrySafety: 'keyed', schema },
          options,
        ),
      );
    expect(await pay({ signal: controller.signal })).toMatchObject({ name: 'AbortedError', attempts: 2 });
    expect(await pay()).toMatchObject({ status: 403, outcome: 'unknown' });
  });

  it.each<[what: string, first: Step, options?: ClientOptions]>([
    ['a refused connection', networkFailure('ECONNREFUSED')],
    ['a refusal', json({ error: 'USER_FROZEN' }, 403)],
    ['a failing token', json({}), { accessToken: () => Promise.reject(new Error('vault is down')) }],
  ])('is not one whose first call met %s', async (_what, first, options) => {
    const client = clientOf(scripted(json({ error: 'USER_FROZEN' }, 403)), { retries: 0 });
    await failure(
      client.withOptions({ fetch: scripted(first), ...options }).transfers.create(transferParams),
    );
    expect(await failure(client.transfers.create(transferParams))).toMatchObject({ outcome: 'rejected' });
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
    expect(token.message).toContain('transfers.create: `accessToken` ');
    expect(token.message).toContain('An earlier call with this requestId may have made the payment');
  });

  it.each<[string, object, object?]>([
    ['a header', { body: { amount: 5 } }, { headers: { 'Idempotency-Key': 'k2' } }],
    ['its body', { body: { amount: 5, requestId: 'k2' }, retrySafety: 'keyed' }],
  ])(
    'stays open after a described request that is refused here, with its key in %s',
    async (_what, keyed, options) => {
      const client = clientOf(scripted(lost), { retries: 0 });
      const pay = (other: object = {}) =>
        failure(client.request({ method: 'POST', path: '/v2/pay', ...keyed, ...other }, options));
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

  it('stays open once the service said that it is known', async () => {
    const error = await payTwice(json({ error: 'RESOURCE_CONFLICT' }, 400), networkFailure('ECONNREFUSED'));
    expect(error.outcome).toBe('unknown');
    expect(error.message).toContain('An earlier call with this requestId may have made the payment');
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
    const cut = clientOf(scripted(cutBody(400)), { retries: 0 }).transfers.create(transferParams);
    expect(await failure(cut)).toMatchObject({ outcome: 'unknown', body: '' });
  });
});

it('an operation that moves no money never speaks of a payment', async () => {
  const client = clientOf(scripted(json({ error: 'USER_FROZEN' }, 403)));
  for (const call of [
    client.approvals.approve('a1'),
    client.approvals.approve('a1', {}, { accessToken: () => Promise.reject(new Error('vault is down')) }),
    client.accounts.create('u1', usParams),
  ])
    expect((await failure(call)).message).not.toContain('payment');
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
