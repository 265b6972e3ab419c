// Imported one by one: the namespace of zod's core would bring all of it into every bundle.
import {
  $ZodArray,
  $ZodNullable,
  $ZodObject,
  $ZodOptional,
  type $ZodType,
  $ZodUnion,
  safeParse,
} from 'zod/v4/core';
import { amount } from './schema.ts';

type Schema = $ZodType;

/**
 * The schemas that a value may have: what is in an optional or a nullable one, and the members of a union.
 */
function membersOf(schema: Schema): readonly Schema[] {
  if (schema instanceof $ZodOptional || schema instanceof $ZodNullable)
    return membersOf(schema._zod.def.innerType);
  return schema instanceof $ZodUnion ? schema._zod.def.options.flatMap(membersOf) : [schema];
}

/** The schemas of each field of an object, by its name: of every member where it is one of several. */
export type FieldSchemas = Readonly<Record<string, readonly Schema[]>>;

/** What `fieldsOf` returned for a schema: every order of a file and every call asks again. */
const known = /* @__PURE__ */ new WeakMap<Schema, { readonly fields: FieldSchemas | undefined }>();

/** Returns the fields of an object, or of one that is an item of a list; undefined for anything else. */
export function fieldsOf(schemas: readonly Schema[]): FieldSchemas | undefined {
  const [first] = schemas;
  if (first === undefined || schemas.length > 1) return joinedFields(schemas);
  const found = known.get(first) ?? { fields: joinedFields(schemas) };
  known.set(first, found);
  return found.fields;
}

function joinedFields(schemas: readonly Schema[]): FieldSchemas | undefined {
  const fields: Record<string, Schema[]> = Object.create(null);
  let isObject = false;
  for (const member of schemas.flatMap(membersOf)) {
    if (member instanceof $ZodArray) {
      const inner = fieldsOf([member._zod.def.element]);
      if (inner !== undefined) return inner;
    }
    if (!(member instanceof $ZodObject)) continue;
    isObject = true;
    for (const [name, field] of Object.entries(member._zod.def.shape)) {
      fields[name] ??= [];
      fields[name].push(field);
    }
  }
  return isObject ? fields : undefined;
}

/**
 * Returns true for a value that a member takes as a whole: one that is no object with fields, such as the custom one for
 * instances of a class.
 */
export const isTakenWhole = (schemas: readonly Schema[], value: unknown): boolean =>
  schemas
    .flatMap(membersOf)
    .some(
      (member) =>
        !(member instanceof $ZodObject || member instanceof $ZodArray) && safeParse(member, value).success,
    );

/** Returns the fields of the object at a path; places in lists do not count. */
export function fieldsAt(schema: Schema, path: readonly PropertyKey[]): FieldSchemas | undefined {
  let fields = fieldsOf([schema]);
  for (const name of path) if (typeof name === 'string') fields = fields?.[name] && fieldsOf(fields[name]);
  return fields;
}

/** Returns true for a field that is an amount which the service takes as a JSON number. */
export const isJsonAmount = (schemas: readonly Schema[]): boolean =>
  schemas.flatMap(membersOf).includes(amount());

/** Returns the names of all fields, at every depth. */
export function fieldNamesIn(schemas: readonly Schema[]): readonly string[] {
  return Object.entries(fieldsOf(schemas) ?? {}).flatMap(([name, inner]) => [name, ...fieldNamesIn(inner)]);
}
