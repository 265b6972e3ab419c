import { nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';
import type { ErrorCode } from './codes.ts';

/** The details from which a {@link WebhookVerificationError} is created. */
export interface WebhookVerificationErrorDetails extends PaymentsErrorDetails {
  /** The HTTP status to respond with. */
  status: number;
}

/** Reports a webhook that cannot be verified or read. `code` says why. It contains nothing of the webhook's content. */
export class WebhookVerificationError extends PaymentsError {
  /**
   * The HTTP status to respond with. Many senders never retry after a 4xx. So it is a 4xx only if a retry of the same
   * delivery cannot succeed, and 500 or 503 if the cause may be on your side.
   */
  readonly status: number;

  static {
    nameError(this, 'WebhookVerificationError');
  }

  constructor(message: string, details: Partial<WebhookVerificationErrorDetails> = {}) {
    super(message, { code: 'webhook_verification', outcome: 'not-sent', ...details });
    this.status = details.status ?? webhookStatuses[this.code] ?? 401;
  }
}

/** The statuses of all codes for which the status is not 401. */
const webhookStatuses: Readonly<Record<string, number>> = {
  webhook_body_too_large: 413,
  webhook_body_already_parsed: 500,
  webhook_missing_body: 500,
  webhook_claim_refused: 500,
  // The sender is genuine, or the platform is at fault: a later release of the receiver may read the body.
  webhook_malformed_body: 500,
  webhook_encoded_body: 500,
  webhook_verifier_failed: 500,
  webhook_keys_unavailable: 503,
  webhook_upload_aborted: 503,
  // The signature is valid, so the sender is genuine. The clock or the freshness rule of the receiver may be wrong.
  webhook_timestamp_out_of_tolerance: 503,
  webhook_token_expired: 503,
} satisfies Partial<Record<ErrorCode, number>>;
