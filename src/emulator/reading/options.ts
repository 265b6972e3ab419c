import * as z from 'zod/mini';
import { checkedOptions } from '../../shared/schema/option-fault.ts';
import { type Duration, parseDuration } from '../state/clock.ts';

/** A length of time, or one of some words. */
export function durationOr<const Word extends string = never>(...words: readonly Word[]) {
  const named = words.map((word) => `, or '${word}'`).join('');
  const error = `must be milliseconds${named === '' ? ' or' : ','} a text like '30s', '25h' or '7d'${named || ', and not negative'}`;
  return z.custom<Duration | Word>(
    (value) => words.some((word) => word === value) || parseDuration(value) !== undefined,
    { error },
  );
}

/** Text of a form. */
export const textLike = (pattern: RegExp, error: string) =>
  z.string({ error }).check(z.regex(pattern, { error, abort: true }));

/**
 * Returns own options, checked by their schema. Throws a TypeError that names the option which does not exist or has a
 * wrong value, and says what it must be.
 *
 * @param taker - The function that takes them, such as `createEmulator`.
 * @param hints - The right names for names that belong elsewhere.
 */
export const optionsOf = <Options>(
  taker: string,
  schema: z.ZodMiniType<Options>,
  given: unknown,
  hints: Readonly<Record<string, string>> = {},
): Options =>
  checkedOptions(schema, given, { subject: taker, hints }, ({ path, sentence }) => {
    throw new TypeError(path === '' ? `${taker} needs an object with its options` : `${taker}: ${sentence}`);
  });
