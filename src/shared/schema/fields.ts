import { type $ZodType, type $ZodTypes, safeParse } from 'zod/v4/core';
import { amount } from './schema.ts';

type Schema = $ZodType;

/** A schema's definition, told by its type: asking for the class would bring it into every bundle. */
const definitionOf = (schema: Schema) => (schema as $ZodTypes)._zod.def;

/**
 * The schemas that a value may have: what is in an optional or a nullable one, and the members of a union.
 */
function membersOf(schema: Schema): readonly Schema[] {
  const definition = definitionOf(schema);
  if (definition.type === 'optional' || definition.type === 'nullable')
    return membersOf(definition.innerType);
  return definition.type === 'union' ? definition.options.flatMap(membersOf) : [schema];
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
  for (const definition of schemas.flatMap(membersOf).map(definitionOf)) {
    if (definition.type === 'array') {
      const inner = fieldsOf([definition.element]);
      if (inner !== undefined) return inner;
    }
    if (definition.type !== 'object') continue;
    isObject = true;
    for (const [name, field] of Object.entries(definition.shape)) {
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
        !['object', 'array'].includes(definitionOf(member).type) && safeParse(member, value).success,
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
