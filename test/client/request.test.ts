import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { type CustomRequest, type StandardSchema, VERSION } from '../../src/index.ts';
import { clientOf, failure, json, networkFailure, type Step, scripted, text, token } from './support.ts';

const rules = { rules: [{ id: 'r1', limit: 5 }] };

describe('request', () => {
  it('sends what it is told, with the client’s auth', async () => {
    const fetch = scripted(json(rules));
    const client = clientOf(fetch);
    const value = await client.request(
      { method: 'PUT', path: '/v2/transfer-rules/r 1', query: { dry: true, page: 2 }, body: { limit: 5 } },
      { headers: { 'x-a': '1' } },
    );
    expect(value).toEqual(rules);
    expect(fetch.seen[0]).toMatchObject({
      method: 'PUT',
      url: 'http://127.0.0.1:4010/v2/transfer-rules/r%201?dry=true&page=2',
      body: '{"limit":5}',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'user-agent': `stablecoin-payments/${VERSION}`,
        'x-a': '1',
      },
    });
  });

  it.each(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const)('sends %s without a body', async (method) => {
    const fetch = scripted(text(method === 'HEAD' ? null : '7'));
    const value = await clientOf(fetch).request({ method, path: '/v2/x' });
    expect(value).toBe(method === 'HEAD' ? undefined : 7);
    expect(fetch.seen[0]).toMatchObject({ method, body: undefined });
    expect(fetch.seen[0]?.headers['content-type']).toBeUndefined();
  });

  const bad: readonly [request: unknown, field: string, words: string][] = [
    [undefined, 'request', 'must be an object, but is missing'],
    [null, 'request', 'must be an object, but is null'],
    [{ path: '/v2/x' }, 'method', 'must be one of GET, HEAD, POST, PUT, PATCH, DELETE'],
    [{ method: 'get', path: '/v2/x' }, 'method', 'must be one of'],
    [{ method: 'CONNECT', path: '/v2/x' }, 'method', 'must be one of'],
    [{ method: 'GET', path: '/v2/x', body: {} }, 'body', 'does not go with GET'],
    [{ method: 'POST', path: '/v2/x', body: 'text' }, 'body', 'a Blob or bytes, but is a string'],
    [{ method: 'POST', path: '/v2/x', body: new ReadableStream() }, 'body', 'is a stream'],
    [
      { method: 'POST', path: '/v2/x', retrySafety: 'always' },
      'retrySafety',
      'must be one of read, delete, keyed',
    ],
    [{ method: 'POST', path: '/v2/x', operation: 'a b' }, 'operation', 'must be a name such as'],
    [
      { method: 'POST', path: '/v2/x', idempotencyKey: 'requestId' },
      'idempotencyKey',
      'must be an object such as',
    ],
    [
      { method: 'POST', path: '/v2/x', body: [1], idempotencyKey: { field: 'a' } },
      'idempotencyKey',
      'use a `header`',
    ],
    [
      { method: 'POST', path: '/v2/x', idempotencyKey: { header: 'a', value: '' } },
      'idempotencyKey',
      'but is empty',
    ],
    [
      { method: 'POST', path: '/v2/x', idempotencyKey: { header: 'a', value: `${undefined}` } },
      'idempotencyKey',
      'but is "undefined"',
    ],
    [
      { method: 'POST', path: '/v2/x', idempotencyKey: { field: 'ref' }, body: { ref: `${{}}` } },
      'idempotencyKey',
      'but is "[object Object]"',
    ],
    [
      { method: 'POST', path: '/v2/x', retrySafety: 'keyed', body: { requestId: `${null}` } },
      'idempotencyKey',
      'but is "null"',
    ],
    [
      { method: 'POST', path: '/v2/x', retrySafety: 'keyed', body: { requestId: null } },
      'idempotencyKey',
      'but is null',
    ],
    [
      { method: 'POST', path: '/v2/x', idempotencyKey: { header: 'a', value: null } },
      'idempotencyKey',
      'but is null',
    ],
    [{ method: 'POST', path: '/v2/x', essential: 'id' }, 'essential', 'must be a list of dotted paths'],
    [{ method: 'POST', path: '/v2/x', schema: {} }, 'schema', 'must be a Standard Schema'],
    [{ method: 'POST', path: '/v2/x', schema: null }, 'schema', 'must be a Standard Schema'],
    [{ method: 'POST', path: '/v2/x', schema: { '~standard': 7 } }, 'schema', 'must be a Standard Schema'],
    [{ method: 'GET' }, 'path', 'must be a string such as `/v2/…`, but is missing'],
    [{ method: 'GET', path: 7 }, 'path', 'but is a number'],
    [{ method: 'GET', path: '' }, 'path', 'must start with a single `/`'],
    [{ method: 'GET', path: 'v2/x' }, 'path', 'must start with a single `/`'],
    [{ method: 'GET', path: '//evil.example/x' }, 'path', 'must start with a single `/`'],
    [{ method: 'GET', path: 'https://evil.example/x' }, 'path', 'must start with a single `/`'],
    [{ method: 'GET', path: '/\\evil.example' }, 'path', 'slash'],
    [{ method: 'GET', path: '/v2/../admin' }, 'path', 'is `.` or `..`'],
    [{ method: 'GET', path: '/v2/%2e%2e/admin' }, 'path', 'is `.` or `..`'],
    [{ method: 'GET', path: '/v2//x' }, 'path', 'is empty'],
    [{ method: 'GET', path: '/v2/a%2Fb' }, 'path', 'slash'],
    [{ method: 'GET', path: '/v2/a\tb' }, 'path', 'control character'],
    [{ method: 'GET', path: '/v2/x?a=1' }, 'path', 'must not have a query'],
    [{ method: 'GET', path: '/v2/x#a' }, 'path', 'must not have a query'],
  ];

  it.each(bad)('%j is not sent', async (request, field, words) => {
    const fetch = scripted(json({}));
    const error = await failure(clientOf(fetch).request(request as CustomRequest<unknown>));
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      operation: 'request',
      field,
      outcome: 'not-sent',
    });
    expect(error.message).toContain(words);
    expect(fetch.seen).toHaveLength(0);
  });

  it('that cannot be read is not sent', async () => {
    const fetch = scripted(json({}));
    const request = Object.defineProperty({ method: 'GET' }, 'path', {
      enumerable: true,
      get: () => {
        throw new Error('planted');
      },
    });
    const error = await failure(clientOf(fetch).request(request as CustomRequest<unknown>));
    expect(error.message).toBe('request: `request` cannot be read. Nothing was sent.');
    expect(fetch.seen).toHaveLength(0);
  });

  it('shows no id of the path in errors and events', async () => {
    const events: string[] = [];
    const client = clientOf(scripted(json({}, 404)), {
      hooks: { response: ({ urlTemplate }) => void events.push(urlTemplate) },
    });
    const error = await failure(
      client.request({ method: 'GET', path: '/v2/users/0b7d7c4e/banks/000123456789/transfer-rules/a%20b' }),
    );
    expect(error.message).toBe('request GET /v2/users/{…}/banks/{…}/transfer-rules/{…} failed (HTTP 404).');
    expect(events).toEqual(['/v2/users/{…}/banks/{…}/transfer-rules/{…}']);
  });

  it('keeps braces of a path as they are', async () => {
    const fetch = scripted(json({}));
    await clientOf(fetch).request({ method: 'GET', path: '/v2/{userId}' });
    expect(fetch.seen[0]?.url).toBe('http://127.0.0.1:4010/v2/%7BuserId%7D');
  });
});

