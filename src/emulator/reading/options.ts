import * as z from 'zod/mini';
import { optionsTakenBy } from '../../shared/schema/option-fault.ts';
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

/** Returns own options, checked by their schema. `taker`: the function that takes them. */
export const optionsOf = <Options>(
  taker: string,
  schema: z.ZodMiniType<Options>,
  given: unknown,
  hints?: Readonly<Record<string, string>>,
): Options =>
  optionsTakenBy(
    taker,
    schema,
    given,
    (message) => {
      throw new TypeError(message);
    },
    hints,
  );
