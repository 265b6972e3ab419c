import { nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';

/** Reports that an option of the client is missing or wrong. Nothing was sent. */
export class ConfigurationError extends PaymentsError {
  static {
    nameError(this, 'ConfigurationError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'configuration', outcome: 'not-sent', ...details });
  }
}

/** Reports that a parameter breaks a documented rule of the service. Nothing was sent. */
export class InvalidRequestError extends PaymentsError {
  /** The path of the invalid field, such as `source.amount`. */
  readonly field?: string;

  static {
    nameError(this, 'InvalidRequestError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> & { field?: string | undefined } = {}) {
    super(message, { code: 'invalid_request', outcome: 'not-sent', ...details });
    if (details.field !== undefined) this.field = details.field;
  }
}
