import { causesOf, codeOf, nameOf, peek } from './foreign.ts';

/**
 * What became of the request, as far as the client can know.
 *
 * - `not-sent`: nothing reached the service; it is safe to call again.
 * - `rejected`: the service answered and refused; nothing was done.
 * - `unknown`: the request may have been carried out; look before you repeat it.
 * - `succeeded`: the service did what was asked, but the answer could not be used.
 */
export type Outcome = 'not-sent' | 'rejected' | 'unknown' | 'succeeded';

/** What every error of this package knows beside its message. */
export interface PaymentsErrorDetails {
  /** Stable, machine-readable code of this package, such as `not_found` or `timeout`. */
  code: string;
  /** What became of the request. */
  outcome: Outcome;
  /** The operation as it is called on the client, such as `transfers.create`. */
  operation?: string | undefined;
  /** The idempotency id that was sent, for operations that have one. */
  requestId?: string | undefined;
  /** How many times the request was put on the wire. */
  attempts?: number | undefined;
  /** What was caught, as it was. Kept out of every printed form. */
  cause?: unknown;
}

const brand = Symbol.for('stablecoin-payments.error');
const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/** The base of every error that this package throws. Safe to print, serialise and log. */
export class PaymentsError extends Error {
  /** Stable, machine-readable code of this package. Messages may change; codes do not. */
  readonly code: string;
  /** What became of the request. */
  readonly outcome: Outcome;
  /** The operation as it is called on the client, such as `transfers.create`. */
  readonly operation?: string;
  /** The idempotency id that was sent, for operations that have one. */
  readonly requestId?: string;
  /** How many times the request was put on the wire; 0 when nothing was sent. */
  readonly attempts: number;
  readonly #caught: unknown;

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
    this.#caught = details.cause;
  }

  /**
   * The very error that was caught, when there was one. It comes from outside this package and may
   * hold anything, so it is never printed: `cause` is a safe summary of it (class names and codes).
   */
  get originalError(): unknown {
    return this.#caught;
  }

  /** Where the error guide explains this error: a page and an anchor, such as `errors#timeout`. */
  get docs(): string {
    return anchorOf(this.code);
  }

  /** The safe fields, for `JSON.stringify` and loggers: never a body, a token or a header. */
  toJSON(): Record<string, unknown> {
    const fields = Object.fromEntries(Object.entries(this).filter(([, value]) => value !== undefined));
    return { name: this.name, message: this.message, ...fields, docs: this.docs };
  }
}

/** The place in the error guide for a code of ours or a name of the service's. */
export const anchorOf = (code: string): string => `errors#${code.toLowerCase().replaceAll('_', '-')}`;

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
  const { name: _name, message: _message, docs: _docs, ...fields } = this.toJSON();
  const print = inspect ?? ((value: unknown) => JSON.stringify(value));
  const cause = this.cause instanceof Error ? { cause: `${this.cause.name}: ${this.cause.message}` } : {};
  return `${this.stack ?? `${this.name}: ${this.message}`} ${print({ ...fields, ...cause }, options)}`;
}

/** Class names and codes of what was caught, three levels deep. Messages from outside may hold secrets. */
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

/** A code in capitals, as systems give them. Others may be anything. */
function publicCodeOf(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : undefined;
}

/**
 * Whether a value is an error of this package, also one from another copy of it or another realm.
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
