import { v5 } from 'uuid';
import { refusePromise } from './awaited.ts';
import { InvalidRequestError } from './errors/index.ts';
import { isExact, isTextOfNothing, kindOf } from './values.ts';

/** The UUIDv5 of `stablecoin-payments` in the DNS namespace. Fixed for ever: another would give other ids. */
const namespace = 'd059861b-e655-5da1-951c-2c533fe1e6bb';

/**
 * Derives an idempotency key from your own business key. The same parts give the same UUIDv5 in every process, so that
 * a job that crashed can run again without a second payment.
 *
 * @param parts - At least one: the parts that identify the payment, in order, such as `'payroll', '2026-11',
 * employeeId`. A part is a non-empty string, in any Unicode normalization, or a number, which counts as its decimal
 * text. `('a', 'bc')` and `('ab', 'c')` differ.
 * @throws InvalidRequestError when there is no part, when a part is empty, of another type or the text of a missing value
 * (`undefined`, `null`) or a promise, and for a number that is not finite or beyond 2^53: different payments would get the same key.
 *
 * @example
 * ```ts
 * await payments.transfers.create({ ...transfer, requestId: requestIdFrom('payroll', '2026-11', employee.id) });
 * ```
 */
export function requestIdFrom(...parts: [string | number, ...(string | number)[]]): string {
  const given: readonly unknown[] = parts;
  if (given.length === 0) throw wrong('needs at least one part');
  // JSON keeps the borders between the parts. A list is not written by JSON itself: a polluted `toJSON` would rewrite it.
  return v5(`[${given.map((part, index) => JSON.stringify(partText(part, index))).join()}]`, namespace);
}

function partText(part: unknown, index: number): string {
  refusePromise('requestIdFrom', part);
  if (isExact(part)) return String(part);
  if (typeof part === 'string' && isTextOfNothing(part))
    throw wrong(`part ${index + 1} is "${part.trim()}", which other payments would share`);
  if (typeof part === 'string' && part.trim() !== '') return part.normalize();
  const why =
    typeof part === 'number' && Number.isFinite(part)
      ? 'is a number beyond 2^53, which stands for several: give it as a string'
      : `must be a non-empty string or a finite number, but is ${typeof part === 'string' ? 'empty' : kindOf(part)}`;
  throw wrong(`part ${index + 1} ${why}`);
}

const wrong = (why: string) => new InvalidRequestError(`requestIdFrom: ${why}.`, { field: 'requestId' });
