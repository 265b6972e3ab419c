import type { ServiceError } from '../../errors/index.ts';
import { isRecord } from '../kind.ts';

/** Reads the service's words from any of its error shapes, and from shapes like them. */
export function readServiceError(body: unknown): ServiceError {
  if (!isRecord(body)) return {};
  const nested = isRecord(body.error) ? body.error : undefined;
  const code = nested === undefined ? body.code : (nested.code ?? body.code);
  const error = nested === undefined ? body.error : nested.error;
  const details =
    nested === undefined
      ? (body.errorDetails ?? body.message)
      : (nested.message ?? nested.errorDetails ?? body.errorDetails ?? body.message);
  return {
    ...(isCode(code) && { code }),
    ...(typeof error === 'string' && { error }),
    ...(typeof details === 'string' && { details }),
  };
}

const isCode = (value: unknown): value is number | string =>
  typeof value === 'number' || typeof value === 'string';

/** Whether a body has the documented shape of a 404: `{ status: 'error', error: { code, message } }`. */
export function isNotFoundShape(body: unknown): boolean {
  if (!isRecord(body) || body.status !== 'error' || !isRecord(body.error)) return false;
  return typeof body.error.code === 'string' && typeof body.error.message === 'string';
}

/** The service's code if it is fit for a message: short, in capitals or a small number, and no secret. */
export function publicCode(
  code: number | string | undefined,
  secrets: readonly string[],
): string | undefined {
  if (code === undefined) return undefined;
  const text = String(code);
  if (!/^(?:[A-Z][A-Z_]{1,39}|\d{1,4})$/.test(text)) return undefined;
  return secrets.some((secret) => secret.includes(text) || text.includes(secret)) ? undefined : text;
}
