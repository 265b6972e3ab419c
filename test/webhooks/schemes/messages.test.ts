import { createHmac } from 'node:crypto';
import {
  hmacSha256,
  type JwtBearerOptions,
  jwtBearer,
  standardWebhooks,
  verified,
  type WebhookVerifier,
} from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { moment, refusalOf, secret, verification } from '../support.ts';
import { delivery, first, lasting, pem, second, token } from './jwt/support.ts';

const header = 'x-signature';
const key = 'a shared secret';
const zeros = '00'.repeat(32);
const mismatch =
  'Check that the secret or key is the one of this endpoint and environment, and that nothing changes the body before it is verified.';
const received = (headers: Record<string, string>, seconds = moment) =>
  verification('{}', headers, { now: seconds * 1000 });
// Each test makes its verifiers itself, so that it judges the options, too.
const plain: WebhookVerifier = (given) => hmacSha256({ secret: key, header })(given);
const timed: WebhookVerifier = (given) =>
  hmacSha256({ secret: key, header, timestampHeader: 'x-time' })(given);
const pairs: WebhookVerifier = (given) => hmacSha256({ secret: key, header, format: 't=,v1=' })(given);
const standard: WebhookVerifier = (given) => standardWebhooks({ secret })(given);
const sent = { 'webhook-id': 'm1', 'webhook-timestamp': String(moment), 'webhook-signature': 'v1,AAAA' };

describe('a delivery that a signature does not cover', () => {
  it.each<
    [what: string, verifier: WebhookVerifier, headers: Record<string, string>, code: string, message: string]
  >([
    [
      'no header',
      plain,
      {},
      'missing_header',
      'The header "x-signature" is missing or empty: check the settings of the verifier.',
    ],
    [
      'no signature of the encoding',
      plain,
      { [header]: 'zz' },
      'bad_signature',
      'The header "x-signature" contains no HMAC-SHA256 in hex: check `encoding` and `format`.',
    ],
    [
      'another signature',
      plain,
      { [header]: zeros },
      'bad_signature',
      `No signature in the header "x-signature" matches the body. ${mismatch}`,
    ],
    [
      'a time that is none',
      timed,
      { [header]: zeros, 'x-time': 'soon' },
      'malformed_header',
      'The timestamp in the header "x-time" is not a number of Unix seconds.',
    ],
    [
      'a time that is none, beside the signature',
      pairs,
      { [header]: `t=1e9,v1=${zeros}` },
      'malformed_header',
      'The timestamp in the header "x-signature" is not a number of Unix seconds.',
    ],
    [
      'no time',
      pairs,
      { [header]: `v1=${zeros}` },
      'malformed_header',
      'The header "x-signature" must contain exactly one "t=<unix seconds>": check `format`.',
    ],
    [
      'no signature of the first version',
      standard,
      { ...sent, 'webhook-signature': 'v2,AAAA' },
      'bad_signature',
      'The header "webhook-signature" contains no signature of the form "v1,<base64>".',
    ],
    [
      'another signature of Standard Webhooks',
      standard,
      sent,
      'bad_signature',
      `No signature in the header "webhook-signature" matches the body. ${mismatch}`,
    ],
  ])('is refused with its reason: %s', async (_what, verifier, headers, code, message) => {
    expect(await refusalOf(verifier(received(headers)))).toEqual([`webhook_${code}`, message]);
  });

  it('is refused with how far its time is away, and the header that has it', async () => {
    const stale = async (verifier: WebhookVerifier, headers: Record<string, string>, seconds: number) =>
      (await refusalOf(verifier(received(headers, seconds))))[1];
    const mac = createHmac('sha256', key).update(`${moment}.{}`).digest('hex');
    const past = (where: string) =>
      `The timestamp in the header "${where}" is 301 s in the past; the tolerance is 300 s. The signature is good: check the clock of this machine.`;
    const withHeader = { [header]: mac, 'x-time': String(moment) };
    expect(await stale(timed, withHeader, moment + 301)).toBe(past('x-time'));
    const withPairs = { [header]: `t=${moment},v1=${mac}` };
    expect(await stale(pairs, withPairs, moment + 301)).toBe(past(header));
    expect(await stale(pairs, withPairs, moment - 301)).toBe(past(header).replace('past', 'future'));
    expect(await pairs(received(withPairs, moment + 300))).toBe(true);
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', bytes).update(`m1.${moment}.{}`).digest('base64');
    const signed = { ...sent, 'webhook-signature': `v1,${signature}` };
    expect(await stale(standard, signed, moment + 301)).toBe(past('webhook-timestamp'));
  });
});

