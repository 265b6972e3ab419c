/** A length of time: milliseconds, or a number with a unit such as `'10s'`, `'30m'`, `'25h'` or `'7d'`. */
export type Duration = number | string;

const UNITS = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

/** A hundred years: far enough for any test, and far from the last instant a date can hold. */
const LONGEST = 100 * 365 * 86_400_000;

/** Milliseconds of a duration, or `undefined` where it is not one. */
export function parseDuration(duration: unknown): number | undefined {
  const milliseconds = typeof duration === 'number' ? duration : parseText(duration);
  if (milliseconds === undefined || !(milliseconds >= 0 && milliseconds <= LONGEST)) return undefined;
  return Math.round(milliseconds);
}

/** Milliseconds of a duration; throws a `RangeError` that names the option where it is not one. */
export function toMilliseconds(duration: Duration, name: string): number {
  const milliseconds = parseDuration(duration);
  if (milliseconds === undefined) {
    throw new RangeError(
      `${name} must be milliseconds or a text like '30s', '25h' or '7d', and not negative`,
    );
  }
  return milliseconds;
}

function parseText(text: unknown): number | undefined {
  const match =
    typeof text === 'string' ? /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d|w)$/.exec(text.trim()) : null;
  if (match === null) return undefined;
  return Number(match[1]) * (UNITS.get(match[2] ?? '') ?? Number.NaN);
}

/** Milliseconds with one decimal: what is beyond is noise of the clock and of binary numbers. */
export const tenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
