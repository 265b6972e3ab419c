import { v5 } from 'uuid';
import { InvalidRequestError } from '../errors/index.ts';
import { kindOf } from '../transport/kind.ts';

/** The UUIDv5 of `stablecoin-payments` in the DNS namespace. Fixed for ever: another would give other ids. */
const namespace = 'd059861b-e655-5da1-951c-2c533fe1e6bb';

/**
 * Derives an idempotency key from your own business key. The same parts give the same UUIDv5 in every process, so that
 * a job that crashed can run again without a second payment.
 *
 * @param parts - The parts that identify the payment, in order, such as `'payroll', '2026-11', employeeId`: strings or
 * finite numbers, which count as their decimal text. `('a', 'bc')` and `('ab', 'c')` differ.
 * @throws InvalidRequestError when there is no part, or when a part is empty or of another type: with a missing part,
 * different payments would get the same key.
 *
 * @example
 * ```ts
 * await payments.transfers.create({ ...transfer, requestId: requestIdFrom('payroll', '2026-11', employee.id) });
 * ```
 */
export function requestIdFrom(...parts: readonly (string | number)[]): string {
  if (parts.length === 0) throw wrong('needs at least one part');
  // JSON keeps the borders between the parts.
  return v5(JSON.stringify(parts.map(textOf)), namespace);
}

function textOf(part: unknown, index: number): string {
  if (typeof part === 'number' && Number.isFinite(part)) return String(part);
  if (typeof part === 'string' && part.trim() !== '') return part;
  const kind = typeof part === 'string' ? 'empty' : kindOf(part);
  throw wrong(`part ${index + 1} must be a non-empty string or a finite number, but is ${kind}`);
}

const wrong = (why: string) => new InvalidRequestError(`requestIdFrom: ${why}.`, { field: 'requestId' });