describe('an option of a verifier', () => {
  const jwt = (options: object) => jwtBearer({ publicKey: pem(first.publicKey), ...options } as never);

  it.each<[make: () => unknown, message: string]>([
    [
      () => hmacSha256({ secret: key, header, encoding: 'utf8' as never }),
      "hmacSha256: `encoding` must be 'hex', 'base64' or 'base64url'.",
    ],
    [
      () => hmacSha256({ secret: key, header, format: 't' as never }),
      "hmacSha256: `format` must be 'plain' or 't=,v1='.",
    ],
    [
      () => hmacSha256({ secret: key, header, format: 't=,v1=', timestampHeader: 'x-time' }),
      'timestampHeader goes with the format "plain": "t=,v1=" has its own timestamp.',
    ],
    [() => hmacSha256({ secret: key, header: 'x y' }), 'hmacSha256: `header` must be the name of a header.'],
    [
      () => hmacSha256({ secret: key, header, timestampHeader: '' }),
      'hmacSha256: `timestampHeader` must be the name of a header, but is empty.',
    ],
    [() => hmacSha256([] as never), 'hmacSha256 needs an object with its options.'],
    [() => hmacSha256(null as never), 'hmacSha256 needs an object with its options.'],
    [
      () => standardWebhooks({ secret, headerPrefix: 'x' as never }),
      "standardWebhooks: `headerPrefix` must be 'webhook' or 'svix'.",
    ],
    [() => standardWebhooks({ secret, secrets: [secret] } as never), 'Pass `secret` or `secrets`, not both.'],
    [() => standardWebhooks({ secrets: [] }), '`secrets` must be a list of at least one.'],
    [() => standardWebhooks({ secrets: secret as never }), '`secrets` must be a list of at least one.'],
    [
      () => standardWebhooks({ secret: '!' }),
      'The webhook secret is not base64. Standard Webhooks secrets are base64, with or without "whsec_". Pass any other secret as a Uint8Array.',
    ],
    [
      () => hmacSha256({ secret: 7 as never, header }),
      'The webhook secret must be a string or a Uint8Array. Check that its environment variable is set.',
    ],
    [
      () => hmacSha256({ secret: 'abc', header }),
      'The webhook secret is shorter than 4 bytes. Check that its environment variable is set.',
    ],
    [
      () => hmacSha256({ secret: 'aaaa', header }),
      'The webhook secret repeats one byte. Check that its environment variable is set.',
    ],
    [
      () => hmacSha256({ secret: ' ', header }),
      'The webhook secret is empty or blank. Check that its environment variable is set.',
    ],
    [
      () => hmacSha256({ secret: 'null', header }),
      'The webhook secret is a placeholder and not a secret. Check that its environment variable is set.',
    ],
    [() => verified({ id: ' ' }), 'verified: `id` must be a non-empty string, but is empty.'],
    [() => verified({ id: 7 as never }), 'verified: `id` must be a non-empty string, but is a number.'],
    [
      () => jwt({ bodyBinding: 'none', algorithms: ['HS256'] }),
      'jwtBearer: `algorithms` must be a non-empty list of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519.',
    ],
    [
      () => jwt({}),
      "jwtBearer: `bodyBinding` must be 'required', the name of the claim that proves the body, or 'none' to accept any body with a valid token, but is missing.",
    ],
    [() => jwt({ bodyBinding: 'none', header: 'x y' }), 'jwtBearer: `header` must be the name of a header.'],
    [() => jwt({ bodyBinding: 'none', issuer: 7 }), 'jwtBearer: `issuer` must be a string, but is a number.'],
    [
      () => jwt({ bodyBinding: 'none', audience: 7 }),
      'jwtBearer: `audience` must be a string, but is a number.',
    ],
    [
      () => jwt({ bodyBinding: 'none', keys: [] }),
      'jwtBearer: `keys` is not an option. Did you mean `publicKeys`?',
    ],
    ...[
      ['lax', 'a string'],
      [7, 'a number'],
      [null, 'null'],
    ].map(([freshness, kind]): [() => unknown, string] => [
      () => jwt({ bodyBinding: 'none', freshness }),
      `jwtBearer: \`freshness\` must be "strict", "none" or { maxAge } in milliseconds, but is ${kind}.`,
    ]),
    [
      () => jwt({ bodyBinding: 'none', freshness: {} }),
      'jwtBearer: `freshness.maxAge` must be a number of milliseconds of 60000 (a minute) or more, but is missing.',
    ],
    [
      () => jwt({ bodyBinding: 'none', jwks: { keys: [] } }),
      'jwtBearer: pass `jwks`, `publicKey` or `publicKeys`, not two of them.',
    ],
    [
      () => jwt({ bodyBinding: 'none', publicKey: undefined, publicKeys: [], jwks: { keys: [] } }),
      'jwtBearer: pass `jwks`, `publicKey` or `publicKeys`, not two of them.',
    ],
    ...[{ keys: 7 }, { keys: [{}, 7] }].map((jwks): [() => unknown, string] => [
      () => jwt({ bodyBinding: 'none', publicKey: undefined, jwks }),
      'jwks is not a JSON Web Key Set.',
    ]),
    ...['http://keys.test', null].map((jwks): [() => unknown, string] => [
      () => jwt({ bodyBinding: 'none', publicKey: undefined, jwks }),
      'jwks must be a JSON Web Key Set or its https address.',
    ]),
  ])('%# that cannot be is refused: %s', async (make, message) => {
    expect(await refusalOf(make)).toEqual(['configuration', message]);
  });
});

