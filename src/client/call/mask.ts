import { type SentRequest, sentTexts } from './prepared-call.ts';

/** Stands for what a mask hides. */
export const redacted = '[redacted]';

/** Characters of a sentence that are shown, and that are read: a cut must not leave half of a secret. */
const shown = 300;
const longest = 1_000;

/** Makes the words of a service fit to be shown: without what was sent, and without what looks like a secret. */
export interface Mask {
  /**
   * Returns a text as one line, without what was sent, tokens, e-mail addresses, URLs with queries, and runs of five
   * digits or more. Dates stay. Undefined where nothing can be shown. It never throws: a mask must not cost the error.
   */
  words(text: string): string | undefined;
  /** Returns true if a text is a part of something that was sent. */
  wasSent(text: string): boolean;
}

/** Returns the mask of a request, with the tokens that were sent. */
export function maskOf(request: SentRequest, tokens: readonly string[]): Mask {
  let sent: readonly string[] | undefined;
  const sentOnce = () => {
    sent ??= [...tokens, ...sentTexts(request)];
    return sent;
  };
  let secrets: readonly RegExp[] | undefined;
  return {
    words(text) {
      try {
        if (text.length > longest) return undefined;
        secrets ??= secretsIn(sentOnce()).map(patternOf);
        return withoutSecrets(text, secrets);
      } catch {
        return undefined;
      }
    },
    wasSent: (text) => sentOnce().some((one) => one.includes(text)),
  };
}

function withoutSecrets(text: string, secrets: readonly RegExp[]): string | undefined {
  let masked = text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '');
  for (const secret of secrets) masked = masked.replaceAll(secret, redacted);
  masked = masked
    .replace(/\b(?:Bearer|Basic) (\S+)/gi, (found, credential: string) =>
      looksSecret(credential) ? redacted : found,
    )
    .replace(/\beyJ[\w-]+\.[\w.-]+/g, redacted)
    .replace(/\b[a-z][a-z\d+.-]*:\/\/\S*[?#@]\S*/gi, redacted)
    .replace(/[^\s<>"'(),;]+@[^\s<>"'(),;]+/g, redacted);
  masked = betweenDates(masked, (part) =>
    part.replace(/\p{Nd}(?:[\s.\-_/\u2013]?\p{Nd}){4,}/gu, redacted),
  ).trim();
  if (masked.replaceAll(redacted, '').replace(/[^\p{L}\p{N}]/gu, '') === '') return undefined;
  return masked.length > shown ? `${masked.slice(0, shown - 1)}…` : masked;
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

/** What was sent, as it is and as a URL or HTML writes it; the longest first, so that a part does not break up the whole. */
function secretsIn(sent: readonly string[]): string[] {
  const texts = sent.map((text) => text.trim().replace(/\s+/g, ' '));
  const secret = texts.filter((text) => text.length > 3 && text.length <= longest);
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
  const secrets = secretsIn([...tokens, ...sentTexts(request)]);
  return secrets.some((secret) => patternOf(secret).test(id)) ? undefined : id;
}