describe('a schema given to request', () => {
  const schema = z.object({ rules: z.array(z.object({ id: z.string(), limit: z.number() })) });

  it('checks the answer and gives it its type', async () => {
    const value = await clientOf(scripted(json(rules))).request({ method: 'GET', path: '/v2/x', schema });
    expectTypeOf(value).toEqualTypeOf<{ rules: { id: string; limit: number }[] }>();
    expect(value.rules[0]?.limit).toBe(5);
  });

  it('may convert: its output is the value', async () => {
    const upper = schema.transform(({ rules: [first] }) => first?.id.toUpperCase());
    expect(
      await clientOf(scripted(json(rules))).request({ method: 'GET', path: '/v2/x', schema: upper }),
    ).toBe('R1');
  });

  it('throws on every departure, names it without values, and keeps the body', async () => {
    const body = { rules: [{ id: 'r1', limit: 'planted' }] };
    const error = await failure(
      clientOf(scripted(json(body))).request({ method: 'POST', path: '/v2/x', schema, idempotent: true }),
    );
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      attempts: 1,
      issues: [{ path: 'rules.0.limit', code: 'schema' }],
      body,
    });
    expect(JSON.stringify(error)).not.toContain('planted');
  });

  it('is not asked with validation off', async () => {
    const client = clientOf(scripted(json(7)), { responseValidation: 'off' });
    expect(await client.request({ method: 'GET', path: '/v2/x', schema })).toBe(7);
  });

  const standard = (validate: StandardSchema<unknown>['~standard']['validate']): StandardSchema<unknown> => ({
    '~standard': { validate },
  });

  it('shows no key that the service chose freely, in either form of path', async () => {
    const client = clientOf(scripted(json({})));
    const issues = [{ path: ['accounts', { key: '000123456789' }, 3] }, {}];
    const error = await failure(
      client.request({ method: 'GET', path: '/v2/x', schema: standard(() => ({ issues })) }),
    );
    expect(error).toMatchObject({
      issues: [
        { path: 'accounts.*.3', code: 'schema' },
        { path: '', code: 'schema' },
      ],
    });
  });

  it.each([
    [
      'at once',
      () => {
        throw new Error('planted');
      },
    ],
    ['later', () => Promise.reject(new Error('planted'))],
    ['by giving nothing', () => undefined as never],
    ['by issues that are no list', () => ({ issues: null }) as never],
    ['by an issue that is nothing', () => ({ issues: [null] }) as never],
    ['by a path that is no list', async () => ({ issues: [{ path: 7 }] }) as never],
    ['by a step that is nothing', () => ({ issues: [{ path: [null] }] }) as never],
  ])('may fail %s: nothing then proves that the call succeeded', async (_how, validate) => {
    const client = clientOf(scripted(json({ id: 'x' })));
    const error = await failure(
      client.request({ method: 'POST', path: '/v2/x', schema: standard(validate) }),
    );
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      issues: [{ path: '', code: 'schema_failed' }],
      body: { id: 'x' },
    });
    expect(JSON.stringify(error)).not.toContain('planted');
  });
});

