/** Stands for what a mask hides. */
export const redacted = '[redacted]';

/** Characters that are shown, and that are read: a cut must not leave half of a secret. */
const shownText = 300;
const longest = 1_000;

/**
 * The words of other code, fit to be shown: one line, without `secrets`, tokens, e-mail addresses, URLs with queries, and
 * runs of five digits or more. Dates stay. Undefined where nothing can be shown. It never throws, nor does it pass on what
 * `secrets` throws: a mask must not cost the error itself.
 */
export function maskText(text: string, secrets: () => readonly Secret[]): string | undefined {
  try {
    return text.length > longest ? undefined : masked(text, secrets());
  } catch {
    return undefined;
  }
}

function masked(text: string, secrets: readonly Secret[]): string | undefined {
  const words = withoutSecrets(oneLine(text), secrets)
    .replace(/\b(?:Bearer|Basic) (\S+)/gi, (found, credential: string) =>
      looksSecret(credential) ? redacted : found,
    )
    .replace(/\beyJ[\w-]+\.[\w.-]+/g, redacted)
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S*[?#@]\S*/gi, redacted)
    .replace(/[^\s<>"'(),;]+@[^\s<>"'(),;]+/g, redacted);
  const result = betweenDates(words, (part) =>
    part.replace(/\p{Nd}(?:[\s.\-_/\u2013]?\p{Nd}){4,}/gu, redacted),
  ).trim();
  if (result.replaceAll(redacted, '').replace(/[^\p{L}\p{N}]/gu, '') === '') return undefined;
  return result.length > shownText ? `${result.slice(0, shownText - 1)}…` : result;
}

/** A text in one line, without characters that a terminal obeys. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '');

/** A text that must not be shown. */
export interface Secret {
  readonly text: string;
  /** Its longest run of letters and digits, which each form of it contains. */
  readonly core: string;
}

/** The texts that must not be shown. Those of three characters or less are no secrets. */
export const secretsIn = (texts: readonly string[]): readonly Secret[] =>
  texts
    .map((text) => text.trim().replace(/\s+/g, ' '))
    .filter(({ length }) => length > 3 && length <= longest)
    .map((text) => ({ text, core: coreOf(text) }));

const coreOf = (text: string): string =>
  (text.match(/[a-z\d]+/gi) ?? [])
    .reduce((most, run) => (run.length > most.length ? run : most), '')
    .toLowerCase();

/**
 * A text without the secrets, as they are and as a URL or HTML writes them; the longest first, so that a part does not
 * break up the whole.
 */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  const plain = withoutCase(text);
  // An upload has many lines: patterns of all of them would cost all memory.
  const found = secrets.filter(({ core }) => plain.includes(core)).flatMap((secret) => formsOf(secret.text));
  return [...new Set(found)]
    .filter((form) => plain.includes(withoutCase(form)))
    .sort((one, other) => other.length - one.length)
    .reduce((rest, form) => rest.replaceAll(patternOf(form), redacted), text);
}

/** Texts that a pattern which ignores the case matches are the same in this form. */
const withoutCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

const formsOf = (text: string): string[] => [
  text,
  encodeURIComponent(text.toWellFormed()),
  encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+'),
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;'),
];

/** A text in any case. A word is searched for as a whole, so that `Ann` leaves `Annual` alone. */
function patternOf(text: string): RegExp {
  const isWord = /^[\p{L}\p{M}]+$/u.test(text);
  const escaped = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(isWord ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped, 'giu');
}

/** Returns true for a word after `Bearer` that is no word of a sentence. */
function looksSecret(credential: string): boolean {
  const bare = credential.replace(/[.,;:!?'")\]]+$/, '');
  return bare.length > 15 || /[\d._~+/=]|[a-z][A-Z]|[A-Z]{2}[a-z]/.test(bare);
}

const time = String.raw`[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?`;
const year = String.raw`(?:19|20)\d\d`;
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';

/** Dates as ISO 8601, HTTP and people write them, not as a part of a longer number. */
const date = new RegExp(
  String.raw`(?<!\d[-./]?)(?:${[
    String.raw`${year}-[01]\d-[0-3]\d(?:[T ]${time}(?:Z|[+-]\d\d:?\d\d)?)?`,
    String.raw`\d{1,2} (?:${months})[a-z]* ${year}(?: ${time})?`,
    String.raw`[0-3]?\d([./])[0-3]?\d\1${year}`,
  ].join('|')})(?!\d|[-./]\d)`,
  'g',
);

/** Changes the parts of a text that are not dates. */
function betweenDates(text: string, change: (part: string) => string): string {
  let result = '';
  let end = 0;
  for (const found of text.matchAll(date)) {
    result += change(text.slice(end, found.index)) + found[0];
    end = found.index + found[0].length;
  }
  return result + change(text.slice(end));
}
