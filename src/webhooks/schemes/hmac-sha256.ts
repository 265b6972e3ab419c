import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, decodeBytes, type SignatureEncoding } from './bytes.ts';
import { type HmacFormat, secretBytes, timestampedContent, type WebhookSecrets } from './signed-content.ts';
import { hmacVerifier } from './standard-webhooks.ts';
import {
  refusal,
  requireFresh,
  requireHeader,
  type WebhookVerification,
  type WebhookVerifier,
} from './verifier.ts';

/** Options of `hmacSha256`. */
export type HmacSha256Options = WebhookSecrets & {
  /** The header that carries the signature. */
  readonly header: string;
  /** How the signature is written; `hex` by default. */
  readonly encoding?: SignatureEncoding;
  /** What the header holds; `plain` by default. */
  readonly format?: HmacFormat;
  /** With `plain`: the header that carries Unix seconds, which are then signed too (`<timestamp>.<body>`). */
  readonly timestampHeader?: string;
};

/**
 * Verifies an HMAC-SHA256 signature in one header, in either of the two common forms: the signature of
 * the plain body, or `t=…,v1=…`, where the timestamp is signed too.
 *
 * Without a timestamp a recorded delivery can be replayed at any time: only de-duplication stops it then.
 *
 * @param options - `secret` or `secrets` (text is taken as UTF-8), `header`, and how the header is written.
 * @returns A verifier for `createWebhookReceiver`.
 * @throws ConfigurationError when a secret is missing or empty, or an option has an unknown value.
 * @example
 * ```ts
 * import { createWebhookReceiver, hmacSha256 } from 'stablecoin-payments/webhooks';
 *
 * const secret = process.env.WEBHOOK_SECRET ?? '';
 * const webhooks = createWebhookReceiver({
 *   verifier: hmacSha256({ secret, header: 'x-signature', format: 't=,v1=' }),
 * });
 * ```
 */
export function hmacSha256(options: HmacSha256Options): WebhookVerifier {
  const { header, encoding = 'hex', format = 'plain', timestampHeader } = options;
  requireHeaderName(header, 'header');
  requireEncoding(encoding);
  if (format !== 'plain' && format !== 't=,v1=') {
    throw new ConfigurationError('format must be "plain" or "t=,v1=".');
  }
  if (timestampHeader !== undefined) {
    requireHeaderName(timestampHeader, 'timestampHeader');
    if (format !== 'plain') {
      throw new ConfigurationError(
        'timestampHeader goes with the format "plain": "t=,v1=" has its own timestamp.',
      );
    }
  }
  const verifyAny = hmacVerifier(secretBytes(options, 'text'));

  return async (verification) => {
    const value = requireHeader(verification.headers, header);
    const { timestamp, signatures } =
      format === 'plain'
        ? {
            timestamp: readTimestamp(verification, timestampHeader),
            signatures: [value.replace(/^sha256=/i, '')],
          }
        : readPairs(value, header, verification);
    const decoded = signatures
      .map((signature) => decodeBytes(signature, encoding))
      .filter((signature): signature is Bytes => signature !== undefined);
    if (await verifyAny(timestampedContent(timestamp, verification.body), decoded)) return true;
    throw refusal('webhook_bad_signature', `No signature in the header "${header}" matches the body.`);
  };
}

/** The timestamp of a header of its own, checked, or undefined where the scheme has none. */
export function readTimestamp(
  verification: WebhookVerification,
  name: string | undefined,
): string | undefined {
  if (name === undefined) return undefined;
  const timestamp = requireHeader(verification.headers, name);
  requireFresh(timestamp, `the header "${name}"`, verification);
  return timestamp;
}

function readPairs(value: string, header: string, verification: WebhookVerification) {
  const pairs = value
    .split(',')
    .slice(0, 32)
    .map((pair) => pair.trim().split(/=(.*)/s));
  const timestamps = pairs.filter(([name]) => name === 't').map(([, text = '']) => text);
  const [timestamp] = timestamps;
  if (timestamp === undefined || timestamps.length > 1) {
    throw refusal(
      'webhook_malformed_header',
      `The header "${header}" must hold exactly one "t=<unix seconds>".`,
    );
  }
  requireFresh(timestamp, `the header "${header}"`, verification);
  return { timestamp, signatures: pairs.filter(([name]) => name === 'v1').map(([, text = '']) => text) };
}

export function requireHeaderName(name: unknown, option: string): void {
  if (typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name)) return;
  throw new ConfigurationError(`${option} must be the name of a header.`);
}

export function requireEncoding(encoding: SignatureEncoding): void {
  if (['hex', 'base64', 'base64url'].includes(encoding)) return;
  throw new ConfigurationError('encoding must be "hex", "base64" or "base64url".');
}
