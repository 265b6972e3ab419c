import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { type CustomRequest, type StandardSchema, VERSION } from '../../src/client/index.ts';
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

  const post = { method: 'POST', path: '/v2/x' };
  const get = { method: 'GET' };

  it.each<[request: unknown, field: string, words: string]>([
    [undefined, 'request', 'must be an object, but is missing'],
    [null, 'request', 'must be an object, but is null'],
    [{ path: '/v2/x' }, 'method', "must be 'GET', 'HEAD', 'POST', 'PUT', 'PATCH' or 'DELETE'"],
    [{ ...post, method: 'post' }, 'method', "must be '"],
    [{ ...get, path: '/v2/x', body: {} }, 'body', 'does not go with GET'],
    [{ ...get, path: '/v2/x', query: 'a=1' }, 'query', 'must be an object, but is a string'],
    [{ ...post, body: 'text' }, 'body', 'a Blob or bytes, but is a string'],
    [{ ...post, body: new ReadableStream() }, 'body', 'is a stream'],
    [
      { ...post, retrySafety: 'always' },
      'retrySafety',
      "must be 'read', 'delete', 'keyed', 'refresh' or 'once'",
    ],
    [{ ...post, retrySafety: null }, 'retrySafety', "must be '"],
    [
      { ...post, requestId: 'k' },
      'request',
      "Did you mean the field in the body, with `retrySafety: 'keyed'`?",
    ],
    [{ ...post, idempotencyKey: 'k' }, 'request', 'Did you mean an idempotency header in the call options?'],
    [
      { ...post, retrySafety: 'keyed' },
      'retrySafety',
      'give the key in an idempotency header, or as `requestId`',
    ],
    [{ ...post, headers: {} }, 'request', 'in the call options'],
    [{ ...post, retrySafety: 'keyed', body: { requestId: null } }, 'requestId', 'but is null'],
    [{ ...post, retrySafety: 'keyed', body: { requestId: undefined } }, 'requestId', 'but is missing'],
    [{ ...post, essential: 'id' }, 'essential', 'must be a list of dotted paths'],
    [{ ...post, schema: {} }, 'schema', 'must be a Standard Schema'],
    [{ ...post, schema: null }, 'schema', 'must be a Standard Schema'],
  ])('%j is not sent', async (request, field, words) => {
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
});

describe('a schema given to request', () => {
  const schema = z.object({ rules: z.array(z.object({ id: z.string(), limit: z.number() })) });

  it('checks the response and gives it its type', async () => {
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
      clientOf(scripted(json(body))).request({
        method: 'POST',
        path: '/v2/x',
        schema,
        retrySafety: 'refresh',
      }),
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

  // "What a 2xx proves is decided first, and alike in every mode."
  it('is asked with validation off, too', async () => {
    const client = clientOf(scripted(json(7)));
    expect(await failure(client.request({ method: 'GET', path: '/v2/x', schema }))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
    });
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
    [{ method: 'PUT', retrySafety: 'refresh' }, 'value 2'],
  ])('%j after an ambiguous failure: %s', async (request, expected) => {
    expect(await attempts(request, json({}, 500, now))).toBe(expected);
  });

  it('follow every refusal that is sure', async () => {
    // "Retry-After says when to try again, never what was proved."
    expect(await attempts({ method: 'POST' }, json({}, 503, now))).toBe('unknown 1');
    expect(await attempts({ method: 'POST' }, json({}, 429, now))).toBe('value 2');
    expect(await attempts({ method: 'POST' }, networkFailure('ECONNREFUSED'))).toBe('value 2');
  });
});
