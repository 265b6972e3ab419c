import { type OptionNames, refuseUnknown } from '../closed-options.ts';
import { ConfigurationError } from '../errors/index.ts';

/**
 * Refuses options that are no object, and names that do not exist.
 *
 * @param where - The function, for the message.
 * @param options - The options as given.
 * @param names - The names that exist.
 * @param hints - Sentences for names that belong elsewhere, by the name in lower-case letters and digits.
 */
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

/** Refuses two options of which one would be ignored. */
export function requireOneOf(where: string, first: string, second: string, options: object): void {
  const isGiven = (name: string): boolean => Reflect.get(options, name) !== undefined;
  if (isGiven(first) && isGiven(second)) {
    throw new ConfigurationError(`${where}: pass \`${first}\` or \`${second}\`, not both.`);
  }
}
