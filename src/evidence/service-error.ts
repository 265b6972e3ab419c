import type { ServiceError, ServiceFieldError } from '../errors/index.ts';
import { isRecord } from '../shared/values.ts';

/** Reads the service's words from any of its error shapes, and from shapes like them. */
export function readServiceError(body: unknown): ServiceError {
  if (!isRecord(body)) return {};
  const inner = isRecord(body.error) ? body.error : {};
  const code = inner.code ?? body.code;
  const names = namesIn(body);
  const error = names.find(isCapitals) ?? textOf(inner.error) ?? textOf(body.error) ?? names[0];
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
    ...((typeof code === 'number' || typeof code === 'string') && { code }),
    ...(error !== undefined && { error }),
    ...(text !== undefined && { details: text }),
    ...(found !== undefined && { fields: found }),
  };
}

/** The names of an error, where the documented shapes have them: in `error`, or in the `code` of either shape. */
export function namesIn(body: unknown): readonly string[] {
  if (!isRecord(body)) return [];
  const inner = isRecord(body.error) ? body.error : {};
  return [body.error, inner.code, inner.error, body.code].filter(isName);
}

/** A name has no white space, and is not a number. */
const isName = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z][\w.-]{1,99}$/.test(value);

const isCapitals = (name: string): boolean => /^[A-Z][A-Z0-9_]+$/.test(name);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

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

/** Returns true if the body of a 404 says by name that what was to be deleted is gone. A router's 404 is about the path. */
export const saysGone = (body: unknown): boolean =>
  namesIn(body).some((name) => name === 'ACCOUNT_NOT_FOUND' || name === 'USER_NOT_FOUND');
