export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** A text somewhere in a record, by its path; the empty text where there is none. */
export function textAt(record: unknown, path: string): string {
  const value = path.split('.').reduce(field, record);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The list somewhere in a record, by its path; an empty one where there is none. */
export function listAt(record: unknown, path: string): readonly unknown[] {
  const value = path.split('.').reduce(field, record);
  return Array.isArray(value) ? value : [];
}

/** The headers of a logged message. */
export function headersOf(message: unknown, name: string): [string, string][] {
  const headers = field(message, name);
  if (!Array.isArray(headers)) return [];
  return headers.flatMap((header: unknown): [string, string][] =>
    Array.isArray(header) ? [[String(header[0]), String(header[1])]] : [],
  );
}
