import { isPaymentsError } from 'stablecoin-payments';
import { jwtBearer } from 'stablecoin-payments/webhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { moment, refusalOf } from '../support.ts';
import { delivery, first, jwk, lasting, second, token } from './support.ts';

const unmatched = [
  'webhook_bad_signature',
  expect.stringContaining('The signature of the token matches no key.'),
];
const done = ['nothing was thrown', ''];
const unavailable = (what: string) => ['webhook_keys_unavailable', `The JSON Web Key Set ${what}.`];
const unfetched = unavailable('could not be fetched from keys.test:8443');
const firstKey = jwk(first.publicKey, { kid: 'a' });
const secondKey = jwk(second.publicKey, { kid: 'b' });
const address = 'https://keys.test:8443/jwks';

const verifierOf = (options: object) =>
  jwtBearer({ algorithms: ['ES256'], bodyBinding: 'none', ...options } as never);
const byFirst = (header: object = { kid: 'a' }) => token(lasting, header);
const bySecond = (header: object = { kid: 'b' }) => token(lasting, header, second.privateKey);

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A key server whose responses are taken in turn; the last one stays. */
function server(...responses: (object | Error)[]) {
  const requests: [url: string, init: RequestInit][] = [];
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    requests.push([String(url), init]);
    const response = responses.length > 1 ? responses.shift() : responses[0];
    if (response instanceof Error) throw response;
    return response instanceof Response ? response.clone() : Response.json(response);
  });
  return requests;
}

describe('a key set', () => {
  const check = (keys: object[], jwt: string) => refusalOf(verifierOf({ jwks: { keys } })(delivery(jwt)));

  it('gives the key that the token names, or each that fits where it names none', async () => {
    const keys = [secondKey, firstKey];
    expect(await check(keys, byFirst())).toEqual(done);
    expect(await check(keys, bySecond())).toEqual(done);
    expect(await check(keys, byFirst({ kid: 'b' }))).toEqual(unmatched);
    expect(await check(keys, byFirst({ kid: 'c' }))).toEqual(unmatched);
    expect(await check(keys, byFirst({}))).toEqual(done);
    expect(await check(keys, bySecond({}))).toEqual(done);
    expect(await check([secondKey], byFirst({}))).toEqual(unmatched);
    expect(await check([], byFirst())).toEqual(unmatched);
  });

  it('is out of order where a key of it cannot be read', async () => {
    const broken = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'a' };
    expect(await check([broken], byFirst())).toEqual([
      'webhook_keys_unavailable',
      'A key of the JSON Web Key Set cannot be read.',
    ]);
    const failure: unknown = await Promise.resolve(
      verifierOf({ jwks: { keys: [broken] } })(delivery(byFirst())),
    ).catch((error: unknown) => error);
    if (!isPaymentsError(failure)) throw new Error('not one of ours');
    expect(failure.originalError).toBeInstanceOf(Error);
  });

  const none = 'jwks is not a JSON Web Key Set.';
  it.each<[unknown, string]>([
    [{ keys: 'none' }, none],
    [{ keys: [7] }, none],
    [{ keys: [null] }, none],
    [{ keys: [[]] }, none],
    [{}, 'jwks must be a JSON Web Key Set or its https address.'],
    ['keys', 'jwks must be a JSON Web Key Set or its https address.'],
    ['http://keys.test/', 'jwks must be a JSON Web Key Set or its https address.'],
    ['ftp://localhost/', 'jwks must be a JSON Web Key Set or its https address.'],
    ['http://localhost.keys.test/', 'jwks must be a JSON Web Key Set or its https address.'],
    [{ keys: [{ alg: 'RS1' }] }, 'The key set has a key for RS1, which is SHA-1: signatures can be forged.'],
    [
      { keys: [firstKey, { kty: 'RSA', n: 'AQAB' }] },
      'The RSA key has 17 bits and can be broken; at least 2048 bits are needed.',
    ],
  ])('cannot be %j', async (jwks, words) => {
    expect(await refusalOf(() => verifierOf({ jwks }))).toEqual(['configuration', words]);
  });

  it.each([
    'https://keys.test',
    'http://localhost:1/',
    'http://127.0.0.1/',
    'http://[::1]:9/k',
    new URL(address),
  ])('may be at %s', (jwks) => {
    expect(verifierOf({ jwks })).toBeTypeOf('function');
  });

  it.each(['jwksTimeoutSeconds', 'jwksCooldownSeconds', 'jwksMaxAgeSeconds'])(
    'needs seconds for %s',
    async (name) => {
      expect(await refusalOf(() => verifierOf({ jwks: address, [name]: -1 }))).toEqual([
        'configuration',
        `${name} must be a number of seconds, 0 or more.`,
      ]);
      expect(verifierOf({ jwks: address, [name]: 0 })).toBeTypeOf('function');
    },
  );
});

