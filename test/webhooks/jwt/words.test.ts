import { createHash, sign } from 'node:crypto';
import { jwtBearer } from 'stablecoin-payments/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { moment, refusalOf, verification } from '../support.ts';
import { body, first, lasting, options, part, pem, second, token, verify } from './support.ts';

const refused = (jwt: string, more: object = {}, seconds = moment, text = body) =>
  refusalOf(verify(jwt, more, seconds, text));
const unreadable = ['webhook_bad_signature', 'The token is not a readable JWT.'];
const unaccepted = ['webhook_bad_signature', expect.stringMatching(/^The token (is signed|has extensions)/)];
const unmatched = [
  'webhook_bad_signature',
  expect.stringContaining('The signature of the token matches no key.'),
];

describe('a token', () => {
  it('stands in the Authorization header, with or without its scheme, or in another header', async () => {
    const jwt = token(lasting);
    const inHeader = (name: string, value: string, more: object = {}) =>
      jwtBearer({ ...options, ...more })(verification(body, { [name]: value }));
    for (const value of [jwt, `Bearer ${jwt}`, `BEARER   ${jwt}`]) {
      expect(await inHeader('authorization', value)).toBe(true);
      expect(await inHeader('x-token', value, { header: 'X-Token' })).toBe(true);
    }
    expect(await refusalOf(inHeader('x-token', jwt))).toEqual([
      'webhook_missing_header',
      'The header "authorization" is missing or empty.',
    ]);
    const [head, payload, signature] = jwt.split('.');
    const parted = inHeader('authorization', `${head}.${payload}Bearer .${signature}`);
    expect((await refusalOf(parted))[0]).toBe('webhook_bad_signature');
  });

  it('is refused where it cannot be read', async () => {
    for (const jwt of ['x', 'a.b.c', `${part({ alg: 'ES256' })}.x`, `${part({ alg: 'ES256' })}.x.y.z`]) {
      expect(await refused(jwt)).toEqual(unreadable);
    }
    const head = part({ alg: 'ES256' });
    for (const jwt of [`${head}.x.%`, `${head}.x.y.z.z`]) expect(await refused(jwt)).toEqual(unreadable);
    for (const claims of [[], null, 7, 'text', true])
      expect(await refused(token(claims))).toEqual(unreadable);
    const content = `${part({ alg: 'ES256' })}.${Buffer.from('{no json').toString('base64url')}`;
    const key = { key: first.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    const signature = sign('sha256', Buffer.from(content), key).toString('base64url');
    expect(await refused(`${content}.${signature}`)).toEqual(unreadable);
  });

  it('is refused where its algorithm is none, another or an extended one', async () => {
    for (const header of [{ alg: 'none' }, { alg: 'RS256' }, { alg: undefined }, { crit: ['x'], x: 1 }]) {
      expect(await refused(token(lasting, header))).toEqual(unaccepted);
    }
  });

  it('is refused where no key fits it, and accepted where any of several does', async () => {
    expect(await refused(token(lasting, {}, second.privateKey))).toEqual(unmatched);
    const publicKeys = [pem(second.publicKey), pem(first.publicKey)];
    const both = jwtBearer({ algorithms: ['ES256'], bodyBinding: 'none', publicKeys });
    const importKey = vi.spyOn(crypto.subtle, 'importKey');
    for (const key of [first, second, first]) {
      const headers = { authorization: token(lasting, {}, key.privateKey) };
      expect(await both(verification(body, headers))).toBe(true);
    }
    expect(importKey).toHaveBeenCalledTimes(2);
    importKey.mockRestore();
  });

  it('is RS256 by default', async () => {
    const { algorithms: _left, ...rest } = options;
    expect(await refusalOf(jwtBearer(rest)(verification(body, { authorization: token(lasting) })))).toEqual(
      unaccepted,
    );
    expect(await refused(token(lasting, { alg: 'RS256' }), { algorithms: undefined })).toEqual([
      'configuration',
      'The public key cannot be read as a key for RS256.',
    ]);
  });

  it('cannot be verified with a key that is not for verifying', async () => {
    const der = first.publicKey.export({ type: 'spki', format: 'der' });
    const publicKey = await crypto.subtle.importKey(
      'spki',
      der,
      { name: 'ECDSA', namedCurve: 'P-256' },
      true,
      [],
    );
    expect(await refused(token(lasting), { publicKey })).toEqual([
      'configuration',
      'The public key cannot verify ES256.',
    ]);
  });
});

describe('issuer and audience', () => {
  const wrong = (name: string) => [
    'webhook_claim_refused',
    `The token's claim ${name} is missing or not the expected one. Its signature is good: check the receiver's settings.`,
  ];

  it('are those that are asked for', async () => {
    const expected = { issuer: 'them', audience: 'us' };
    expect(await verify(token({ ...lasting, iss: 'them', aud: 'us' }), expected)).toBe(true);
    expect(await verify(token({ ...lasting, iss: 'them', aud: ['all', 'us'] }), expected)).toBe(true);
    expect(await verify(token({ ...lasting, iss: 'x', aud: 'y' }))).toBe(true);
    expect(await refused(token({ ...lasting, iss: 'x', aud: 'us' }), expected)).toEqual(wrong('iss'));
    expect(await refused(token({ ...lasting, aud: 'us' }), expected)).toEqual(wrong('iss'));
    expect(await refused(token({ ...lasting, iss: 'them', aud: ['x'] }), expected)).toEqual(wrong('aud'));
    expect(await refused(token({ ...lasting, iss: 'them' }), expected)).toEqual(wrong('aud'));
  });
});

describe('the age of a token', () => {
  const expired = [
    'webhook_token_expired',
    'The token has expired. The signature is good: check the clock of this machine, and set `freshness` if the ' +
      'sender retries with its first token.',
  ];
  const untimely = (seconds: number, direction: string, tolerance = 300) => [
    'webhook_timestamp_out_of_tolerance',
    `The timestamp in the token's iat is ${seconds} s in the ${direction}; the tolerance is ${tolerance} s. ` +
      'The signature is good: check the clock of this machine.',
  ];
  const early = [
    'webhook_claim_refused',
    "The token's claim nbf is in the future: check the clock of this machine.",
  ];
  const endless = ['webhook_claim_refused', expect.stringContaining("set freshness: 'none' and `dedupe`")];

  it('ends at exp, within the clock skew', async () => {
    expect(await verify(token({ exp: moment + 1 }))).toBe(true);
    expect(await refused(token({ exp: moment }))).toEqual(expired);
    expect(await refused(token({ exp: moment, iat: moment - 10 }))).toEqual(expired);
    expect(await verify(token({ exp: moment - 4 }), { clockSkew: 5 })).toBe(true);
    expect(await refused(token({ exp: moment - 5 }), { clockSkew: 5 })).toEqual(expired);
    expect(await verify(token({ exp: moment + 1, iat: moment - 9_000 }))).toBe(true);
  });

  it('begins at nbf, within the clock skew, whatever the freshness', async () => {
    for (const freshness of ['strict', 'none', { maxAgeSeconds: 60 }]) {
      expect(await verify(token({ ...lasting, nbf: moment }), { freshness })).toBe(true);
      expect(await refused(token({ ...lasting, nbf: moment + 1 }), { freshness })).toEqual(early);
      expect(await verify(token({ ...lasting, nbf: moment + 5 }), { freshness, clockSkew: 5 })).toBe(true);
      expect(await refused(token({ ...lasting, nbf: moment + 6 }), { freshness, clockSkew: 5 })).toEqual(
        early,
      );
    }
  });

  it('is within the tolerance of iat where there is no exp', async () => {
    expect(await verify(token({ iat: moment - 300 }))).toBe(true);
    expect(await refused(token({ iat: moment - 301 }))).toEqual(untimely(301, 'past'));
    expect(await verify(token({ iat: moment + 300 }))).toBe(true);
    expect(await refused(token({ iat: moment + 301 }))).toEqual(untimely(301, 'future'));
    expect(await refused(token({ ...lasting, iat: moment + 301 }))).toEqual(untimely(301, 'future'));
    expect(await verify(token({ ...lasting, iat: moment + 300 }))).toBe(true);
    expect(await refused(token({}))).toEqual(endless);
  });

  it('is counted from iat where a maximum is set, else from exp', async () => {
    const day = { freshness: { maxAgeSeconds: 86_400 } };
    expect(await verify(token({ iat: moment - 86_400, exp: moment - 86_000 }), day)).toBe(true);
    expect(await refused(token({ iat: moment - 86_401 }), day)).toEqual(untimely(86_401, 'past', 86_400));
    expect(await refused(token({ iat: moment - 86_401, exp: moment - 80_000 }), day)).toEqual(
      untimely(86_401, 'past', 86_400),
    );
    expect(await verify(token({ iat: moment + 300 }), { freshness: { maxAgeSeconds: 1 } })).toBe(true);
    expect(await refused(token({ iat: moment + 301 }), day)).toEqual(untimely(301, 'future'));
    expect(await verify(token({ exp: moment - 86_399 }), day)).toBe(true);
    expect(await refused(token({ exp: moment - 86_400 }), day)).toEqual(expired);
    expect(await refused(token({}), day)).toEqual(endless);
  });

  it('is any where none is asked for', async () => {
    for (const claims of [{}, { exp: 1 }, { iat: 1 }, { iat: moment + 9_000 }]) {
      expect(await verify(token(claims), { freshness: 'none' })).toBe(true);
    }
  });

  it.each(['exp', 'iat', 'nbf'])('is a number of seconds: %s', async (name) => {
    for (const value of ['1', null, true, {}]) {
      expect(await refused(token({ ...lasting, [name]: value }))).toEqual([
        'webhook_claim_refused',
        `The token's claim ${name} is not a number.`,
      ]);
    }
    const huge = token({ ...lasting, [name]: 12_345_678 }).split('.');
    const text = JSON.stringify({ ...lasting, [name]: 12_345_678 }).replace('12345678', '1e999');
    const content = `${huge[0]}.${Buffer.from(text).toString('base64url')}`;
    const key = { key: first.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    const jwt = `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
    expect((await refused(jwt))[1]).toBe(`The token's claim ${name} is not a number.`);
  });
});

describe('the claims and the body', () => {
  const digest = (encoding: 'hex' | 'base64' | 'base64url') =>
    createHash('sha256').update(body).digest(encoding);
  const claims = (more: object) => token({ ...lasting, ...more });
  const required = { bodyBinding: 'required' };
  const named = { bodyBinding: 'digest' };
  const event = JSON.parse(body);
  const other = ['webhook_body_mismatch', "The token's claims are about another body than the one received."];
  const silent = [
    'webhook_body_mismatch',
    expect.stringContaining("None of the token's claims proves the body."),
  ];
  const statusOf = (jwt: string, more: object, text = body) =>
    verify(jwt, more, moment, text).then(
      () => 200,
      (error: unknown) => Reflect.get(Object(error), 'status'),
    );

  it.each([
    ['hex', digest('hex')],
    ['hex in capitals', digest('hex').toUpperCase()],
    ['base64', digest('base64')],
    ['base64url', digest('base64url')],
    ['hex after sha256=', `sha256=${digest('hex')}`],
    ['base64 after SHA-256:', `SHA-256:${digest('base64')}`],
    ['the event', event],
    ['the text of the event', ` ${body} `],
  ])('agree by %s', async (_what, digestClaim) => {
    const jwt = claims({ digest: digestClaim });
    for (const binding of [required, named]) {
      expect(await verify(jwt, binding)).toBe(true);
      expect(await refused(jwt, binding, moment, body.replace('evt_1', 'evt_2'))).toEqual(other);
      expect(await statusOf(jwt, binding, body.replace('evt_1', 'evt_2'))).toBe(401);
    }
  });

  it.each([
    ['a prefix within it', `x sha256=${digest('hex')}`],
    ['a prefix within the hash', `${digest('hex').slice(0, 32)}sha256=${digest('hex').slice(32)}`],
    ['a hash that is too short', digest('hex').slice(2)],
    ['a hash that is too long', `${digest('hex')}00`],
    ['a number', 7],
    ['null', null],
    ['text', 'text'],
  ])('disagree by %s', async (_what, digestClaim) => {
    expect(await refused(claims({ digest: digestClaim }), named)).toEqual(other);
    expect(await refused(claims({ digest: digestClaim }), required)).toEqual(silent);
    expect(await statusOf(claims({ digest: digestClaim }), required)).toBe(500);
  });

  it('disagree where a claim is another event', async () => {
    for (const claim of [{ eventType: 'A.B' }, '{"eventType":"A.B"}']) {
      expect(await refused(claims({ carried: claim }), required)).toEqual(other);
    }
    for (const claim of [{ type: 'A.B' }, '{"type":"A.B"}', 'eventType', '"eventType"']) {
      expect(await refused(claims({ carried: claim }), required)).toEqual(silent);
    }
  });

  it('are silent where the named claim is missing', async () => {
    for (const name of ['digest', 'toString']) {
      expect(await refused(claims({ hash: digest('hex') }), { bodyBinding: name })).toEqual([
        'webhook_body_mismatch',
        `The token has no claim "${name}", which bodyBinding names.`,
      ]);
      expect(await statusOf(claims({ hash: digest('hex') }), { bodyBinding: name })).toBe(500);
    }
  });

  it.each([
    ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
    ['{"a":[1,[2]]}', '{"a":[1,[2]]}', true],
    ['[1,2]', '[1,2]', true],
    ['{"a":[1,2]}', '{"a":[2,1]}', false],
    ['{"a":[1,2]}', '{"a":[1,3]}', false],
    ['{"a":[1]}', '{"a":{"0":1,"length":1}}', false],
    ['{"a":{"0":1,"length":1}}', '{"a":[1]}', false],
    ['{"a":[1]}', '{"a":[1,2]}', false],
    ['{"a":[1,2]}', '{"a":[1]}', false],
    ['{"a":{"0":1}}', '{"a":[1]}', false],
    ['{"a":[1]}', '{"a":{"0":1}}', false],
    ['{"a":{}}', '{"a":null}', false],
    ['{"a":null}', '{"a":{}}', false],
    ['{"a":1}', '{"a":{}}', false],
    ['{"a":{}}', '{"a":1}', false],
    ['{"a":1}', '{"a":"1"}', false],
    ['{"a":1}', '{"b":1}', false],
    ['{"toString":1}', '{"a":1}', false],
    ['{"a":1}', '{"a":1,"b":2}', false],
    ['{"a":1,"b":2}', '{"a":1}', false],
    ['{}', '[]', false],
    ['[]', '{}', false],
    ['{}', '{}', true],
  ])('carry %s for the body %s: %j', async (carried, text, same) => {
    const jwt = claims({ digest: JSON.parse(carried) });
    const result = await refused(jwt, named, moment, text);
    expect(result).toEqual(same ? ['nothing was thrown', ''] : other);
  });

  it('carry nothing for a body that is no object', async () => {
    for (const text of ['null', '7', '"text"', 'no json']) {
      const carried = text === 'no json' ? null : JSON.parse(text);
      expect(await refused(claims({ digest: carried }), named, moment, text)).toEqual(other);
    }
  });

  it('are not compared where none is chosen', async () => {
    expect(await verify(claims({ digest: digest('hex') }), {}, moment, '{}')).toBe(true);
  });
});

describe('the words for an option that cannot work', () => {
  const algorithms =
    'algorithms must be a non-empty list of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, ' +
    'Ed25519.';
  const binding =
    "jwtBearer needs bodyBinding: 'required', the name of the claim that proves the body, or 'none' to accept " +
    'any body with a valid token.';
  const freshness = 'freshness must be "strict", "none" or { maxAgeSeconds } in seconds.';

  it.each([
    [{ header: '' }, 'header must be the name of a header.'],
    [{ algorithms: [] }, algorithms],
    [{ algorithms: ['RS256', 'HS256'] }, algorithms],
    [{ algorithms: ['none'] }, algorithms],
    [{ clockSkew: -1 }, 'clockSkew must be a number of seconds, 0 or more.'],
    [{ freshness: 'lax' }, freshness],
    [{ freshness: null }, freshness],
    [{ freshness: {} }, freshness],
    [{ freshness: 7 }, freshness],
    [
      { freshness: { maxAgeSeconds: '1d' } },
      'freshness.maxAgeSeconds must be a number of seconds, 0 or more.',
    ],
    [{ bodyBinding: undefined }, binding],
    [{ bodyBinding: '  ' }, binding],
    [{ bodyBinding: 7 }, binding],
  ])('%o', async (more, words) => {
    expect(await refusalOf(() => jwtBearer({ ...options, ...more } as never))).toEqual([
      'configuration',
      words,
    ]);
  });

  it.each([
    'RS256',
    'RS384',
    'RS512',
    'PS256',
    'PS384',
    'PS512',
    'ES256',
    'ES384',
    'ES512',
    'EdDSA',
    'Ed25519',
  ])('none for %s', (algorithm) => {
    expect(jwtBearer({ ...options, algorithms: [algorithm] })).toBeTypeOf('function');
  });
});
