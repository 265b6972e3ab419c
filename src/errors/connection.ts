import { nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';

type ConnectionDetails = Partial<PaymentsErrorDetails>;

/** The network failed: no connection, a reset, a body cut short, an answer that is too large. */
export class ConnectionError extends PaymentsError {
  static {
    nameError(this, 'ConnectionError');
  }

  constructor(message: string, details: ConnectionDetails = {}) {
    super(message, { code: 'connection', outcome: 'unknown', ...details });
  }
}

/** A time limit ran out: that of one attempt, or the deadline of the whole call. */
export class TimeoutError extends PaymentsError {
  /** Which limit ran out: `attempt` (the `timeout` option) or `deadline`. */
  readonly limit: 'attempt' | 'deadline';

  static {
    nameError(this, 'TimeoutError');
  }

  constructor(message: string, limit: 'attempt' | 'deadline', details: ConnectionDetails = {}) {
    super(message, { code: 'timeout', outcome: 'unknown', ...details });
    this.limit = limit;
  }
}

/** The caller's AbortSignal ended the call. `originalError` is the signal's reason. */
export class AbortedError extends PaymentsError {
  static {
    nameError(this, 'AbortedError');
  }

  constructor(message: string, details: ConnectionDetails = {}) {
    super(message, { code: 'aborted', outcome: 'unknown', ...details });
  }
}
