import { CompactSign, decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose';
import { jwtBearer } from 'stablecoin-payments/webhooks';
import { isRecord, jsonIn } from '../../../shared/values.ts';
import { safeName } from '../report.ts';
import {
  type CheckedDelivery,
  type DeliveryKeys,
  deliverySourceOf,
  refusalOf,
  type Scheme,
} from './webhook-delivery.ts';

const publicKeyAlgorithms = /^(?:RS|PS|ES)(?:256|384|512)$|^EdDSA$|^Ed25519$/;

/** Finds the options of `jwtBearer` that accept a delivery with a token. */
export async function jwtScheme(
  delivery: CheckedDelivery,
  header: string,
  token: string,
  { publicKey: given }: DeliveryKeys,
): Promise<Scheme> {
  const { alg, claims } = readToken(token);
  const details = [`algorithm: ${alg}`, `claims: ${Object.keys(claims).map(safeName).join(', ') || 'none'}`];
  const inEmulator = alg === 'RS256' && header === 'authorization' ? { webhookScheme: 'jwt' as const } : {};
  const fails = (message: string): Scheme => {
    return { option: undefined, level: 'failure', message, details, ...inEmulator };
  };
  if (!publicKeyAlgorithms.test(alg))
    return fails(`The token is signed with ${alg}, which \`jwtBearer\` does not accept.`);
  const signed = given === undefined ? await signAgain(token, alg) : { token, publicKey: given };
  const headers = new Headers(delivery.headers);
  headers.set(header, (headers.get(header) ?? '').replace(token, signed.token));
  const { iat, exp } = claims;
  const isTimed = iat !== undefined || exp !== undefined;
  const now = Date.now() / 1000;
  // A time in milliseconds is in the future, which a receiver of today refuses.
  const at = Math.min(now, Number(iat ?? (exp === undefined ? now : Number(exp) - 1)));
  const common = {
    ...(!isTimed && { freshness: 'none' as const }),
    ...(alg !== 'RS256' && { algorithms: [alg] }),
    ...(header !== 'authorization' && { header }),
  };
  const what = `The delivery has a JWT in \`${header}\`.`;
  for (const bodyBinding of ['required', ...claimsWithEvents(claims), 'none']) {
    const options = { bodyBinding, ...common };
    const verifier = jwtBearer({ publicKey: signed.publicKey, ...options });
    const refused = await refusalOf(verifier, { ...delivery, headers }, at);
    if (refused === undefined) {
      const isBound = bodyBinding !== 'none';
      const binding = isBound
        ? 'Its claims prove the body.'
        : 'Nothing in it proves the body: whoever sees one token can send any body with it until it is too old.';
      const how = given === undefined ? ' Set WEBHOOK_PUBLIC_KEY to verify its signature, too.' : '';
      return {
        option: deliverySourceOf('jwtBearer', 'publicKey', options),
        level: isBound ? 'ok' : 'warning',
        message: `${what} ${binding} The receiver accepts it with the options below.${how}`,
        details: details.slice(0, 2),
        ...inEmulator,
      };
    }
    details.push(`bodyBinding ${bodyBinding}: ${refused.code}`);
    // Without the binding, the receiver would accept what the sender's own claims contradict.
    if (refused.code === 'webhook_body_mismatch' && refused.status < 500)
      return fails(
        `${what} Its claims are about another body. Capture the body byte by byte. If it is as it was received, do not accept such deliveries.`,
      );
  }
  return fails(`${what} The receiver refuses it with every option.`);
}

function readToken(token: string): { alg: string; claims: Record<string, unknown> } {
  try {
    const { alg = '' } = decodeProtectedHeader(token);
    return { alg: /^[A-Za-z]{2,5}\d{0,5}$/.test(alg) ? alg : 'unknown', claims: decodeJwt(token) };
  } catch {
    return { alg: 'unknown', claims: {} };
  }
}

/** The claims that carry an event: `bodyBinding` must name the one that is the event of the body. */
function claimsWithEvents(claims: Record<string, unknown>): string[] {
  return Object.keys(claims).filter((name) => {
    const claim = claims[name];
    const value: unknown = typeof claim === 'string' ? jsonIn(claim) : claim;
    return /^\w+$/.test(name) && isRecord(value) && 'eventType' in value;
  });
}

/** Signs the claims of a token with a new key, so that the receiver can be tried without the sender's key. */
async function signAgain(token: string, alg: string): Promise<{ token: string; publicKey: CryptoKey }> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url');
  return { token: await new CompactSign(payload).setProtectedHeader({ alg }).sign(privateKey), publicKey };
}
