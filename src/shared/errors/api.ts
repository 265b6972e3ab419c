import { hide, nameError, PaymentsError, type PaymentsErrorDetails } from './base.ts';
import type { ErrorCode } from './codes.ts';

/** What the service said of a failure, in its documented error shapes. It may contain values that were sent. */
export interface ServiceError {
  /** The service's code: a number, such as a six-digit one, or a name such as `NOT_FOUND` (404 shape). */
  code?: number | string;
  /** The name of the error, such as `INSUFFICIENT_BALANCE`. Compare this in your code. */
  error?: string;
  /** The explanation, or the mistakes by field, as received. `message` contains the sentence masked, and the fields. */
  details?: unknown;
}

/** The details from which an {@link APIError} is created. */
export interface APIErrorDetails extends Partial<PaymentsErrorDetails> {
  /** HTTP status of the response. */
  status: number;
  /** As received. They may contain the service's id of the request. */
  headers: Headers;
  /** The body of the response: the parsed JSON, or the text if it is not JSON. */
  body: unknown;
  /** The service's description of the failure. */
  service: ServiceError;
  /** Seconds to wait before the next request, from the Retry-After header. */
  retryAfter?: number | undefined;
}

/**
 * Reports a response with a status other than 2xx. See `outcome` for the money and `service` for the reason.
 *
 * @example
 * ```ts
 * try {
 *   await payments.onramps.create(params);
 * } catch (error) {
 *   if (error instanceof APIError && error.service.error === 'INSUFFICIENT_BALANCE') await topUp();
 *   else throw error;
 * }
 * ```
 */
export class APIError extends PaymentsError {
  /** HTTP status of the response. */
  readonly status: number;
  /** Seconds to wait before the next request, from the Retry-After header, if the response has one. */
  readonly retryAfter?: number;
  /** Headers of the response. They are never printed or serialized. */
  declare readonly headers: Headers;
  /** The body as received: the parsed JSON, or the text if it is not JSON. It is never printed or serialized. */
  declare readonly body: unknown;
  /** The service's description of the failure, from any of its error shapes. It is never printed or serialized. */
  declare readonly service: ServiceError;

  static {
    nameError(this, 'APIError');
  }

  constructor(message: string, details: APIErrorDetails) {
    super(message, { code: 'api', outcome: 'unknown', ...details });
    this.status = details.status;
    if (details.retryAfter !== undefined) this.retryAfter = details.retryAfter;
    const { headers, body, service } = details;
    hide(this, { headers, body, service });
  }

  /** Returns the safe fields, and the name of the service's error if it is one in capital letters. */
  override toJSON(): Record<string, unknown> {
    const { error } = this.service;
    // What the message shows has been masked: a name that it does not show may be a value that was sent.
    const isName =
      error !== undefined &&
      /^[A-Z][A-Z0-9_]{1,59}$/.test(error) &&
      this.message.split(/[^A-Z0-9_]/).includes(error);
    return { ...super.toJSON(), ...(isName && { service: { error } }) };
  }
}

/** Reports a 400: the service refused the request as malformed. */
export class BadRequestError extends APIError {
  static {
    nameError(this, 'BadRequestError');
  }
}

/** Reports a 401: the access token is missing, wrong or expired. */
export class AuthenticationError extends APIError {
  static {
    nameError(this, 'AuthenticationError');
  }
}

/** Reports a 403: the access token, or the user, may not do this. */
export class PermissionDeniedError extends APIError {
  static {
    nameError(this, 'PermissionDeniedError');
  }
}

/** Reports a 404: the record does not exist. */
export class NotFoundError extends APIError {
  static {
    nameError(this, 'NotFoundError');
  }
}

/**
 * Reports a 409, and any status with which the service says that it already has a request with this `requestId`. Then
 * `code` is `request_id_known` and `outcome` is `unknown`: the payment may have been made. Otherwise read `outcome`.
 */
export class ConflictError extends APIError {
  static {
    nameError(this, 'ConflictError');
  }
}

/** Reports a 422: the request is well-formed, but the service refused its content. */
export class UnprocessableEntityError extends APIError {
  static {
    nameError(this, 'UnprocessableEntityError');
  }
}

/** Reports a 429: too many requests. `retryAfter` contains the seconds to wait, if the service sent them. */
export class RateLimitError extends APIError {
  static {
    nameError(this, 'RateLimitError');
  }
}

/** Reports a 500 or above: the service failed. Check `outcome` before you create the payment again. */
export class InternalServerError extends APIError {
  static {
    nameError(this, 'InternalServerError');
  }
}

const classes: ReadonlyMap<number, readonly [typeof APIError, ErrorCode]> = new Map([
  [400, [BadRequestError, 'bad_request']],
  [401, [AuthenticationError, 'authentication']],
  [403, [PermissionDeniedError, 'permission_denied']],
  [404, [NotFoundError, 'not_found']],
  [409, [ConflictError, 'conflict']],
  [422, [UnprocessableEntityError, 'unprocessable_entity']],
  [429, [RateLimitError, 'rate_limit']],
]);

/** Returns the error class for a status, with its stable code. */
export function apiErrorClass(status: number): readonly [typeof APIError, ErrorCode] {
  return (
    classes.get(status) ?? (status >= 500 ? [InternalServerError, 'internal_server'] : [APIError, 'api'])
  );
}
