import { hide, nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';

/** One difference between a response and its schema: the path and the kind, never the value. */
export interface ResponseIssue {
  /** Dotted path from the root of the body, such as `transferDetails.status`; empty for the root. */
  readonly path: string;
  /** The kind of difference, such as `invalid_type`. */
  readonly code: string;
}

/**
 * Reports a 2xx response with a body that the client cannot use. `outcome` is `succeeded` only if the body shows the
 * operation's own record in its documented place. For a maintenance page, an empty body, or a body that only repeats the
 * `requestId`, `outcome` is `unknown`. `body` contains what was received.
 */
export class ResponseValidationError extends PaymentsError {
  /** The differences of the body from its schema, without values. */
  readonly issues: readonly ResponseIssue[];
  /** The body as received: the parsed JSON, or the text if it is not JSON. It is never printed or serialized. */
  declare readonly body: unknown;

  static {
    nameError(this, 'ResponseValidationError');
  }

  constructor(
    message: string,
    details: Partial<PaymentsErrorDetails> & { issues: readonly ResponseIssue[]; body: unknown },
  ) {
    super(message, { code: 'response_validation', outcome: 'unknown', ...details });
    this.issues = details.issues;
    hide(this, { body: details.body });
  }
}

/**
 * Reports a response that belongs to another request: it names another user, account, approval, amount, currency, payer,
 * payee or `requestId`. The client discards it, so that your code never sees another user's data. `outcome` is
 * `unknown`: the service may have executed your request. Not retried.
 */
export class ResponseMismatchError extends PaymentsError {
  /** The path of the field that differs, such as `requestId` or `source.userId`. Never the value. */
  readonly path: string;

  static {
    nameError(this, 'ResponseMismatchError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> & { path: string }) {
    super(message, { code: 'response_mismatch', outcome: 'unknown', ...details });
    this.path = details.path;
  }
}

/**
 * Reports a list that cannot be read on: a cursor or a page came again, or the list does not say how it continues.
 * `outcome` is `not-sent` where no request was made for the page, else `unknown`.
 */
export class PaginationError extends PaymentsError {
  static {
    nameError(this, 'PaginationError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'pagination', outcome: 'unknown', ...details });
  }
}

/**
 * Reports that a list of `transfersFrom` may lack transfers: its pages do not overlap, it is not sorted, it ends in a page
 * that is full, or a transfer shows no `requestId`, no `id` or no time with a zone. It proves neither that a transfer is
 * absent nor that records are complete. `outcome` is `unknown`.
 */
export class ListNotWholeError extends PaymentsError {
  static {
    nameError(this, 'ListNotWholeError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'list_not_whole', outcome: 'unknown', ...details });
  }
}

/** Reports that `waitUntilActive` found a rejected, inactive or invalid account. See `invalidFields` and `reason`. */
export class AccountRejectedError extends PaymentsError {
  /** The id of the rejected account. It is never printed or serialized. */
  declare readonly accountId: string;
  /**
   * The fields that the service reports as invalid. They are never printed or serialized, because a service may include
   * the values. The message lists only the entries that look like field names.
   */
  declare readonly invalidFields: readonly string[];
  /** The service's reason. It is never printed or serialized, because it may contain values that were sent. */
  declare readonly reason: string | undefined;

  static {
    nameError(this, 'AccountRejectedError');
  }

  constructor(
    message: string,
    details: Partial<PaymentsErrorDetails> & {
      accountId: string;
      invalidFields: readonly string[];
      reason?: string;
    },
  ) {
    super(message, { code: 'account_rejected', outcome: 'unknown', ...details });
    const { accountId, invalidFields, reason } = details;
    hide(this, { accountId, invalidFields, reason });
  }
}
