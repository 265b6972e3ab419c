import * as z from 'zod/mini';
import {
  $constructor,
  type $loose,
  type $strict,
  type $ZodObject,
  $ZodObjectJIT,
  type $ZodRawIssue,
  type $ZodShape,
} from 'zod/v4/core';

/** Builds a value at the first call and returns the same one afterwards. Building every schema would slow each start. */
/* @__NO_SIDE_EFFECTS__ */
export function lazy<T>(build: () => T): () => T {
  let built: { readonly value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}

// The compiler asks for a name that is declared with its type.
const MiniType: typeof z.ZodMiniType = z.ZodMiniType;

/**
 * zod's compiled object with the methods of zod/mini: as fast as the classic form, which weighs 13 times as much, and
 * several times as fast as mini's own object. Where a runtime forbids code from text, zod parses without it.
 */
const CompiledObject = /* @__PURE__ */ $constructor<$ZodObject>('CompiledObject', (schema, definition) => {
  $ZodObjectJIT.init(schema, definition);
  // The two declare the same members with types of their own.
  MiniType.init(schema as never, definition as never);
});

const saying =
  (words: string) =>
  ({ code }: $ZodRawIssue): string | undefined =>
    code === 'invalid_type' ? words : undefined;

const error = /* @__PURE__ */ saying('must be an object');

/** An object of a response: with these fields, and any others, which the service may add. */
export const looseObject = <Shape extends $ZodShape>(shape: Shape): z.ZodMiniObject<Shape, $loose> =>
  new CompiledObject({ type: 'object', shape, catchall: z.unknown(), error }) as unknown as z.ZodMiniObject<
    Shape,
    $loose
  >;

/**
 * An object of parameters or options: with these fields and no others. It is not compiled: a call has one, and a compiler
 * would be a part of every bundle. `words`: what anything else must be.
 */
export const strictObject = <Shape extends $ZodShape>(
  shape: Shape,
  words?: string,
): z.ZodMiniObject<Shape, $strict> =>
  z.strictObject(shape, { error: words === undefined ? error : saying(words) });

/**
 * A type as the comparison sees it: values that are open to any text are `string`, an optional field is a list of one,
 * fields of any name are left out, and `readonly` does not count.
 */
type Seen<T> = unknown extends T
  ? 'unknown'
  : T extends string
    ? string extends T
      ? string
      : T
    : T extends number | boolean | null | undefined | ((...args: never[]) => unknown)
      ? T
      : T extends readonly (infer Item)[]
        ? Seen<Item>[]
        : T extends object
          ? {
              -readonly [Name in keyof T as string extends Name ? never : Name]-?: Record<
                never,
                never
              > extends Pick<T, Name>
                ? [Seen<Exclude<T[Name], undefined>>]
                : Seen<T[Name]>;
            }
          : T;

/** True for two types that are the same, and not only assignable to each other. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

type Matching<Schema, T> =
  Same<Seen<Schema>, Seen<T>> extends true
    ? unknown
    : { readonly schemaHas: Seen<Schema>; readonly interfaceHas: Seen<T> };

/**
 * Holds a schema to an interface: `matching<Transfer>()(schema)` compiles only if the schema has exactly the fields of the
 * interface, each of the same type and the same optionality.
 */
export const matching =
  <T>() =>
  <Schema extends z.ZodMiniType>(schema: Schema & Matching<z.output<Schema>, T>): z.ZodMiniType<T> =>
    // The parameter has compared the two; open values have another type in the schema, and the same values.
    schema as unknown as z.ZodMiniType<T>;

/** A check of zod that ends the parse of a value, as all of ours do: the first fault is the one to tell. */
export const check = <T>(isRight: (value: T) => boolean, error: string) =>
  z.refine<T>(isRight, { error, abort: true });

/** The same, where `error` says all: what was given is not shown after it. */
export const checkSayingAll = <T>(isRight: (value: T) => boolean, error: string) =>
  z.refine<T>(isRight, { error, abort: true, params: { kind: 'rule' } });

/** Text of a form. */
export const textLike = (pattern: RegExp, error: string) =>
  z.string({ error }).check(z.regex(pattern, { error, abort: true }));

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
export const shortText = (max: number) =>
  textLike(new RegExp(`^.{0,${max}}$`, 'su'), `must be a string of at most ${max} characters`);

/** A whole number within limits. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER) {
  const end = max === Number.MAX_SAFE_INTEGER ? 'on' : `to ${max}`;
  const error = `must be a whole number from ${min} ${end}`;
  const isWithin = (value: number) => Number.isInteger(value) && value >= min && value <= max;
  return z.number({ error }).check(check(isWithin, error));
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
  decimal
    .replace(/[-.]/g, '')
    .replace(/^0+/, '')
    .replace(/(?<!0)0+$/, '').length;

const decimalWords = 'must be a number or a decimal string such as 25.5';

/** Says why a value cannot be an amount that stays the same in JavaScript, in JSON, and on the way between. */
export function decimalFault(value: number | string, limit: 'above 0' | '0 or more'): string | undefined {
  const number = Number(value);
  if (typeof value === 'string' && !/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value))
    return 'must be a plain decimal such as 25.5: digits and a point';
  if (!/^[-.\d]+$/.test(String(number)))
    return 'must be at least 0.000001 and below 10^21, to be written without an exponent';
  if (significant(String(value)) > 15) return 'must have at most 15 significant digits; round it';
  const isWithin = limit === 'above 0' ? number > 0 : number >= 0 && !Object.is(number, -0);
  return isWithin ? undefined : `must be ${limit}`;
}

const isDecimal = (limit: Parameters<typeof decimalFault>[1]) =>
  z.refine<number | string>((given) => decimalFault(given, limit) === undefined, {
    error: ({ input }) => decimalFault(input as number | string, limit),
    abort: true,
  });

const decimal = () => z.union([z.number({ error: decimalWords }), z.string({ error: decimalWords })]);

const payable = () => decimal().check(isDecimal('above 0'));

/** A decimal above 0 that is given as text alone. */
export const decimalText = /* @__PURE__ */ lazy(() =>
  z.string({ error: 'must be decimal text such as "25.50"' }).check(isDecimal('above 0')),
);

/** What an amount may be given as. */
type Amount = z.ZodMiniType<number | string>;

/** An amount that the service takes as a JSON number. */
export const amount = /* @__PURE__ */ lazy((): Amount => z.pipe(payable(), z.transform(Number)));

/** An amount that the service takes as text. */
export const textAmount = /* @__PURE__ */ lazy((): Amount => z.pipe(payable(), z.transform(String)));

/** The value of a fee: 0 means that there is none. It is sent as it was given, since its form is not documented. */
export const feeValue = /* @__PURE__ */ lazy(() => decimal().check(isDecimal('0 or more')));

/** Fields of one schema, by their names. */
export const each = <Name extends string, Schema>(
  names: readonly Name[],
  schema: Schema,
): Record<Name, Schema> =>
  // Object.fromEntries widens the names to string; they are known to be these.
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;

/** Fields of a response that are text, missing, or null. */
export const texts = <Name extends string>(...names: readonly Name[]) => each(names, nullishText());
