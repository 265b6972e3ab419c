import * as z from 'zod/mini';
import { isRecord } from '../../shared/values.ts';
import { parseDuration } from '../state/clock.ts';
import { refuseUnknownOptions } from './unknown-names.ts';

export const functionOption = z.custom<(...values: never[]) => unknown>(
  (value) => typeof value === 'function',
  { error: 'must be a function' },
);

export const trueOrFalse = z.boolean({ error: 'must be true or false' });

/** A length of time, or one of some words. */
export function durationOr(...words: readonly string[]) {
  const named = words.map((word) => `, or '${word}'`).join('');
  const error = `must be milliseconds${named === '' ? ' or' : ','} a text like '30s', '25h' or '7d'${named || ', and not negative'}`;
  return z.custom<string | number>(
    (value) => words.some((word) => word === value) || parseDuration(value) !== undefined,
    { error },
  );
}

/** Where options stand, for messages. */
interface Place {
  /** The function that takes them, such as `createEmulator`. */
  of: string;
  /** The option that they are a part of, such as `webhook`. */
  within?: string;
  /** The right names for names that belong elsewhere. */
  hints?: Readonly<Record<string, string>>;
}

/** Throws a TypeError that names the option that does not exist or has a wrong value, and says what it must be. */
export function checkOptions(schema: z.ZodMiniObject, options: unknown, { of, within, hints }: Place): void {
  if (!isRecord(options)) {
    throw new TypeError(
      within === undefined
        ? `${of} needs an object with its options`
        : `${of}: \`${within}\` needs an object with its options`,
    );
  }
  refuseUnknownOptions(within === undefined ? of : `${of}: ${within}`, options, schema.shape, hints);
  const [issue] = schema.safeParse(options).error?.issues ?? [];
  if (issue === undefined) return;
  const path = [...(within === undefined ? [] : [within]), ...issue.path].join('.');
  throw new TypeError(`${of}: \`${path}\` ${issue.message}`);
}
