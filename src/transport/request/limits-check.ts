import { kindOf } from '../kind.ts';

/** Timers cannot count further. */
const longest = 2_147_483_647;

/** Checks a limit in milliseconds or bytes: a number above 0. `undefined` passes. */
export function checkLimit(
  value: unknown,
  name: string,
  fail: (message: string) => never,
): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value > 0 && value <= longest) return value;
  return fail(`\`${name}\` must be a number above 0 and at most ${longest}, but is ${describe(value)}.`);
}

const describe = (value: unknown) => (typeof value === 'number' ? String(value) : kindOf(value));
