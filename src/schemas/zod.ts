import {
  type $ZodRawIssue,
  $ZodArray as ArraySchema,
  $ZodBoolean as BooleanSchema,
  $ZodNullable as NullableSchema,
  $ZodNumber as NumberSchema,
  $ZodObject as ObjectSchema,
  $ZodOptional as OptionalSchema,
  $ZodString as StringSchema,
  type $ZodType as Type,
  $ZodUnion as UnionSchema,
  $ZodUnknown as UnknownSchema,
} from 'zod/v4/core';
import { isRecord } from '../shared/values.ts';
import type { Word } from '../shared/word-lists.ts';

// The schemas of responses use only zod's core: its chained form weighs four times as much in a bundle and takes
// longer to load. Its compiled objects are left out, too: zod reads only values that do not conform.

export type { Type };

declare const exactly: unique symbol;
declare const optionally: unique symbol;

/** A schema of exactly T: one of a wider or a narrower type cannot be assigned to it. */
export interface Field<T> extends Type<T> {
  readonly [exactly]: (value: T) => T;
}

/** The schema of a field that may be missing. */
export interface OptionalField<T> extends Type<T | undefined> {
  readonly [optionally]: (value: T) => T;
}

/**
 * One schema for each field of an interface, of the type and the optionality that the interface says. This is how the
 * compiler compares a schema with its interface: a field that is missing on either side does not compile.
 */
export type Fields<T> = {
  readonly [Name in keyof T]-?: Record<never, never> extends Pick<T, Name>
    ? OptionalField<Exclude<T[Name], undefined>>
    : Field<T[Name]>;
};

type Test = (value: unknown) => boolean;

/**
 * Tests that return true only for values that conform, which is all that most values need; zod checks the
 * others. zod copies the value and makes two objects for each field of the schema, also for those that are missing: a
 * quarter of the CPU of a list.
 */
const tests = /* @__PURE__ */ new WeakMap<Type, Test>();

/** Returns the test of a schema: one that returns false leaves the decision to {@link departuresOf}. */
export const testOf = (schema: Type): Test => tests.get(schema) ?? (() => false);

/** Marks a schema with the type that it checks; the mark exists only for the compiler. */
function field<Marked extends Type>(schema: Type, test: Test): Marked {
  tests.set(schema, test);
  return schema as Marked;
}

/** Text, of any content: the values that an interface lists are only the known ones. */
export const text = (): Field<string> =>
  field(new StringSchema({ type: 'string' }), (value) => typeof value === 'string');

/** A finite number. */
export const number = (): Field<number> =>
  field(new NumberSchema({ type: 'number', checks: [] }), Number.isFinite);

/** True or false. */
export const boolean = (): Field<boolean> =>
  field(new BooleanSchema({ type: 'boolean' }), (value) => typeof value === 'boolean');

/** Anything but nothing. */
export const unknown = (): Field<unknown> => field(new UnknownSchema({ type: 'unknown' }), () => true);

/** Anything, or nothing. */
export const anything = (): OptionalField<unknown> => maybe(unknown());

/** A list. */
export const list = <T>(element: Field<T>): Field<T[]> => {
  const test = testOf(element);
  return field(
    new ArraySchema({ type: 'array', element }),
    (value) => Array.isArray(value) && value.every((item) => test(item)),
  );
};

/** A value that may be missing. A field of JSON is missing and never undefined: the test of the value is enough. */
export const maybe = <T>(innerType: Field<T>): OptionalField<T> =>
  field(new OptionalSchema({ type: 'optional', innerType }), testOf(innerType));

/** A value that may be missing or null. */
export const nullish = <T>(innerType: Field<T>): OptionalField<T | null> => {
  const test = testOf(innerType);
  const nullable = new NullableSchema({ type: 'nullable', innerType });
  return field(
    new OptionalSchema({ type: 'optional', innerType: nullable }),
    (value) => value === null || test(value),
  );
};

/** One of two. */
export const either = <A, B>(...options: [Field<A>, Field<B>]): Field<A | B> => {
  const choices = options.map(testOf);
  return field(new UnionSchema({ type: 'union', options }), (value) => choices.some((test) => test(value)));
};

