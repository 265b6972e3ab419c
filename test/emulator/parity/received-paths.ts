/** The paths of the fields of a received value, those of list items with `[]`. */
export function receivedPaths(value: unknown, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => receivedPaths(item, `${prefix}[].`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    prefix + name,
    ...receivedPaths(inner, `${prefix}${name}.`),
  ]);
}
