import { nameError, type Outcome, PaymentsError, type PaymentsErrorDetails } from './base.ts';

/** The client cannot be used as it was set up: an option is missing or wrong. Nothing was sent. */
export class ConfigurationError extends PaymentsError {
  static {
    nameError(this, 'ConfigurationError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'configuration', outcome: 'not-sent', ...details });
  }
}

/** What became of an earlier call that used the same `requestId`. */
export interface EarlierCall {
  /** The operation of the earlier call, such as `transfers.create`. */
  operation: string;
  /** What became of it; `pending` while it runs. */
  outcome: Outcome | 'pending';
}

/** A parameter breaks a rule that the service documents. Nothing was sent. */
export class InvalidRequestError extends PaymentsError {
  /** The offending field, as a path such as `source.amount`. */
  readonly field?: string;
  /**
   * For the code `request_id_reused`: the call that used this `requestId` before, with another payload. This payload
   * was not sent, but the earlier call may have made a payment.
   */
  readonly earlier?: EarlierCall;

  static {
    nameError(this, 'InvalidRequestError');
  }

  constructor(
    message: string,
    details: Partial<PaymentsErrorDetails> & { field?: string | undefined; earlier?: EarlierCall } = {},
  ) {
    const { field, earlier, ...rest } = details;
    super(message, { code: 'invalid_request', outcome: 'not-sent', ...rest });
    if (field !== undefined) this.field = field;
    if (earlier !== undefined) this.earlier = earlier;
  }
}
