import { ConfigurationError, WebhookVerificationError } from '../../errors/index.ts';
import type { SignatureEncoding } from './bytes.ts';
import type { VerifiedWebhook } from './verified.ts';

/** A delivery as a verifier receives it. */
export interface WebhookVerification {
  /** The body, byte for byte as it was received. */
  readonly body: Uint8Array & { readonly buffer: ArrayBuffer };
  /** The request's headers; names are case-insensitive. */
  readonly headers: Headers;
  /** The time at which the delivery was received, in milliseconds since 1970. Compare signed timestamps with it. */
  readonly now: number;
  /** The largest difference between a signed timestamp and `now`, in seconds, in either direction. */
  readonly tolerance: number;
  /** The current time in milliseconds, if it is not `now`: the delivery was received earlier and is verified now. */
  readonly clock?: number;
}

/**
 * Decides whether a delivery comes from the service. Only `true` and an object made by `verified({ id })` accept it.
 * `false` refuses it with 401. Anything else, such as `{ valid: true }` or a forgotten `return`, and any error refuse
 * it with 500: the verifier itself may be at fault, and senders do not retry after a 4xx.
 */
export type WebhookVerifier = (verification: WebhookVerification) => Promise<boolean | VerifiedWebhook>;

/** The reasons for which a delivery is refused: the `code` of a `WebhookVerificationError`. */
export type WebhookErrorCode =
  | 'webhook_missing_header'
  | 'webhook_malformed_header'
  | 'webhook_bad_signature'
  | 'webhook_timestamp_out_of_tolerance'
  | 'webhook_token_expired'
  | 'webhook_claim_refused'
  | 'webhook_body_mismatch'
  | 'webhook_keys_unavailable'
  | 'webhook_verifier_failed'
  | 'webhook_missing_body'
  | 'webhook_upload_aborted'
  | 'webhook_body_already_parsed'
  | 'webhook_body_too_large'
  | 'webhook_malformed_body'
  | 'webhook_method_not_allowed'
  | 'webhook_in_progress'
  | 'webhook_claim_lost'
  | 'webhook_store_unavailable';

/** Creates a refusal with the status that belongs to its code, unless `status` is given. */
export function refusal(
  code: WebhookErrorCode,
  message: string,
  more: { readonly cause?: unknown; readonly status?: number } = {},
): WebhookVerificationError {
  return new WebhookVerificationError(message, { code, ...more });
}

/** Reads a header that the scheme cannot do without. The refusal names headers of the request that may be meant. */
export function requireHeader({ headers }: WebhookVerification, name: string): string {
  const value = headers.get(name);
  if (value) return value;
  const similar = [...headers.keys()]
    .filter((present) => present !== name.toLowerCase() && /sign|hmac|digest|auth|webhook|svix/.test(present))
    .slice(0, 5)
    .map((present) => `"${present.slice(0, 60)}"`);
  throw refusal(
    'webhook_missing_header',
    `The header "${name}" is missing or empty.` +
      (similar.length === 0
        ? ''
        : ` The delivery has ${similar.join(', ')}: check the settings of the verifier.`),
  );
}

/** What to look at where a signature is one of the right form and does not match. */
export const mismatchAdvice =
  'Check that the secret or key is the one of this endpoint and environment, and that nothing changes the body before it is verified.';

/** Reads the Unix seconds of a header. They are compared with the clock after the signature has vouched for them. */
export function readTimestamp(verification: WebhookVerification, name: string): string {
  const timestamp = requireHeader(verification, name);
  requireUnixSeconds(timestamp, name);
  return timestamp;
}

export function requireUnixSeconds(timestamp: string, header: string): void {
  if (/^\d{1,12}$/.test(timestamp)) return;
  throw refusal(
    'webhook_malformed_header',
    `The timestamp in the header "${header}" is not a number of Unix seconds.`,
  );
}

/** Refuses a signed timestamp that is too far in the past or the future. */
export function requireFresh(timestamp: string, header: string, verification: WebhookVerification): void {
  requireWithinTolerance(Number(timestamp), `the header "${header}"`, verification);
}

/** As `requireFresh`, for a timestamp that is already a number. */
export function requireWithinTolerance(
  seconds: number,
  where: string,
  verification: WebhookVerification,
): void {
  const age = Math.floor(verification.now / 1000) - seconds;
  if (Math.abs(age) <= verification.tolerance) return;
  const direction = age > 0 ? 'past' : 'future';
  throw refusal(
    'webhook_timestamp_out_of_tolerance',
    `The timestamp in ${where} is ${Math.abs(age)} s in the ${direction}; ` +
      `the tolerance is ${verification.tolerance} s. The signature is good: check the clock of this machine.`,
  );
}

export function requireHeaderName(name: unknown, option: string): void {
  if (typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name)) return;
  throw new ConfigurationError(`${option} must be the name of a header.`);
}

export function requireEncoding(encoding: SignatureEncoding): void {
  if (['hex', 'base64', 'base64url'].includes(encoding)) return;
  throw new ConfigurationError('encoding must be "hex", "base64" or "base64url".');
}

/** Refuses anything but a number of seconds, 0 or more. */
export function requireSeconds(seconds: unknown, option: string): void {
  if (Number.isFinite(seconds) && Number(seconds) >= 0) return;
  throw new ConfigurationError(`${option} must be a number of seconds, 0 or more.`);
}
