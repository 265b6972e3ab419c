import {
  type $loose,
  type $ZodArray,
  type $ZodBoolean,
  type $ZodLooseShape,
  type $ZodNullable,
  type $ZodNumber,
  type $ZodObject,
  type $ZodOptional,
  type $ZodRawIssue,
  type $ZodString,
  type $ZodType,
  type $ZodUnion,
  type $ZodUnknown,
  $ZodArray as ArraySchema,
  $ZodBoolean as BooleanSchema,
  $ZodCheckMinLength as MinLengthCheck,
  $ZodNullable as NullableSchema,
  $ZodNumber as NumberSchema,
  $ZodObject as ObjectSchema,
  $ZodOptional as OptionalSchema,
  $ZodString as StringSchema,
  $ZodUnion as UnionSchema,
  $ZodUnknown as UnknownSchema,
} from 'zod/v4/core';
import { isRecord } from '../shared/values.ts';

// The schemas of responses use only zod's core: its chained form weighs four times as much in a bundle and takes
// longer to load. Its compiled objects are left out, too: zod reads only values that do not conform.

export type { $ZodType as Type } from 'zod/v4/core';

/** A difference between a value and its schema. */
export interface Departure {
  readonly path: readonly PropertyKey[];
  readonly code: string;
}

const noDepartures: readonly Departure[] = [];
const atOnce = { async: false } as const;

/** Returns the differences of a value from its schema. Creates no messages and no error: a list calls this per item. */
export function departuresOf(schema: $ZodType, value: unknown): readonly Departure[] {
  if (tests.get(schema)?.(value) === true) return noDepartures;
  return issuesOf(schema, value).map(({ path = [], code }) => ({ path, code }));
}

/** Returns what zod finds in a value. */
export function issuesOf(schema: $ZodType, value: unknown): readonly $ZodRawIssue[] {
  const result = schema._zod.run({ value, issues: [] }, atOnce);
  if (result instanceof Promise) throw new TypeError('a schema is asynchronous');
  return result.issues;
}

export type Test = (value: unknown) => boolean;

/**
 * Tests that return true only for values that conform, which is all that most values need; zod checks the
 * others. zod copies the value and makes two objects for each field of the schema, also for those that are missing: a
 * quarter of the CPU of a list.
 */
const tests = /* @__PURE__ */ new WeakMap<$ZodType, Test>();

/** Returns the test of a schema: one that returns false leaves the decision to {@link departuresOf}. */
export const testOf = (schema: $ZodType): Test => tests.get(schema) ?? (() => false);

/** zod types its constructors for any value and inner schema; the returned schema is the given one. */
export function typed<T extends $ZodType>(schema: $ZodType, test: Test): T {
  tests.set(schema, test);
  return schema as T;
}

/** Text. */
export const string = (): $ZodString<string> =>
  typed(new StringSchema({ type: 'string' }), (value) => typeof value === 'string');

/** Text that is not empty. */
export const text = (): $ZodString<string> =>
  typed(
    new StringSchema({ type: 'string', checks: [new MinLengthCheck({ check: 'min_length', minimum: 1 })] }),
    (value) => typeof value === 'string' && value !== '',
  );

/** A finite number. */
export const number = (): $ZodNumber<number> =>
  typed(new NumberSchema({ type: 'number', checks: [] }), Number.isFinite);

/** True or false. */
export const boolean = (): $ZodBoolean<boolean> =>
  typed(new BooleanSchema({ type: 'boolean' }), (value) => typeof value === 'boolean');

/** Anything. */
export const unknown = (): $ZodUnknown => typed(new UnknownSchema({ type: 'unknown' }), () => true);

/** A list. */
export const array = <Item extends $ZodType>(element: Item): $ZodArray<Item> => {
  const test = testOf(element);
  return typed(
    new ArraySchema({ type: 'array', element }),
    (value) => Array.isArray(value) && value.every((item) => test(item)),
  );
};

/** A value that may be missing. */
export const optional = <Inner extends $ZodType>(innerType: Inner): $ZodOptional<Inner> =>
  // A field of JSON is missing and never undefined, so that the test of the inner schema is enough.
  typed(new OptionalSchema({ type: 'optional', innerType }), testOf(innerType));

/** A value that may be missing or null. */
export const nullish = <Inner extends $ZodType>(innerType: Inner): $ZodOptional<$ZodNullable<Inner>> => {
  const test = testOf(innerType);
  const nullable = new NullableSchema({ type: 'nullable', innerType });
  return typed(
    new OptionalSchema({ type: 'optional', innerType: nullable }),
    (value) => value === null || test(value),
  );
};

/** One of several. */
export const union = <const Options extends readonly $ZodType[]>(options: Options): $ZodUnion<Options> => {
  const choices = options.map(testOf);
  return typed(new UnionSchema({ type: 'union', options }), (value) => choices.some((test) => test(value)));
};

/** An object with known fields and any others. The others need no check, so that zod is not told of them. */
export const looseObject = <Shape extends $ZodLooseShape>(shape: Shape): $ZodObject<Shape, $loose> =>
  typed(new ObjectSchema({ type: 'object', shape }), fieldTest(shape, true));

/** Returns a test of the fields of an object: those that the schema does not know pass only if it is open. */
export function fieldTest(shape: $ZodLooseShape, isOpen: boolean): Test {
  const fields = new Map<string, Field>();
  let first: Field | undefined;
  let required = 0;
  for (const [name, schema] of Object.entries<$ZodType>(shape).reverse()) {
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
      const field = expected?.name === name ? expected : fields.get(name);
      // The fields of a polluted prototype are not sent.
      if (isOpen ? field === undefined : !Object.hasOwn(value, name)) continue;
      if (field === undefined) return false;
      if (!field.test(value[name])) return false;
      if (field.isRequired) found += 1;
      expected = field.next;
    }
    return found === required;
  };
}

/** Returns the fields of an object schema, also of one that is optional, an item of a list, or one of several. */
export function fieldsOf(schema: $ZodType | undefined): Readonly<Record<string, $ZodType>> | undefined {
  if (schema instanceof ObjectSchema) return schema._zod.def.shape;
  if (schema instanceof OptionalSchema || schema instanceof NullableSchema)
    return fieldsOf(schema._zod.def.innerType);
  if (schema instanceof ArraySchema) return fieldsOf(schema._zod.def.element);
  if (schema instanceof UnionSchema) return schema._zod.def.options.map(fieldsOf).find((fields) => fields);
  return undefined;
}

interface Field {
  readonly name: string;
  readonly test: Test;
  readonly isRequired: boolean;
  /** The next field of the schema. */
  readonly next: Field | undefined;
}

/**
 * The required form of a response: a schema, built when it is first needed, and the paths without which the response
 * is useless.
 */
export interface ResponseShape<T> {
  /** Builds the schema at the first call and returns the same one afterwards. */
  readonly schema: () => $ZodType<T>;
  /** Dotted paths whose absence or wrong type makes the response useless. */
  readonly essential: readonly string[];
}

/** Declares the shape of a response. */
/* @__NO_SIDE_EFFECTS__ */
export function shape<T>(schema: () => $ZodType<T>, essential: readonly string[]): ResponseShape<T> {
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
