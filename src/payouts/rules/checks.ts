import * as z from 'zod/mini';
import { lazy } from '../../shared/schema/lazy.ts';
import { checkedOptions, type OptionWords } from '../../shared/schema/option-fault.ts';
import { textLike, when } from '../../shared/schema/option-values.ts';
import { text } from '../../shared/schema/values.ts';
import { isTextOfNothing } from '../../shared/values.ts';

/** Throws the error for a value that is not valid. Its message begins with the name of the field or the option. */
export function refuseInput(problem: string): never {
  throw new RangeError(problem);
}

/** A name of the caller's or an id of the service's, of which `canonical` makes what is stored. */
export const storedName = /* @__PURE__ */ lazy(() =>
  text().check(
    z.overwrite(canonical),
    when((name) => !isTextOfNothing(name), 'must not be the text of a missing value'),
    when((name) => name.length <= 200, 'must have at most 200 characters'),
    when((name) => !/[\p{Cc}\p{Cs}]/u.test(name), 'must not contain control characters'),
  ),
);

/** Returns a name as it is stored and made part of keys: composed Unicode without outer white space. */
export const canonical = (name: string): string => name.normalize('NFC').trim();

/** The name of a person who decides. */
export const personName = /* @__PURE__ */ lazy(() => textLike(/\S/, 'must name the person who decides'));

/** How the sentences about some options are put. */
export interface InputWords extends OptionWords {
  /** What the message ends with, such as that nothing was changed. */
  readonly end?: string;
}

/** Returns a copy of the options of a function or a command, checked by their schema. */
export function checkedInput<Options>(
  schema: z.ZodMiniType<Options>,
  given: unknown,
  { end = '', ...words }: InputWords,
): Options {
  return checkedOptions(schema, given, words, ({ path, sentence }) =>
    refuseInput(`${path === '' ? sentence : `${words.subject}: ${sentence}`}${end}`),
  );
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
