import * as z from 'zod/mini';
import { ConfigurationError, InvalidRequestError } from '../../shared/errors/index.ts';
import { checkedOptions, type OptionFault, type OptionWords } from '../../shared/schema/option-fault.ts';
import { check, lazy, text, textLike } from '../../shared/schema/schema.ts';
import { isTextOfNothing } from '../../shared/values.ts';

/** Throws the error for a value that is not valid. Its message names the field. */
export function refuseInput(problem: string, field?: string): never {
  throw new InvalidRequestError(problem, { field });
}

/**
 * Throws the error for a command that the state of a payout refuses. The command moved no money; what earlier calls of the
 * payout came to is not known by it.
 */
export function refuseState(problem: string): never {
  throw new InvalidRequestError(problem, { outcome: 'unknown' });
}

/** A name of the caller's or an id of the service's, of which `canonical` makes what is stored. */
export const storedName = /* @__PURE__ */ lazy(() =>
  text().check(
    z.overwrite(canonical),
    check((name) => !isTextOfNothing(name), 'must not be the text of a missing value'),
    check((name) => name.length <= 200, 'must have at most 200 characters'),
    check((name) => !/[\p{Cc}\p{Cs}]/u.test(name), 'must not contain control characters'),
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

/** Returns a copy of what a command is given, checked by its schema. */
export const checkedInput = <Input>(
  schema: z.ZodMiniType<Input>,
  given: unknown,
  { end = '', ...words }: InputWords,
): Input =>
  checkedOptions(schema, given, words, (fault) =>
    refuseInput(`${sentenceOf(fault, words)}${end}`, fault.path === '' ? undefined : fault.path),
  );

/** Returns a copy of options, checked by their schema. */
export const checkedSettings = <Options>(
  schema: z.ZodMiniType<Options>,
  given: unknown,
  subject: string,
): Options =>
  checkedOptions(schema, given, { subject, verb: 'are' }, (fault) => {
    throw new ConfigurationError(sentenceOf(fault, { subject }));
  });

const sentenceOf = ({ path, sentence }: OptionFault, { subject }: OptionWords): string =>
  path === '' ? sentence : `${subject}: ${sentence}`;

/** Returns what is left of a name without its format: names that share it are suspected to be one. */
export const fold = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cf}\p{Cc}]/gu, '');

/** Returns true for a text that can be an idempotency key, in any form in which services show one. */
export const isKey = (text: unknown): text is string =>
  typeof text === 'string' && /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i.test(text);

/** Returns an id as the database can store it. An id that is too long or has a control character is none. */
export const storableId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(value) ? value : undefined;
