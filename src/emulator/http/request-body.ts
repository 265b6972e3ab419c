import * as z from 'zod';
import { type FieldProblem, invalid } from './problem.ts';

const TEXT = { error: 'must be a non-empty text' };

/** Any UUID-shaped text, whatever its version. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const text = z.string(TEXT).trim().min(1, TEXT).max(500, { error: 'is longer than 500 characters' });
export const optionalText = text.nullish();
export const requestId = z.string({ error: 'must be a UUID' }).regex(UUID, { error: 'must be a UUID' });
export const amount = z
  .number({ error: 'must be a finite number greater than 0' })
  .positive({ error: 'must be a finite number greater than 0' });

export function oneOf<const V extends readonly [string, ...string[]]>(values: V) {
  return z.enum(values, { error: `must be ${values.map((value) => `'${value}'`).join(' or ')}` });
}

export function object<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.looseObject(shape, { error: 'must be an object' });
}

/** The body as its schema types it; a 400 that names every field at fault where it does not fit. */
export function check<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.slice(0, 20).map((issue): FieldProblem => {
      const path = issue.path.map(String).join('.').slice(0, 100);
      return { field: path === '' ? 'body' : path, message: messageOf(issue) };
    }),
  );
}

function messageOf(issue: z.core.$ZodIssue): string {
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  return missing ? `is required: ${issue.message}` : issue.message;
}
