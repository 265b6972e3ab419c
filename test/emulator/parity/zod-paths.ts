import type { $ZodType, $ZodTypes } from 'zod/v4/core';

/** The paths of all fields of a schema of the client, those of list items with `[]`, and `.*` below a field of any form. */
export function zodPaths(schema: $ZodType, prefix = ''): string[] {
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      if (Object.keys(def.shape).length === 0) return [`${prefix}*`];
      return Object.entries(def.shape).flatMap(([name, field]) => [
        prefix + name,
        ...zodPaths(field, `${prefix}${name}.`),
      ]);
    case 'array':
      return zodPaths(def.element, `${prefix}[].`);
    case 'optional':
    case 'nullable':
      return zodPaths(def.innerType, prefix);
    case 'union':
      return def.options.flatMap((option) => zodPaths(option, prefix));
    case 'unknown':
      return prefix.endsWith('[].') ? [] : [`${prefix}*`];
    default:
      return [];
  }
}
