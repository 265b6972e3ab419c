import { WebhookVerificationError } from '../../errors/index.ts';

/** What a verifier looks at. */
export interface WebhookVerification {
  /** The body, byte for byte as it was received. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The request's headers; names are case-insensitive. */
  readonly headers: Headers;
  /** The present, in milliseconds since 1970 as `Date.now()` gives it. */
  readonly now: number;
  /** How far a signed timestamp may lie from `now`, in seconds, in either direction. */
  readonly tolerance: number;
}

/** What a verifier vouches for beside the body. */
export interface VerifiedWebhook {
  /** The delivery's id, where the scheme signs one. Used for de-duplication when the event carries none. */
  readonly id?: string;
}

/**
 * Decides whether a delivery comes from the service. It resolves with `true`, or with a `VerifiedWebhook`;
 * `false`, anything else and any error refuse the delivery, so that a forgotten `return` fails closed.
 */
export type WebhookVerifier = (verification: WebhookVerification) => Promise<true | false | VerifiedWebhook>;

/** Why a webhook was refused: the `code` of a `WebhookVerificationError`. */
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
  | 'webhook_body_already_parsed'
  | 'webhook_body_too_large'
  | 'webhook_malformed_body';

export function refusal(code: WebhookErrorCode, message: string, cause?: unknown): WebhookVerificationError {
  return new WebhookVerificationError(message, cause === undefined ? { code } : { code, cause });
}

/** A header that the scheme cannot do without. */
export function requireHeader(headers: Headers, name: string): string {
  const value = headers.get(name)?.trim();
  if (value) return value;
  throw refusal('webhook_missing_header', `The header "${name}" is missing or empty.`);
}

/** Refuses a timestamp (Unix seconds) that lies too far in the past or in the future. */
export function requireFresh(timestamp: string, where: string, verification: WebhookVerification): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw refusal('webhook_malformed_header', `The timestamp in ${where} is not a number of Unix seconds.`);
  }
  requireWithinTolerance(Number(timestamp), where, verification);
}

/** As `requireFresh`, for a timestamp that is already a number. */
export function requireWithinTolerance(
  seconds: number,
  where: string,
  verification: WebhookVerification,
): void {
  const age = Math.floor(verification.now / 1000) - seconds;
  if (Math.abs(age) <= verification.tolerance) return;
  throw refusal(
    'webhook_timestamp_out_of_tolerance',
    `The timestamp in ${where} lies ${Math.abs(age)} s in the ${age > 0 ? 'past' : 'future'}; ` +
      `the tolerance is ${verification.tolerance} s.`,
  );
}
