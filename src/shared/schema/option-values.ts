import * as z from 'zod/mini';
import { checkSayingAll, lazy } from './schema.ts';

/** Timers cannot count further. */
export const maxDuration = 2_147_483_647;

/** The limits that have a name. */
const units: ReadonlyMap<number, string> = /* @__PURE__ */ new Map([
  [1_000, 'a second'],
  [60_000, 'a minute'],
  [3_600_000, 'an hour'],
]);

/**
 * A duration in milliseconds. One below `min` was meant in seconds, and is refused with its unit. `max` is finite for
 * one that a timer waits for.
 */
export function milliseconds(min = 100, max = maxDuration) {
  const unit = units.get(min);
  const from = unit === undefined ? `${min}` : `${min} (${unit})`;
  const limits = Number.isFinite(max) ? `from ${from} to ${max}` : `of ${from} or more`;
  const error = `must be a number of milliseconds ${limits}`;
  return z.number({ error }).check(
    z.refine((value) => value >= min && value <= max, {
      error,
      abort: true,
      params: { min },
    }),
  );
}

/** A duration that no timer waits for. */
export const longTime = (min: number) => milliseconds(min, Number.POSITIVE_INFINITY);

/** A function of type T. */
export const functionOf = <T>(error = 'must be a function') =>
  z.custom<T>((value) => typeof value === 'function', { error, params: { kind: 'type' } });

/** An object of type T, of which something else checks the fields. */
export const objectOf = <T>(error = 'must be an object') =>
  z.custom<T>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error,
    params: { kind: 'type' },
  });

/** An object of names and values, of type T. Those of a Map or of URLSearchParams are no fields: they would be lost. */
export const entriesOf = <T>(isOther: (value: unknown) => boolean = () => false) =>
  objectOf<T>().check(
    checkSayingAll(
      (value) => isOther(value) || !(Symbol.iterator in Object(value)),
      'must be a plain object: convert it with `Object.fromEntries()`',
    ),
  );

/** An instant. */
export const validDate = () =>
  z.custom<Date>((value) => value instanceof Date && !Number.isNaN(value.getTime()), {
    error: 'must be a valid Date',
    params: { kind: 'type' },
  });

/** Headers, which are checked where they are read. */
export const headers = /* @__PURE__ */ lazy(() =>
  entriesOf<Record<string, string | undefined>>((value) => value instanceof Headers),
);

/** A value of type T that is checked where it is read. */
export const checkedElsewhere = <T>() => z.custom<T>(() => true);

/** One of a few values. A literal of zod would say, in a union, that another member is meant. */
export function oneFrom<const Value extends string | number>(values: readonly Value[]) {
  const shown = values.map((value) => (typeof value === 'string' ? `'${value}'` : `${value}`));
  return z.custom<Value>((given) => values.some((value) => value === given), {
    error: `must be ${[shown.slice(0, -1).join(', '), shown.at(-1)].join(' or ')}`,
    params: { kind: 'rule' },
  });
}
