import { peek } from '../../shared/errors/foreign-values.ts';
import {
  APIError,
  ConfigurationError,
  isPaymentsError,
  type PaymentsError,
} from '../../shared/errors/index.ts';
import { joined, type Outcome } from '../../shared/outcome/outcome.ts';
import { type Cancellation, type Wire, WireFailure, WireResponse } from '../wire/wire.ts';
import {
  type CallContext,
  departureError,
  type FailedAttempt,
  failedByStatus,
  failedBySuccess,
  failedByThrow,
  type LostBody,
  unexpectedError,
} from './failure.ts';
import { sendableHeaders } from './headers.ts';
import type { AttemptEvent, Watchers } from './hooks.ts';
import { type JudgedResponse, judge } from './judge.ts';
import { Interrupted, TimeLimits } from './limits.ts';
import { traceIdOf } from './mask.ts';
import type { PreparedCall } from './prepare.ts';
import { mayRepeat, waitBeforeRetry } from './retry.ts';

/** A response that did what was asked, and what it took to get it. */
export interface ReceivedResponse<T> {
  readonly answer: WireResponse;
  readonly judged: JudgedResponse<T>;
  readonly url: string;
  readonly attempts: number;
  /** The error for a response without an essential field, for whoever reads its data. */
  readonly departure: PaymentsError | undefined;
}

let calls = 0;

type Attempted<T> = Pick<ReceivedResponse<T>, 'answer' | 'judged' | 'departure'> | FailedAttempt;

/** Runs one call: its attempts under its limits, until it succeeds, is refused, or runs out of tries or time. */
export class CallRun<T> {
  readonly #call: PreparedCall<T>;
  readonly #wire: Wire;
  readonly #watchers: Watchers;
  readonly #limits: TimeLimits;
  readonly #number = ++calls;
  /** The number of attempts that reached the network. */
  #attempts = 0;
  /** True once the current attempt was passed to the network. */
  #sent = false;
  /** What the attempts came to, joined. */
  #outcome: Outcome | undefined;
  #startedAt = performance.now();
  /** The tokens that were sent, the last one at the end. */
  #tokens: readonly string[] = [];
  /** The token to replace before the next attempt. */
  #refused: string | undefined;
  #replaced = false;
  /** True once the signal of a framework was let through. */
  #hasPassedSignal = false;

  constructor(call: PreparedCall<T>, wire: Wire, watchers: Watchers) {
    this.#call = call;
    this.#wire = wire;
    this.#watchers = watchers;
    this.#limits = new TimeLimits(call.signal, call.deadline?.remaining);
  }

