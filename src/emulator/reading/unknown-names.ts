import type * as z from 'zod/mini';
import { nearestName } from '../../shared/option-names.ts';
import { printable } from '../problem.ts';

type BodyPath = readonly PropertyKey[];

/** The paths of the fields that a schema does not have. */
export function strangeFields(issues: readonly z.core.$ZodIssue[]): BodyPath[] {
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
  );
}

/** The message about an unknown field, with the nearest known one if there is one. */
export function unknownFieldMessage(schema: z.core.$ZodType, path: BodyPath): string {
  const name = String(path.at(-1));
  const meant = nearestName(name, knownFieldsAt(schema, path.slice(0, -1)));
  return meant === undefined
    ? `is not a field of this request (${printable(name)})`
    : `is not a field of this request; did you mean '${meant}'?`;
}

/** The names of the fields that a schema has at a path. */
function knownFieldsAt(schema: z.core.$ZodType, path: BodyPath): string[] {
  const { def } = schema._zod as { def: z.core.$ZodTypes['_zod']['def'] };
  if (def.type === 'object') {
    const [key, ...rest] = path;
    if (key === undefined) return Object.keys(def.shape);
    const inner = def.shape[String(key)];
    return inner === undefined ? [] : knownFieldsAt(inner, rest);
  }
  if (def.type === 'array') return knownFieldsAt(def.element, path.slice(1));
  return 'innerType' in def ? knownFieldsAt(def.innerType, path) : [];
}
