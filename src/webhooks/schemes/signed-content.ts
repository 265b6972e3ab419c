import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, concatBytes, decodeBytes, utf8 } from './bytes.ts';

/** One shared secret, or several of which any may have signed (while a secret is being rotated). */
export type WebhookSecrets =
  | {
      /** The one secret. */
      readonly secret: string | Uint8Array;
      /** Not with `secret`. */
      readonly secrets?: never;
    }
  | {
      /** The secrets of which any may have signed. */
      readonly secrets: readonly (string | Uint8Array)[];
      /** Not with `secrets`. */
      readonly secret?: never;
    };

/**
 * What an HMAC header holds and what is signed.
 *
 * - `plain`: the header is the signature (a leading `sha256=` is allowed); signed is the body, or
 *   `<timestamp>.<body>` when the timestamp travels in a header of its own.
 * - `t=,v1=`: the header is `t=<unix seconds>,v1=<signature>[,v1=<signature>]`; signed is `<timestamp>.<body>`.
 */
export type HmacFormat = 'plain' | 't=,v1=';

/**
 * How a public-key signature is made. `ECDSA` takes the hash that belongs to the curve (SHA-256 for P-256,
 * SHA-384 for P-384); `ECDSA-SHA256` takes SHA-256 on either.
 */
export type PublicKeyAlgorithm = 'RSA-SHA256' | 'RSA-PSS-SHA256' | 'ECDSA' | 'ECDSA-SHA256' | 'Ed25519';

export const standardWebhooksPrefix = 'whsec_';

/** What Standard Webhooks signs: id, timestamp and body, joined by dots. */
export const standardWebhooksContent = (id: string, timestamp: string, body: Uint8Array): Bytes =>
  concatBytes(utf8(`${id}.${timestamp}.`), body);

/** What the other schemes sign when there is a timestamp: timestamp, dot, body. */
export const timestampedContent = (timestamp: string | undefined, body: Uint8Array): Bytes =>
  timestamp === undefined ? concatBytes(body) : concatBytes(utf8(`${timestamp}.`), body);

/** The key bytes of every secret, checked: an empty list or an empty secret would verify nothing. */
export function secretBytes(options: WebhookSecrets, of: 'text' | 'base64'): readonly Bytes[] {
  const secrets: readonly unknown[] = Array.isArray(options.secrets) ? options.secrets : [options.secret];
  if (secrets.length === 0)
    throw new ConfigurationError('secrets is empty: give at least one webhook secret.');
  return secrets.map((secret) => {
    const bytes = oneSecret(secret, of);
    if (bytes.length === 0) throw new ConfigurationError('The webhook secret is empty.');
    return bytes;
  });
}

function oneSecret(secret: unknown, of: 'text' | 'base64'): Bytes {
  if (secret instanceof Uint8Array) return concatBytes(secret);
  if (typeof secret !== 'string') {
    throw new ConfigurationError('The webhook secret is missing: give it as a string or a Uint8Array.');
  }
  if (of === 'text') return utf8(secret);
  const base64 = secret.startsWith(standardWebhooksPrefix)
    ? secret.slice(standardWebhooksPrefix.length)
    : secret;
  if (base64 === '') return new Uint8Array();
  const bytes = decodeBytes(base64, 'base64');
  if (bytes !== undefined) return bytes;
  throw new ConfigurationError(
    'The webhook secret is not base64. Standard Webhooks secrets are base64, with or without the prefix ' +
      '"whsec_"; give a secret of any other kind as a Uint8Array.',
  );
}

export const importHmacKey = (key: Bytes, use: 'sign' | 'verify'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
