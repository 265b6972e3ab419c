import { isPlainWord } from '../../shared/plain-words.ts';
import { wordSet } from '../../shared/word-lists.ts';
import type { SentValues } from './sent-values.ts';

const mask = '[redacted]';

/** Longer than any sentence that helps; such words are left out, so that a cut cannot leave half of a secret. */
const longest = 1_000;

/** Characters of a sentence that are shown. */
const shown = 300;

/** More strings than a request of the service contains. With more of them, nothing is shown. */
const mostStrings = 2_000;

/** Words that are not secret if they are part of a longer text that was sent. */
const common = /* @__PURE__ */ wordSet(
  'the and for with from not has was are can new this that account amount balance bank invoice payment payments request transfer user wallet',
);

/**
 * The words of a service, fit to be shown: one line, without what was sent, tokens, e-mail addresses, URLs and runs of
 * five digits or more. Undefined where nothing can be shown.
 */
export function maskWords(words: string, sent: SentValues): string | undefined {
  let safe: string | undefined;
  try {
    safe = masked(words, sent);
  } catch {
    // What cannot be masked is not shown; it must never cost the error itself.
  }
  return safe;
}

function masked(words: string, sent: SentValues): string | undefined {
  if (words.length > longest || sent.unreadable || sent.strings.size > mostStrings) return undefined;
  let text = oneLine(words);
  for (const pattern of patternsOf(sent.strings, text)) text = text.replace(pattern, mask);
  text = text
    .replace(/\b(?:Bearer|Basic) \S+/gi, mask)
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, mask)
    .replace(/[^\s<>"'(),;]+@[^\s<>"'(),;]+/g, mask)
    // Long runs of letters and digits are tokens, wallets or bank codes, never words.
    .replace(/(?=[\w+/=.~-]*\d)(?=[\w+/=.~-]*[a-z])[\w+/=.~-]{20,}/gi, mask)
    .replace(/\p{Nd}(?:[\s.\-_/\u2013]?\p{Nd}){4,}/gu, mask)
    .replace(coded, mask)
    .replace(wordOrNumber, (found) => (mayName(found) ? mask : found))
    .replaceAll(/\[redacted\](?:[\s,;:.\-_/]*\[redacted\])+/g, mask)
    .trim();
  if (text.replaceAll(mask, '').replace(/[^\p{L}\p{N}]/gu, '') === '') return undefined;
  return text.length > shown ? `${text.slice(0, shown - 1)}…` : text;
}

/** Texts with characters that are written as a code, which may spell a name: in a URL, in HTML, in JSON. */
const coded = /\S*(?:&#\w|&(?!(?:amp|lt|gt|quot|apos|nbsp);)[a-z]+\d*;|%[\da-f]{2}|\\[ux][\da-f]{2})\S*/giu;

/** With the apostrophe and the hyphen of typesetters by their code: Node keeps a file of ASCII in half the memory. */
const wordOrNumber = /[\p{L}\p{M}\p{N}_]+(?:['\u2019\u2010-][\p{L}\p{M}\p{N}_]+)*/gu;

/** Returns true for what may be the name of a person, or the number of a document. */
function mayName(found: string): boolean {
  // The name of an error, such as `USER_FROZEN`.
  if (/^[A-Z\d]+(?:_[A-Z\d]+)+$/.test(found)) return false;
  if (/\p{L}/u.test(found) && (found.match(/\p{N}/gu) ?? []).length >= 4) return true;
  if (/(?=\p{L})\P{Script=Latin}/u.test(found)) return true;
  // A field, such as `accountId`, begins with a small letter; a name such as `d'Arc` does not go on with one.
  if (!/^\p{Lu}|['\u2019\u2010-]\p{Lu}/u.test(found)) return false;
  const parts = found.split(/['\u2019\u2010_-]|(?<=\p{Ll})(?=\p{Lu})/u);
  return !parts.every((part) => isPlainWord(part.toLowerCase()));
}

/** Without line breaks, control characters and marks that change the direction of text. */
function oneLine(words: string): string {
  return words
    .toWellFormed()
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '');
}

/** The patterns to search a sentence for, longest first, so that a part does not break up the whole. */
function patternsOf(strings: ReadonlySet<string>, sentence: string): RegExp[] {
  const wholes = new Set<string>();
  const parts = new Set<string>();
  // Patterns are dear: they are made only for what is in the sentence.
  const folded = sentence.toLowerCase();
  const joined = compact(folded);
  for (const string of strings) {
    const text = oneLine(string).trim();
    if (text.length <= longest) {
      for (const form of formsOf(text)) {
        const characters = compact(form.toLowerCase());
        if (characters.length > 1 && joined.includes(characters)) wholes.add(form);
      }
    }
    for (const word of text.split(/[^\p{L}\p{N}]/u)) {
      const lower = word.toLowerCase();
      if (word.length > 2 && folded.includes(lower) && !common.has(lower)) parts.add(word);
    }
  }
  const longestFirst = (list: Set<string>) => [...list].sort((a, b) => b.length - a.length);
  return [
    ...longestFirst(wholes).flatMap(wholePattern),
    ...longestFirst(parts).map((part) => word(part, 'giu')),
  ];
}

const compact = (text: string) => text.replace(/[\s.\-_]/g, '');

/** A text, and the forms in which others write it: in a URL, in JSON, in HTML, in base64. */
function formsOf(text: string): string[] {
  const inUrl = encodeURIComponent(text);
  const inHtml = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(text))).replaceAll('=', '');
  const forms = [text, inUrl, inUrl.replaceAll('%20', '+'), JSON.stringify(text).slice(1, -1), inHtml];
  return text.length > 2 ? [...forms, base64, base64.replaceAll('+', '-').replaceAll('/', '_')] : [text];
}

/** Short texts are looked for as words, so that `us` does not break up `status`; long ones also in groups of characters. */
function wholePattern(text: string): RegExp[] {
  const characters = [...compact(text)];
  if (text.length === 2) return [word(text, 'gu')];
  if (text.length === 3) return [word(text, 'giu')];
  if (characters.length < 6) return [new RegExp(escaped(text), 'giu')];
  return [new RegExp(escaped(text), 'giu'), new RegExp(characters.map(escaped).join('[\\s.\\-_]?'), 'giu')];
}

const word = (text: string, flags: string) =>
  new RegExp(`(?<![\\p{L}\\p{N}])${escaped(text)}(?![\\p{L}\\p{N}])`, flags);

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
