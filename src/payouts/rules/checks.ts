import { isTextOfNothing } from '../../shared/values.ts';

/** Throws the error for a value that is not valid. Its message begins with the name of the field or the option. */
export function refuseInput(problem: string): never {
  throw new RangeError(problem);
}

/** Returns a name as it is stored and made part of keys: composed Unicode without outer white space. */
export function canonical(what: string, name: unknown): string {
  if (typeof name !== 'string') refuseInput(`${what} must be text.`);
  const text = name.normalize('NFC').trim();
  if (text === '') refuseInput(`${what} must not be empty.`);
  if (isTextOfNothing(text))
    refuseInput(`${what} must not be the text of a missing value, ${JSON.stringify(text)}.`);
  if (text.length > 200) refuseInput(`${what} must have at most 200 characters.`);
  if (/[\p{Cc}\p{Cs}]/u.test(text)) refuseInput(`${what} must not contain control characters.`);
  return text;
}

/** Returns what is left of a name without its format: names that share it are suspected to be one. */
export const fold = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cf}\p{Cc}]/gu, '');

/** Returns true for a text that can be an idempotency key. */
export const isKey = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Returns an id as the database can store it. An id that is too long or has a control character is none. */
export const storableId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(value) ? value : undefined;

/** Checks the names and the limits of numbers that must be whole, and refuses what is no number. */
export function checkWholeNumber(name: string, value: unknown, least: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least)
    refuseInput(`${name} must be a whole number of at least ${least}.`);
  return value;
}

/** Checks a duration. A number below `least` is senseless in milliseconds, and was meant in another unit. */
export function checkMilliseconds(
  name: string,
  value: unknown,
  least: number,
  most = Number.POSITIVE_INFINITY,
): number {
  if (typeof value !== 'number' || !(value >= least && value <= most)) {
    const upper = most === Number.POSITIVE_INFINITY ? '' : ` and at most ${most.toLocaleString('en-US')}`;
    refuseInput(
      `${name} must be a number of milliseconds of at least ${least.toLocaleString('en-US')}${upper}.`,
    );
  }
  return value;
}
