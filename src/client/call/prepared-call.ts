import type { PaymentsError } from '../../shared/errors/index.ts';
import type { AskedCall } from '../../shared/outcome/operation.ts';
import type { Outcome } from '../../shared/outcome/outcome.ts';
import { isRecord, jsonIn } from '../../shared/values.ts';
import type { WireRequest, WireResponse } from '../wire/wire.ts';
import type { Credentials } from './credentials.ts';
import type { JudgedResponse, ResponseJudge } from './judge.ts';
import type { KeyMark } from './open-keys.ts';
import type { RetrySettings } from './request-options.ts';
import type { RetrySafety } from './types.ts';

/** The facts of a call that its errors tell. They are known before anything of the call is checked. */
export interface CallFacts {
  readonly operation: string;
  readonly safety: RetrySafety;
  readonly requestId: string | undefined;
  /** True if the call moves money, as far as this package can tell. */
  readonly isPayment: boolean;
  /** True if the caller says that an earlier call may have been made. */
  readonly inDoubt: boolean;
  /** The mark of the call under its key; undefined without a key. */
  readonly mark: KeyMark | undefined;
}

/** A call with everything resolved: each attempt sends the same bytes. */
export interface PreparedCall<T = unknown> extends CallFacts {
  readonly method: string;
  readonly template: string;
  readonly origin: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireRequest['body'];
  /** The facts by which its responses are read. */
  readonly asked: AskedCall;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: number | undefined;
  readonly retries: RetrySettings;
  readonly signal: AbortSignal | undefined;
  /** Judges responses of a successful status. */
  readonly judge: ResponseJudge<T>;
}

/** The facts of a call when one of its attempts fails. */
export interface CallContext {
  readonly call: PreparedCall;
  readonly attempts: number;
  /** True once the current attempt was passed to the network. */
  readonly sent: boolean;
  /** Set outside of attempts: in the `wait` for the next attempt, and in the `check` of a response by the caller's schema. */
  readonly during?: 'wait' | 'check' | undefined;
  /** What the attempts before this one came to, joined. */
  readonly before: Outcome | undefined;
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

/** A response that did what was asked, and what it took to get it. */
export interface ReceivedResponse<T> {
  readonly answer: WireResponse;
  readonly judged: JudgedResponse<T>;
  readonly url: string;
  readonly attempts: number;
  /** The error for a response that departs from its schema; tells the watchers of it. */
  readonly departure: () => PaymentsError;
}
