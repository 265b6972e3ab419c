import { afterEach, describe, expect, it } from 'vitest';
import * as wire from '../fixtures/index.ts';
import { operations, requestId, transferParams, usParams } from './operations.ts';
import { bridge, clientOf, failure, json, scripted } from './support.ts';

type Json = Record<string, unknown>;

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

  it('stay marked when an earlier call was made', async () => {
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

describe('path segments', () => {
  // All that a segment may not be is in parameters/addresses.test.ts.
  const bad: readonly [value: unknown, words: string][] = [
    ['', 'must be a non-empty string, but is empty'],
    [undefined, 'but is missing'],
    [7, 'but is a number'],
    ['%2E%2e', 'is `.` or `..`'],
    ['a%2Fb', 'slash'],
  ];

  it.each(bad)('%j is not sent', async (value, words) => {
    const id = value as string;
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const attempts: [string, PromiseLike<unknown>][] = [
      ['transferId', client.onramps.refreshQuote(id)],
      ['userId', client.accounts.create(id, usParams)],
      ['userId', client.accounts.list(id)],
      ['userId', client.accounts.retrieve(id, 'a1')],
      ['accountId', client.accounts.retrieve('u1', id)],
      ['accountId', client.accounts.delete('u1', id)],
      ['accountId', client.accounts.waitUntilActive('u1', id)],
      ['approvalId', client.approvals.approve(id)],
      ['approvalId', client.approvals.reject(id)],
      ['id', client.reporting.retrieveResults(id)],
      ['userId', client.kyc.retrieve(id)],
      ['userId', client.externalWallets.list(id)],
    ];
    for (const [field, attempt] of attempts) {
      const error = await failure(attempt);
      expect(error).toMatchObject({ name: 'InvalidRequestError', field, outcome: 'not-sent' });
      expect(error.message).toContain(words);
    }
    expect(fetch.seen).toHaveLength(0);
  });
});

describe('options of a call', () => {
  // All that an option may not be is in parameters/limits.test.ts.
  const bad: readonly [what: string, options: unknown, words: string][] = [
    ['no object', 7, 'the request options must be an object, but are a number'],
    ['null', null, 'the request options must be an object, but are null'],
    ['timeout NaN', { timeout: Number.NaN }, 'but is NaN'],
    ['retries -1', { retries: -1 }, '`retries` must be a whole number from 0 to 100'],
    ['a signal that is none', { signal: {} }, '`signal` must be an AbortSignal, but is an object'],
    ['a query of objects', { query: { a: {} } }, 'the query parameter `a` must be a string'],
  ];

  it.each(bad)('%s is refused', async (_what, options, words) => {
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const attempts = [
      ...operations.map(({ call }) => call(client, options as never)),
      client.accounts.waitUntilActive('u1', 'a1', options as never),
      client.request({ method: 'GET', path: '/v2/x' }, options as never),
    ];
    for (const attempt of attempts) {
      const error = await failure(attempt);
      expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
      expect(error.message).toContain(words);
    }
    expect(fetch.seen).toHaveLength(0);
  });

  it.each([{ interval: 0 }, { interval: '1' }])('%j is no interval to wait', async (options) => {
    const client = clientOf(scripted(json({})));
    const error = await failure(client.accounts.waitUntilActive('u1', 'a1', options as never));
    expect(error).toMatchObject({ name: 'InvalidRequestError', operation: 'accounts.waitUntilActive' });
    expect(error.message).toContain('`interval` must be a number above 0');
  });

  it('query adds to what the method sends, and never drops or replaces it', async () => {
    const fetch = scripted(json({ approvals: [] }));
    const client = clientOf(fetch);
    await client.approvals.list({}, { query: { limit: 7, status: 'PENDING', flag: true, gone: undefined } });
    await client.approvals.list({ limit: 3 }, { query: { limit: 7 } });
    await client.kyc.retrieve('u1', { query: { gone: undefined } }).asResponse();
    expect(fetch.seen.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=7&status=PENDING&flag=true',
      '?limit=3',
      '',
    ]);
  });
});

describe('own properties only', () => {
  const polluted = [
    'requestId',
    'query',
    'problem',
    'idempotent',
    'schema',
    'method',
    'path',
    'limit',
    'offset',
    'cursor',
  ];
  const more = [
    'rail',
    'comment',
    'accessToken',
    'retries',
    'timeout',
    'deadline',
    'interval',
    'nextCursor',
    // What ky reads of its options, as far as the client gives them. ky also reads `json`, `prefix` and `searchParams`,
    // and `headers` of an address. design.md, out: "polluted prototypes beyond reading own properties".
    'body',
    'hooks',
    'parseJson',
    'signal',
  ];
  const prototype = Object.prototype as Record<string, unknown>;
  afterEach(() => {
    for (const name of [...polluted, ...more]) delete prototype[name];
  });

  const values: Readonly<Record<string, unknown>> = {
    requestId: 'polluted',
    query: { polluted: '1' },
    idempotent: true,
    limit: 999,
    offset: 5,
    accessToken: 'polluted',
    retries: 9,
    nextCursor: 'polluted',
  };

  it.each([...polluted, ...more])('Object.prototype.%s changes nothing of what is sent', async (name) => {
    const fetch = scripted(
      json({ ...(wire.bridgeTransfer as Json), approvals: [], accounts: [], userId: 'u', kycInfo: {} }),
    );
    const run = async () => {
      const client = clientOf(fetch);
      await client.bridges.create({ ...bridge, requestId });
      await client.approvals.list();
      await client.accounts.list('u1');
      await client.kyc.retrieve('u1');
      await client.request({ method: 'POST', path: '/v2/x' });
      const { requestId: made } = await client.bridges.create(bridge).withResponse();
      expect(made).toMatch(/^[0-9a-f-]{36}$/);
      const sent = fetch.seen
        .splice(0)
        .map(({ url, method, headers, body }) => ({ url, method, headers, body }));
      expect(JSON.parse(sent.pop()?.body ?? '').requestId).toBe(made);
      return sent;
    };
    const clean = await run();
    Object.defineProperty(prototype, name, {
      value: values[name] ?? 'polluted',
      configurable: true,
      enumerable: true,
      writable: true,
    });
    const dirty = await run();
    delete prototype[name];
    expect(dirty).toEqual(clean);
  });

  it('a __proto__ in an answer pollutes nothing and is kept as it came', async () => {
    const text =
      '{"userId":"u1","kycInfo":{"__proto__":{"admin":true}},"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}';
    for (const responseValidation of ['tolerant', 'strict'] as const) {
      const client = clientOf(
        scripted(() => new Response(text)),
        { responseValidation },
      );
      const record = await client.kyc.retrieve('u1');
      expect(JSON.stringify(record)).toBe(text);
      expect('admin' in {}).toBe(false);
      expect('admin' in record).toBe(false);
    }
    const failing = clientOf(
      scripted(
        () => new Response('{"__proto__":{"code":1},"error":{"__proto__":{"code":"X"}}}', { status: 400 }),
      ),
    );
    expect((await failure(failing.kyc.retrieve('u1'))).message).toContain('(HTTP 400)');
  });
});
