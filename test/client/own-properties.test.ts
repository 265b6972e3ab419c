import { afterEach, describe, expect, it } from 'vitest';
import * as wire from '../fixtures/index.ts';
import { requestId } from './operations.ts';
import { bridge, clientOf, failure, json, scripted } from './support.ts';

type Json = Record<string, unknown>;

describe('own properties only', () => {
  const polluted = [
    'requestId',
    'query',
    'fault',
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

  it('a __proto__ in a response pollutes nothing and is kept as it came', async () => {
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
