import * as z from 'zod/mini';
import { lazy } from './lazy.ts';

/** Timers cannot count further. */
const longestDuration = 2_147_483_647;

/** A duration in milliseconds. One below `least` was meant in seconds, and is refused with its unit. */
export function milliseconds(least = 100, most = longestDuration) {
  const error = `must be a number of milliseconds from ${least} to ${most}`;
  return z.number({ error }).check(
    z.refine((value) => value >= least && value <= most, {
      error,
      abort: true,
      params: { least },
    }),
  );
}

/** A function of type T. */
export const functionOf = <T>() =>
  z.custom<T>((value) => typeof value === 'function', {
    error: 'must be a function',
    params: { kind: 'type' },
  });

/** An object of type T, of which something else checks the fields. */
export const objectOf = <T>(error = 'must be an object') =>
  z.custom<T>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error,
    params: { kind: 'type' },
  });

/** A value of type T that is checked where it is read. */
export const checkedElsewhere = <T>() => z.custom<T>(() => true);

/** One of a few words. */
export const among = <const Word extends string>(words: readonly Word[]) =>
  z.literal<readonly Word[]>(words, { error: `must be one of ${words.join(', ')}` });

/** True or false. */
export const boolean = /* @__PURE__ */ lazy(() => z.boolean({ error: 'must be a boolean' }));
