import type { Outcome } from '../outcome/outcome.ts';
import type { ErrorCode } from './codes.ts';
import { causesOf, codeOf, nameOf, peek } from './foreign-values.ts';

export type { Outcome };

/** The details that every error of this package has in addition to its message. */
export interface PaymentsErrorDetails {
  /** Stable, machine-readable code of this package, such as `not_found` or `timeout`. */
  code: ErrorCode | (string & {});
  /** The result for the money. */
  outcome: Outcome;
  /** The method that was called, such as `transfers.create`. */
  operation?: string | undefined;
  /** The idempotency key of the request, for operations that have one. */
  requestId?: string | undefined;
  /** The number of times that the client tried to send the request, including failed connections. */
  attempts?: number | undefined;
  /** The service's own id of the request, from a header of its response. */
  traceId?: string | undefined;
  /** The original error. It is never printed or serialized. */
  cause?: unknown;
}

const brand = Symbol.for('stablecoin-payments.error');
const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/** The base class of every error of this package. It is safe to print, serialize and log. */
export class PaymentsError extends Error {
  /** Stable, machine-readable code such as `timeout`. Messages may change; codes do not. A later version may add codes. */
  readonly code: ErrorCode | (string & {});
  /** The result for the money. */
  readonly outcome: Outcome;
  /** The method that was called, such as `transfers.create`. */
  readonly operation?: string;
  /** The idempotency key of the request, for operations that have one. */
  readonly requestId?: string;
  /** The number of times that the client tried to send the request, including failed connections. */
  readonly attempts: number;
  /**
   * The service's own id of the request, for its support: from the header `x-request-id`, `request-id`,
   * `x-correlation-id` or `cf-ray` of the response.
   */
  readonly traceId?: string;
  /**
   * The error that the client caught, if any. It comes from outside this package and may contain secrets, so it is
   * never printed. `cause` is a safe summary of it: class names and codes.
   */
  declare readonly originalError: unknown;

  static {
    nameError(this, 'PaymentsError');
    Object.defineProperty(this.prototype, brand, { value: true });
    Object.defineProperty(this.prototype, inspectSymbol, { value: inspectSafely });
  }

  constructor(message: string, details: PaymentsErrorDetails) {
    const cause = summarizeCause(details.cause);
    super(message, cause === undefined ? undefined : { cause });
    this.code = details.code;
    this.outcome = details.outcome;
    if (details.operation !== undefined) this.operation = details.operation;
    if (details.requestId !== undefined) this.requestId = details.requestId;
    this.attempts = details.attempts ?? 0;
    if (details.traceId !== undefined) this.traceId = details.traceId;
    hide(this, { originalError: details.cause });
  }

  /**
   * Returns the safe fields as plain data, for `JSON.stringify`, loggers, queues and other threads: never a body, a token
   * or a header.
   */
  toJSON(): Record<string, unknown> {
    const fields = Object.fromEntries(Object.entries(this).filter(([, value]) => value !== undefined));
    const [cause] = causesOf(this.cause, 1);
    const code = codeOf(cause);
    return {
      name: this.name,
      message: this.message,
      ...fields,
      ...(cause instanceof Error && {
        cause: { name: cause.name, message: cause.message, ...(code !== undefined && { code }) },
      }),
    };
  }
}

/**
 * Defines properties that must not be printed. They are not enumerable, and a function reads them, so that a printer that
 * shows hidden properties shows none of their values.
 */
export function hide(error: Error, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(error, name, { get: () => value, enumerable: false, configurable: true });
}

/** Gives an error class its name on the prototype, so that minified builds keep it. */
export function nameError(errorClass: { prototype: Error }, name: string): void {
  Object.defineProperty(errorClass.prototype, 'name', { value: name, configurable: true, writable: true });
}

function inspectSafely(
  this: PaymentsError,
  _depth: number,
  options: object,
  inspect?: (value: unknown, options: object) => string,
): string {
  const { name: _name, message: _message, ...fields } = this.toJSON();
  const print = inspect ?? ((value: unknown) => JSON.stringify(value));
  const cause = this.cause instanceof Error ? { cause: `${this.cause.name}: ${this.cause.message}` } : {};
  return `${this.stack ?? `${this.name}: ${this.message}`} ${print({ ...fields, ...cause }, options)}`;
}

/** Class names and codes of the caught error, three levels deep. Messages from outside may contain secrets. */
function summarizeCause(caught: unknown): Error | undefined {
  const chain = causesOf(caught, 3).filter((error) => typeof peek(error, 'message') === 'string');
  if (chain.length === 0) return undefined;
  const name = nameOf(chain[0]) ?? 'Error';
  const code = chain.map(publicCodeOf).find((found) => found !== undefined);
  const summary = new Error(
    chain.map((error) => publicCodeOf(error) ?? nameOf(error) ?? 'Error').join(' ← '),
  );
  Object.defineProperty(summary, 'name', { value: name, configurable: true });
  Object.defineProperty(summary, 'stack', { value: `${name}: ${summary.message}`, configurable: true });
  return code === undefined ? summary : Object.assign(summary, { code });
}

/** An error code in capital letters, such as `ECONNRESET`. Any other form may contain a secret. */
function publicCodeOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}

/**
 * Checks whether a value is an error of this package. Unlike `instanceof`, it also recognizes an error from another
 * copy of this package or from another realm.
 *
 * @param value - Any value, such as what a `catch` block received.
 *
 * @example
 * ```ts
 * try {
 *   await payments.transfers.create(params);
 * } catch (error) {
 *   if (isPaymentsError(error) && error.outcome === 'unknown') await lookAtIt(error.requestId);
 *   else throw error;
 * }
 * ```
 */
export function isPaymentsError(value: unknown): value is PaymentsError {
  return peek(value, brand) === true;
}
