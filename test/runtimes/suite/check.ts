import { isPaymentsError, type PaymentsError } from 'stablecoin-payments';

/** One thing that must hold on every runtime. */
export interface Case<Stage> {
  readonly title: string;
  readonly run: (stage: Stage) => Promise<void>;
}

/** Fails unless both are the same, as JSON writes them. */
export function equal(actual: unknown, expected: unknown, what: string): void {
  const [is, shouldBe] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== shouldBe) throw new Error(`${what}: expected ${shouldBe}, got ${is}`);
}

/** Fails unless a condition holds. */
export function holds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** The PaymentsError that an action ends in; a success and any other error fail the case. */
export async function failure(action: PromiseLike<unknown> | (() => unknown)): Promise<PaymentsError> {
  try {
    await (typeof action === 'function' ? action() : action);
  } catch (error) {
    if (isPaymentsError(error)) return error;
    throw new Error(`expected a PaymentsError, got ${String(error)}`);
  }
  throw new Error('expected an error, but the call succeeded');
}

/** Fails unless an action ends in an error with this name and outcome. */
export async function failsWith(
  action: PromiseLike<unknown> | (() => unknown),
  name: string,
  outcome: string,
): Promise<PaymentsError> {
  const error = await failure(action);
  equal([error.name, error.outcome], [name, outcome], error.message);
  return error;
}

/** A value that must be there. */
export function given<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`${what} is missing`);
  return value;
}

/** Milliseconds that an action takes. */
export async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const started = Date.now();
  await action();
  return Date.now() - started;
}
