import * as z from './zod.ts';

declare const exactly: unique symbol;
declare const optionally: unique symbol;

/** A schema of exactly T: one of a wider or a narrower type cannot be assigned to it. */
export interface Field<T> extends z.Type<T> {
  readonly [exactly]: (value: T) => T;
}

/** The schema of a field that may be missing. */
export interface OptionalField<T> extends z.Type<T | undefined> {
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

/** Marks a schema with the type that it checks; the mark exists only for the compiler. */
const field = <T>(schema: z.Type<unknown>): Field<T> => schema as Field<T>;

const optionalField = <T>(schema: z.Type<unknown>): OptionalField<T> => schema as unknown as OptionalField<T>;

/** Text, of any content: the values that an interface lists are only the known ones. */
export const text = (): Field<string> => field(z.string());

/** A finite number. */
export const number = (): Field<number> => field(z.number());

/** True or false. */
export const boolean = (): Field<boolean> => field(z.boolean());

export const list = <T>(item: Field<T>): Field<T[]> => field(z.array(item));

/** A list of anything. */
export const anyList = (): Field<unknown[]> => field(z.array(z.unknown()));

/** One of two. */
export const either = <A, B>(first: Field<A>, second: Field<B>): Field<A | B> =>
  field(z.union([first, second]));

/**
 * An object with the fields of T and any others, which are kept. The compiler finds a field too many in a literal only:
 * annotate a part that is spread into it with `Fields`.
 */
export const record = <T>(fields: Fields<T>): Field<T> => field(z.looseObject(fields));

/** An object of any content. */
export const anyRecord = (): Field<object> => field(z.looseObject({}));

/** A value that may be missing or null. */
export const nullish = <T>(inner: Field<T>): OptionalField<T | null> => optionalField(z.nullish(inner));

/** Anything, or nothing. */
export const anything = (): OptionalField<unknown> => optionalField(z.optional(z.unknown()));

/** Fields of text that may be missing or null, by name. */
export const texts = <const Name extends string>(
  names: readonly Name[],
): Record<Name, OptionalField<string | null>> =>
  // Object.fromEntries widens the keys to string; the names are known to be these.
  Object.fromEntries(names.map((name) => [name, maybeText()])) as Record<Name, OptionalField<string | null>>;

/** Text that the service may leave out or set to null. */
export const maybeText = (): OptionalField<string | null> => nullish(text());
