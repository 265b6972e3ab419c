import {
  type $loose,
  type $ZodArray,
  type $ZodBoolean,
  type $ZodLooseShape,
  type $ZodNullable,
  type $ZodNumber,
  type $ZodObject,
  type $ZodOptional,
  type $ZodString,
  type $ZodType,
  type $ZodUnion,
  type $ZodUnknown,
  $ZodArray as ArraySchema,
  $ZodBoolean as BooleanSchema,
  $ZodObjectJIT as CompiledObjectSchema,
  $ZodCheckMinLength as MinLengthCheck,
  $ZodNullable as NullableSchema,
  $ZodNumber as NumberSchema,
  $ZodOptional as OptionalSchema,
  $ZodString as StringSchema,
  $ZodUnion as UnionSchema,
  $ZodUnknown as UnknownSchema,
} from 'zod/v4/core';

// The schemas of responses use only zod's core: its chained form weighs four times as much in a bundle and takes
// longer to load, and its light form checks objects four times slower than the compiled objects used here.

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
  const result = schema._zod.run({ value, issues: [] }, atOnce);
  if (result instanceof Promise) throw new TypeError('a schema of a response is asynchronous');
  if (result.issues.length === 0) return noDepartures;
  return result.issues.map(({ path = [], code }) => ({ path, code }));
}

/** zod types its constructors for any value and inner schema; the one that goes in is the one that comes out. */
const typed = <T extends $ZodType>(schema: unknown): T => schema as T;

/** Text. */
export const string = (): $ZodString<string> => typed(new StringSchema({ type: 'string' }));

/** Text that is not empty. */
export const text = (): $ZodString<string> =>
  typed(
    new StringSchema({ type: 'string', checks: [new MinLengthCheck({ check: 'min_length', minimum: 1 })] }),
  );

/** A finite number. */
export const number = (): $ZodNumber<number> => typed(new NumberSchema({ type: 'number', checks: [] }));

/** True or false. */
export const boolean = (): $ZodBoolean<boolean> => typed(new BooleanSchema({ type: 'boolean' }));

/** Anything. */
export const unknown = (): $ZodUnknown => new UnknownSchema({ type: 'unknown' });

/** A list. */
export const array = <Item extends $ZodType>(element: Item): $ZodArray<Item> =>
  typed(new ArraySchema({ type: 'array', element }));

/** A value that may be missing. */
export const optional = <Inner extends $ZodType>(innerType: Inner): $ZodOptional<Inner> =>
  typed(new OptionalSchema({ type: 'optional', innerType }));

/** A value that may be missing or null. */
export const nullish = <Inner extends $ZodType>(innerType: Inner): $ZodOptional<$ZodNullable<Inner>> =>
  optional(typed(new NullableSchema({ type: 'nullable', innerType })));

/** One of several. */
export const union = <const Options extends readonly $ZodType[]>(options: Options): $ZodUnion<Options> =>
  typed(new UnionSchema({ type: 'union', options }));

/** An object with known fields and any others. The others need no check, so that zod is not told of them. */
export const looseObject = <Shape extends $ZodLooseShape>(shape: Shape): $ZodObject<Shape, $loose> =>
  typed(new CompiledObjectSchema({ type: 'object', shape }));

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
