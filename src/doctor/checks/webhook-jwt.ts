import { CompactSign, decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose';
import { type JwtBearerOptions, jwtBearer } from 'stablecoin-payments/webhooks';
import { safeName } from '../report.ts';
import { candidateOf, refusalOf, type Scheme, type WebhookKeys } from './webhook-candidates.ts';
import type { Delivery } from './webhook-delivery.ts';

/** Senders retry for a day, and the token of a retry may be the first one. */
const maxAgeSeconds = 86_400;

const asymmetric = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/;

/** Finds the options of `jwtBearer` that accept a delivery with a token. */
export async function jwtScheme(
  delivery: Delivery,
  header: string,
  token: string,
  keys: WebhookKeys,
): Promise<Scheme> {
  const { alg, claims } = readToken(token);
  const names = Object.keys(claims).map(safeName);
  const details = [`algorithm: ${alg}`, `claims: ${names.join(', ') || 'none'}`];
  const codes: string[] = [];
  const fails = (message: string, name = 'jwt-bearer'): Scheme => {
    return { name, option: undefined, level: 'failure', message, details: [...details, ...codes] };
  };
  if (!asymmetric.test(alg))
    return fails(
      `The token is signed with ${alg}, which \`jwtBearer\` does not accept: whoever can verify it could forge it.`,
      'unknown',
    );
  const fault = faultOf(claims);
  if (fault !== undefined) return fails(fault);
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
  const freshness: JwtBearerOptions['freshness'] = isTimed ? { maxAgeSeconds } : 'none';
  const how =
    keys.publicKey === undefined
      ? 'Its claims were tried; set WEBHOOK_PUBLIC_KEY to verify its signature, too.'
      : 'Its signature and its claims were verified.';
  for (const bodyBinding of ['required', 'none']) {
    const options = { bodyBinding, freshness, ...common };
    const { option } = candidateOf('jwtBearer', options, undefined, () => async () => false);
    const verifier = jwtBearer({ publicKey: signed.publicKey, ...options });
    // The first delivery, and its last retry.
    const times = isTimed ? [first, first + maxAgeSeconds - 3600] : [first];
    const refused = await refusalOf(verifier, { ...delivery, headers: shown }, times);
    if (refused === undefined) return accepted(header, option, bodyBinding === 'required', how, details);
    codes.push(`bodyBinding ${bodyBinding}: ${refused.code}`);
    // Without the binding, the receiver would accept what the sender's own claims contradict.
    if (refused.code === 'webhook_body_mismatch' && refused.status < 500)
      return fails(
        `The delivery has a JWT in \`${header}\`. Its claims are about a body, and not about this one. Capture the body byte by byte. If it is as it was received, do not accept such deliveries.`,
      );
  }
  return fails(`The delivery has a JWT in \`${header}\`. The receiver refuses it with every option.`);
}

function accepted(
  header: string,
  option: string,
  isBound: boolean,
  how: string,
  details: readonly string[],
): Scheme {
  const binding = isBound
    ? 'Its claims prove the body.'
    : 'Nothing in it proves the body: whoever sees one token can send any body with it until it is too old.';
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

/** Tells what is wrong with the time of a token, which a receiver would refuse today. */
function faultOf({ iat }: Record<string, unknown>): string | undefined {
  if (typeof iat !== 'number' || iat < Date.now() / 1000 + 300) return undefined;
  return iat > 1e11
    ? 'The claim `iat` of the token is in milliseconds. It must be in seconds, so the receiver refuses every delivery.'
    : 'The claim `iat` of the token is in the future, so the receiver refuses the delivery. Check the clock of the sender.';
}
