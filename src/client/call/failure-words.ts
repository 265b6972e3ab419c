import type { ResponseIssue } from '../../shared/errors/index.ts';
import type { Proof } from '../../shared/outcome/proof.ts';
import { isOfDecoder } from '../wire/content-encoding.ts';
import type { WireFailure, WireResponse } from '../wire/wire.ts';
import { maskOf } from './mask.ts';
import type { PreparedCall } from './prepare.ts';
import { shownWordsOf } from './service-words.ts';

// The parts of the messages of `failure.ts`.

/** Joins the sentences of a message, without the empty ones. */
export const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ');

/** The host that was called, with its port. */
export const hostOf = ({ origin }: PreparedCall): string => new URL(origin).host;

export const askForNoEncoding = "Ask for none with the option `headers: { 'accept-encoding': 'identity' }`.";

export const bodyKept = '`error.body` has the response.';

/** The end of a sentence about a response in an encoding that nobody could undo. A header can say anything. */
function encodedIn(encodings: string, call: PreparedCall, tokens: readonly string[]): string {
  const isWord = /^[a-z\d-]{1,20}(?:, ?[a-z\d-]{1,20}){0,4}$/i.test(encodings);
  const name = isWord ? maskOf(call, tokens).words(encodings) : undefined;
  const shown = name === undefined ? 'a content encoding' : `the content encoding \`${name}\``;
  return `has ${shown} that could not be undone`;
}

/** What was lost of a success whose body was cut, may have been, or is not in the encoding that its headers name. */
export function wordsOfCut(
  { kind, status, headers, caught }: WireFailure,
  call: PreparedCall,
  tokens: readonly string[],
): { readonly what: string; readonly next: string } {
  const encodings = kind === 'empty' || isOfDecoder(caught) ? headers.get('content-encoding') : null;
  const next = encodings === null ? '' : askForNoEncoding;
  if (kind === 'empty')
    return {
      what: `the body of the response (HTTP ${status}) is empty, and nothing shows that it arrived whole`,
      next,
    };
  const what =
    encodings === null
      ? `connection to ${hostOf(call)} closed before the response was complete (HTTP ${status})`
      : `the response (HTTP ${status}) ${encodedIn(encodings, call, tokens)}`;
  return { what, next };
}

export const describeIssues = (issues: readonly ResponseIssue[]): string =>
  issues
    .slice(0, 5)
    .map(({ path, code }) => `${path === '' ? 'body' : `\`${path}\``}: ${code}`)
    .join(', ');

/** Says why a 2xx does not prove the call. */
export function whyUnproven(
  { issue }: Proof,
  { encodings }: WireResponse,
  call: PreparedCall,
  tokens: readonly string[],
): string {
  if (encodings !== undefined) return encodedIn(encodings, call, tokens);
  if (issue?.code === 'schema' || issue?.code === 'schema_failed') return 'does not pass your `schema`';
  return call.operation.retrySafety === 'read' ? 'cannot be used' : 'does not prove the request';
}

/**
 * What a service said in a response that refuses the request, and what to do next.
 *
 * @param retryAfter - Milliseconds that the service asked to wait.
 */
export function wordsOfRefusal(
  { status, encodings }: WireResponse,
  body: unknown,
  remedy: Proof['remedy'],
  isKnownKey: boolean,
  retryAfter: number | undefined,
  call: PreparedCall,
  tokens: readonly string[],
): { readonly said: string; readonly next: string } {
  const { said, name, fields, number } = shownWordsOf(body, maskOf(call, tokens));
  const next = sentences(
    isKnownKey ? '' : nextStep(status, retryAfter, name),
    status === 404 ? call.operation.ifNotFound : '',
    remedyFor(remedy, name),
    fieldList(fields),
    encodings === undefined ? '' : `The body ${encodedIn(encodings, call, tokens)}. ${askForNoEncoding}`,
    number === undefined ? '' : `Service code: ${number}.`,
  );
  return { said: said === '' ? '' : `: ${said}`, next };
}

function nextStep(status: number, retryAfter = 0, name = ''): string {
  // A browser shows the redirect that it did not follow as status 0.
  const isSuccess = status >= 200 && status <= 299;
  if (status < 400) return isSuccess ? '' : 'Check the base address: redirects are never followed.';
  if (status === 401) return 'Check `accessToken`.';
  // A name in capitals is the service's own: the path was right.
  if (status === 404 && !/^[A-Z][A-Z\d_]*$/.test(name))
    return 'If other calls fail with 404, too, check the path of `baseUrl`.';
  if (retryAfter > 0) return `The service asks to wait ${Math.ceil(retryAfter / 1000)} s.`;
  return status === 429 ? 'Try again later.' : '';
}

/** How to settle a refusal that the client cannot read. A name that means "exists" must never be led into `sure`. */
export function remedyFor(remedy: Proof['remedy'], name: string | undefined): string {
  if (remedy === undefined) return '';
  if (remedy === 'schema')
    return 'A number from 400 in `status` or `statusCode` counts as an error. If the record has such a field, give the request a `schema` that the record passes.';
  const byFunction = 'a function as the option `refusals` can tell what it means.';
  if (name === undefined) return `The body has no name: ${byFunction}`;
  if (remedy === 'function') return `\`${name}\`: ${byFunction}`;
  const known = 'to `refusals.known` if the service had seen the request.';
  return remedy === 'known'
    ? `\`${name}\`: add it ${known}`
    : `\`${name}\`: add it to \`refusals.sure\` only if nothing was made, ${known}`;
}

/** The fields that the service names, without what it says of them. */
function fieldList(fields: readonly string[]): string {
  if (fields.length === 0) return '';
  const more = fields.length > 10 ? ` and ${fields.length - 10} more` : '';
  return `Fields: ${fields.slice(0, 10).join(', ')}${more}.`;
}
