import { nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';

/** A webhook that cannot be trusted or read. Its `code` says why; nothing of its content is shown. */
export class WebhookVerificationError extends PaymentsError {
  static {
    nameError(this, 'WebhookVerificationError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'webhook_verification', outcome: 'rejected', ...details });
  }
}
