import { nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';

/** The client cannot be used as it was set up: an option is missing or wrong. Nothing was sent. */
export class ConfigurationError extends PaymentsError {
  static {
    nameError(this, 'ConfigurationError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'configuration', outcome: 'not-sent', ...details });
  }
}

/** A parameter breaks a rule that the service documents. Nothing was sent. */
export class InvalidRequestError extends PaymentsError {
  /** The offending field, as a path such as `source.amount`. */
  readonly field?: string;

  static {
    nameError(this, 'InvalidRequestError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> & { field?: string | undefined } = {}) {
    const { field, ...rest } = details;
    super(message, { code: 'invalid_request', outcome: 'not-sent', ...rest });
    if (field !== undefined) this.field = field;
  }
}
