import { nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';

/** The details from which a connection, timeout or abort error is created. */
export type ConnectionDetails = Partial<PaymentsErrorDetails>;

/** Reports a network failure: no connection, a reset, an incomplete body, or a response that is too large. */
export class ConnectionError extends PaymentsError {
  static {
    nameError(this, 'ConnectionError');
  }

  constructor(message: string, details: ConnectionDetails = {}) {
    super(message, { code: 'connection', outcome: 'unknown', ...details });
  }
}

/** Reports that a time limit ended the call: the `timeout` of one attempt, or the `deadline` of the whole call. */
export class TimeoutError extends PaymentsError {
  /** Which limit was reached: `attempt` (the `timeout` option) or `deadline`. */
  readonly limit: 'attempt' | 'deadline';

  static {
    nameError(this, 'TimeoutError');
  }

  constructor(message: string, limit: 'attempt' | 'deadline', details: ConnectionDetails = {}) {
    super(message, { code: 'timeout', outcome: 'unknown', ...details });
    this.limit = limit;
  }
}

/** Reports that your AbortSignal ended the call. `originalError` is the signal's reason. */
export class AbortedError extends PaymentsError {
  static {
    nameError(this, 'AbortedError');
  }

  constructor(message: string, details: ConnectionDetails = {}) {
    super(message, { code: 'aborted', outcome: 'unknown', ...details });
  }
}
