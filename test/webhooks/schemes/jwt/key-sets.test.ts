import type { RequestListener } from 'node:http';
import { createWebhookReceiver, jwtBearer } from 'stablecoin-payments/webhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serve } from '../../../servers.ts';
import { accepting, codeOf, refusalOf } from '../../support.ts';
import { body, delivery, first, jwk, lasting, second, token } from './support.ts';

const options = { algorithms: ['ES256'], bodyBinding: 'none', freshness: 'none' } as const;
const byFirst = (header: object = { kid: 'a' }) => token(lasting, header);
const bySecond = (header: object = { kid: 'b' }) => token(lasting, header, second.privateKey);
const firstKey = jwk(first.publicKey, { kid: 'a' });
const secondKey = jwk(second.publicKey, { kid: 'b' });

describe('a key set', () => {
  const check = (keys: object[], jwt: string) =>
    codeOf(jwtBearer({ jwks: { keys }, ...options })(delivery(jwt)));

  it('gives the key that the token names, or each that fits where it names none', async () => {
    const keys = [secondKey, firstKey];
    for (const jwt of [byFirst(), bySecond(), byFirst({}), bySecond({})])
      expect(await check(keys, jwt)).toBe('nothing was thrown');
    for (const jwt of [byFirst({ kid: 'b' }), byFirst({ kid: 'c' })])
      expect(await check(keys, jwt)).toBe('webhook_bad_signature');
    expect(await check([], byFirst())).toBe('webhook_bad_signature');
  });

  it('is not available where its key cannot be read', async () => {
    const broken = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'a' };
    const verify = jwtBearer({ jwks: { keys: [broken] }, ...options });
    await expect(verify(delivery(byFirst()))).rejects.toMatchObject({
      code: 'webhook_keys_unavailable',
      message: 'The JSON Web Key Set could not be fetched or read.',
      originalError: expect.any(Error),
    });
  });

  it.each([
    { keys: 'none' },
    { keys: [7] },
    {},
    'keys',
    'http://keys.test/',
    'ftp://localhost/',
    'http://localhost.keys.test/',
  ])('cannot be %j', async (jwks) => {
    expect(await refusalOf(() => jwtBearer({ jwks, ...options } as never))).toEqual([
      'configuration',
      expect.stringContaining('jwks'),
    ]);
  });

  it.each([
    'https://keys.test',
    'http://localhost:1/',
    'http://127.0.0.1/',
    'http://[::1]:9/k',
    new URL('https://k.test'),
  ])('may be at %s', (jwks) => {
    expect(jwtBearer({ jwks, ...options })).toBeTypeOf('function');
  });
});

describe('a key set at an address', () => {
  let keys: object[] = [];
  let respond: RequestListener;
  let requests: () => number;
  let jwks = '';
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    keys = [firstKey];
    respond = (_request, response) => response.end(JSON.stringify({ keys }));
    const { url, count } = await serve((request, response) => respond(request, response));
    jwks = `${url}/keys`;
    requests = count;
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  /** The statuses of a receiver, and in `errors` what it reported. */
  const receiving = (errors: unknown[] = []) => {
    const handle = createWebhookReceiver({
      verifier: jwtBearer({ jwks, ...options }),
      onError: (error) => errors.push(Object(error).message),
    }).handler(accepting);
    return async (jwt: string) => {
      const headers = { authorization: `Bearer ${jwt}` };
      return (await handle(new Request('http://receiver.test/', { method: 'POST', body, headers }))).status;
    };
  };

  it('is fetched once for all deliveries, and again after 10 minutes', async () => {
    const deliver = receiving();
    const statuses = await Promise.all(Array.from({ length: 20 }, () => deliver(byFirst())));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(requests()).toBe(1);
    vi.setSystemTime(Date.now() + 601_000);
    expect(await deliver(byFirst())).toBe(200);
    expect(requests()).toBe(2);
  });

  it('is fetched again for a new key, and the sender is asked to retry while it may not be fetched', async () => {
    const errors: unknown[] = [];
    const deliver = receiving(errors);
    expect(await deliver(byFirst())).toBe(200);
    keys = [firstKey, secondKey];
    expect(await deliver(bySecond())).toBe(503);
    expect(errors).toEqual([
      'The JSON Web Key Set was fetched less than 30 s ago, and has no key for this token.',
    ]);
    expect(requests()).toBe(1);
    vi.setSystemTime(Date.now() + 31_000);
    expect(await deliver(bySecond())).toBe(200);
    expect(requests()).toBe(2);
  });

  it('is fetched again for a key that changed under its id', async () => {
    const deliver = receiving();
    expect(await deliver(byFirst())).toBe(200);
    keys = [jwk(second.publicKey, { kid: 'a' })];
    expect(await deliver(bySecond({ kid: 'a' }))).toBe(503);
    vi.setSystemTime(Date.now() + 31_000);
    expect(await deliver(bySecond({ kid: 'a' }))).toBe(200);
    expect(requests()).toBe(2);
  });

  it('refuses a forged token once the set was fetched for it, and fetches at most every 30 seconds', async () => {
    const deliver = receiving();
    expect(await deliver(byFirst())).toBe(200);
    vi.setSystemTime(Date.now() + 31_000);
    expect(await deliver(bySecond({ kid: 'a' }))).toBe(401);
    for (let count = 0; count < 5; count += 1) expect(await deliver(bySecond({ kid: 'a' }))).toBe(503);
    expect(requests()).toBe(2);
  });

  it('is fetched once for a forged token that comes first', async () => {
    const errors: unknown[] = [];
    await receiving(errors)(bySecond({ kid: 'a' }));
    expect(errors).toEqual([expect.stringContaining('matches no key')]);
    expect(requests()).toBe(1);
  });

  it.each<[string, RequestListener]>([
    ['responds with 500', (_request, response) => response.writeHead(500).end()],
    ['responds with a redirect', (_request, response) => response.writeHead(302, { location: '/' }).end()],
    ['sends no JSON', (_request, response) => response.end('keys')],
    ['sends no key set', (_request, response) => response.end('{"keys":7}')],
    ['closes the connection', (request) => request.socket.destroy()],
  ])('asks the sender to retry where the server %s', async (_what, broken) => {
    const deliver = receiving();
    const working = respond;
    respond = broken;
    expect(await deliver(byFirst())).toBe(503);
    respond = working;
    expect(await deliver(byFirst())).toBe(200);
  });
});
