import type { ServiceError, ServiceFieldError } from '../errors/index.ts';
import { isRecord, valueAt } from '../shared/values.ts';

/** Reads the service's words from any of its error shapes, and from shapes like them. */
export function readServiceError(body: unknown): ServiceError {
  if (!isRecord(body)) return {};
  const inner = isRecord(body.error) ? body.error : {};
  const code = inner.code ?? body.code;
  const named = inner.error ?? body.error;
  // The shape with a nested error has its name where the others have a number.
  const error = typeof named === 'string' ? named : isName(code) ? code : undefined;
  const details = [
    inner.message,
    inner.errorDetails,
    inner.details,
    body.errorDetails,
    body.message,
    body.details,
  ];
  const text = details.find((words) => typeof words === 'string');
  const fields = [inner.details, body.details, inner.errors, body.errors].map(readFields);
  const found = fields.find((list) => list.length > 0);
  return {
    ...(isCode(code) && { code }),
    ...(error !== undefined && { error }),
    ...(text !== undefined && { details: text }),
    ...(found !== undefined && { fields: found }),
  };
}

const isCode = (value: unknown): value is number | string =>
  typeof value === 'number' || typeof value === 'string';

const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Z][A-Z0-9_]{1,59}$/.test(value);

/** More than anyone reads, and few enough for a message. */
const mostFields = 100;

/** Reads what is said of single fields: `{ field: words }`, `[{ field, message }]`, or a list of names. */
function readFields(details: unknown): ServiceFieldError[] {
  if (Array.isArray(details)) return details.slice(0, mostFields).flatMap(readEntry);
  if (!isRecord(details)) return [];
  return Object.entries(details)
    .slice(0, mostFields)
    .map(([field, words]) => ({ field, message: wordsOf(words) }));
}

function readEntry(entry: unknown): ServiceFieldError[] {
  if (typeof entry === 'string') return [{ field: entry, message: '' }];
  if (!isRecord(entry)) return [];
  const named = entry.field ?? entry.path ?? entry.property ?? entry.param ?? entry.name;
  const field = Array.isArray(named) ? named.map(String).join('.') : named;
  if (typeof field !== 'string') return [];
  return [
    {
      field,
      message: wordsOf(entry.message ?? entry.msg ?? entry.error ?? entry.reason ?? entry.constraints),
    },
  ];
}

function wordsOf(words: unknown): string {
  if (typeof words === 'string') return words;
  if (Array.isArray(words))
    return words
      .map(wordsOf)
      .filter((text) => text !== '')
      .join('; ');
  return isRecord(words) ? wordsOf(words.message ?? Object.values(words)) : '';
}

/**
 * Returns true if the body of a 404 says that there is no such record: in the documented shape, `{ status: 'error', error:
 * { code, message } }`, or by a name such as `ACCOUNT_NOT_FOUND`. The 404 of a gateway is about the path.
 */
export function saysNotFound(body: unknown): boolean {
  const { error = '' } = readServiceError(body);
  const isDocumented =
    valueAt(body, 'status') === 'error' &&
    typeof valueAt(body, 'error.code') === 'string' &&
    typeof valueAt(body, 'error.message') === 'string';
  return (isDocumented || /_NOT_FOUND$/.test(error)) && !/^(?:ENDPOINT|PAGE|PATH|ROUTE|URL)/.test(error);
}
