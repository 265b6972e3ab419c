import { anchorOf, isPaymentsError, nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';
import { peek } from './foreign.ts';
import { isKnownServiceErrorName, type ServiceErrorName } from './service-names.ts';

/** What the service says of one field of the request. */
export interface ServiceFieldError {
  /** The field as the service names it, such as `source.amount`. */
  field: string;
  /** What is wrong with it; empty where the service does not say. It may repeat what was sent. */
  message: string;
}

/** The service's own words about a failure, read from whichever error shape it used. */
export interface ServiceError {
  /** The service's code: a number, such as a six-digit one, or a name such as `NOT_FOUND` (404 shape). */
  code?: number | string;
  /** The name of the error, such as `INSUFFICIENT_BALANCE`: the part to compare with. */
  error?: ServiceErrorName;
  /** The explanation. It may repeat what was sent, so think before you log it; the message holds it masked. */
  details?: string;
  /** What the service says of single fields, where it does. */
  fields?: readonly ServiceFieldError[];
}

/** What an {@link APIError} is made from. */
export interface APIErrorDetails extends Partial<PaymentsErrorDetails> {
  /** HTTP status of the answer. */
  status: number;
  /** Headers of the answer. */
  headers: Headers;
  /** The answer's body: the parsed JSON, or else the text. */
  body: unknown;
  /** The service's own words. */
  service: ServiceError;
  /** Seconds that the service asked to wait, from Retry-After. */
  retryAfter?: number | undefined;
}

const apiBrand = Symbol.for('stablecoin-payments.api-error');

/** The service answered with a status that is not a success. */
export class APIError extends PaymentsError {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Seconds that the service asked to wait before another try (Retry-After), if it did. */
  readonly retryAfter?: number;
  readonly #headers: Headers;
  readonly #body: unknown;
  readonly #service: ServiceError;

  static {
    nameError(this, 'APIError');
    Object.defineProperty(this.prototype, apiBrand, { value: true });
  }

  constructor(message: string, details: APIErrorDetails) {
    const { status, headers, body, service, retryAfter, ...rest } = details;
    super(message, { code: 'api', outcome: 'rejected', ...rest });
    this.status = status;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
    this.#headers = headers;
    this.#body = body;
    this.#service = service;
  }

  /** Headers of the answer. Not part of any printed form. */
  get headers(): Headers {
    return this.#headers;
  }

  /** The answer's body as received: parsed JSON, or else the text. Not part of any printed form. */
  get body(): unknown {
    return this.#body;
  }

  /** The service's own words, from any of its error shapes. Not part of any printed form. */
  get service(): ServiceError {
    return this.#service;
  }

  /** Where the error guide explains this error: under the service's name for it, where the guide has that, or its code. */
  override get docs(): string {
    const { error } = this.#service;
    return isKnownServiceErrorName(error) ? anchorOf(error) : super.docs;
  }
}

/** 400: the service found the request malformed. */
export class BadRequestError extends APIError {
  static {
    nameError(this, 'BadRequestError');
  }
}

/** 401: the access token is missing, wrong or expired. */
export class AuthenticationError extends APIError {
  static {
    nameError(this, 'AuthenticationError');
  }
}

/** 403: the token is good, but does not allow this. */
export class PermissionDeniedError extends APIError {
  static {
    nameError(this, 'PermissionDeniedError');
  }
}

/** 404: there is no such record. */
export class NotFoundError extends APIError {
  static {
    nameError(this, 'NotFoundError');
  }
}

/**
 * 409: the request conflicts with a record of the service. For a call with a `requestId` its `code` is
 * `request_id_known` and its `outcome` is `unknown`, whatever the `status`: the service has a request with this id
 * already, so the payment may have been made. A refusal with status 400 that says so is a ConflictError, not a
 * {@link BadRequestError}.
 */
export class ConflictError extends APIError {
  static {
    nameError(this, 'ConflictError');
  }
}

/** 422: the request is well-formed, but its content was refused. */
export class UnprocessableEntityError extends APIError {
  static {
    nameError(this, 'UnprocessableEntityError');
  }
}

/** 429: too many requests. `retryAfter` tells when to come back, if the service said so. */
export class RateLimitError extends APIError {
  static {
    nameError(this, 'RateLimitError');
  }
}

/** 500 and above: the service failed. */
export class InternalServerError extends APIError {
  static {
    nameError(this, 'InternalServerError');
  }
}

const classes: ReadonlyMap<number, readonly [typeof APIError, string]> = new Map([
  [400, [BadRequestError, 'bad_request']],
  [401, [AuthenticationError, 'authentication']],
  [403, [PermissionDeniedError, 'permission_denied']],
  [404, [NotFoundError, 'not_found']],
  [409, [ConflictError, 'conflict']],
  [422, [UnprocessableEntityError, 'unprocessable_entity']],
  [429, [RateLimitError, 'rate_limit']],
]);

/** The error class for a status, with its stable code. */
export function apiErrorClass(status: number): readonly [typeof APIError, string] {
  return (
    classes.get(status) ?? (status >= 500 ? [InternalServerError, 'internal_server'] : [APIError, 'api'])
  );
}

/**
 * Whether a value is an {@link APIError}: a response with a status that is no success. Works like `isPaymentsError`, also
 * for an error from another copy of this package or another realm.
 *
 * @example
 * ```ts
 * try {
 *   await payments.onramps.create(params);
 * } catch (error) {
 *   if (isAPIError(error) && error.service.error === 'INSUFFICIENT_BALANCE') await topUp();
 *   else throw error;
 * }
 * ```
 */
export function isAPIError(value: unknown): value is APIError {
  return isPaymentsError(value) && peek(value, apiBrand) === true;
}
