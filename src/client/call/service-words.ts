import type { ServiceError } from '../../shared/errors/index.ts';
import { redacted } from '../../shared/mask-text.ts';
import { isEmpty, isName } from '../../shared/outcome/refusal.ts';
import { isRecord } from '../../shared/values.ts';
import type { Mask } from './mask.ts';

/**
 * Returns what `error.service` has: the words of the service in its documented shapes, as it said them. These are
 * `{ code, error, errorDetails }`, `{ status, error: { code, message } }` and `{ error }`, the first two with `details` by
 * field where there are some. They are never printed.
 */
export function serviceErrorOf(body: unknown): ServiceError {
  const { sentence: _sentence, ...service } = readSaid(body);
  return service;
}

/** What the service said of a failure, with the sentence about it. */
function readSaid(body: unknown): ServiceError & { readonly sentence?: string } {
  if (!isRecord(body)) return {};
  const inner = isRecord(body.error) ? body.error : undefined;
  const { code, details } = inner ?? body;
  const error = textIn(inner === undefined ? body.error : inner.code) ?? textIn(body.code);
  const words = inner === undefined ? body.errorDetails : inner.message;
  const sentence = textIn(words) ?? textIn(details);
  const said: { code?: number | string; error?: string; details?: unknown; sentence?: string } = {};
  if (typeof code === 'string' || typeof code === 'number') said.code = code;
  if (error !== undefined) said.error = error;
  if (isGiven(details) || isGiven(words)) said.details = isGiven(details) ? details : words;
  const beside = Object.keys(said).length === 0 ? undefined : textIn(body.message);
  const shown = sentence ?? beside;
  if (shown !== undefined) said.sentence = shown;
  return said;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/**
 * Returns the words of a body that a message can show: what was sent and what looks like a secret is masked first, then
 * names are read. Of a JSON body in another shape it is the beginning; also where a body has a name, no sentence in its
 * documented place, and more than that name.
 */
export function shownWordsOf(
  body: unknown,
  mask: Mask,
): {
  /** The name of the error, such as `INSUFFICIENT_BALANCE`. */
  readonly name: string | undefined;
  /** The name or the number of the error, and the sentence. Empty if nothing can be shown. */
  readonly said: string;
  /** The number of the service, where its name is shown, too. */
  readonly number: string | undefined;
  /** The names of the fields in `details`. */
  readonly fields: readonly string[];
} {
  const said = readSaid(body);
  const isDocumented = Object.keys(said).length > 0;
  if (!isDocumented) return { name: undefined, said: beginningOf(body, mask), number: undefined, fields: [] };
  const { error = '', code, details, sentence = '' } = said;
  const name = error.length > 100 ? undefined : mask.words(error);
  const number = numberIn(code, mask);
  const words = sentence === '' && hasMore(body) ? beginningOf(body, mask) : mask.words(sentence);
  const parts = [name ?? number, words].filter((part) => part !== undefined);
  return {
    name: name !== undefined && isName(name) ? name : undefined,
    said: parts.map(withoutFullStop).join(' – '),
    number: name === undefined ? undefined : number,
    fields: fieldsIn(details).filter((field) => isFieldName(field) && mask.words(field) === field),
  };
}

const documented: readonly string[] = ['code', 'error', 'errorDetails', 'details', 'status', 'success'];

/** Returns true if a body has fields, with something in them, that no documented shape has. */
const hasMore = (body: unknown): boolean =>
  isRecord(body) &&
  Object.entries(body).some(([name, value]) => !documented.includes(name) && !isEmpty(value));

/** The number that the service gives as its code, of up to six digits. A short one is nobody's secret. */
function numberIn(code: unknown, mask: Mask): string | undefined {
  const text = String(code);
  return /^\d{1,6}$/.test(text) && (text.length <= 3 || !mask.wasSent(text)) ? text : undefined;
}

const isFieldName = (text: string): boolean => /^[A-Za-z][\w.[\]-]{0,99}$/.test(text);

/** The entries of `details` that are looked at. A body may have millions, and each name is masked. */
const maxFields = 1_000;

/** The names in `details` by field: `{ field: words }`, `[{ field, message }]` or `[{ path, message }]`. */
function fieldsIn(details: unknown): readonly string[] {
  if (isRecord(details)) return Object.keys(details).slice(0, maxFields);
  if (!Array.isArray(details)) return [];
  const named = details
    .slice(0, maxFields)
    .map((entry) => (isRecord(entry) ? (entry.field ?? entry.path) : entry));
  return [...new Set(named.filter((field) => typeof field === 'string'))];
}

/** The characters that are shown of a JSON body in another shape. */
const maxBeginning = 100;

function beginningOf(body: unknown, mask: Mask): string {
  if (typeof body !== 'object') return '';
  let visited = 0;
  const text = JSON.stringify(body, (_name, value: unknown) => {
    visited += 1;
    // What comes later is not shown: each value writes a character or more. A body may be large, and nest deeper than the stack.
    if (visited > 2 * maxBeginning) return undefined;
    // Each text by itself first: a cut must not leave half of a secret.
    if (typeof value === 'string') return mask.words(value) ?? redacted;
    return isSentNumber(value, mask) ? redacted : value;
  });
  const shown = mask.words(text.slice(0, 2 * maxBeginning)) ?? '';
  return shown.length > maxBeginning ? `${shown.slice(0, maxBeginning - 1)}…` : shown;
}

/** A short number is nobody's secret. */
const isSentNumber = (value: unknown, mask: Mask): boolean =>
  typeof value === 'number' && String(value).length > 3 && mask.wasSent(String(value));

const withoutFullStop = (text: string): string => text.replace(/[.\s]+$/, '');
