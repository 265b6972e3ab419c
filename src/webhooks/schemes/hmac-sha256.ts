import { ConfigurationError } from '../../errors/index.ts';
import { type Bytes, decodeBytes, type SignatureEncoding } from './bytes.ts';
import { hmacVerifier, maximumSignatures } from './hmac.ts';
import { requireEncoding, requireHeaderName } from './scheme-options.ts';
import { textSecrets, type WebhookSecrets } from './secrets.ts';
import { type HmacFormat, timestampPrefix } from './signed-content.ts';
import {
  readTimestamp,
  refusal,
  requireFresh,
  requireHeader,
  requireUnixSeconds,
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
 * Without a timestamp a recorded delivery can be replayed at any time. De-duplication stops the replay for as long as
 * the store remembers the event: choose its `ttl` accordingly.
 *
 * @param options - `secret` or `secrets` (text is taken as UTF-8), `header`, and how the header is written.
 * @returns A verifier for `createWebhookReceiver`.
 * @throws ConfigurationError when a secret is missing, blank or a placeholder such as `undefined`, or an option has an
 * unknown value.
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
  const verifyAny = hmacVerifier(textSecrets(options));

  return async (verification) => {
    const { body } = verification;
    const value = requireHeader(verification, header);
    const { timestamp, signatures } =
      format === 'plain'
        ? {
            timestamp:
              timestampHeader === undefined ? undefined : readTimestamp(verification, timestampHeader),
            signatures: [value.replace(/^sha256=/i, '')],
          }
        : readPairs(value, header);
    const decoded = signatures
      .map((signature) => decodeBytes(signature, encoding))
      .filter((signature): signature is Bytes => signature !== undefined);
    if (!(await verifyAny(timestampPrefix(timestamp), body, decoded))) {
      throw refusal('webhook_bad_signature', `No signature in the header "${header}" matches the body.`);
    }
    if (timestamp !== undefined) requireFresh(timestamp, timestampHeader ?? header, verification);
    return true;
  };
}

function readPairs(value: string, header: string) {
  const pairs = value.split(',', maximumSignatures).map((pair) => pair.trim());
  const valuesOf = (name: string) =>
    pairs.filter((pair) => pair.startsWith(name)).map((pair) => pair.slice(name.length));
  const timestamps = valuesOf('t=');
  const [timestamp] = timestamps;
  if (timestamp === undefined || timestamps.length > 1) {
    throw refusal(
      'webhook_malformed_header',
      `The header "${header}" must hold exactly one "t=<unix seconds>".`,
    );
  }
  requireUnixSeconds(timestamp, header);
  return { timestamp, signatures: valuesOf('v1=') };
}
