import { maskText, secretsIn } from '../../shared/mask-text.ts';
import { type SentRequest, sentTexts } from './prepared-call.ts';

/** Makes the words of a service fit to be shown: without what was sent, and without what looks like a secret. */
export interface Mask {
  /** Returns a text as `maskText` does, without what was sent. */
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
  const secretsOnce = () => {
    secrets ??= secretsIn(sentOnce());
    return secrets;
  };
  return {
    words: (text) => maskText(text, secretsOnce),
    wasSent: (text) => sentOnce().some((one) => one.includes(text)),
  };
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
  return secrets.some((secret) => secret.test(id)) ? undefined : id;
}