/** Text that the service may leave out or set to null. */
export const maybeText = (): OptionalField<string | null> => nullish(text());

/** Fields of text that may be missing or null, by their names with spaces between. */
export const texts = <const Names extends string>(
  names: Names,
): Record<Word<Names>, OptionalField<string | null>> =>
  // Object.fromEntries widens the keys to string; they are known to be these.
  Object.fromEntries(names.split(' ').map((name) => [name, maybeText()])) as Record<
    Word<Names>,
    OptionalField<string | null>
  >;

/**
 * An object with the fields of T and any others, which are kept: they need no check, so that zod is not told of them. The
 * compiler finds a field too many in a literal only: annotate a part that is spread into it with `Fields`.
 */
export const record = <T>(shape: Fields<T>): Field<T> =>
  field(new ObjectSchema({ type: 'object', shape: { ...shape } }), fieldTest(shape));

interface Known {
  readonly name: string;
  readonly test: Test;
  readonly isRequired: boolean;
  /** The next field of the schema. */
  readonly next: Known | undefined;
}

function fieldTest(shape: object): Test {
  const fields = new Map<string, Known>();
  let first: Known | undefined;
  let required = 0;
  for (const [name, schema] of Object.entries<Type>({ ...shape }).reverse()) {
    const isRequired = schema._zod.optout !== 'optional';
    first = { name, test: testOf(schema), isRequired, next: first };
    fields.set(name, first);
    if (isRequired) required += 1;
  }
  return (value) => {
    if (!isRecord(value)) return false;
    let found = 0;
    let expected = first;
    for (const name in value) {
      // Records have their fields in the order of the schema more often than not, which saves the search.
      const known = expected?.name === name ? expected : fields.get(name);
      if (known === undefined) continue;
      if (!known.test(value[name])) return false;
      if (known.isRequired) found += 1;
      expected = known.next;
    }
    return found === required;
  };
}

/** Returns the fields of an object schema, also of one that is optional, an item of a list, or one of several. */
export function fieldsOf(schema: Type): Readonly<Record<string, Type>> | undefined {
  if (schema instanceof ObjectSchema) return schema._zod.def.shape;
  if (schema instanceof OptionalSchema || schema instanceof NullableSchema)
    return fieldsOf(schema._zod.def.innerType);
  if (schema instanceof ArraySchema) return fieldsOf(schema._zod.def.element);
  if (schema instanceof UnionSchema) return schema._zod.def.options.map(fieldsOf).find((fields) => fields);
  return undefined;
}

/** A difference between a value and its schema. */
export type Departure = Pick<$ZodRawIssue, 'code'> & { readonly path: readonly PropertyKey[] };

const noDepartures: readonly Departure[] = [];

/** Returns the differences of a value from its schema. Creates no messages and no error: a list calls this per item. */
export function departuresOf(schema: Type, value: unknown): readonly Departure[] {
  if (testOf(schema)(value)) return noDepartures;
  const result = schema._zod.run({ value, issues: [] }, { async: false });
  if (result instanceof Promise) throw new TypeError('a schema is asynchronous');
  return result.issues.map(({ path = [], code }) => ({ path, code }));
}

/**
 * The required form of a response: a schema, built when it is first needed, and the paths without which the response
 * is useless.
 */
export interface ResponseShape<T> {
  /** Builds the schema at the first call and returns the same one afterwards. */
  readonly schema: () => Type<T>;
  /** Dotted paths whose absence or wrong type makes the response useless. */
  readonly essential: readonly string[];
}

/** Declares the shape of a response. */
/* @__NO_SIDE_EFFECTS__ */
export function shape<T>(schema: () => Type<T>, essential: readonly string[]): ResponseShape<T> {
  return { schema, essential };
}

/** Puts off building a schema until it is first used: building all of them would slow every start. */
/* @__NO_SIDE_EFFECTS__ */
export function lazy<T>(build: () => T): () => T {
  let built: { value: T } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
