import type { ParamCheck } from './param.ts';
import { fieldsOf, type Type } from './response-shape.ts';

/** Returns the names of the fields of a schema, at every depth. */
export function namesIn(schema: Type | ParamCheck): readonly string[] {
  const fields = ('faultOf' in schema ? schema.fields : fieldsOf(schema)) ?? {};
  return Object.entries(fields).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}
