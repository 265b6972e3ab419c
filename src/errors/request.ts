import { nameError, type Outcome, PaymentsError, type PaymentsErrorDetails } from './base.ts';

/** Reports that an option of the client is missing or wrong. Nothing was sent. */
export class ConfigurationError extends PaymentsError {
  static {
    nameError(this, 'ConfigurationError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'configuration', outcome: 'not-sent', finding: 'not-reached', ...details });
  }
}

/** An earlier call of this client that used the same `requestId`. */
export interface EarlierCall {
  /** The operation of the earlier call, such as `transfers.create`. */
  operation: string;
  /** The result of the earlier call for the money; `pending` while the call runs. */
  outcome: Outcome | 'pending';
}

/** Reports that a parameter breaks a documented rule of the service. Nothing was sent. */
export class InvalidRequestError extends PaymentsError {
  /** The path of the invalid field, such as `source.amount`. */
  readonly field?: string;
  /**
   * For the code `request_id_reused`: the earlier call that used this `requestId` with another payload. The new payload
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
    super(message, { code: 'invalid_request', outcome: 'not-sent', finding: 'not-reached', ...details });
    if (details.field !== undefined) this.field = details.field;
    if (details.earlier !== undefined) this.earlier = details.earlier;
  }
}
