import { ConfigurationError } from '../../shared/errors/index.ts';
import { type OptionNames, refuseUnknown } from '../../shared/option-names.ts';

/** Refuses options that are not an object, and names that do not exist. `hints` are as in `refuseUnknown`. */
export function requireOptions<Options extends object>(
  where: string,
  options: Options,
  names: OptionNames<Options>,
  hints?: Readonly<Record<string, string>>,
): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ConfigurationError(`${where} needs an object with its options.`);
  }
  const fail = (message: string): never => {
    throw new ConfigurationError(`${where}: ${message}`);
  };
  refuseUnknown(given, names, fail, hints);
}

/** Reads an option that is one value under one name, or a list that is not empty under another, and which it was. */
export function oneOrMany(one: string, many: string, options: object): readonly [string, readonly unknown[]] {
  const [single, list]: readonly unknown[] = [Reflect.get(options, one), Reflect.get(options, many)];
  if (list === undefined) return [one, [single]];
  if (single !== undefined) throw new ConfigurationError(`Pass \`${one}\` or \`${many}\`, not both.`);
  if (!Array.isArray(list) || list.length === 0)
    throw new ConfigurationError(`\`${many}\` must be a list of at least one.`);
  return [many, list];
}

/** Refuses an option that is set and is no function. */
export function requireFunction(value: unknown, option: string): void {
  if (value !== undefined && typeof value !== 'function')
    throw new ConfigurationError(`${option} must be a function.`);
}

/** Refuses an option that is set and is no text. */
export function requireText(value: unknown, option: string): void {
  if (value !== undefined && typeof value !== 'string')
    throw new ConfigurationError(`${option} must be a text.`);
}

export function requireHeaderName(name: unknown, option: string): void {
  if (typeof name === 'string' && /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name)) return;
  throw new ConfigurationError(`${option} must be the name of a header.`);
}

/** The longest time that a timer can wait, in milliseconds: 24 days. A longer one would fire at once. */
export const longestTimer = 2_147_483_647;

/** Refuses durations that are not numbers of milliseconds, and those that were meant in seconds. */
export function requireMilliseconds(
  durations: Readonly<Record<string, unknown>>,
  least: number,
  most: number = Number.MAX_VALUE,
): void {
  for (const [name, value] of Object.entries(durations)) {
    if (typeof value === 'number' && value >= least && value <= most) continue;
    const limit = most < Number.MAX_VALUE ? ` and at most ${most}` : '';
    throw new ConfigurationError(
      `${name} is in milliseconds and must be at least ${least}${named.get(least) ?? ''}${limit}. ` +
        remedyForDuration(value, least, most),
    );
  }
}

/** The limits that have a name. */
const named = /* @__PURE__ */ new Map([
  [1000, ' (a second)'],
  [60_000, ' (a minute)'],
  [3_600_000, ' (an hour)'],
]);

/** Says what to pass in place of a wrong duration. Whatever it says is accepted. */
function remedyForDuration(value: unknown, least: number, most: number): string {
  if (typeof value !== 'number' || Number.isNaN(value)) return `Pass a number, such as ${least}.`;
  const meant = value * 1000;
  if (value > 0 && value < least && meant >= least && meant <= most)
    return `For ${value} seconds pass ${meant}.`;
  if (value < least) return `Pass ${least} or more.`;
  return most < Number.MAX_VALUE ? `Pass ${most} or less.` : 'Pass a finite number.';
}
