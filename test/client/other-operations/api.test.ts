import { describe, expect, it } from 'vitest';
import type { RequestOptions } from '../../../src/client/index.ts';
import { baseUrl, clientOf, failure, json, networkFailure, type Step, scripted } from '../support.ts';

/** In the form that openapi-typescript writes. */
interface paths {
  '/v2/users/{userId}': {
    get: Operation<{ path: { userId: string | number }; query?: { expand?: string[] } }, User>;
    delete: Operation<{ path: { userId: string } }, User>;
    post?: never;
  };
  '/v2/users': { post: Operation<{ header?: Record<string, string> }, User> & Body };
  '/v2/payments/{payment-id}:cancel': { post: Operation<{ path: { 'payment-id': string } }, User> };
  '/v2/things': { put: Operation<object, User> & Body; patch: Operation<object, User> & Body };
}
interface Operation<Parameters, Data> {
  parameters: Parameters;
  responses: { 200: { content: { 'application/json': Data } } };
}
interface Body {
  requestBody: { content: { 'application/json': Record<string, unknown> } };
}
interface User {
  userId: string;
}

const apiOf = (...steps: Step[]) => {
  const fetch = scripted(...steps);
  return { fetch, api: clientOf(fetch, { retries: { limit: 1, minDelay: 0 } }).api<paths>() };
};
const user = json({ userId: 'u1' });

