import { CompactSign, decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose';
import { isPaymentsError } from 'stablecoin-payments';
import {
  createWebhookReceiver,
  hmacSha256,
  type JwtBearerOptions,
  jwtBearer,
  publicKeySignature,
  standardWebhooks,
  type WebhookVerifier,
} from 'stablecoin-payments/webhooks';
import { safeName } from '../shapes.ts';
import type { Delivery } from './delivery.ts';

/** The keys of the environment, with which a signature can be verified. */
export interface WebhookKeys {
  readonly secret: string | undefined;
  readonly publicKey: string | undefined;
}

/** The scheme that signed a delivery, with the options that were tried. */
export interface Scheme {
  readonly name: string;
  /** The verifier as source text; undefined if the receiver cannot verify such a delivery. */
  readonly option: string | undefined;
  readonly level: 'ok' | 'note' | 'warning' | 'failure';
  readonly message: string;
  readonly details?: readonly string[];
}

/** A verifier with its source text. It has no verifier if the environment has no key. */
interface Candidate {
  readonly option: string;
  readonly verifier: WebhookVerifier | undefined;
}

/** Finds the scheme of a delivery and tries the options of its verifier; undefined if no header has a signature. */
export async function schemeOf(delivery: Delivery, keys: WebhookKeys): Promise<Scheme | undefined> {
  const { headers } = delivery;
  const prefix = (['webhook', 'svix'] as const).find((name) => headers.has(`${name}-signature`));
  if (prefix !== undefined) {
    const options = prefix === 'webhook' ? {} : ({ headerPrefix: prefix } as const);
    const candidate = candidateOf('standardWebhooks', options, keys.secret, (secret) =>
      standardWebhooks({ secret, ...options }),
    );
    const at = secondsIn(headers.get(`${prefix}-timestamp`));
    return tried(
      'standard-webhooks',
      'The delivery is signed by Standard Webhooks.',
      [candidate],
      delivery,
      at,
    );
  }
  for (const [header, value] of headers) {
    const token = /^(?:Bearer )?([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(value)?.[1];
    if (token !== undefined) return jwtScheme(delivery, header, token, keys);
  }
  const timestampHeader = [...headers.keys()].find((name) => /timestamp/.test(name));
  for (const [header, value] of headers) {
    if (/signature|hmac|digest/.test(header))
      return signatureScheme(delivery, header, value, timestampHeader, keys);
  }
  return undefined;
}

/** The options as source text, in the form in which users write them. */
function candidateOf(
  factory: string,
  options: object,
  key: string | undefined,
  make: (key: string) => WebhookVerifier,
): Candidate {
  const keyName = /jwt|publicKey/.test(factory) ? 'publicKey' : 'secret';
  const parts = [keyName, ...Object.entries(options).map(([name, value]) => `${name}: ${sourceOf(value)}`)];
  return {
    option: `${factory}({ ${parts.join(', ')} })`,
    verifier: key === undefined ? undefined : make(key),
  };
}

function sourceOf(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(sourceOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name}: ${sourceOf(inner)}`)
      .join(', ')} }`;
  return String(value);
}

/** Tries candidates in turn with the receiver, at a time at which the delivery was fresh. */
async function tried(
  name: string,
  message: string,
  candidates: readonly [Candidate, ...Candidate[]],
  delivery: Delivery,
  seconds: number | undefined,
): Promise<Scheme> {
  const [guess] = candidates;
  if (guess.verifier === undefined) {
    const key = /publicKey/.test(guess.option) ? 'WEBHOOK_PUBLIC_KEY' : 'WEBHOOK_SECRET';
    const hint = `The options are a guess: set ${key}, and run the doctor again to try them.`;
    return { name, option: guess.option, level: 'note', message: `${message} ${hint}` };
  }
  const codes: string[] = [];
  for (const { option, verifier } of candidates) {
    const code = await refusalOf(verifier, delivery, [seconds ?? Date.now() / 1000]);
    if (code === undefined)
      return {
        name,
        option,
        level: 'ok',
        message: `${message} The receiver accepts it with the options below.`,
      };
    codes.push(`${option}: ${code}`);
  }
  const failure = 'The receiver refuses it with the key of the environment. Check the key.';
  return { name, option: guess.option, level: 'failure', message: `${message} ${failure}`, details: codes };
}

/** The code with which the receiver refuses a delivery at one of several times, or undefined if it accepts all. */
async function refusalOf(
  verifier: WebhookVerifier | undefined,
  { headers, bodies }: Delivery,
  times: readonly number[],
): Promise<string | undefined> {
  if (verifier === undefined) return 'not tried';
  let code: string | undefined;
  for (const body of bodies) {
    code = undefined;
    for (const seconds of times) {
      const receiver = createWebhookReceiver({ verifier, now: () => seconds * 1000 });
      code ??= await receiver.unwrap(body, headers).then(() => undefined, codeOf);
    }
    if (code === undefined) return undefined;
  }
  return code;
}

/** A body that is not an event was verified before it was read; its own finding says what is wrong with it. */
function codeOf(error: unknown): string | undefined {
  if (!isPaymentsError(error)) throw error;
  return error.code === 'webhook_malformed_body' ? undefined : error.code;
}

const secondsIn = (text: string | null | undefined): number | undefined =>
  /^\d{1,12}$/.test(text ?? '') ? Number(text) : undefined;

/** Senders retry for a day, and the token of a retry may be the first one. */
const maximumAge = 86_400;

const asymmetric = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/;

async function jwtScheme(
  delivery: Delivery,
  header: string,
  token: string,
  keys: WebhookKeys,
): Promise<Scheme> {
  const { alg, claims } = readToken(token);
  const names = Object.keys(claims).map(safeName);
  const details = [`algorithm: ${alg}`, `claims: ${names.join(', ') || 'none'}`];
  if (!asymmetric.test(alg)) {
    const message = `The token is signed with ${alg}, which \`jwtBearer\` does not accept: whoever can verify it could forge it.`;
    return { name: 'unknown', option: undefined, level: 'failure', message, details };
  }
  const signed =
    keys.publicKey === undefined ? await signAgain(token, alg) : { token, publicKey: keys.publicKey };
  const shown = new Headers(delivery.headers);
  shown.set(header, (delivery.headers.get(header) ?? '').replace(token, signed.token));
  const { iat, exp } = claims;
  const first = Number(iat ?? (exp === undefined ? Date.now() / 1000 : Number(exp) - 1));
  const common = {
    ...(alg !== 'RS256' && { algorithms: [alg] }),
    ...(header !== 'authorization' && { header }),
  };
  const isTimed = iat !== undefined || exp !== undefined;
  const freshness: JwtBearerOptions['freshness'] = isTimed ? { maximumAge } : 'none';
  const how =
    keys.publicKey === undefined
      ? 'Its claims were tried; set WEBHOOK_PUBLIC_KEY to verify its signature, too.'
      : 'Its signature and its claims were verified.';
  const codes: string[] = [];
  for (const bodyBinding of ['required', 'none']) {
    const options = { bodyBinding, freshness, ...common };
    const { option } = candidateOf('jwtBearer', options, undefined, () => async () => false);
    const verifier = jwtBearer({ publicKey: signed.publicKey, ...options });
    // The first delivery, and its last retry.
    const times = isTimed ? [first, first + maximumAge - 3600] : [first];
    const code = await refusalOf(verifier, { ...delivery, headers: shown }, times);
    if (code === undefined) return accepted(header, option, bodyBinding === 'required', how, details);
    codes.push(`bodyBinding ${bodyBinding}: ${code}`);
  }
  const message = `The delivery has a JWT in \`${header}\`. The receiver refuses it with every option.`;
  return {
    name: 'jwt-bearer',
    option: undefined,
    level: 'failure',
    message,
    details: [...details, ...codes],
  };
}

function accepted(
  header: string,
  option: string,
  isBound: boolean,
  how: string,
  details: readonly string[],
): Scheme {
  const binding = isBound
    ? 'Its claims vouch for the body.'
    : 'Nothing in it vouches for the body: whoever sees one token can send any body with it until it is too old.';
  return {
    name: 'jwt-bearer',
    option,
    level: isBound ? 'ok' : 'warning',
    message: `The delivery has a JWT in \`${header}\`. ${binding} The receiver accepts it with the options below. ${how}`,
    details,
  };
}

function readToken(token: string): { alg: string; claims: Record<string, unknown> } {
  try {
    const { alg = '' } = decodeProtectedHeader(token);
    return { alg: /^[A-Za-z]{2,5}\d{0,5}$/.test(alg) ? alg : 'unknown', claims: claimsOf(token) };
  } catch {
    return { alg: 'unknown', claims: claimsOf(token) };
  }
}

function claimsOf(token: string): Record<string, unknown> {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}

/** Signs the claims of a token with a new key, so that the receiver can be tried without the sender's key. */
async function signAgain(token: string, alg: string): Promise<{ token: string; publicKey: CryptoKey }> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url');
  return { token: await new CompactSign(payload).setProtectedHeader({ alg }).sign(privateKey), publicKey };
}

async function signatureScheme(
  delivery: Delivery,
  header: string,
  value: string,
  timestampHeader: string | undefined,
  { secret, publicKey }: WebhookKeys,
): Promise<Scheme> {
  const timed = /^t=(\d+),\s*v1=/.exec(value);
  if (timed !== null) {
    const options = { header, format: 't=,v1=' } as const;
    const candidate = candidateOf('hmacSha256', options, secret, (key) =>
      hmacSha256({ secret: key, ...options }),
    );
    const message = `The delivery has an HMAC with its time in \`${header}\`.`;
    return tried('hmac-sha256', message, [candidate], delivery, secondsIn(timed[1]));
  }
  const plain = value.replace(/^sha256=/, '');
  const encoding = /^[0-9a-f]+$/i.test(plain) ? 'hex' : 'base64';
  const bytes = Buffer.from(plain, encoding).length;
  const at = timestampHeader === undefined ? undefined : secondsIn(delivery.headers.get(timestampHeader));
  const options = { header, encoding } as const;
  const timedOptions = timestampHeader === undefined ? options : { ...options, timestampHeader };
  // The time may be signed, or be a header that is not.
  const forms = [timedOptions, ...(timestampHeader === undefined ? [] : [options])];
  if (bytes === 32) {
    const of = (form: typeof timedOptions) =>
      candidateOf('hmacSha256', form, secret, (key) => hmacSha256({ secret: key, ...form }));
    const message = `The delivery has an HMAC of SHA-256 in \`${header}\` (${encoding}).`;
    return tried('hmac-sha256', message, [of(timedOptions), ...forms.slice(1).map(of)], delivery, at);
  }
  if (bytes >= 64) {
    const algorithm = bytes >= 256 ? 'RSA-SHA256' : 'Ed25519';
    const of = (form: typeof timedOptions) =>
      candidateOf('publicKeySignature', { algorithm, ...form }, publicKey, (key) =>
        publicKeySignature({ publicKey: key, algorithm, ...form }),
      );
    const message = `The delivery has a signature of ${bytes} bytes in \`${header}\` (${encoding}).`;
    return tried('public-key', message, [of(timedOptions), ...forms.slice(1).map(of)], delivery, at);
  }
  const message = `\`${header}\` has ${bytes} bytes, which is not a signature that the receiver verifies.`;
  return { name: 'unknown', option: undefined, level: 'failure', message };
}
