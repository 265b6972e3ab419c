const mask = '[redacted]';

/** Characters that are shown, and that are read: a cut must not leave half of a secret. */
const shown = 300;
const longest = 1_000;

/**
 * A text of other code, fit to be logged: one line, without `secrets`, tokens, e-mail addresses, URLs and runs of five
 * digits or more. Undefined where nothing can be shown. It never throws: a mask must not cost the error itself.
 */
export function maskText(words: string, secrets: readonly string[]): string | undefined {
  try {
    if (words.length > longest) return undefined;
    const masked = withoutSecrets(oneLine(words), secrets)
      .replace(/\b(?:Bearer|Basic) \S+/gi, mask)
      .replace(/\beyJ[\w-]+\.[\w.-]+/g, mask)
      .replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, mask)
      .replace(/[^\s<>"'(),;]+@[^\s<>"'(),;]+/g, mask)
      .replace(/\p{Nd}(?:[\s.\-_/\u2013]?\p{Nd}){4,}/gu, mask)
      .trim();
    if (masked === '') return undefined;
    return masked.length > shown ? `${masked.slice(0, shown - 1)}…` : masked;
  } catch {
    return undefined;
  }
}

/** A text in one line, without characters that a terminal obeys. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, '');

/** A text without the secrets of four characters or more, in any case. The longest first: a part must not break up the whole. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const long = [...new Set(secrets.map((secret) => secret.trim().replace(/\s+/g, ' ')))]
    .filter(({ length }) => length > 3 && length <= longest)
    .sort((one, other) => other.length - one.length);
  return long.reduce((rest, secret) => rest.replaceAll(patternOf(secret), mask), text);
}

/** A word is searched for as a whole, so that `Anna` leaves `Annals` alone. */
function patternOf(secret: string): RegExp {
  const isWord = /^[\p{L}\p{M}]+$/u.test(secret);
  const escaped = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(isWord ? `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])` : escaped, 'giu');
}
