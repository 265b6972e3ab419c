import {
  maskText,
  maxLength,
  redacted,
  type Secret,
  secretsIn,
  withoutSecrets,
} from '../../shared/mask-text.ts';
import { isOpenValue } from '../../shared/open-fields.ts';
import { isRecord, jsonIn } from '../../shared/values.ts';
import type { PreparedCall } from './prepare.ts';

const ownHeaders: readonly string[] = ['accept', 'content-type', 'user-agent'];

/**
 * Collects the texts that were sent: in the path, the query, the headers and the body. Words of closed lists and ids of the
 * service are none of them.
 */
function sentTexts({ url, template, headers, body }: Parameters<typeof maskOf>[0]): string[] {
  const { pathname, searchParams } = new URL(url);
  const segments = pathname.split('/');
  const places = template.split('/');
  const texts: string[] = [];
  for (const [index, place] of places.entries()) {
    const segment = segments[segments.length - places.length + index] ?? '';
    if (place.includes('{')) collect(withDecoded(segment), texts, place.replace(/[{}]/g, ''));
  }
  for (const [name, text] of searchParams) collect(text, texts, name);
  for (const [name, text] of Object.entries(headers)) if (!ownHeaders.includes(name)) texts.push(text);
  const sent = typeof body === 'string' ? (jsonIn(body) ?? body) : body;
  // A form is lines of text; its values stand in lines of their own.
  if (sent instanceof Uint8Array) return [...texts, ...new TextDecoder().decode(sent).split(/[\r\n]/)];
  collect(sent, texts);
  return texts;
}

function collect(value: unknown, texts: string[], field = ''): void {
  if (typeof value === 'string' && !isOpenValue(field, value)) texts.push(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, texts, field);
  else if (isRecord(value)) for (const [name, item] of Object.entries(value)) collect(item, texts, name);
}

function withDecoded(segment: string): string[] {
  try {
    return [segment, decodeURIComponent(segment)];
  } catch {
    return [segment];
  }
}

/** Makes the words of a service fit to be shown: without what was sent, and without what looks like a secret. */
export interface Mask {
  /** Returns a text as `maskText` does, without what was sent. */
  words(text: string): string | undefined;
  /** Returns true if a text is a part of something that was sent. */
  wasSent(text: string): boolean;
}

/** Returns the mask of a call, with the tokens that were sent. */
export function maskOf(
  call: Pick<PreparedCall, 'url' | 'template' | 'headers' | 'body'>,
  tokens: readonly string[],
): Mask {
  let sent: readonly string[] | undefined;
  const sentOnce = () => {
    sent ??= [...tokens, ...sentTexts(call)];
    return sent;
  };
  let secrets: readonly Secret[] | undefined;
  const secretsOnce = () => {
    secrets ??= secretsIn(sentOnce());
    return secrets;
  };
  return {
    // A pattern that runs over millions of characters may need more stack than there is.
    words: (text) =>
      text.length > maxLength ? undefined : maskText(withoutPartsOf(tokens, text), secretsOnce),
    wasSent: (text) => sentOnce().some((one) => one.includes(text)),
  };
}

/** Some services show the beginning, or the end, of the token that they refuse. */
const withoutPartsOf = (tokens: readonly string[], text: string): string =>
  text.replaceAll(/[\w.~+/=-]{8,}/g, (run) =>
    tokens.some((token) => token.toLowerCase().includes(run.toLowerCase())) ? redacted : run,
  );

/** Headers with the service's own id of a request, the most specific first. */
const traceHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'cf-ray'];

/** The service's own id of the request, or undefined. One that contains what was sent is not shown. */
export function traceIdOf(
  headers: Headers,
  call: Parameters<typeof maskOf>[0],
  tokens: readonly string[],
): string | undefined {
  const id = traceHeaders
    .map((name) => headers.get(name) ?? '')
    .find((text) => /^[\w.:/+=@-]{1,128}$/.test(text));
  if (id === undefined) return undefined;
  const secrets = secretsIn([...tokens, ...sentTexts(call)]);
  return withoutSecrets(id, secrets) === id ? id : undefined;
}
