import type { Finding, PaymentsError } from '../errors/index.ts';
import type { Refusals, RefusedCall } from '../evidence/error-response.ts';
import type { RunningCall } from '../evidence/key-memory.ts';
import { isRecord, jsonIn } from '../shared/values.ts';
import type { Credentials } from './credentials.ts';
import type { JudgedResponse, ResponseJudge } from './judge.ts';
import type { Sleep } from './limits.ts';
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
  readonly sleep: Sleep | undefined;
  readonly signal: AbortSignal | undefined;
  /** The finding of the call that this one sends again; undefined for a new call. */
  readonly before?: Finding;
  /** Judges responses of a successful status. */
  readonly judge: ResponseJudge<T>;
}

/** The facts of a call when one of its attempts fails. */
export interface CallContext {
  readonly call: PreparedCall;
  readonly attempts: number;
  /** True once the current attempt was passed to the network. */
  readonly sent: boolean;
  /**
   * Set outside of attempts: in the `queue`, where other calls take all places (`maxConcurrency`), in the `wait` for the
   * next attempt, and in the `check` of a response by the caller's schema.
   */
  readonly during?: 'queue' | 'wait' | 'check' | undefined;
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

/** The parts of a failed call that are kept, so that it can be resolved later. */
export interface FailedCall {
  readonly safety: RetrySafety;
  /** The call that was sent, to compare a record with. */
  readonly sent: PreparedCall;
  /** Returns this process's finding for the idempotency key; undefined if there is none, or if the call had no key. */
  readonly recall: () => Finding | undefined;
  /**
   * Sends the same bytes once more, in one attempt. Gives the record; rejects with a PaymentsError. Undefined for a call
   * that was refused before it began.
   */
  readonly again?: (limits: { deadline: number; signal: AbortSignal | undefined }) => Promise<unknown>;
}

/** Not on the errors: a body must not be printed. An entry is collected together with its error. */
const failedCalls = new WeakMap<PaymentsError, FailedCall>();

/** Keeps the call of an error. */
export function rememberFailedCall(error: PaymentsError, call: FailedCall): void {
  failedCalls.set(error, call);
}

/** The call of an error, where this copy of the package made it in this process. */
export const failedCallOf = (error: PaymentsError): FailedCall | undefined => failedCalls.get(error);
