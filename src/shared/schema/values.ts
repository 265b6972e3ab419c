import * as z from 'zod/mini';
import { lazy } from './lazy.ts';
import { textLike, when } from './option-values.ts';

// Each schema of a parameter says what a value must be: the end of a sentence that begins with the name of the field.

/** Text that is not blank. */
export const text = /* @__PURE__ */ lazy(() => textLike(/\S/, 'must be a non-empty string'));

/** Text that is not blank, or nothing. */
export const maybeText = /* @__PURE__ */ lazy(() => z.optional(text()));

/** Text of any content. */
export const anyText = /* @__PURE__ */ lazy(() => z.string({ error: 'must be a string' }));

/** Text of a response that may be missing or null: all that most fields are. */
export const nullishText = /* @__PURE__ */ lazy(() => z.nullish(z.string()));

/** A number of a response, or a decimal string: services differ. */
export const quantity = /* @__PURE__ */ lazy(() => z.union([z.number(), z.string()]));

/** True or false. */
export const flag = /* @__PURE__ */ lazy(() => z.boolean({ error: 'must be true or false' }));

/**
 * An idempotency key: the text of a UUID of any version. Its field is `z.exactOptional`, as one that is `undefined` would
 * be left out in JSON: a new key, and a new payment, each time that the caller runs.
 */
export const requestId = /* @__PURE__ */ lazy(() =>
  textLike(/^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i, 'must be a UUID'),
);

/** Text of at most so many characters: a pair of surrogates is one. */
export const shortText = (most: number) =>
  textLike(new RegExp(`^.{0,${most}}$`, 'su'), `must be a string of at most ${most} characters`);

/** A whole number within limits. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER) {
  const end = most === Number.MAX_SAFE_INTEGER ? 'on' : `to ${most}`;
  const error = `must be a whole number from ${least} ${end}`;
  const isWithin = (value: number) => Number.isInteger(value) && value >= least && value <= most;
  return z.number({ error }).check(when(isWithin, error));
}

/** One of these words, in any case: services differ in it. */
export const oneOf = <Word extends string>(...words: readonly Word[]): z.ZodMiniType<Word> =>
  // The comparison ignores the case, of which the type of a literal knows nothing.
  textLike(
    new RegExp(`^(?:${words.join('|')})$`, 'i'),
    `must be ${words.map((word) => `'${word}'`).join(' or ')}`,
  ) as unknown as z.ZodMiniType<Word>;

/** The same, where the interface is open to other words. */
export const oneOfKnown = (...words: readonly string[]): z.ZodMiniType<string> => oneOf<string>(...words);

/** Any text but these words, which belong to other members of a union. */
export const otherThan = (...words: readonly string[]) =>
  text().check((payload) => {
    // The code that a literal gives where it does not match: it says that another member is meant.
    if (words.includes(payload.value))
      payload.issues.push({ code: 'invalid_value', values: [], input: payload.value, continue: false });
  });

/** A field that is left out, or null, since another one is given. `why` is the end of a sentence about it. */
const absent = (why: string) => z.optional(z.null({ error: why }));

/** A field that another one takes the place of. */
export const notWith = (other: string) => absent(`does not go with \`${other}\`; give only one of them`);

/** A field that does not exist with the type that was chosen. */
export const never = (error: string) => z.optional(z.never({ error }));

/** The digits that say something: without the point, and without zeros at either end. */
const significant = (decimal: string): number =>
  decimal.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '').length;

const decimalWords = 'must be a number or a decimal string such as 25.5';

/** The value is the same in JavaScript, in JSON, and on the way between. */
const decimalRules = /* @__PURE__ */ lazy(() => [
  when<number | string>(
    (given) => typeof given === 'number' || /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(given),
    'must be a plain decimal such as 25.5: digits and a point',
  ),
  when<number | string>(
    (given) => /^[-.\d]+$/.test(String(Number(given))),
    'must be at least 0.000001 and below 10^21, to be written without an exponent',
  ),
  when<number | string>(
    (given) => significant(String(given)) <= 15,
    'must have at most 15 significant digits; round it',
  ),
]);

const aboveZero = /* @__PURE__ */ lazy(() =>
  when<number | string>((given) => Number(given) > 0, 'must be above 0'),
);

const decimal = () => z.union([z.number({ error: decimalWords }), z.string({ error: decimalWords })]);

const payable = () => decimal().check(...decimalRules(), aboveZero());

/** A decimal above 0 that is given as text alone. */
export const decimalText = /* @__PURE__ */ lazy(() =>
  z.string({ error: 'must be decimal text such as "25.50"' }).check(...decimalRules(), aboveZero()),
);

/** What an amount may be given as. */
type Amount = z.ZodMiniType<number | string>;

/** An amount that the service takes as a JSON number. */
export const amount = /* @__PURE__ */ lazy((): Amount => z.pipe(payable(), z.transform(Number)));

/** An amount that the service takes as text. */
export const textAmount = /* @__PURE__ */ lazy((): Amount => z.pipe(payable(), z.transform(String)));

/** The value of a fee: 0 means that there is none. It is sent as it was given, since its form is not documented. */
export const feeValue = /* @__PURE__ */ lazy(() =>
  decimal().check(
    ...decimalRules(),
    when((given) => Number(given) >= 0 && !Object.is(Number(given), -0), 'must be 0 or more'),
  ),
);

/** Fields of one schema, by their names. */
export const each = <Name extends string, Schema>(
  names: readonly Name[],
  schema: Schema,
): Record<Name, Schema> =>
  // Object.fromEntries widens the names to string; they are known to be these.
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;

/** Fields of a response that are text, missing, or null. */
export const texts = <Name extends string>(...names: readonly Name[]) => each(names, nullishText());