describe('a key set at an address', () => {
  const at = (verify: ReturnType<typeof verifierOf>, jwt: string, seconds = 0) =>
    refusalOf(verify(delivery(jwt, moment + seconds)));

  it('is fetched with the headers and limits of a key set', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const requests = server({ keys: [firstKey] });
    expect(await at(verifierOf({ jwks: address }), byFirst())).toEqual(done);
    expect(await at(verifierOf({ jwks: new URL(address), jwksTimeoutSeconds: 2 }), byFirst())).toEqual(done);
    expect(requests.map(([url]) => url)).toEqual([address, address]);
    expect(requests[0]?.[1]).toMatchObject({
      headers: { accept: 'application/jwk-set+json, application/json' },
      redirect: 'manual',
      signal: expect.any(AbortSignal),
    });
    expect(timeout.mock.calls).toEqual([[5000], [2000]]);
    timeout.mockRestore();
  });

  it('is used for 10 minutes, and then fetched again', async () => {
    const requests = server({ keys: [firstKey] });
    const verify = verifierOf({ jwks: address });
    for (const seconds of [0, 599, -599]) expect(await at(verify, byFirst(), seconds)).toEqual(done);
    expect(requests).toHaveLength(1);
    expect(await at(verify, byFirst(), 600)).toEqual(done);
    expect(requests).toHaveLength(2);
    expect(await at(verify, byFirst(), 0)).toEqual(done);
    expect(requests).toHaveLength(3);
  });

  it('is used for as long as jwksMaxAgeSeconds says', async () => {
    const requests = server({ keys: [firstKey] });
    const verify = verifierOf({ jwks: address, jwksMaxAgeSeconds: 60 });
    for (const seconds of [0, 59, 60]) expect(await at(verify, byFirst(), seconds)).toEqual(done);
    expect(requests).toHaveLength(2);
  });

  it.each<[string, object]>([
    ['a failed connection', new Error('ECONNREFUSED')],
    ['another status', Response.json({ keys: [firstKey] }, { status: 201 })],
    ['no JSON', new Response('keys')],
    ['no key set', { keys: 7 }],
    ['null', Response.json(null)],
    ['a text', Response.json('keys')],
    ['a weak key', { keys: [{ kty: 'RSA', n: 'AQAB', kid: 'a' }] }],
  ])('asks the sender to retry after %s, and is fetched again after 30 seconds', async (_what, failure) => {
    const requests = server(failure, { keys: [firstKey] });
    const verify = verifierOf({ jwks: address });
    expect(await at(verify, byFirst())).toEqual(unfetched);
    for (const seconds of [0, 29, -29]) {
      expect(await at(verify, byFirst(), seconds)).toEqual(unavailable('was fetched less than 30 s ago'));
    }
    expect(requests).toHaveLength(1);
    expect(await at(verify, byFirst(), 30)).toEqual(done);
    expect(requests).toHaveLength(2);
  });

  it('says of another status which one it was', async () => {
    server(new Response('', { status: 404 }));
    const failure: unknown = await verifierOf({ jwks: address })(delivery(byFirst())).catch(
      (error: unknown) => error,
    );
    if (!isPaymentsError(failure)) throw new Error('not one of ours');
    expect(failure.originalError).toEqual(new Error('status 404'));
  });

  it('is fetched again for a token that names a key it does not have, once in 30 seconds', async () => {
    const requests = server({ keys: [firstKey] }, { keys: [firstKey, secondKey] });
    const verify = verifierOf({ jwks: address });
    expect(await at(verify, byFirst())).toEqual(done);
    expect(await at(verify, bySecond(), 29)).toEqual(unavailable('was fetched less than 30 s ago'));
    expect(await at(verify, bySecond(), 30)).toEqual(done);
    expect(await at(verify, byFirst({ kid: 'c' }), 59)).toEqual(
      unavailable('was fetched less than 30 s ago'),
    );
    expect(requests).toHaveLength(2);
    expect(await at(verify, byFirst({ kid: 'c' }), 60)).toEqual(unmatched);
    expect(requests).toHaveLength(3);
  });

  it('is fetched once in 30 seconds for a signature that fails under a key id that it has', async () => {
    const requests = server({ keys: [firstKey] });
    const verify = verifierOf({ jwks: address });
    expect(await at(verify, bySecond({ kid: 'a' }))).toEqual(unmatched);
    expect(await at(verify, byFirst())).toEqual(done);
    for (const seconds of [0, 29]) {
      expect(await at(verify, bySecond({ kid: 'a' }), seconds)).toEqual(
        unavailable('was fetched less than 30 s ago'),
      );
    }
    expect(requests).toHaveLength(1);
    expect(await at(verify, bySecond({ kid: 'a' }), 30)).toEqual(unmatched);
    expect(requests).toHaveLength(2);
  });

  it('is found by one fetch where a key changes under the same id', async () => {
    const changed = jwk(second.publicKey, { kid: 'a' });
    const requests = server({ keys: [firstKey] }, { keys: [changed] });
    const verify = verifierOf({ jwks: address });
    expect(await at(verify, byFirst())).toEqual(done);
    expect(await at(verify, bySecond({ kid: 'a' }), 31)).toEqual(done);
    expect(await at(verify, bySecond({ kid: 'a' }), 32)).toEqual(done);
    expect(requests).toHaveLength(2);
  });

  it.each<[string, object]>([
    ['more than 262144 bytes', new Response(JSON.stringify({ keys: [firstKey], more: 'x'.repeat(262_144) }))],
    [
      'more than 100 keys',
      { keys: Array.from({ length: 101 }, (_none, kid) => ({ ...firstKey, kid: String(kid) })) },
    ],
  ])('is refused with %s', async (words, set) => {
    server(set);
    const failure: unknown = await verifierOf({ jwks: address })(delivery(byFirst())).catch(
      (error: unknown) => error,
    );
    if (!isPaymentsError(failure)) throw new Error('not one of ours');
    expect([failure.code, failure.originalError]).toEqual(['webhook_keys_unavailable', new Error(words)]);
  });

  it('may have 100 keys', async () => {
    const others = Array.from({ length: 99 }, (_none, kid) => ({ ...secondKey, kid: String(kid) }));
    server({ keys: [...others, firstKey] });
    expect(await at(verifierOf({ jwks: address }), byFirst())).toEqual(done);
  });

  it('is fetched again for a token without a key id that no key fits, once it is 30 seconds old', async () => {
    const requests = server({ keys: [firstKey] }, { keys: [secondKey] });
    const verify = verifierOf({ jwks: address });
    expect(await at(verify, byFirst({}))).toEqual(done);
    for (const seconds of [0, 29, -29]) {
      expect(await at(verify, bySecond({}), seconds)).toEqual(unavailable('was fetched less than 30 s ago'));
    }
    expect(requests).toHaveLength(1);
    expect(await at(verify, bySecond({}), 30)).toEqual(done);
    expect(requests).toHaveLength(2);
  });

  it('waits as long as jwksCooldownSeconds says', async () => {
    const requests = server(new Error('down'));
    const verify = verifierOf({ jwks: address, jwksCooldownSeconds: 5 });
    expect(await at(verify, byFirst())).toEqual(unfetched);
    expect(await at(verify, byFirst(), 4)).toEqual(unavailable('was fetched less than 5 s ago'));
    expect(await at(verify, byFirst(), 5)).toEqual(unfetched);
    expect(requests).toHaveLength(2);
  });

  describe('while it is being fetched', () => {
    function slowServer() {
      const waiting: ((response: Response) => void)[] = [];
      vi.stubGlobal(
        'fetch',
        () => new Promise<Response>((resolve) => waiting.push((response) => resolve(response))),
      );
      return waiting;
    }

    it('is shared by the deliveries of this time, within the timeout', async () => {
      const waiting = slowServer();
      const verify = verifierOf({ jwks: address, jwksCooldownSeconds: 0 });
      const deliveries = [at(verify, byFirst()), at(verify, byFirst()), at(verify, byFirst(), 5)];
      await new Promise(setImmediate);
      expect(waiting).toHaveLength(1);
      const late = at(verify, byFirst(), 6);
      await new Promise(setImmediate);
      expect(waiting).toHaveLength(2);
      for (const respond of waiting) respond(Response.json({ keys: [firstKey] }));
      expect(await Promise.all([...deliveries, late])).toEqual([done, done, done, done]);
    });

    it('is not shared in Workers, which forbids it', async () => {
      vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
      const waiting = slowServer();
      const verify = verifierOf({ jwks: address });
      const one = at(verify, byFirst());
      await new Promise(setImmediate);
      expect(await at(verify, byFirst())).toEqual(unavailable('is being fetched by another delivery'));
      for (const respond of waiting) respond(Response.json({ keys: [firstKey] }));
      expect(await one).toEqual(done);
    });

    it('is shared where there is no navigator', async () => {
      vi.stubGlobal('navigator', undefined);
      const waiting = slowServer();
      const verify = verifierOf({ jwks: address });
      const deliveries = [at(verify, byFirst()), at(verify, byFirst())];
      await new Promise(setImmediate);
      for (const respond of waiting) respond(Response.json({ keys: [firstKey] }));
      expect(await Promise.all(deliveries)).toEqual([done, done]);
    });
  });
});
