import { type SentRequest, sentTexts } from './prepared-call.ts';

const mask = '[redacted]';

/** Characters of a sentence that are shown, and that are read: a cut must not leave half of a secret. */
const shown = 300;
const longest = 1_000;

/**
 * The words of a service, fit to be shown: one line, without what was sent, tokens, e-mail addresses, URLs and runs of
 * five digits or more. Undefined where nothing can be shown. It never throws: a mask must not cost the error itself.
 */
export function maskWords(
  words: string,
  request: SentRequest,
  tokens: readonly string[],
): string | undefined {
  try {
    if (words.length > longest) return undefined;
    let text = words
      .toWellFormed()
      .replace(/\s+/g, ' ')
      .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '');
    for (const secret of secretsOf(request, tokens)) text = text.replaceAll(patternOf(secret), mask);
    text = text
      .replace(/\b(?:Bearer|Basic) \S+/gi, mask)
      .replace(/\beyJ[\w-]+\.[\w.-]+/g, mask)
      .replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, mask)
      .replace(/[^\s<>"'(),;]+@[^\s<>"'(),;]+/g, mask)
      .replace(/\p{Nd}(?:[\s.\-_/\u2013]?\p{Nd}){4,}/gu, mask)
      .trim();
    if (text.replaceAll(mask, '').replace(/[^\p{L}\p{N}]/gu, '') === '') return undefined;
    return text.length > shown ? `${text.slice(0, shown - 1)}…` : text;
  } catch {
    return undefined;
  }
}

/** What was sent, as it is and as a URL or HTML writes it; the longest first, so that a part does not break up the whole. */
function secretsOf(request: SentRequest, tokens: readonly string[]): string[] {
  const open = new Set([...request.publicWords()].map((word) => word.toLowerCase()));
  const texts = [...tokens, ...sentTexts(request)].map((text) => text.trim().replace(/\s+/g, ' '));
  const secret = texts.filter(
    (text) => text.length > 3 && text.length <= longest && !open.has(text.toLowerCase()),
  );
  return [...new Set(secret.flatMap(formsOf))].sort((one, other) => other.length - one.length);
}

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

/** Headers with the service's own id of a request, the most specific first. */
const traceHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'];

/** The service's own id of the request, or undefined. One that contains what was sent is not shown. */
export function traceIdOf(
  headers: Headers,
  request: SentRequest,
  tokens: readonly string[],
): string | undefined {
  const id = traceHeaders
    .map((name) => headers.get(name) ?? '')
    .find((text) => /^[\w.:/+=@-]{1,128}$/.test(text));
  if (id === undefined) return undefined;
  return secretsOf(request, tokens).some((secret) => patternOf(secret).test(id)) ? undefined : id;
}
