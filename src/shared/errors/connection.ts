import { nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';

/** Reports a network failure: no connection, a reset, or an incomplete body. See `outcome` for the money. */
export class ConnectionError extends PaymentsError {
  static {
    nameError(this, 'ConnectionError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'connection', outcome: 'unknown', ...details });
  }
}

/** Reports that a time limit ended the call: the `timeout` of one attempt, or the `deadline` of the whole call. */
export class TimeoutError extends PaymentsError {
  /** The limit that was reached: `attempt` (the `timeout` option) or `deadline`. */
  readonly limit: 'attempt' | 'deadline';

  static {
    nameError(this, 'TimeoutError');
  }

  constructor(message: string, limit: 'attempt' | 'deadline', details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'timeout', outcome: 'unknown', ...details });
    this.limit = limit;
  }
}

/** Reports that your AbortSignal ended the call. `originalError` is the signal's reason. */
export class AbortedError extends PaymentsError {
  static {
    nameError(this, 'AbortedError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'aborted', outcome: 'unknown', ...details });
  }
}