describe('repeats of request', () => {
  const attempts = async (request: Partial<CustomRequest<unknown>>, failing: Step) => {
    const fetch = scripted(failing, json({}));
    const client = clientOf(fetch, { retries: { limit: 1, minDelay: 0 } });
    const outcome = await client
      .request({ method: 'GET', path: '/v2/x', ...request })
      .then(() => 'value')
      .catch((error: { outcome: string }) => error.outcome);
    return `${outcome} ${fetch.seen.length}`;
  };
  const now = { 'retry-after': '0' };

  it.each<[Partial<CustomRequest<unknown>>, string]>([
    [{ method: 'GET' }, 'value 2'],
    [{ method: 'HEAD' }, 'value 2'],
    [{ method: 'DELETE' }, 'value 2'],
    [{ method: 'POST' }, 'unknown 1'],
    [{ method: 'PUT' }, 'unknown 1'],
    [{ method: 'PATCH' }, 'unknown 1'],
    [{ method: 'PUT', idempotent: true }, 'value 2'],
    [{ method: 'POST', idempotent: 'yes' as never }, 'unknown 1'],
  ])('%j after an ambiguous failure: %s', async (request, expected) => {
    expect(await attempts(request, json({}, 500, now))).toBe(expected);
  });

  it('follow every refusal that is sure', async () => {
    expect(await attempts({ method: 'POST' }, json({}, 503, now))).toBe('value 2');
    expect(await attempts({ method: 'POST' }, json({}, 429, now))).toBe('value 2');
    expect(await attempts({ method: 'POST' }, networkFailure('ECONNREFUSED'))).toBe('value 2');
  });
});