describe('api', () => {
  it('sends what is described, and returns the data', async () => {
    const { fetch, api } = apiOf(user);
    const params = { path: { userId: 'u1' }, query: { expand: ['a', 'b'] } };
    const { userId } = await api.GET('/v2/users/{userId}', { params }, { headers: { 'x-a': '1' } });
    expect(userId).toBe('u1');
    await api.POST('/v2/users', { params: { header: { 'x-region': 'eu' } }, body: { email: 'e' } });
    await api.POST('/v2/payments/{payment-id}:cancel', { params: { path: { 'payment-id': 'p 1' } } });
    await api.PUT('/v2/things', { body: { a: 1 } });
    await api.PATCH('/v2/things', { body: { a: 1 } });
    expect(fetch.seen.map(({ method, url, body }) => [method, url.slice(baseUrl.length), body])).toEqual([
      ['GET', '/v2/users/u1?expand=a&expand=b', undefined],
      ['POST', '/v2/users', '{"email":"e"}'],
      ['POST', '/v2/payments/p%201:cancel', undefined],
      ['PUT', '/v2/things', '{"a":1}'],
      ['PATCH', '/v2/things', '{"a":1}'],
    ]);
    expect(fetch.seen[0]?.headers).toMatchObject({ 'x-a': '1', authorization: expect.any(String) });
    expect(fetch.seen[1]?.headers).toMatchObject({ 'x-region': 'eu', 'content-type': 'application/json' });
  });

  it('throws our errors, whose operation is the path', async () => {
    const events: string[] = [];
    const fetch = scripted(json({ error: 'NOT_FOUND', errorDetails: 'No such user' }, 404));
    const hooks = { response: ({ urlTemplate }: { urlTemplate: string }) => void events.push(urlTemplate) };
    const api = clientOf(fetch, { hooks }).api<paths>();
    const error = await failure(api.GET('/v2/users/{userId}', { params: { path: { userId: 7 } } }));
    expect(error).toMatchObject({ name: 'NotFoundError', operation: 'GET /v2/users/{userId}' });
    expect(error.message).toMatch(/^GET \/v2\/users\/\{userId\} failed: NOT_FOUND/);
    expect(events).toEqual(['/v2/users/{userId}']);
  });

  // "Nothing is matched. A read gives whatever came."
  it('compares nothing with the response', async () => {
    const other: Step = () => Response.json({ userId: 'another', success: false });
    const { api } = apiOf(other);
    expect(await api.GET('/v2/users/{userId}', { params: { path: { userId: 'u1' } } })).toMatchObject({
      userId: 'another',
    });
  });

  const lost = networkFailure('ECONNRESET');
  const path = { userId: 'u1' };
  type Client = ReturnType<typeof apiOf>['api'];
  const idempotencyKey = { headers: { 'Idempotency-Key': 'k1' } } satisfies RequestOptions;

  it.each<[string, (api: Client) => PromiseLike<unknown>, attempts: number]>([
    ['a GET is read', (api) => api.GET('/v2/users/{userId}', { params: { path } }), 2],
    ['a DELETE deletes', (api) => api.DELETE('/v2/users/{userId}', { params: { path } }), 2],
    ['a `requestId` by itself is no key', (api) => api.POST('/v2/users', { body: { requestId: 'r1' } }), 1],
    ['a header may be a key', (api) => api.POST('/v2/users', { body: {} }, idempotencyKey), 2],
    [
      'so may one of the description',
      (api) => api.POST('/v2/users', { params: { header: { 'x-idempotency-key': 'k' } }, body: {} }),
      2,
    ],
    ['another POST is sent once', (api) => api.POST('/v2/users', { body: {} }), 1],
    ['so is a PUT', (api) => api.PUT('/v2/things', { body: {} }), 1],
    ['`refresh` sends again', (api) => api.PUT('/v2/things', { body: {}, retrySafety: 'refresh' }), 2],
    [
      '`once` sends a key once',
      (api) => api.POST('/v2/users', { body: { requestId: 'r2' }, retrySafety: 'once' }),
      1,
    ],
    [
      '`keyed` takes it for one',
      (api) => api.POST('/v2/users', { body: { requestId: 'r1' }, retrySafety: 'keyed' }),
      2,
    ],
  ])('%s', async (_what, call, attempts) => {
    const { fetch, api } = apiOf(lost, user);
    const outcome = await Promise.resolve(call(api)).then(
      () => 'data',
      (error: { outcome: string }) => error.outcome,
    );
    expect([fetch.seen.length, outcome]).toEqual([attempts, attempts === 2 ? 'data' : 'unknown']);
    const [first, second = first] = fetch.seen;
    expect([second?.body, second?.headers]).toEqual([first?.body, first?.headers]);
  });

  it('has the key on the promise and the error, and a refusal that names it is in doubt', async () => {
    const known = apiOf(json({ error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' }, 409)).api;
    const call = known.POST('/v2/users', { body: {} }, idempotencyKey);
    expect(call.requestId).toBe('k1');
    expect(await failure(call)).toMatchObject({ name: 'ConflictError', outcome: 'unknown', requestId: 'k1' });
  });

  // As a caller without types may do.
  it.each<[unknown[], field: string, words: string]>([
    [['v2/users', { body: {} }], 'path', 'must start with a single `/`'],
    [[undefined], 'path', 'must be a string'],
    [['/v2/../x'], 'path', 'is `.` or `..`'],
    [['/v2/users/{userId}'], 'userId', 'but is missing'],
    [['/v2/users/{userId}', { params: { path: { userId: '..' } } }], 'userId', 'another resource'],
    [['/v2/users', 7], 'input', 'must be an object'],
    [['/v2/users', { data: {} }], 'input', 'Possible names: `params`'],
    [['/v2/users', { query: {} }], 'input', 'Did you mean `params.query`?'],
    [['/v2/users', { headers: {} }], 'input', '`headers` in the call options'],
    [['/v2/users', { idempotencyKey: 'k' }], 'input', 'the header in `params.header`'],
    [
      ['/v2/users', { params: { header: new Headers({ 'idempotency-key': 'k' }) }, body: {} }],
      'header',
      'Object.fromEntries()',
    ],
    [
      ['/v2/users', { body: {} }, { headers: new Map([['idempotency-key', 'k']]) }],
      'options',
      'Object.fromEntries()',
    ],
    [['/v2/users', { params: { query: new URLSearchParams('a=1') } }], 'query', 'Object.fromEntries()'],
    [['/v2/users', { params: { cookie: {} } }], 'params', '`cookie` is not an option'],
    [['/v2/users', { body: {}, retrySafety: 'never' }], 'retrySafety', "must be 'read',"],
    [['/v2/users', { body: { requestId: undefined }, retrySafety: 'keyed' }], 'requestId', 'but is missing'],
    [['/v2/users', { body: { requestId: null }, retrySafety: 'keyed' }], 'requestId', 'but is null'],
    [
      ['/v2/users', { body: {}, retrySafety: 'keyed' }],
      'retrySafety',
      'give the key in an idempotency header',
    ],
    [['/v2/users', { params: { header: { 'Idempotency-Key': '' } } }], 'Idempotency-Key', 'but is empty'],
  ])('refuses %j before it sends anything', async (args, field, words) => {
    const { fetch, api } = apiOf(user);
    const error = await failure(Reflect.apply(api.POST, undefined, args));
    expect(error).toMatchObject({ name: 'InvalidRequestError', field, outcome: 'not-sent' });
    expect(error.message).toContain(words);
    expect(fetch.seen).toEqual([]);
  });
});
