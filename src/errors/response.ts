import { nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';

/** One departure of an answer from its schema: where and of what kind, never the value. */
export interface ResponseIssue {
  /** Dotted path from the root of the body, such as `transferDetails.status`; empty for the root. */
  path: string;
  /** The kind of departure, such as `invalid_type`. */
  code: string;
}

/**
 * The service sent a status of success, but the body cannot be used. The `outcome` is `succeeded` only where the body
 * carries the identity of the record, such as its id or the `requestId`. A maintenance page, an empty body, an error
 * under status 200 or a body without identity proves nothing, so the `outcome` is `unknown`. `body` holds what was
 * received.
 */
export class ResponseValidationError extends PaymentsError {
  /** Where the body departs from the expected shape, without values. */
  readonly issues: readonly ResponseIssue[];
  readonly #body: unknown;

  static {
    nameError(this, 'ResponseValidationError');
  }

  constructor(
    message: string,
    details: Partial<PaymentsErrorDetails> & { issues: readonly ResponseIssue[]; body: unknown },
  ) {
    const { issues, body, ...rest } = details;
    super(message, { code: 'response_validation', outcome: 'unknown', ...rest });
    this.issues = issues;
    this.#body = body;
  }

  /** The body as received: parsed JSON, or the text where it is not JSON. Not part of any printed form. */
  get body(): unknown {
    return this.#body;
  }
}

/**
 * The response belongs to another request: it names another user, account, approval, transfer or `requestId`. The
 * client discards it, so the data of another user is not handed out. On Node the client also closes the connection.
 * The `outcome` is `unknown`: what was asked may have been carried out. Not retried.
 */
export class ResponseMismatchError extends PaymentsError {
  /** Where the response names another request, such as `transferDetails.requestId`. Never the value. */
  readonly path: string;

  static {
    nameError(ResponseMismatchError, 'ResponseMismatchError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> & { path: string }) {
    const { path, ...rest } = details;
    super(message, { code: 'response_mismatch', outcome: 'unknown', ...rest });
    this.path = path;
  }
}

/** A cursor or a page came again: the walk cannot go on without losing or repeating items. */
export class PaginationError extends PaymentsError {
  static {
    nameError(this, 'PaginationError');
  }

  constructor(message: string, details: Partial<PaymentsErrorDetails> = {}) {
    super(message, { code: 'pagination', outcome: 'succeeded', ...details });
  }
}

/** `waitUntilActive` found the account rejected, inactive, or not valid. `invalidFields` and `reason` say why. */
export class AccountRejectedError extends PaymentsError {
  readonly #accountId: string;
  readonly #invalidFields: readonly string[];
  readonly #reason: string | undefined;

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
    const { accountId, invalidFields, reason, ...rest } = details;
    super(message, { code: 'account_rejected', outcome: 'succeeded', ...rest });
    this.#accountId = accountId;
    this.#invalidFields = invalidFields;
    this.#reason = reason;
  }

  /** The id of the rejected account. Not part of any printed form. */
  get accountId(): string {
    return this.#accountId;
  }

  /**
   * The fields that the service found invalid, as it named them. Not part of any printed form: a service may repeat
   * the values. The message names those that look like field names.
   */
  get invalidFields(): readonly string[] {
    return this.#invalidFields;
  }

  /** Why the account is not valid, in the service's words. Not part of any printed form: it may repeat values. */
  get reason(): string | undefined {
    return this.#reason;
  }
}
