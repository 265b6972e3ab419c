import { isRecord } from '../kind.ts';

/**
 * Whether a body is an error in one of the service's shapes, or in one like them, under a status of success:
 * `{ success: false }`, `{ status: 'error' }`, `{ error: … }`, `{ errors: […] }`, `{ errorDetails }`.
 */
export function isErrorShape(body: unknown): boolean {
  if (!isRecord(body)) return false;
  const { success, status, error, errors, errorDetails } = body;
  if (success === false || success === 'false') return true;
  if (status === 'error' || status === 'fail' || status === 'failure') return true;
  return saysSomething(error) || saysSomething(errors) || saysSomething(errorDetails);
}

function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  if (Array.isArray(value)) return value.length > 0;
  return value === true || (isRecord(value) && Object.keys(value).length > 0);
}
