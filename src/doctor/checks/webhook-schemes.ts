import { hmacSha256, publicKeySignature, standardWebhooks } from 'stablecoin-payments/webhooks';
import {
  type Candidate,
  candidateOf,
  type Scheme,
  secondsIn,
  tried,
  type WebhookKeys,
} from './webhook-candidates.ts';
import type { Delivery } from './webhook-delivery.ts';
import { jwtScheme } from './webhook-jwt.ts';

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
  const untimed = timestampHeader === undefined ? [] : [options];
  const tryAll = (name: string, what: string, of: (form: typeof timedOptions) => Candidate) => {
    const message = `The delivery has ${what} in \`${header}\` (${encoding}).`;
    return tried(name, message, [of(timedOptions), ...untimed.map(of)], delivery, at);
  };
  if (bytes === 32)
    return tryAll('hmac-sha256', 'an HMAC of SHA-256', (form) =>
      candidateOf('hmacSha256', form, secret, (key) => hmacSha256({ secret: key, ...form })),
    );
  if (bytes >= 64) {
    const algorithm = bytes >= 256 ? 'RSA-SHA256' : 'Ed25519';
    return tryAll('public-key', `a signature of ${bytes} bytes`, (form) =>
      candidateOf('publicKeySignature', { algorithm, ...form }, publicKey, (key) =>
        publicKeySignature({ publicKey: key, algorithm, ...form }),
      ),
    );
  }
  const message = `\`${header}\` has ${bytes} bytes, which is not a signature that the receiver verifies.`;
  return { name: 'unknown', option: undefined, level: 'failure', message };
}
