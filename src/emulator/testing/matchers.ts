import type { Emulator } from '../emulator.ts';
import type { RequestRecord } from '../options.ts';
import type { EmulatorPayment } from './payments.ts';

/** The result of a matcher for the test runner. */
export interface MatcherResult {
  /** True if the expectation is met. */
  pass: boolean;
  /** Returns the text of the failure, also for an expectation with `.not`. */
  message: () => string;
}

/** The refused requests that a test expects. */
export interface UnexpectedRequestOptions {
  /** Called with each request that would be unexpected; `true` makes it an expected one. */
  except?: (request: RequestRecord) => boolean;
}

/**
 * The matchers as methods of `expect(…)`, to add to the types of a test runner.
 *
 * @typeParam R - What a matcher returns there.
 */
export interface EmulatorMatchers<R = unknown> {
  /**
   * Passes if exactly one payment was made under the `requestId`, and it is paid or on its way.
   *
   * @param requestId - The idempotency key of the payment.
   */
  toHavePaidOnce(requestId: string): R;
  /**
   * Passes if the emulator refused no request of the service, and each was of a known operation.
   *
   * @param options - `except`: the refused requests that the test expects.
   */
  toHaveNoUnexpectedRequests(options?: UnexpectedRequestOptions): R;
}

/**
 * Matchers for vitest, jest, and every test runner whose `expect.extend` takes the same form. They take an emulator or
 * a server that `startEmulatorServer` started.
 *
 * @example
 * ```ts
 * import { createEmulator, emulatorMatchers } from 'stablecoin-payments/emulator';
 * import { expect } from 'vitest';
 *
 * expect.extend(emulatorMatchers);
 * expect(createEmulator()).toHaveNoUnexpectedRequests();
 * ```
 */
export const emulatorMatchers = {
  /** Passes where exactly one payment was made under the `requestId`, and it is paid or on its way. */
  toHavePaidOnce(received: unknown, requestId: string): MatcherResult {
    const emulator = emulatorOf(received, 'toHavePaidOnce');
    if (typeof requestId !== 'string') {
      throw new TypeError(
        `toHavePaidOnce needs the requestId of the payment; it was given ${typeof requestId}`,
      );
    }
    const all = emulator.payments();
    const made = all.filter((payment) => isSameId(payment.requestId, requestId));
    const [payment] = made;
    const paid = made.filter(({ outcome }) => outcome === 'paid' || outcome === 'in-progress');
    const requests = emulator.requests().filter((request) => isSameId(request.requestId, requestId));
    const [sent] = requests;
    const others = all.filter(({ requestId: id }) => !isSameId(id, requestId));
    return {
      pass: made.length === 1 && paid.length === 1,
      message: () => {
        if (paid.length === 1 && payment !== undefined) {
          return `expected no payment under requestId ${requestId}, but one was made:\n${indentedLines([describePayment(payment)])}`;
        }
        const found = made.length === 0 ? 'none was made' : `the one that was made is ${payment?.status}`;
        return [
          `expected exactly one payment under requestId ${requestId}, but ${found}`,
          ...(made.length === 0
            ? []
            : ['', 'Payments under this requestId:', indentedLines(made.map(describePayment))]),
          '',
          'Requests with this requestId:',
          requests.length === 0
            ? noRequest(emulator.requests())
            : indentedLines(requests.map(describeRequest)),
          ...(others.length === 0 || sent !== undefined
            ? []
            : ['', 'Payments under other requestIds:', indentedLines(others.map(describePayment))]),
        ].join('\n');
      },
    };
  },

  /** Passes where the emulator refused no request of the service, and each was of a known operation. */
  toHaveNoUnexpectedRequests(received: unknown, options: UnexpectedRequestOptions = {}): MatcherResult {
    const emulator = emulatorOf(received, 'toHaveNoUnexpectedRequests');
    const { except = () => false } = options;
    const unexpected = emulator.requests().filter((request) => isUnexpected(request) && !except(request));
    return {
      pass: unexpected.length === 0,
      message: () =>
        unexpected.length === 0
          ? 'expected at least one request that the emulator refuses or does not know, but there was none'
          : [
              `expected no unexpected requests, but the emulator refused ${unexpected.length}:`,
              indentedLines(unexpected.map(describeRequest)),
            ].join('\n'),
    };
  },
};

function isUnexpected({ path, operation, status, fault }: RequestRecord): boolean {
  if (/^\/_emulator(\/|$)/.test(path) || path === '/') return false;
  return operation === null || (fault === null && status !== null && status >= 400);
}

function isSameId(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}

function emulatorOf(received: unknown, matcher: string): Pick<Emulator, 'payments' | 'requests'> {
  const inner = fieldOf(received, 'emulator') ?? received;
  if (isEmulator(inner)) return inner;
  throw new TypeError(
    `expect(…).${matcher}() needs an emulator of createEmulator, or a server of startEmulatorServer`,
  );
}

function isEmulator(value: unknown): value is Pick<Emulator, 'payments' | 'requests'> {
  return typeof fieldOf(value, 'payments') === 'function' && typeof fieldOf(value, 'requests') === 'function';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The number of lines of a list that a failure message shows. */
const MOST_LINES = 10;

function describePayment(payment: EmulatorPayment): string {
  const { operation, requestId, id, status, amount, currency, chain, from, to } = payment;
  const money = [amount, currency, chain === null ? null : `on ${chain}`]
    .filter((part) => part !== null)
    .join(' ');
  const path = to.length === 0 ? `from ${from}` : `from ${from} to ${to.join(', ')}`;
  return `${operation} ${money} ${path}: ${status} (id ${id}, requestId ${requestId})`;
}

function describeRequest(request: RequestRecord): string {
  const { id, method, path, operation, status, error, fault, requestId } = request;
  const outcome = status === null ? 'no response' : String(status);
  return [
    `${id} ${method} ${path} → ${outcome}`,
    ...(error === null ? [] : [` ${error}`]),
    ...(fault === null ? [] : [` (injected fault: ${fault})`]),
    ...(operation === null ? [' (no operation of the service)'] : []),
    ...(requestId === null ? [] : [` (requestId ${requestId})`]),
  ].join('');
}

function indentedLines(lines: readonly string[]): string {
  const shown = lines.slice(0, MOST_LINES).map((line) => `  ${line}`);
  const rest = lines.length - MOST_LINES;
  return [...shown, ...(rest > 0 ? [`  and ${rest} more`] : [])].join('\n');
}

/** The text for an id that no request carried. It lists the requests with other ids, to help to find the mistake. */
function noRequest(requests: readonly RequestRecord[]): string {
  const others = requests.filter(({ requestId }) => requestId !== null);
  if (others.length === 0) return '  none; no request carried a requestId';
  return `  none; the latest requests with another requestId are:\n${indentedLines(others.slice(-5).map(describeRequest))}`;
}
