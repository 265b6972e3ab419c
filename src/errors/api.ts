import { nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';

/** The service's own words about a failure, read from whichever error shape it used. */
export interface ServiceError {
  /** The service's code: a number (401 and 500 shapes) or a string such as `NOT_FOUND` (404 shape). */
  code?: number | string;
  /** The kind of error, such as `Unauthorized`. */
  error?: string;
  /** The explanation. It may repeat what was sent, so think before you log it. */
  details?: string;
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
