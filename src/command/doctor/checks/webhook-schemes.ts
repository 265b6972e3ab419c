import { hmacSha256, standardWebhooks, type WebhookVerifier } from 'stablecoin-payments/webhooks';
import {
  type CheckedDelivery,
  type DeliveryKeys,
  deliverySourceOf,
  refusalOf,
  type Scheme,
} from './webhook-delivery.ts';
import { jwtScheme } from './webhook-jwt.ts';

/** A verifier that takes a secret, with its source text. */
interface Candidate {
  readonly option: string;
  readonly make: (secret: string) => WebhookVerifier;
  /** The time of the delivery in Unix seconds. */
  readonly at: number | undefined;
}

/** Finds the scheme of a delivery and tries the options of its verifier; undefined if no header has a signature. */
export async function schemeOf(delivery: CheckedDelivery, keys: DeliveryKeys): Promise<Scheme | undefined> {
  const { headers } = delivery;
  const prefix = (['webhook', 'svix'] as const).find((name) => headers.has(`${name}-signature`));
  if (prefix !== undefined) {
    const options = prefix === 'webhook' ? {} : ({ headerPrefix: prefix } as const);
    const candidate: Candidate = {
      option: deliverySourceOf('standardWebhooks', 'secret', options),
      make: (secret) => standardWebhooks({ secret, ...options }),
      at: secondsIn(headers.get(`${prefix}-timestamp`)),
    };
    const scheme = await tried('The delivery is signed by Standard Webhooks.', [candidate], delivery, keys);
    return prefix === 'webhook' ? { ...scheme, webhookScheme: 'standard-webhooks' } : scheme;
  }
  for (const [header, value] of headers) {
    const token = /^(?:Bearer )?([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(value)?.[1];
    if (token !== undefined) return jwtScheme(delivery, header, token, keys);
  }
  return signatureScheme(delivery, keys);
}

/** Headers of digests, which nobody has signed, and of the parts of other signatures. */
const noSignature = /^(?:content-|repr-|want-)?digest$|^signature-input$/;

/** Tries `hmacSha256` on each header that may have such a signature: GitHub sends one of SHA-1 beside that of SHA-256. */
async function signatureScheme(delivery: CheckedDelivery, keys: DeliveryKeys): Promise<Scheme | undefined> {
  const { headers } = delivery;
  const timestampHeader = [...headers.keys()].find((name) => /timestamp/.test(name));
  const candidates: Candidate[] = [];
  const others: string[] = [];
  for (const [header, value] of headers) {
    if (!/signature|hmac|digest/.test(header) || /timestamp/.test(header) || noSignature.test(header))
      continue;
    const timed = /^t=(\d{1,12}),\s*v1=/.exec(value);
    // `hmacSha256` takes a signature alone, or after `sha256=`.
    const { bytes, encoding } = decoded(value.replace(/^sha256=/i, ''));
    const size = decoded(value.replace(/^\w{1,6}=/, '')).bytes;
    if (timed !== null) candidates.push(hmac({ header, format: 't=,v1=' }, Number(timed[1])));
    else if (bytes === 32) {
      const at = secondsIn(timestampHeader === undefined ? null : headers.get(timestampHeader));
      // The time may be signed, or be a header that is not.
      if (timestampHeader !== undefined) candidates.push(hmac({ header, encoding, timestampHeader }, at));
      candidates.push(hmac({ header, encoding }, at));
    } else if (size >= 16) others.push(`${header}: ${size} bytes`);
  }
  if (candidates.length > 0)
    return tried('The delivery has a signature of HMAC-SHA256.', candidates, delivery, keys);
  if (others.length === 0) return undefined;
  return {
    option: undefined,
    level: 'warning',
    message:
      'The delivery has a signature that no verifier of the client reads: it may be HMAC-SHA512, RSA, ECDSA or Ed25519. Write a verifier of your own with `verified`: see the guide about webhooks.',
    details: others,
  };
}

type HmacOptions = Omit<Parameters<typeof hmacSha256>[0], 'secret' | 'secrets'>;

const hmac = (options: HmacOptions, at: number | undefined): Candidate => ({
  option: deliverySourceOf('hmacSha256', 'secret', options),
  make: (secret) => hmacSha256({ secret, ...options }),
  at,
});

/** The number of bytes of a signature, and their encoding. */
function decoded(text: string): { bytes: number; encoding: 'hex' | 'base64' } {
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) return { bytes: text.length / 2, encoding: 'hex' };
  const isBase64 = /^[\w+/-]+={0,2}$/.test(text);
  return { bytes: isBase64 ? Buffer.from(text, 'base64').length : 0, encoding: 'base64' };
}

/** Tries candidates in turn with the receiver, at a time at which the delivery was fresh. */
async function tried(
  message: string,
  candidates: readonly Candidate[],
  delivery: CheckedDelivery,
  { secret }: DeliveryKeys,
): Promise<Scheme> {
  if (secret === undefined) {
    const [guess] = candidates;
    const hint = 'The options are a guess: set WEBHOOK_SECRET, and run the doctor again to try them.';
    return { option: guess?.option, level: 'note', message: `${message} ${hint}` };
  }
  const details: string[] = [];
  for (const { option, make, at = Date.now() / 1000 } of candidates) {
    const refused = await refusalOf(make(secret), delivery, at);
    const accepted = `${message} The receiver accepts it with the options below.`;
    if (refused === undefined) return { option, level: 'ok', message: accepted };
    details.push(`${option}: ${refused.code}`);
  }
  const failure =
    'The receiver refuses it with the secret of the environment. Check the secret, and that the file has the headers and the body byte by byte.';
  return { option: undefined, level: 'failure', message: `${message} ${failure}`, details };
}

/** Reads seconds since 1970; undefined for anything else. */
const secondsIn = (text: string | null): number | undefined =>
  /^\d{1,12}$/.test(text ?? '') ? Number(text) : undefined;
