import type * as z from 'zod/mini';
import type { InvalidRequestError, ResponseIssue } from '../../shared/errors/index.ts';
import type { OperationFacts, RetrySafety } from '../../shared/outcome/operation.ts';
import type { APIPromise, PendingCall } from './api-promise.ts';
import type { AccessToken } from './credentials.ts';

/** A value of a query parameter. A list is sent as one parameter per item; `undefined` leaves the parameter out. */
export type QueryValue = string | number | boolean | readonly (string | number | boolean)[] | undefined;

/** The number of retries and the waits between them. Missing options keep the value of the client. */
export interface RetryOptions {
  /** The number of retries, 0 to 100. Default 2; 0 means one attempt. */
  limit?: number | undefined;
  /** Milliseconds before the first retry; each further wait is twice as long. Default 500. Use 0 in tests. */
  minDelay?: number | undefined;
  /** The longest wait in milliseconds. Default 8000. A longer Retry-After is honored, up to one minute. */
  maxDelay?: number | undefined;
}

/** Options of a single call. Each overrides the option of the client. */
export interface RequestOptions {
  /** Ends the call at any stage: while it waits for a token, the response, or the next attempt. */
  signal?: AbortSignal | undefined;
  /** Limit of one attempt in milliseconds, from the token request to the end of the body. */
  timeout?: number | undefined;
  /** Limit of the whole call in milliseconds: all attempts, the waits between them, and all pages. */
  deadline?: number | undefined;
  /**
   * Retries after a failure that is safe to retry: a number from 0 to 100, or limits and delays; 0 means one attempt.
   */
  retries?: number | RetryOptions | undefined;
  /** Additional headers. They cannot replace headers that the client sets, such as `authorization`. */
  headers?: Record<string, string | undefined> | undefined;
  /** The token for this call only, such as the token of another tenant. */
  accessToken?: AccessToken | undefined;
  /** Additional query parameters that the parameter types do not list. */
  query?: Record<string, QueryValue> | undefined;
  /**
   * Additional body fields that the parameter types do not list, merged into the body at every depth. They cannot
   * set a field that the parameters have.
   */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Set it if your own records say that an earlier call may have been made, for example before a restart. Then only a
   * record closes the payment: any failure has the outcome `unknown`. A create needs the `requestId` of the earlier call.
   */
  inDoubt?: boolean | undefined;
}

export type { RetrySafety };

/** One operation of the service. Its resource declares it once. */
export type Operation<T> = RequestFacts & (SchemaOfResponse<T> | CheckOfResponse<T>);

/** How an operation is called. */
interface RequestFacts extends OperationFacts {
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path with `{placeholders}`. */
  readonly path: string;
  /** The path to show in errors and events, if it differs from `path`. */
  readonly template?: string | undefined;
  /** Set for an operation that the caller gave no name: messages show its method and path, too. */
  readonly isUnnamed?: boolean | undefined;
  /** What to try next where the service does not find what the path names. */
  readonly ifNotFound?: string;
  /** The schema of the parameters, built at first use. */
  readonly params?: () => z.ZodMiniType;
}

interface SchemaOfResponse<T> {
  /** The schema of the response, built at first use. */
  readonly response: () => z.ZodMiniType<T>;
  readonly check?: undefined;
}

interface CheckOfResponse<T> {
  /** Checks the response in place of a schema: of a list, or of an operation that the caller describes. */
  readonly check: ResponseCheck<T>;
}

/**
 * The strictness of response validation. `tolerant`: only missing essential fields fail, other differences are
 * reported to `hooks.drift`. `strict`: every difference fails. `off`: no validation.
 */
export type ResponseValidation = 'tolerant' | 'strict' | 'off';

/** A function that checks a response, instead of a schema of this package. */
export type ResponseCheck<T> = (
  value: unknown,
  mode: ResponseValidation,
) => CheckedResponse<T> | Promise<CheckedResponse<T>>;

/** A checked response: the value, and where it differs from its schema. */
export interface CheckedResponse<T> {
  /** The value to return to the caller. */
  readonly value: T;
  /** Differences that make the value unusable: the call fails. */
  readonly fatal: readonly ResponseIssue[];
  /** Differences that are only reported. */
  readonly minor: readonly ResponseIssue[];
  /** True if the schema of the caller passed, in every field. */
  readonly isPassed?: boolean | undefined;
}

/** A deadline that several calls share, in milliseconds. */
export interface SharedDeadline {
  /** As the caller gave it: errors tell it. */
  readonly total: number;
  /** What is left of it. */
  readonly remaining: number;
}

/** The input of one call. */
export interface OperationInput {
  /** Values for the path's placeholders. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** Query parameters. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** The body, or a promise of it. It is sent as JSON, or unchanged if it is a `RawBody`. */
  readonly body?: unknown;
  /** Headers that the operation needs. They replace headers of the caller. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The idempotency key, if the input already contains it. */
  readonly requestId?: string | undefined;
  /** The deadline of a walk or a wait that the call is a part of. It counts in place of the option `deadline`. */
  readonly deadline?: SharedDeadline | undefined;
  /** An error in the parameters. The call fails with it and sends nothing. */
  readonly problem?: InvalidRequestError | undefined;
}

/** The part of the client that a resource uses: it sends requests. */
export interface Transport {
  /** Calls an operation, with auth, limits, retries and checks. Never throws: the returned promise rejects. */
  call<T>(operation: Operation<T>, input: OperationInput, options?: RequestOptions): APIPromise<T>;
  /** The same for a list, which makes a promise of its own. */
  start<T>(operation: Operation<T>, input: OperationInput, options?: RequestOptions): PendingCall<T>;
  /** The name of the query parameter that carries a cursor. */
  readonly cursorParam: string;
  /** The client's deadline in milliseconds, for calls that set none. */
  readonly deadline: number | undefined;
}
