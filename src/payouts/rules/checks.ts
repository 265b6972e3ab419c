import type * as z from 'zod/mini';
import { lazy } from '../../shared/schema/lazy.ts';
import { checkedOptions } from '../../shared/schema/option-fault.ts';
import { textLike } from '../../shared/schema/option-values.ts';
import { isTextOfNothing } from '../../shared/values.ts';

/** Throws the error for a value that is not valid. Its message begins with the name of the field or the option. */
export function refuseInput(problem: string): never {
  throw new RangeError(problem);
}

/** The name of a person who decides. */
export const personName = /* @__PURE__ */ lazy(() => textLike(/\S/, 'must name the person who decides'));

/** How the sentences about some options are put. */
export interface InputWords {
  /** What the options are, such as `The scope`. */
  readonly subject: string;
  readonly verb?: 'is' | 'are';
  /** The right names for names that belong elsewhere. */
  readonly hints?: Readonly<Record<string, string>>;
  /** What the message ends with, such as that nothing was changed. */
  readonly end?: string;
}

/** Returns a copy of the options of a function or a command, checked by their schema. */
export function checkedInput<Options>(
  schema: z.ZodMiniType<Options>,
  given: unknown,
  { subject, verb = 'is', hints = {}, end = '' }: InputWords,
): Options {
  return checkedOptions(schema, given, { subject, verb, hints }, ({ path, sentence }) =>
    refuseInput(`${path === '' ? sentence : `${subject}: ${sentence}`}${end}`),
  );
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
