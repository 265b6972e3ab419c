import type { PaymentsError } from '../../errors/index.ts';
import { type Finding, strongerOf } from '../../evidence/evidence.ts';
import type { RunningCall } from '../../evidence/key-memory.ts';
import type { RefusalNames } from '../../evidence/refusal.ts';
import type { Credentials } from '../attempt/credentials.ts';
import { monotonicNow, type Sleep } from '../attempt/time-limits.ts';
import type { WireRequest, WireResponse } from '../attempt/wire.ts';
import type { AttemptEvent } from '../hooks/events.ts';
import type { RetrySettings } from '../request/options.ts';
import type { JudgedResponse, ResponseJudge } from '../response/judge.ts';
import type { RetrySafety } from '../types.ts';

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
  /** Whether the call moves money, as far as this package can tell. */
  readonly isPayment: boolean;
  readonly refusals: RefusalNames;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: number | undefined;
  readonly retries: RetrySettings;
  readonly sleep: Sleep | undefined;
  readonly signal: AbortSignal | undefined;
  readonly maxResponseBytes: number;
  /** Judges responses of a successful status. */
  readonly judge: ResponseJudge<T>;
}

/** What is known of a call when one of its attempts fails. */
export interface CallContext {
  readonly call: PreparedCall;
  readonly attempts: number;
  /** Whether the current attempt got as far as the network. */
  readonly sent: boolean;
  /** Whether the call waits for its next attempt. */
  readonly isWaiting?: boolean;
  /** What the attempts before this one came to. */
  readonly before: Finding | undefined;
  /** The tokens that were sent. */
  readonly secrets: readonly string[];
}

/** One attempt's response that did what was asked. */
export interface Success<T> {
  readonly answer: WireResponse;
  readonly judged: JudgedResponse<T>;
}

/** A successful response, and what it took to get it. */
export interface ReceivedResponse<T> extends Success<T> {
  readonly url: string;
  readonly attempts: number;
  /** The error for a response that departs from its schema; tells the watchers of it. */
  readonly departure: () => PaymentsError;
}

let calls = 0;

/** What is known of a call while its attempts run. */
export class CallState {
  readonly token: CallToken;
  readonly #call: PreparedCall;
  readonly #number = ++calls;
  #attempts = 0;
  /** Whether the current attempt got as far as the network. */
  #sent = false;
  #found: Finding | undefined;
  #startedAt = 0;

  constructor(call: PreparedCall) {
    this.#call = call;
    this.token = new CallToken(call.credentials);
  }

  /** How many attempts reached the network. */
  get attempts(): number {
    return this.#attempts;
  }

  /** Whether an earlier attempt may have been carried out. */
  get ambiguous(): boolean {
    return this.#found === 'open';
  }

  /** What the attempts have come to so far. */
  get found(): Finding {
    return this.#found ?? 'not-reached';
  }

  /** Milliseconds since the current attempt started. */
  get duration(): number {
    return monotonicNow() - this.#startedAt;
  }

  /** An attempt starts; its token is still to come. */
  startAttempt(): void {
    this.#sent = false;
    this.#startedAt = monotonicNow();
  }

  /** The attempt goes onto the network. */
  markSent(): void {
    this.#sent = true;
    this.#attempts += 1;
  }

  /** Remembers what a failed attempt came to, for the later ones and for other calls with the same key. */
  note(finding: Finding): void {
    this.#found = strongerOf(this.#found, finding);
    this.#call.key?.note(finding);
  }

  /** What an error may tell of the call. */
  context(): CallContext {
    return {
      call: this.#call,
      attempts: this.#attempts,
      sent: this.#sent,
      before: this.#found,
      secrets: this.token.secrets,
    };
  }

  /** What a hook may know of the current attempt. */
  event(): AttemptEvent {
    const { operation, method, template, origin, requestId } = this.#call;
    return {
      operation,
      method,
      urlTemplate: template,
      origin,
      attempt: this.#attempts,
      call: this.#number,
      requestId,
    };
  }
}

/** The access token of one call: the one in use, and the single replacement that a 401 allows. */
export class CallToken {
  readonly #credentials: Credentials;
  readonly #used = new Set<string>();
  #current: string | undefined;
  /** The token to replace before the next attempt. */
  #refused: string | undefined;
  #replaced = false;

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** The token for the attempt that starts now; no promise where it is there already. */
  get(): string | Promise<string> {
    const credentials = this.#credentials;
    const token = this.#refused === undefined ? credentials.current() : credentials.replace(this.#refused);
    return typeof token === 'string' ? this.#use(token) : token.then((text) => this.#use(text));
  }

  /** After a 401: whether the next attempt gets a fresh token. A refusal is no failure, so it costs no retry. */
  replaceAfter(error: PaymentsError): boolean {
    if (this.#replaced || error.code !== 'authentication' || !this.#credentials.renewable) return false;
    this.#replaced = true;
    this.#refused = this.#current;
    return true;
  }

  /** The tokens, which no message may contain. */
  get secrets(): readonly string[] {
    return [...this.#used];
  }

  #use(token: string): string {
    this.#used.add(token);
    this.#current = token;
    this.#refused = undefined;
    return token;
  }
}

/** What is kept of a call that failed, so that it can be settled later. */
export interface FailedCall {
  readonly safety: RetrySafety;
  /** What was sent, to compare a record with. */
  readonly sent: {
    readonly url: string;
    readonly body: unknown;
  };
  /** What this process has seen of the idempotency key; undefined if nothing, or if the call had no key. */
  readonly recall: () => Finding | undefined;
  /** Sends the same bytes once more, in one attempt. Gives the record; rejects with a PaymentsError. */
  readonly again: (limits: { deadline: number; signal: AbortSignal | undefined }) => Promise<unknown>;
}

/** Beside the errors and not on them: a body must appear in no printed form. It goes when the error goes. */
const failedCalls = new WeakMap<PaymentsError, FailedCall>();

/** Keeps the call of an error. */
export function rememberFailedCall(error: PaymentsError, call: FailedCall): void {
  failedCalls.set(error, call);
}

/** The call of an error, where this copy of the package made it in this process. */
export const failedCallOf = (error: PaymentsError): FailedCall | undefined => failedCalls.get(error);
