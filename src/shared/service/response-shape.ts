import * as z from 'zod/mini';
import { fieldsOf as allFieldsOf } from '../schema/fields.ts';

export { lazy } from '../schema/lazy.ts';

export type Type<T = unknown> = z.core.$ZodType<T>;

/** Returns the test of a schema: zod's parser decides. */
export const testOf =
  (schema: Type) =>
  (value: unknown): boolean =>
    z.safeParse(schema, value).success;

/** Returns the fields of an object schema, also of one that is optional, an item of a list, or one of several. */
export function fieldsOf(schema: Type): Readonly<Record<string, Type>> | undefined {
  const fields = allFieldsOf([schema]);
  return (
    fields &&
    Object.fromEntries(Object.entries(fields).flatMap(([name, [first]]) => (first ? [[name, first]] : [])))
  );
}

/** A difference between a value and its schema. */
export type Departure = Pick<z.core.$ZodIssue, 'code' | 'path'>;

const noDepartures: readonly Departure[] = [];

/** Returns the differences of a value from its schema. */
export const departuresOf = (schema: Type, value: unknown): readonly Departure[] =>
  z.safeParse(schema, value).error?.issues ?? noDepartures;

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
