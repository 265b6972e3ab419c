import * as z from 'zod/mini';
import { lazy } from './lazy.ts';

/** Timers cannot count further. */
export const longestDuration = 2_147_483_647;

/** A duration in milliseconds. One below `least` was meant in seconds, and is refused with its unit. */
export function milliseconds(least = 100) {
  const error = `must be a number of milliseconds from ${least} to ${longestDuration}`;
  return z.number({ error }).check(
    z.refine((value) => value >= least && value <= longestDuration, {
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

/** An object of names and values, of type T. Those of a Map or of URLSearchParams are no fields: they would be lost. */
export const entriesOf = <T>(isOther: (value: unknown) => boolean = () => false) =>
  objectOf<T>().check(
    z.refine((value) => isOther(value) || !(Symbol.iterator in Object(value)), {
      error: 'must be a plain object: convert it with `Object.fromEntries()`',
      abort: true,
      params: { kind: 'rule' },
    }),
  );

/** Headers, which are checked where they are read. */
export const headers = /* @__PURE__ */ lazy(() =>
  entriesOf<Record<string, string | undefined>>((value) => value instanceof Headers),
);

/** A value of type T that is checked where it is read. */
export const checkedElsewhere = <T>() => z.custom<T>(() => true);

/** One of a few words. */
export const among = <const Word extends string>(words: readonly Word[]) =>
  z.literal<readonly Word[]>(words, { error: `must be one of ${words.join(', ')}` });

/** True or false. */
export const boolean = /* @__PURE__ */ lazy(() => z.boolean({ error: 'must be a boolean' }));
