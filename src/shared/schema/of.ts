import type * as z from 'zod/mini';

/**
 * A type as the comparison sees it: values that are open to any text are `string`, an optional field is a list of one,
 * fields of any name are left out, and so is `readonly`.
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
 * Holds a schema to an interface: `of<Transfer>()(schema)` compiles only if the schema has exactly the fields of the
 * interface, each of the same type and the same optionality.
 */
export const of =
  <T>() =>
  <Schema extends z.ZodMiniType>(schema: Schema & Matching<z.output<Schema>, T>): z.ZodMiniType<T> =>
    // The parameter has compared the two; open values have another type in the schema, and the same values.
    schema as unknown as z.ZodMiniType<T>;
