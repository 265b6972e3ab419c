import { createHash, createHmac, sign } from 'node:crypto';
import { importSPKI } from 'jose';
import { WebhookVerificationError } from 'stablecoin-payments';
import { type JwtBearerOptions, jwtBearer, signWebhook } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { ed25519, otherRsa, p256, pem, rsa } from '../../key-pairs.ts';
import { codeOf, moment, rejected, verification } from '../../support.ts';

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
  jwtBearer({ publicKey, bodyBinding: 'none', freshness: 'strict', ...options } as JwtBearerOptions)(
    verification(text, { authorization: `Bearer ${jwt}` }),
  );
const refusalOf = (jwt: string, options: Partial<JwtBearerOptions> = {}, text = body) =>
  codeOf(verifyToken(jwt, options, text));

describe('jwtBearer', () => {
  it('accepts a token of an independent implementation, whatever the case of its scheme', async () => {
    expect(await verifyToken(token({}))).toBe(true);
    const verify = jwtBearer({ publicKey, bodyBinding: 'none' });
    for (const scheme of ['bearer ', 'BEARER  ', ''])
      expect(await verify(verification(body, { authorization: scheme + token({}) }))).toBe(true);
  });

  it('reads another header where it is told to', async () => {
    const verify = jwtBearer({ publicKey, bodyBinding: 'none', header: 'X-Token' });
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
      jwtBearer({ publicKey, bodyBinding: 'none', algorithms })(verification(body, headers));
    expect(await codeOf(verify(['RS256']))).toBe('webhook_bad_signature');
    expect(await verify(['RS256', 'PS256'])).toBe(true);
  });

  it.each([['none'], ['HS256'], ['RS256', 'HS256'], [], ['rs256']])(
    'cannot be made with the algorithms %s',
    async (...algorithms) => {
      expect(
        await codeOf(() =>
          jwtBearer({ publicKey, bodyBinding: 'none', algorithms: algorithms.filter(Boolean) }),
        ),
      ).toBe('configuration');
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
    ['no choice of body binding', { publicKey, bodyBinding: undefined }],
    ['a blank body binding', { publicKey, bodyBinding: ' ' }],
    ['an option of old in place of the choice', { publicKey, bodyBinding: undefined, bodyHashClaim: 'h' }],
    ['an unknown freshness', { publicKey, freshness: 'lax' }],
    ['a maximum age that is no number', { publicKey, freshness: { maxAge: '1d' } }],
    ['an endless maximum age', { publicKey, freshness: { maxAge: Number.POSITIVE_INFINITY } }],
  ])('cannot be made with %s', async (_name, options) => {
    expect(await codeOf(() => jwtBearer({ bodyBinding: 'none', ...options } as never))).toBe('configuration');
  });

  it('says that a key does not fit the algorithm', async () => {
    expect(await refusalOf(token({}), { publicKey: pem(p256.publicKey) })).toBe('configuration');
  });

  it('checks exp and nbf, within the clock skew', async () => {
    expect(await refusalOf(token({ exp: moment - 1 }))).toBe('webhook_token_expired');
    expect(await refusalOf(token({ exp: moment }))).toBe('webhook_token_expired');
    expect(await refusalOf(token({ nbf: moment + 1 }))).toBe('webhook_claim_refused');
    expect(await verifyToken(token({ nbf: moment }))).toBe(true);
    expect(await verifyToken(token({ exp: moment - 1, nbf: moment + 1 }), { clockSkew: 5000 })).toBe(true);
    expect(await verifyToken(token({ nbf: moment }), { clockSkew: 0 })).toBe(true);
    expect(await refusalOf(token({ exp: moment - 6 }), { clockSkew: 5000 })).toBe('webhook_token_expired');
    expect(await refusalOf(token({ nbf: moment + 6 }), { clockSkew: 5000 })).toBe('webhook_claim_refused');
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

  // A rotation may change the algorithm, too.
  it('accepts any of several keys, each with its own algorithm, in every order', async () => {
    const pairs = { RS256: rsa, ES256: p256, EdDSA: ed25519 };
    const algorithms = Object.keys(pairs);
    const texts = Object.values(pairs).map((pair) => pem(pair.publicKey));
    const imported = await Promise.all(
      Object.entries(pairs).map(([alg, pair]) => importSPKI(pem(pair.publicKey), alg)),
    );
    for (const publicKeys of [texts, texts.toReversed(), imported, imported.toReversed()]) {
      const verify = jwtBearer({ publicKeys, algorithms, bodyBinding: 'required' });
      for (const [algorithm, pair] of Object.entries(pairs)) {
        const { headers } = await signWebhook(rejected, {
          jwtBearer: { privateKey: pem(pair.privateKey), algorithm, issuedAt: moment },
        });
        expect(await verify(verification(body, headers))).toBe(true);
      }
      // The token may be of the key that cannot be used: the sender must retry.
      const jwt = token({}, { alg: 'RS256' }, otherRsa.privateKey);
      expect(await refusalOf(jwt, { publicKey: undefined, publicKeys, algorithms } as never)).toBe(
        'configuration',
      );
    }
  });

  it('accepts what signWebhook makes with the algorithms of every key', async () => {
    for (const [algorithm, pair] of Object.entries({ RS256: rsa, ES256: p256, EdDSA: ed25519 })) {
      const { headers } = await signWebhook(rejected, {
        jwtBearer: { privateKey: pem(pair.privateKey), algorithm, issuedAt: moment, keyId: 'k1' },
      });
      const verify = jwtBearer({
        publicKey: pem(pair.publicKey),
        algorithms: [algorithm],
        bodyBinding: 'required',
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

  const statusOf = async (jwt: string, options: Partial<JwtBearerOptions>, text = body) => {
    const error: unknown = await verifyToken(jwt, options, text).catch((caught: unknown) => caught);
    return error instanceof WebhookVerificationError ? [error.code, error.status] : error;
  };
  const required = { bodyBinding: 'required' };

  it('authenticates no body where none is chosen, whatever the claims say', async () => {
    expect(await verifyToken(token({ sub: 'sender' }), {}, altered)).toBe(true);
    expect(await verifyToken(token({ bodyHash: digest('hex') }), {}, altered)).toBe(true);
  });

  it('refuses claims that vouch for nothing with 500, because the choice may be wrong', async () => {
    expect(await statusOf(token({ sub: 'sender' }), required)).toEqual(['webhook_body_mismatch', 500]);
    expect(await statusOf(token({ eventType: rejected.eventType }), required)).toEqual([
      'webhook_body_mismatch',
      500,
    ]);
  });

  it.each(['bodyHash', 'request_body_sha256', 'any name'])(
    'accepts a hash of the body in the claim %s where one is required, and refuses another body with 401',
    async (claim) => {
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const jwt = token({ [claim]: digest(encoding) });
        expect(await verifyToken(jwt, required)).toBe(true);
        expect(await statusOf(jwt, required, altered)).toEqual(['webhook_body_mismatch', 401]);
      }
    },
  );

  it('compares the one claim that it is told of, and no other', async () => {
    const options = { bodyBinding: 'digest' };
    expect(await verifyToken(token({ digest: digest('hex') }), options)).toBe(true);
    expect(await verifyToken(token({ digest: `sha256=${digest('hex')}` }), options)).toBe(true);
    expect(await statusOf(token({ digest: digest('hex') }), options, altered)).toEqual([
      'webhook_body_mismatch',
      401,
    ]);
    for (const digestClaim of ['short', 7, null, `${digest('hex')}sha256=`]) {
      expect(await refusalOf(token({ digest: digestClaim }), options)).toBe('webhook_body_mismatch');
    }
    expect(await statusOf(token({ bodyHash: digest('hex') }), options)).toEqual([
      'webhook_body_mismatch',
      500,
    ]);
    expect(await refusalOf(token({}), { bodyBinding: 'toString' })).toBe('webhook_body_mismatch');
  });

  it('accepts the event itself as the claim that it is told of, whatever the order of its fields', async () => {
    const reordered = Object.fromEntries(Object.entries(rejected).reverse());
    for (const carried of [reordered, JSON.stringify(reordered)]) {
      const jwt = token({ event: carried });
      expect(await verifyToken(jwt, { bodyBinding: 'event' })).toBeTruthy();
      expect(await statusOf(jwt, { bodyBinding: 'event' }, altered)).toEqual(['webhook_body_mismatch', 401]);
    }
  });

  // Issue 53: "`bodyBinding: 'required'` of `jwtBearer` proves the claims together or their digest: one claim of a token
  // is never an event."
  it('takes no single claim for the event where a proof is required, and names the option', async () => {
    for (const carried of [rejected, JSON.stringify(rejected)]) {
      const jwt = token({ event: carried });
      expect(await statusOf(jwt, required)).toEqual(['webhook_body_mismatch', 500]);
      const error: unknown = await verifyToken(jwt, required).catch((caught: unknown) => caught);
      expect(String(error)).toContain("bodyBinding: 'event'");
      expect(await statusOf(jwt, required, altered)).toEqual(['webhook_body_mismatch', 500]);
    }
  });

  it('takes no part of an event for an event: what a payer wrote into it is signed, too', async () => {
    const forged = { eventType: 'TRANSFER.APPROVAL.APPROVED', data: { transferId: 'tr_1' } };
    const text = JSON.stringify(forged);
    for (const claims of [
      { ...rejected, data: forged },
      { ...rejected, comment: text },
      { ...rejected, extra: forged },
    ])
      expect(await refusalOf(token(claims), required, text)).toBe('webhook_body_mismatch');
  });

  it('takes no digest among the fields of an event for a proof of another body: a payer may have written it', async () => {
    const jwt = token({ ...rejected, comment: createHash('sha256').update(altered).digest('hex') });
    expect(await statusOf(jwt, required, altered)).toEqual(['webhook_body_mismatch', 401]);
  });

  it('lets the sender retry where its token is an event, and the body has a form that is not known', async () => {
    for (const text of ['hello', '"hello"', 'null', '[]', '{"eventType":"A.B"}']) {
      expect(await statusOf(token(rejected), required, text)).toEqual(['webhook_body_mismatch', 500]);
      const one = { bodyBinding: 'event' };
      expect(await statusOf(token({ event: rejected }), one, text)).toEqual(['webhook_body_mismatch', 500]);
      // A digest proves any form.
      const jwt = token({ event: digest('hex') });
      expect(await statusOf(jwt, one, text)).toEqual(['webhook_body_mismatch', 401]);
    }
  });

  it('accepts the event as the claims themselves, and no other event with them', async () => {
    for (const claims of [rejected, { ...rejected, iat: moment, iss: 'the service' }]) {
      expect(await verifyToken(token(claims), required)).toBeTruthy();
      const other = JSON.stringify({ ...rejected, eventType: 'TRANSFER.APPROVAL.APPROVED' });
      expect(await refusalOf(token(claims), required, other)).toBe('webhook_body_mismatch');
      const more = JSON.stringify({ ...rejected, more: 1 });
      expect(await refusalOf(token(claims), required, more)).toBe('webhook_body_mismatch');
    }
    expect(await refusalOf(token({ ...rejected, more: 1 }), required)).toBe('webhook_body_mismatch');
  });

  it.each(['iat', 'exp', 'nbf', 'iss', 'aud', 'sub', 'jti'])(
    'leaves out the claim %s, which a library adds, unless the event has it',
    async (name) => {
      const times: Record<string, number> = { iat: moment, nbf: moment, exp: moment + 60 };
      const value = times[name] ?? 'x';
      const jwt = token({ ...rejected, [name]: value });
      const bound = (event: object) => refusalOf(jwt, required, JSON.stringify(event));
      expect(await bound(rejected)).toBe('nothing was thrown');
      expect(await bound({ ...rejected, [name]: value })).toBe('nothing was thrown');
      expect(await bound({ ...rejected, [name]: 'y' })).toBe('webhook_body_mismatch');
    },
  );

  it('compares lists and nested objects in the event', async () => {
    const carrying = (votes: unknown) => token({ event: { votes } });
    const bound = { bodyBinding: 'event' };
    const refuse = (votes: unknown, text: string) => refusalOf(carrying(votes), bound, text);
    expect(await verifyToken(carrying([1, { a: null }]), bound, '{"votes":[1,{"a":null}]}')).toBeTruthy();
    expect(await refuse([1, 2], '{"votes":[1]}')).toBe('webhook_body_mismatch');
    expect(await refuse([1, 2], '{"votes":{"0":1,"1":2}}')).toBe('webhook_body_mismatch');
    expect(await refuse({ 0: 1 }, '{"votes":[1]}')).toBe('webhook_body_mismatch');
    expect(await refuse(null, '{"votes":{}}')).toBe('webhook_body_mismatch');
    expect(await refuse({}, '{"votes":null}')).toBe('webhook_body_mismatch');
    expect(await refuse({ a: 1 }, '{"votes":{"b":1}}')).toBe('webhook_body_mismatch');
    expect(await refuse({ a: 1 }, '{"votes":{"a":1,"b":2}}')).toBe('webhook_body_mismatch');
    expect(await refuse([], '{"votes":[],"more":1}')).toBe('webhook_body_mismatch');
    expect(await refuse('1', '{"votes":1}')).toBe('webhook_body_mismatch');
    expect(await refuse(1, 'not json')).toBe('webhook_body_mismatch');
    expect(await refuse(1, '{"votes":{}}')).toBe('webhook_body_mismatch');
    expect(await refuse({}, '{"votes":1}')).toBe('webhook_body_mismatch');
    expect(await refuse(1, '{"votes":2}')).toBe('webhook_body_mismatch');
    // No event is a single value.
    expect(await refusalOf(token({ event: 1 }), bound, '1')).toBe('webhook_body_mismatch');
    expect(await refusalOf(token({ event: null }), bound, 'null')).toBe('webhook_body_mismatch');
  });

  it('signs the event itself, or nothing of it, where signWebhook is told to', async () => {
    const make = (bodyBinding: 'event' | 'none', event: object | string = rejected) =>
      signWebhook(event, {
        jwtBearer: { privateKey, issuedAt: moment, bodyBinding, expiresIn: null, claims: { iss: 'us' } },
      });
    const bound = await make('event', body);
    const accepted = await jwtBearer({ publicKey, bodyBinding: 'event' })(verification(body, bound.headers));
    expect(accepted).toBeTruthy();
    const unbound = await make('none');
    expect(
      await jwtBearer({ publicKey, bodyBinding: 'none', issuer: 'us' })(
        verification(altered, unbound.headers),
      ),
    ).toBe(true);
  });
});