describe('a token that is not accepted', () => {
  const options = { publicKey: pem(first.publicKey), algorithms: ['ES256'], bodyBinding: 'none' };
  const told = (claims: object, more: object = {}, jwtHeader: object = {}) =>
    refusalOf(jwtBearer({ ...options, ...more } as JwtBearerOptions)(delivery(token(claims, jwtHeader))));
  const good = 'The signature is good: check';

  it.each<[what: string, told: () => Promise<[string, string]>, code: string, message: string]>([
    [
      'extensions',
      () => told(lasting, {}, { crit: ['b64'], b64: true }),
      'bad_signature',
      'The token has extensions (crit), which are not supported.',
    ],
    [
      'another algorithm',
      () => told(lasting, { algorithms: ['RS256', 'PS256'] }),
      'bad_signature',
      'The token is signed with ES256; `algorithms` accepts RS256, PS256.',
    ],
    [
      'an algorithm that is never accepted',
      () => told(lasting, {}, { alg: 'none' }),
      'bad_signature',
      'The token is signed in a way that is never accepted; `algorithms` accepts ES256.',
    ],
    [
      'no token',
      () => refusalOf(jwtBearer(options as never)(delivery('x'))),
      'bad_signature',
      'The token is not a readable JWT.',
    ],
    [
      'another key',
      () => refusalOf(jwtBearer(options as never)(delivery(token(lasting, {}, second.privateKey)))),
      'bad_signature',
      `The signature of the token matches no key. ${mismatch}`,
    ],
    [
      'claims that are no record',
      () => refusalOf(jwtBearer({ ...options, freshness: 'none' } as never)(delivery(token(7)))),
      'bad_signature',
      'The token is not a readable JWT.',
    ],
    [
      'a signature that is none',
      () => refusalOf(jwtBearer(options as never)(delivery(token(lasting).replace(/[^.]+$/, '!')))),
      'bad_signature',
      'The token is not a readable JWT.',
    ],
    [
      'another issuer',
      () => told(lasting, { issuer: 'us' }),
      'claim_refused',
      `The token's claim iss is missing or not the expected one. Its signature is good: check the receiver's settings.`,
    ],
    [
      'another audience',
      () => told({ ...lasting, aud: ['a'] }, { audience: 'us' }),
      'claim_refused',
      `The token's claim aud is missing or not the expected one. Its signature is good: check the receiver's settings.`,
    ],
    [
      'a beginning in the future',
      () => told({ ...lasting, nbf: moment + 1 }),
      'claim_refused',
      "The token's claim nbf is in the future: check the clock of this machine.",
    ],
    [
      'no time',
      () => told({}),
      'claim_refused',
      "The token has neither exp nor iat, so its age is not known. The signature is good: if the tokens of the service never have a time, set freshness: 'none' and `dedupe`.",
    ],
    [
      'an end that is over',
      () => told({ exp: moment }, { freshness: 'strict' }),
      'token_expired',
      `The token has expired. ${good} the clock of this machine, and set \`freshness\` if the sender retries with its first token.`,
    ],
    ...['exp', 'iat', 'nbf'].map((name): [string, () => Promise<[string, string]>, string, string] => [
      `a claim ${name} that is no number`,
      () => told({ ...lasting, [name]: 'x' }),
      'claim_refused',
      `The token's claim ${name} is not a number.`,
    ]),
    [
      'an old beginning',
      () => told({ iat: moment - 61 }, { freshness: { maxAge: 60_000 } }),
      'timestamp_out_of_tolerance',
      `The timestamp in the token's iat is 61 s in the past; the tolerance is 60 s. ${good} the clock of this machine.`,
    ],
    [
      'nothing about the body',
      () => told(lasting, { bodyBinding: 'required' }),
      'body_mismatch',
      "None of the token's claims proves the body. If the service's tokens never do, set bodyBinding: 'none' and `dedupe`, and read the record through the client before you act on an event.",
    ],
    [
      'an event in one claim',
      () => told({ ...lasting, event: { eventType: 'A.B' } }, { bodyBinding: 'required' }),
      'body_mismatch',
      `The token has an event in its claim "event". If that is the event of the body, set bodyBinding: 'event'.`,
    ],
    [
      'no claim of the name',
      () => told(lasting, { bodyBinding: 'digest' }),
      'body_mismatch',
      'The token has no claim "digest", which bodyBinding names.',
    ],
    [
      'the digest of another body',
      () => told({ ...lasting, digest: zeros }, { bodyBinding: 'digest' }),
      'body_mismatch',
      "The token's claims are about another body than the one received.",
    ],
  ])('is refused with its reason: %s', async (_what, tell, code, message) => {
    expect(await tell()).toEqual([`webhook_${code}`, message]);
  });
});
