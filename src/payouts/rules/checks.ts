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
