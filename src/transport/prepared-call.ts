import type { Finding, PaymentsError } from '../errors/index.ts';
import type { Refusals, RefusedCall } from '../evidence/error-response.ts';
import type { RunningCall } from '../evidence/key-memory.ts';
import { isRecord, jsonIn } from '../shared/values.ts';
import type { Credentials } from './credentials.ts';
import type { JudgedResponse, ResponseJudge } from './judge.ts';
import type { RetrySettings } from './request-options.ts';
import type { RetrySafety } from './types.ts';
import type { WireRequest, WireResponse } from './wire.ts';

/** A call with everything resolved: each attempt sends the same bytes. */
export interface PreparedCall<T = unknown> {
  readonly operation: string;
  readonly method: string;
  readonly template: string;
  readonly safety: RetrySafety;
  readonly origin: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireRequest['body'];
  readonly requestId: string | undefined;
  /** The call in the memory of its key; undefined without a key. */
  readonly key: RunningCall | undefined;
  /** True if the call moves money, as far as this package can tell. */
  readonly isPayment: boolean;
  /** True for a decision about an approval. */
  readonly isDecision: boolean;
  /** True if the caller says that an earlier call with this key may have been made. */
  readonly inDoubt: boolean;
  readonly refusals: Refusals;
  /** Returns the names of the service's fields and the values of its enums, which are no secrets. */
  readonly publicWords: () => ReadonlySet<string>;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: number | undefined;
  readonly retries: RetrySettings;
  readonly signal: AbortSignal | undefined;
  readonly maxResponseBytes: number;
  /** Judges responses of a successful status. */
  readonly judge: ResponseJudge<T>;
}

/** The facts of a call when one of its attempts fails. */
export interface CallContext {
  readonly call: PreparedCall;
  readonly attempts: number;
  /** True once the current attempt was passed to the network. */
  readonly sent: boolean;
  /** Set outside of attempts: in the `wait` for the next one, and in the `check` of a response by the caller's schema. */
  readonly during?: 'wait' | 'check' | undefined;
  /** The strongest finding of the attempts before this one. */
  readonly before: Finding | undefined;
  /** The tokens that were sent. */
  readonly tokens: readonly string[];
}

/** A request, as far as its values may come back in the words of the service. */
export interface SentRequest {
  readonly url: string;
  /** The path with its placeholders unfilled. */
  readonly template: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Returns the names of the service's fields and the values of its enums, which are no secrets. */
  readonly publicWords: () => ReadonlySet<string>;
}

const ownHeaders: readonly string[] = ['accept', 'content-type', 'user-agent'];

/** Collects the texts that were sent: in the path, the query, the headers and the body. */
export function sentTexts({ url, template, headers, body }: SentRequest): string[] {
  const { pathname, searchParams } = new URL(url);
  const segments = pathname.split('/');
  const places = template.split('/');
  const inPath = places.flatMap((place, index) =>
    place.includes('{') ? [segments[segments.length - places.length + index] ?? ''] : [],
  );
  const inHeaders = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name));
  const texts = [
    ...inPath.flatMap(withDecoded),
    ...searchParams.values(),
    ...inHeaders.map(([, text]) => text),
  ];
  const sent = typeof body === 'string' ? (jsonIn(body) ?? body) : body;
  // A form is lines of text; its values stand in lines of their own.
  if (sent instanceof Uint8Array) texts.push(...new TextDecoder().decode(sent).split(/[\r\n]+/));
  else collect(sent, texts);
  return texts;
}

function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, texts);
  else if (isRecord(value)) for (const item of Object.values(value)) collect(item, texts);
}

function withDecoded(segment: string): string[] {
  try {
    return [segment, decodeURIComponent(segment)];
  } catch {
    return [segment];
  }
}

/** Returns the facts by which a refusal of a call is read. */
export const refusedCall = (call: PreparedCall): RefusedCall => ({
  operation: call.operation,
  isRead: call.safety === 'read',
  isDecision: call.isDecision,
  refusals: call.refusals,
  sentTexts: () => sentTexts(call),
});

/** A response that did what was asked, and what it took to get it. */
export interface ReceivedResponse<T> {
  readonly answer: WireResponse;
  readonly judged: JudgedResponse<T>;
  readonly url: string;
  readonly attempts: number;
  /** The error for a response that departs from its schema; tells the watchers of it. */
  readonly departure: () => PaymentsError;
}