  /** Ends with a response, a PaymentsError, or the signal of a framework. */
  async run(): Promise<ReceivedResponse<T>> {
    const { url, mark } = this.#call;
    try {
      for (let retry = 0; ; ) {
        const result = await this.#attempt();
        if ('judged' in result) {
          this.#note('succeeded');
          return { ...result, url, attempts: this.#attempts };
        }
        this.#note(result.outcome);
        const isFree = this.#replacesToken(result);
        const wait = isFree ? 0 : this.#waitBefore(retry, result);
        if (wait === undefined) throw this.#failure(result.error);
        if (!isFree) retry += 1;
        this.#tellOfRetry(wait, result.error);
        await this.#pause(wait);
      }
    } catch (thrown) {
      if (isPaymentsError(thrown) || this.#hasPassedSignal) throw thrown;
      // An error that nothing here expects proves nothing.
      const error = unexpectedError(thrown, this.#context());
      this.#note('unknown');
      throw this.#failure(error);
    } finally {
      this.#limits.dispose();
      mark?.settle(this.#outcome ?? 'unknown');
    }
  }

  /** Returns the facts for an error of the call. */
  #context(during?: CallContext['during']): CallContext {
    return {
      call: this.#call,
      attempts: this.#attempts,
      sent: this.#sent,
      during,
      before: this.#outcome,
      tokens: this.#tokens,
    };
  }

  /** Makes one attempt: a response that did what was asked, or the failure in this package's terms. */
  async #attempt(): Promise<Attempted<T>> {
    const call = this.#call;
    this.#sent = false;
    this.#startedAt = performance.now();
    let answer: WireResponse;
    let lost: LostBody | undefined;
    try {
      answer = await this.#limits.attempt(call.timeout, (cancellation) => this.#send(cancellation));
    } catch (thrown) {
      this.#passSignal(thrown);
      lost = lostBodyOf(thrown);
      if (lost === undefined || !(thrown instanceof WireFailure))
        return failedByThrow(thrown, this.#context());
      answer = new WireResponse(thrown.status, thrown.headers, '');
    } finally {
      this.#limits.endAttempt();
    }
    if (!isSuccess(answer.status)) {
      this.#tellOfResponse(answer, false);
      return failedByStatus(answer, this.#context(), Date.now(), lost);
    }
    const judging = judge(call, answer);
    const judged = judging instanceof Promise ? await this.#checked(judging) : judging;
    const failed =
      judged.proof.outcome === 'succeeded' ? undefined : failedBySuccess(answer, judged, this.#context());
    if (failed !== undefined) {
      this.#tellOfResponse(answer, false);
      return failed;
    }
    const departure = judged.fatal.length === 0 ? undefined : departureError(this.#context(), answer, judged);
    // Who reads the response itself does not see it. Told at once: the data may never be read.
    const isFailure = departure !== undefined && !call.reading.isTaken;
    this.#tellOfResponse(answer, !isFailure);
    if (isFailure) this.#failure(departure);
    // Headers are made when they are first read, which costs.
    return { answer, judged, departure };
  }

  /**
   * Lets the signal of a framework through, such as a redirect or a dynamic page: an error with a text `digest` that the
   * token function, or the platform's `fetch`, throws before any response. After `fetch` the request may have been sent.
   */
  #passSignal(thrown: unknown): void {
    const caught =
      !this.#sent && thrown instanceof ConfigurationError
        ? thrown.originalError
        : thrown instanceof WireFailure && thrown.kind === 'signal'
          ? thrown.caught
          : undefined;
    const isFirst = this.#attempts === (this.#sent ? 1 : 0);
    if (!isFirst || typeof peek(caught, 'digest') !== 'string') return;
    // Who was told of the request is told how it ended.
    if (this.#sent) this.#failure(failedByThrow(thrown, this.#context()).error);
    this.#note(this.#sent ? 'unknown' : 'not-sent');
    this.#hasPassedSignal = true;
    throw caught;
  }

  #send(cancellation: Cancellation): Promise<WireResponse> {
    const token = this.#call.credentials.token(this.#refused);
    return typeof token === 'string'
      ? this.#sendWith(token, cancellation)
      : token.then((late) => this.#sendWith(late, cancellation));
  }

  #sendWith(token: string, cancellation: Cancellation): Promise<WireResponse> {
    const { url, method, body } = this.#call;
    // The limit may have run out while the token was on its way: nothing may be sent any more.
    if (cancellation.cancelled) throw new Interrupted('aborted');
    this.#sent = true;
    this.#attempts += 1;
    this.#refused = undefined;
    if (this.#tokens.at(-1) !== token) this.#tokens = [...this.#tokens, token];
    const headers: Record<string, string> = { ...this.#call.headers, authorization: `Bearer ${token}` };
    if (!this.#watchers.idle) this.#addFromHooks(headers);
    return this.#wire({ url, method, headers, body, cancellation });
  }

  #addFromHooks(headers: Record<string, string>): void {
    const event = this.#event();
    this.#watchers.request(event, (added) => {
      for (const [name, value] of Object.entries(sendableHeaders(added)))
        if (!carriesKey(name, headers, event.requestId)) headers[name] = value;
    });
  }

  /** Waits for a check of the caller's, such as an asynchronous schema, within the call's deadline and signal. */
  async #checked<Checked>(work: Promise<Checked>): Promise<Checked> {
    try {
      return await this.#limits.within(work);
    } catch (thrown) {
      if (!(thrown instanceof Interrupted)) throw thrown;
      const { error, outcome } = failedByThrow(thrown, this.#context('check'));
      this.#note(outcome);
      throw this.#failure(error);
    }
  }

  /** Milliseconds before the next attempt; undefined if there is none. */
  #waitBefore(retry: number, { repeat, retryAfter }: FailedAttempt): number | undefined {
    const { safety, retries } = this.#call;
    const isLeft = retry < retries.limit;
    if (!isLeft || !mayRepeat(safety, repeat)) return undefined;
    const wait = waitBeforeRetry(retry, retryAfter, retries);
    return wait === undefined || wait >= this.#limits.remaining ? undefined : wait;
  }

  /** Waits for the next attempt. A wait that is cut short leaves the money where the last attempt left it. */
  async #pause(wait: number): Promise<void> {
    try {
      await this.#limits.sleep(wait);
    } catch (thrown) {
      throw this.#failure(failedByThrow(thrown, this.#context('wait')).error);
    }
  }

  /** After a 401: whether the next attempt gets a fresh token. A refused token does not count as a retry. */
  #replacesToken({ isTokenRefused }: FailedAttempt): boolean {
    if (this.#replaced || isTokenRefused !== true || !this.#call.credentials.renewable) return false;
    this.#replaced = true;
    this.#refused = this.#tokens.at(-1);
    return true;
  }

  /** Joins what an attempt came to with the attempts before it. */
  #note(outcome: Outcome): void {
    const isRead = this.#call.safety === 'read';
    this.#outcome = joined(this.#outcome, outcome, { isRead, sent: this.#sent });
  }

  /** The call failed for good. Gives the error back, to be thrown. */
  #failure(error: PaymentsError): PaymentsError {
    if (!this.#watchers.idle) this.#watchers.error({ ...this.#event(), error, duration: this.#duration });
    return error;
  }

  #tellOfResponse(answer: WireResponse, succeeded: boolean): void {
    if (this.#watchers.idle) return;
    const { status, headers } = answer;
    const traceId = traceIdOf(headers, this.#call, this.#tokens);
    this.#watchers.response({ ...this.#event(), status, traceId, succeeded, duration: this.#duration });
  }

  #tellOfRetry(delay: number, error: PaymentsError): void {
    if (this.#watchers.idle) return;
    const status = error instanceof APIError ? error.status : undefined;
    const { traceId, code: reason } = error;
    this.#watchers.retry({ ...this.#event(), delay, status, traceId, reason, duration: this.#duration });
  }

  /** Returns the event of the current attempt, for a hook. */
  #event(): AttemptEvent {
    const { operation, method, template, origin, requestId } = this.#call;
    const attempt = this.#attempts;
    return { operation, method, urlTemplate: template, origin, attempt, call: this.#number, requestId };
  }

  /** Milliseconds since the current attempt started. */
  get #duration(): number {
    return performance.now() - this.#startedAt;
  }
}

const isSuccess = (status: number) => status >= 200 && status <= 299;

/** Tells what became of the body of an error status, where the status arrived alone. A refusal may be known by it. */
function lostBodyOf(thrown: unknown): LostBody | undefined {
  if (!(thrown instanceof WireFailure) || thrown.status === 0 || isSuccess(thrown.status)) return undefined;
  const { kind, status } = thrown;
  if (kind === 'cut' || kind === 'empty' || kind === 'too-large') return kind;
  // Row 2: "but for 401". Any other one is the fault of the option `fetch`, which its error names.
  return kind === 'unreadable' && status === 401 ? kind : undefined;
}

/** Returns true for the header of the idempotency key: a hook must not send the payment under another key. */
const carriesKey = (
  name: string,
  headers: Readonly<Record<string, string>>,
  requestId: string | undefined,
): boolean => requestId !== undefined && (headers[name] === requestId || /idempoten/.test(name));
