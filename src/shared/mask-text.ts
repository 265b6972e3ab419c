import { lazy } from './schema/schema.ts';
import { anySymbol, base64Of, foldedText, type Spelling, spellingsOf, withoutEscapes } from './spelling.ts';

/** Stands for what a mask hides. */
export const redacted = '[redacted]';

/** Characters that are shown, and that are read: a cut must not leave half of a secret. */
const shownText = 300;
export const maxLength = 1_000;

/**
 * The words of other code, fit to be shown: one line, without `secrets`, tokens, e-mail addresses, URLs with queries, and
 * runs of five digits or more. Dates and UUIDs stay. Undefined where nothing can be shown. It never throws, nor does it
 * pass on what `secrets` throws: a mask must not cost the error itself.
 */
export function maskText(text: string, secrets: () => readonly Secret[]): string | undefined {
  try {
    return text.length > maxLength ? undefined : masked(text, secrets());
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
    .replace(/\bwhsec_[\w+/=-]{4,}/g, redacted)
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S*[?#@]\S*/gi, redacted)
    .replace(/[^\s<>"'(),;]+@[^\s<>"'(),;]+/g, redacted);
  const result = betweenShownDigits(words, (part) =>
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
  /** Its longest run of letters and digits in the spelling in which texts are compared. */
  readonly core: string;
  /** Its longest run of characters that no named reference of HTML stands for. */
  readonly unnamed: string;
  /** True for letters alone. */
  readonly isWord: boolean;
  /** The whole of it in base64. */
  readonly base64: () => readonly string[];
}

/** The texts that must not be shown. Those of three characters or less are no secrets. */
export function secretsIn(texts: readonly string[]): readonly Secret[] {
  const forms = texts
    // An escaped text is up to six times as long.
    .filter(({ length }) => length <= 6 * maxLength)
    .flatMap((text) => [text, withoutEscapes(text), withoutPrefix(text)])
    .map((text) => text.toWellFormed().trim().replace(/\s+/g, ' '))
    .filter(({ length }) => length > 3 && length <= maxLength);
  return [...new Set(forms)].map(secretOf);
}

/** A secret of webhooks is written with its prefix and without it. */
const withoutPrefix = (text: string): string => text.replace(/^whsec_/, '');

function secretOf(text: string): Secret {
  const core = longestRun(/[\p{L}\p{M}\p{N}]+/gu, foldedText(text));
  const forms = [...new Set([text, text.normalize('NFC'), text.normalize('NFD')])];
  return {
    text,
    core,
    unnamed: foldedText(longestRun(unnamedRun, text.normalize('NFC'))),
    isWord: /^[\p{L}\p{M}]+$/u.test(text),
    base64: lazy(() => forms.flatMap(base64Of).map(foldedText)),
  };
}

const longestRun = (runs: RegExp, text: string): string =>
  (text.match(runs) ?? []).reduce((longest, run) => (run.length > longest.length ? run : longest), '');

/**
 * A text without the secrets, in whatever spelling: Unicode forms, escapes of HTML, JSON and URLs, and base64 of the
 * whole. A text without its accents, or with its words in another order, is another one.
 */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  const found = spellingsOf(text)
    .flatMap((spelling) => secrets.flatMap((secret) => placesOf(secret, spelling)))
    .sort((one, other) => one.start - other.start);
  let result = '';
  let end = 0;
  for (const place of found) {
    if (place.start >= end) result += text.slice(end, place.start) + redacted;
    end = Math.max(end, place.end);
  }
  return result + text.slice(end);
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The parts of the original text that are a secret in one of its spellings. */
function placesOf(secret: Secret, { text, starts, ends }: Spelling): readonly Place[] {
  const found = secret
    .base64()
    .filter((form) => text.includes(form))
    .flatMap((form) => [...text.matchAll(new RegExp(`${literal(form)}={0,2}`, 'g'))]);
  // An upload has many lines: patterns of all of them would cost too much.
  if (text.includes(secret.core) || (text.includes(anySymbol) && text.includes(secret.unnamed)))
    found.push(...[...text.matchAll(patternOf(secret.text))].filter((match) => isWhole(secret, match)));
  return found.map(({ 0: match, index }) => ({
    start: starts[index] ?? 0,
    end: ends[index + match.length - 1] ?? 0,
  }));
}

/** A word is searched for as a whole, so that `Ann` leaves `Annual` alone. */
function isWhole({ isWord }: Secret, { 0: match, index, input }: RegExpExecArray): boolean {
  if (!isWord) return true;
  const end = index + match.length;
  const goesOnBefore = /[\p{L}\p{M}\p{N}]$/u.test(input.slice(Math.max(index - 2, 0), index));
  return !goesOnBefore && !/^[\p{L}\p{M}\p{N}]/u.test(input.slice(end, end + 2));
}

/** Finds a text in a folded one. */
const patternOf = (text: string): RegExp =>
  new RegExp([...text.normalize('NFC')].map(patternOfCharacter).join(''), 'gu');

function patternOfCharacter(character: string): string {
  const folded = foldedText(character);
  if (folded === '' || isUnnamed.test(character)) return folded;
  // A form writes a space as a plus sign.
  if (folded === ' ') return `[ +${anySymbol}]+`;
  return `(?:${literal(folded)}|${anySymbol})`;
}

/** A letter or a digit that no named reference of HTML stands for. */
const unnamed = String.raw`[A-Za-z\d]|(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{L}`;
const isUnnamed = /* @__PURE__ */ new RegExp(`^(?:${unnamed})$`, 'u');
const unnamedRun = /* @__PURE__ */ new RegExp(`(?:${unnamed})+`, 'gu');

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Returns true for a word after `Bearer` that is no word of a sentence. */
function looksSecret(credential: string): boolean {
  const bare = credential.replace(/[.,;:!?'")\]]+$/, '');
  return bare.length > 15 || /[\d._~+/=]|[a-z][A-Z]|[A-Z]{2}[a-z]/.test(bare);
}

const time = String.raw`[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?`;
const year = String.raw`(?:19|20)\d\d`;
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';

/** UUIDs, and dates as ISO 8601, HTTP and people write them, not as a part of something longer. */
const shownDigits = new RegExp(
  String.raw`(?<![\w-])[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}(?![\w-])|(?<!\d[-./]?)(?:${[
    String.raw`${year}-[01]\d-[0-3]\d(?:[T ]${time}(?:Z|[+-]\d\d:?\d\d)?)?`,
    String.raw`\d{1,2} (?:${months})[a-z]* ${year}(?: ${time})?`,
    String.raw`[0-3]?\d([./])[0-3]?\d\1${year}`,
  ].join('|')})(?!\d|[-./]\d)`,
  'g',
);

/** Changes the parts of a text that are no UUIDs and no dates. */
function betweenShownDigits(text: string, change: (part: string) => string): string {
  let result = '';
  let end = 0;
  for (const found of text.matchAll(shownDigits)) {
    result += change(text.slice(end, found.index)) + found[0];
    end = found.index + found[0].length;
  }
  return result + change(text.slice(end));
}
