import { createHash, createHmac, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JwtBearerOptions, jwtBearer, signWebhook } from '../../src/webhooks/index.ts';
import { codeOf, ed25519, moment, otherRsa, p256, pem, rejected, rsa, verification } from './support.ts';

const body = JSON.stringify(rejected);
const publicKey = pem(rsa.publicKey);
const privateKey = pem(rsa.privateKey);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWT made with node:crypto alone. */
function token(claims: object, header: object = { alg: 'RS256' }, key = rsa.privateKey): string {
  const content = `${part(header)}.${part({ exp: moment + 60, ...claims })}`;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
}

const verifyToken = (jwt: string, options: Partial<JwtBearerOptions> = {}, text = body) =>
  jwtBearer({ publicKey, ...options } as JwtBearerOptions)(
    verification(text, { authorization: `Bearer ${jwt}` }),
  );
const refusalOf = (jwt: string, options: Partial<JwtBearerOptions> = {}, text = body) =>
  codeOf(verifyToken(jwt, options, text));

describe('jwtBearer', () => {
  it('accepts a token of an independent implementation, whatever the case of its scheme', async () => {
    expect(await verifyToken(token({}))).toBe(true);
    const verify = jwtBearer({ publicKey });
    expect(await verify(verification(body, { authorization: `bearer ${token({})}` }))).toBe(true);
  });

  it('reads another header where it is told to', async () => {
    const verify = jwtBearer({ publicKey, header: 'X-Token' });
    expect(await verify(verification(body, { 'x-token': token({}) }))).toBe(true);
    expect(await codeOf(verify(verification(body, { authorization: `Bearer ${token({})}` })))).toBe(
      'webhook_missing_header',
    );
  });

  it('refuses an altered payload, another key and what is no token', async () => {
    const [header, , signature] = token({}).split('.');
    expect(await refusalOf(`${header}.${part({ exp: moment + 600 })}.${signature}`)).toBe(
      'webhook_bad_signature',
    );
    expect(await refusalOf(token({}, { alg: 'RS256' }, otherRsa.privateKey))).toBe('webhook_bad_signature');
    for (const text of ['x', 'a.b', 'a.b.c', '', `${part({ alg: 'RS256' })}..`]) {
      expect(await refusalOf(text)).toBe('webhook_bad_signature');
    }
  });

  it('refuses a signed payload that is no JSON', async () => {
    const content = `${part({ alg: 'RS256' })}.${Buffer.from('hello').toString('base64url')}`;
    const jwt = `${content}.${sign('sha256', Buffer.from(content), rsa.privateKey).toString('base64url')}`;
    expect(await refusalOf(jwt)).toBe('webhook_bad_signature');
  });

  it('refuses an unsigned token in every spelling of none', async () => {
    for (const alg of ['none', 'None', 'NONE']) {
      expect(await refusalOf(`${part({ alg })}.${part({ exp: moment + 60 })}.`)).toBe(
        'webhook_bad_signature',
      );
    }
    expect(await refusalOf(`${part({})}.${part({ exp: moment + 60 })}.`)).toBe('webhook_bad_signature');
  });

  it('refuses HS256 with the public key as the secret', async () => {
    const content = `${part({ alg: 'HS256' })}.${part({ exp: moment + 60 })}`;
    for (const key of [publicKey, publicKey.trim(), rsa.publicKey.export({ type: 'spki', format: 'der' })]) {
      const confused = `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
      expect(await refusalOf(confused)).toBe('webhook_bad_signature');
      expect(
        await refusalOf(confused, {
          publicKey: undefined,
          jwks: { keys: [rsa.publicKey.export({ format: 'jwk' })] },
        } as never),
      ).toBe('webhook_bad_signature');
    }
  });

  it('refuses an asymmetric algorithm that is not pinned', async () => {
    const { headers } = await signWebhook(body, {
      jwtBearer: { privateKey, algorithm: 'PS256', issuedAt: moment },
    });
    const verify = (algorithms: string[]) =>
      jwtBearer({ publicKey, algorithms })(verification(body, headers));
    expect(await codeOf(verify(['RS256']))).toBe('webhook_bad_signature');
    expect(await verify(['RS256', 'PS256'])).toBe(true);
  });

  it.each([['none'], ['HS256'], ['RS256', 'HS256'], [], ['rs256']])(
    'cannot be made with the algorithms %s',
    async (...algorithms) => {
      expect(await codeOf(() => jwtBearer({ publicKey, algorithms: algorithms.filter(Boolean) }))).toBe(
        'configuration',
      );
    },
  );

  it.each([
    ['no key', { publicKey: undefined }],
    ['an empty key', { publicKey: '' }],
    ['a shared secret', { publicKey: 'a secret' }],
    ['no header', { publicKey, header: '' }],
    ['a negative clock skew', { publicKey, clockSkew: -1 }],
    ['a clock skew that is no number', { publicKey, clockSkew: Number.NaN }],
    ['a key set that is none', { jwks: { keys: 'none' } }],
    ['a key set over plain http', { jwks: 'http://keys.test/jwks' }],
    ['a key set without an address', { jwks: 'keys' }],
  ])('cannot be made with %s', async (_name, options) => {
    expect(await codeOf(() => jwtBearer(options as never))).toBe('configuration');
  });

  it('says that a key does not fit the algorithm', async () => {
    expect(await refusalOf(token({}), { publicKey: pem(p256.publicKey) })).toBe('configuration');
  });

  it('checks exp and nbf, within the clock skew', async () => {
    expect(await refusalOf(token({ exp: moment - 1 }))).toBe('webhook_token_expired');
    expect(await refusalOf(token({ exp: moment }))).toBe('webhook_token_expired');
    expect(await refusalOf(token({ nbf: moment + 1 }))).toBe('webhook_claim_refused');
    expect(await verifyToken(token({ nbf: moment }))).toBe(true);
    expect(await verifyToken(token({ exp: moment - 1, nbf: moment + 1 }), { clockSkew: 5 })).toBe(true);
    expect(await refusalOf(token({ exp: 'tomorrow' }))).toBe('webhook_claim_refused');
  });

  it('refuses a token that would be good for ever, and one issued in the future', async () => {
    expect(await refusalOf(token({ exp: undefined }))).toBe('webhook_claim_refused');
    expect(await verifyToken(token({ exp: undefined, iat: moment - 300 }))).toBe(true);
    expect(await refusalOf(token({ exp: undefined, iat: moment - 301 }))).toBe(
      'webhook_timestamp_out_of_tolerance',
    );
    expect(await refusalOf(token({ exp: undefined, iat: moment + 301 }))).toBe(
      'webhook_timestamp_out_of_tolerance',
    );
    expect(await refusalOf(token({ exp: moment + 900, iat: moment + 301 }))).toBe(
      'webhook_timestamp_out_of_tolerance',
    );
    expect(await verifyToken(token({ iat: moment - 3000 }))).toBe(true);
  });

  it('checks issuer and audience where they are given', async () => {
    const expected = { issuer: 'payments', audience: 'us' };
    expect(await verifyToken(token({ iss: 'payments', aud: ['them', 'us'] }), expected)).toBe(true);
    expect(await refusalOf(token({ iss: 'others', aud: 'us' }), expected)).toBe('webhook_claim_refused');
    expect(await refusalOf(token({ iss: 'payments' }), expected)).toBe('webhook_claim_refused');
  });

  it('accepts any of several keys', async () => {
    const publicKeys = [pem(otherRsa.publicKey), publicKey];
    expect(await verifyToken(token({}), { publicKey: undefined, publicKeys } as never)).toBe(true);
  });

  it('accepts what signWebhook makes with the algorithms of every key', async () => {
    for (const [algorithm, pair] of Object.entries({ RS256: rsa, ES256: p256, EdDSA: ed25519 })) {
      const { headers } = await signWebhook(rejected, {
        jwtBearer: { privateKey: pem(pair.privateKey), algorithm, issuedAt: moment, keyId: 'k1' },
      });
      const verify = jwtBearer({
        publicKey: pem(pair.publicKey),
        algorithms: [algorithm],
        requireBodyBinding: true,
      });
      expect(await verify(verification(body, headers))).toBe(true);
      expect(await codeOf(verify(verification(`${body} `, headers)))).toBe('webhook_body_mismatch');
    }
  });
});

describe('jwtBearer and the body', () => {
  const digest = (encoding: 'hex' | 'base64' | 'base64url') =>
    createHash('sha256').update(body).digest(encoding);
  const altered = JSON.stringify({ ...rejected, data: { ...rejected.data, amount: 9 } });

  it('does not authenticate a body of which the claims say nothing', async () => {
    expect(await verifyToken(token({ sub: 'sender' }), {}, altered)).toBe(true);
    expect(await refusalOf(token({ sub: 'sender' }), { requireBodyBinding: true })).toBe(
      'webhook_body_mismatch',
    );
  });

  it.each(['bodyHash', 'body_sha256', 'request_body_sha256', 'payload_hash'])(
    'compares the hash in %s',
    async (claim) => {
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const jwt = token({ [claim]: digest(encoding) });
        expect(await verifyToken(jwt, { requireBodyBinding: true })).toBe(true);
        expect(await refusalOf(jwt, {}, altered)).toBe('webhook_body_mismatch');
      }
      expect(await refusalOf(token({ [claim]: 'short' }))).toBe('webhook_body_mismatch');
      expect(await refusalOf(token({ [claim]: 7 }))).toBe('webhook_body_mismatch');
    },
  );

  it('compares the hash in a claim that it is told of', async () => {
    const jwt = token({ digest: digest('hex') });
    expect(await refusalOf(jwt, { bodyHashClaim: 'digest' }, altered)).toBe('webhook_body_mismatch');
    expect(await verifyToken(jwt, { bodyHashClaim: 'digest', requireBodyBinding: true })).toBe(true);
    expect(await verifyToken(jwt, {}, altered)).toBe(true);
  });

  it.each(['event', 'payload'])(
    'compares the event in the claim %s, whatever the order of its fields',
    async (claim) => {
      const reordered = Object.fromEntries(Object.entries(rejected).reverse());
      for (const carried of [reordered, JSON.stringify(reordered)]) {
        const jwt = token({ [claim]: carried });
        expect(await verifyToken(jwt, { requireBodyBinding: true })).toBe(true);
        expect(await refusalOf(jwt, {}, altered)).toBe('webhook_body_mismatch');
        expect(await refusalOf(jwt, {}, '{"eventType":"OTHER"}')).toBe('webhook_body_mismatch');
      }
      expect(await refusalOf(token({ [claim]: 'OTHER.KIND' }))).toBe('webhook_body_mismatch');
    },
  );

  it('compares lists and nested objects in the event', async () => {
    const carrying = (votes: unknown) => token({ event: { votes } });
    const refuse = (votes: unknown, text: string) => refusalOf(carrying(votes), {}, text);
    expect(await verifyToken(carrying([1, { a: null }]), {}, '{"votes":[1,{"a":null}]}')).toBe(true);
    expect(await refuse([1, 2], '{"votes":[1]}')).toBe('webhook_body_mismatch');
    expect(await refuse([1, 2], '{"votes":{"0":1,"1":2}}')).toBe('webhook_body_mismatch');
    expect(await refuse({ 0: 1 }, '{"votes":[1]}')).toBe('webhook_body_mismatch');
    expect(await refuse(null, '{"votes":{}}')).toBe('webhook_body_mismatch');
    expect(await refuse({ a: 1 }, '{"votes":{"b":1}}')).toBe('webhook_body_mismatch');
    expect(await refuse({ a: 1 }, '{"votes":{"a":1,"b":2}}')).toBe('webhook_body_mismatch');
    expect(await refuse([], '{"votes":[],"more":1}')).toBe('webhook_body_mismatch');
    expect(await refuse('1', '{"votes":1}')).toBe('webhook_body_mismatch');
  });

  it('compares the fields of an event that are spread over the claims, which bind but a part of it', async () => {
    const { eventId, eventType, data } = rejected;
    for (const claims of [{ eventType }, { eventId, eventType, data }, { event: eventType }]) {
      expect(await verifyToken(token(claims))).toBe(true);
      expect(await refusalOf(token(claims), { requireBodyBinding: true })).toBe('webhook_body_mismatch');
    }
    expect(await refusalOf(token({ eventType, data }), {}, altered)).toBe('webhook_body_mismatch');
    expect(await refusalOf(token({ eventType: 'TRANSFER.APPROVAL.APPROVED' }))).toBe('webhook_body_mismatch');
    expect(await refusalOf(token({ eventType }), {}, 'not json')).toBe('webhook_body_mismatch');
  });

  it('leaves claims alone that it is told to ignore', async () => {
    const jwt = token({ event: 'webhook', data: 'none' });
    expect(await refusalOf(jwt)).toBe('webhook_body_mismatch');
    expect(await verifyToken(jwt, { ignoredClaims: ['event', 'data'] })).toBe(true);
  });

  it('signs the event itself, or nothing of it, where signWebhook is told to', async () => {
    const make = (binding: 'event' | 'none', event: object | string = rejected) =>
      signWebhook(event, {
        jwtBearer: { privateKey, issuedAt: moment, binding, expiresIn: null, claims: { iss: 'us' } },
      });
    const bound = await make('event', body);
    expect(await jwtBearer({ publicKey, requireBodyBinding: true })(verification(body, bound.headers))).toBe(
      true,
    );
    const unbound = await make('none');
    expect(await jwtBearer({ publicKey, issuer: 'us' })(verification(altered, unbound.headers))).toBe(true);
  });
});

describe('jwtBearer with a key set', () => {
  const keys = [
    { ...otherRsa.publicKey.export({ format: 'jwk' }), kid: 'old', alg: 'RS256' },
    { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'new', alg: 'RS256' },
  ];
  let broken = false;
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response
      .writeHead(broken ? 500 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ keys }));
  });
  let address = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const check = (jwt: string, jwks: JwtBearerOptions['jwks']) =>
    jwtBearer({ jwks } as JwtBearerOptions)(verification(body, { authorization: `Bearer ${jwt}` }));

  it('picks the key by its id, and tries all of them where the token names none', async () => {
    expect(await check(token({}, { alg: 'RS256', kid: 'new' }), { keys })).toBe(true);
    expect(await check(token({}), { keys })).toBe(true);
    expect(await codeOf(check(token({}, { alg: 'RS256', kid: 'old' }), { keys }))).toBe(
      'webhook_bad_signature',
    );
    expect(await codeOf(check(token({}, { alg: 'RS256', kid: 'unknown' }), { keys }))).toBe(
      'webhook_bad_signature',
    );
  });

  it('fetches the set from its address once', async () => {
    const verify = jwtBearer({ jwks: new URL(address) });
    const delivery = verification(body, {
      authorization: `Bearer ${token({}, { alg: 'RS256', kid: 'new' })}`,
    });
    requests = 0;
    expect(await verify(delivery)).toBe(true);
    expect(await verify(delivery)).toBe(true);
    expect(requests).toBe(1);
  });

  it('tells a set that cannot be fetched from a bad signature', async () => {
    broken = true;
    expect(await codeOf(check(token({}), address))).toBe('webhook_keys_unavailable');
    broken = false;
  });
});
