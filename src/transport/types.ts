import type { InvalidRequestError } from '../errors/index.ts';
import type { ResponseShape } from '../schemas/common.ts';
import type { PendingCall } from './api-promise.ts';
import type { AccessToken } from './attempt/credentials.ts';
import type { Sleep } from './attempt/timers.ts';
import type { ResponseIdentity } from './response/identity.ts';

/** Values that a query parameter may have; a list repeats the parameter, and `undefined` leaves it out. */
export type QueryValue = string | number | boolean | readonly (string | number | boolean)[] | undefined;

/** How often and how soon to try again. What is left out stays as the client has it. */
export interface RetryOptions {
  /** How often to try again, 0 to 100. Default 2; 0 means one attempt. */
  limit?: number;
  /** Milliseconds before the first retry; each further wait is twice as long. Default 500; 0 for tests. */
  minDelay?: number;
  /** The longest wait in milliseconds. Default 8000. A longer Retry-After of the service is honored, up to a minute. */
  maxDelay?: number;
}

/** Options of a single call; each overrides the client's own. */
export interface RequestOptions {
  /** Ends the call at any stage: while waiting for a token, the answer, or the next attempt. */
  signal?: AbortSignal;
  /** Limit of one attempt in milliseconds, from the token to the end of the body. */
  timeout?: number;
  /** Limit of the whole call in milliseconds: all attempts, the waits between them, and all pages. */
  deadline?: number;
  /** How often to try again after a failure that is safe to retry, and how long to wait; 0 means one attempt. */
  retries?: number | RetryOptions;
  /** Extra headers. They cannot replace the ones that the client depends on, such as `authorization`. */
  headers?: Record<string, string | undefined>;
  /** The token for this call alone, such as another tenant's. */
  accessToken?: AccessToken;
  /** Extra query parameters, for what the spec does not show. */
  query?: Record<string, QueryValue>;
  /**
   * Body fields that the parameter types do not list, merged into the body at every depth. It cannot replace a field
   * of the parameters.
   */
  extraBody?: Readonly<Record<string, unknown>>;
}

/**
 * What may be repeated, and when.
 *
 * - `read`, `delete`, `refresh`, `keyed` (carries an idempotency id): after any failure that a repeat can cure.
 * - `once`: only when it is certain that the service did not take the request.
 */
export type RetrySafety = 'read' | 'delete' | 'keyed' | 'refresh' | 'once';

/** One operation of the service, declared once in its resource's file. */
export interface Operation<T> {
  /** As it is called on the client: `transfers.create`. */
  readonly name: string;
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path with `{placeholders}`. */
  readonly path: string;
  /** The path as it may be shown, where that is another one. */
  readonly template?: string;
  /** What may be repeated, and when. */
  readonly retrySafety: RetrySafety;
  /** What the answer looks like. */
  readonly response: ResponseShape<T> | ResponseCheck<T>;
  /** Checks the body, after it was copied into plain data; for operations whose body must be an object. */
  readonly check?: (body: Readonly<Record<string, unknown>>) => InvalidRequestError | undefined;
  /** How a response shows which request it belongs to, and that the service did what was asked. */
  readonly identity?: ResponseIdentity;
}

/** A way to check an answer other than by a shape of this package. */
export type ResponseCheck<T> = (
  value: unknown,
  mode: 'tolerant' | 'strict' | 'off',
) => CheckedResponse<T> | Promise<CheckedResponse<T>>;

/** A checked answer: the value, and where it departs from what was expected. */
export interface CheckedResponse<T> {
  /** The value to hand to the caller. */
  readonly value: T;
  /** Departures without which the value could not be used; they throw. */
  readonly fatal: readonly ResponseDeparture[];
  /** Departures that are only reported. */
  readonly minor: readonly ResponseDeparture[];
}

/** Where and how an answer departs from its schema; never the value. */
export interface ResponseDeparture {
  /** Dotted path from the root of the body; empty for the root. */
  readonly path: string;
  /** The kind of departure, such as `invalid_type`. */
  readonly code: string;
}

/** What one call brings to its operation. */
export interface OperationInput {
  /** Values for the path's placeholders. */
  readonly path?: Readonly<Record<string, string>>;
  /** Query parameters. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** The body: sent as JSON, or as it is where it is a `RawBody`. */
  readonly body?: unknown;
  /** Headers that the operation needs; they replace those of the caller. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The idempotency key, where it is in its place already. */
  readonly requestId?: string;
  /** A fault found in the parameters; the call fails with it and sends nothing. */
  readonly problem?: InvalidRequestError | undefined;
}

/** All that a resource sees of the client: a way to send. */
export interface Transport {
  /** Starts one operation, with auth, limits, retries and checks. Never throws: faults are in the answer. */
  start<T>(operation: Operation<T>, input: OperationInput, options?: RequestOptions): PendingCall<T>;
  /** The name of the query parameter that carries a cursor. */
  readonly cursorParam: string;
  /** The client's deadline in milliseconds for calls that give none. */
  readonly deadline: number | undefined;
  /** How the client waits, where it was told. */
  readonly sleep: Sleep | undefined;
}
