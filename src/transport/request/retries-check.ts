import { type OptionNames, refuseUnknown } from '../../closed-options.ts';
import { isRecord, kindOf } from '../kind.ts';
import type { RetryOptions } from '../types.ts';

/** How a call is retried, with every part known. */
export interface RetrySettings {
  readonly limit: number;
  readonly minDelay: number;
  readonly maxDelay: number;
}

/** The settings of a client that is given none. */
export const usualRetries: RetrySettings = /* @__PURE__ */ Object.freeze({
  limit: 2,
  minDelay: 500,
  maxDelay: 8_000,
});

/** Ten minutes: with more, a deadline is what is meant. */
const longestDelay = 600_000;
const parts: OptionNames<RetryOptions> = { limit: true, minDelay: true, maxDelay: true };

/** Checks the option `retries`, a number or its parts, and fills it in. `undefined` leaves everything as it is. */
export function resolveRetries(
  given: unknown,
  usual: RetrySettings,
  fail: (message: string) => never,
): RetrySettings {
  if (given === undefined) return usual;
  const own = isRecord(given) ? ownParts(given, fail) : { limit: given };
  const limit = checked(
    own.limit,
    isRetryCount,
    'a whole number from 0 to 100',
    isRecord(given) ? '.limit' : '',
    fail,
  );
  const rule = `a number of milliseconds from 0 to ${longestDelay}`;
  const least = checked(own.minDelay, isDelay, rule, '.minDelay', fail);
  const most = checked(own.maxDelay, isDelay, rule, '.maxDelay', fail);
  // The one that is given moves the other one, where that is not given.
  const minDelay = least ?? Math.min(usual.minDelay, most ?? usual.minDelay);
  const maxDelay = most ?? Math.max(usual.maxDelay, minDelay);
  if (maxDelay < minDelay)
    return fail(
      `\`retries.maxDelay\` must not be less than \`retries.minDelay\`, but ${maxDelay} is less than ${minDelay}.`,
    );
  return { limit: limit ?? usual.limit, minDelay, maxDelay };
}

function ownParts(
  given: Record<string, unknown>,
  fail: (message: string) => never,
): { [Part in keyof RetryOptions]: unknown } {
  refuseUnknown(given, parts, (message) => fail(`\`retries\`: ${message}`));
  return Object.assign(Object.create(null), given);
}

function checked(
  value: unknown,
  holds: (value: unknown) => value is number,
  rule: string,
  part: string,
  fail: (message: string) => never,
): number | undefined {
  if (value === undefined || holds(value)) return value;
  const what = typeof value === 'number' ? String(value) : kindOf(value);
  return fail(`\`retries${part}\` must be ${rule}, but is ${what}.`);
}

const isRetryCount = (value: unknown): value is number => Number.isInteger(value) && isUpTo(value, 100);

const isDelay = (value: unknown): value is number => isUpTo(value, longestDelay);

const isUpTo = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most;
