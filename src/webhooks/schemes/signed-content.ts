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

/** What Standard Webhooks signs before the body: id and timestamp, each with a dot. */
export const standardWebhooksPrefix = (id: string, timestamp: string): string => `${id}.${timestamp}.`;

/** What the other schemes sign before the body where there is a timestamp. */
export const timestampPrefix = (timestamp: string | undefined): string =>
  timestamp === undefined ? '' : `${timestamp}.`;
