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
  type FailedAttempt,
  failedByStatus,
  failedBySuccess,
  failedByThrow,
  incompleteError,
  unexpectedError,
} from './failure.ts';
import { sendableHeaders } from './headers.ts';
import type { AttemptEvent, HookCalls } from './hooks.ts';
import { Interrupted, TimeLimits } from './limits.ts';
import { traceIdOf } from './mask.ts';
import type { PreparedCall } from './prepare.ts';
import { type ReceivedResponse, readResponse } from './read-response.ts';
import { mayRepeat, waitBeforeRetry } from './retry.ts';

let calls = 0;

/** Runs one call: its attempts under its limits, until it succeeds, is refused, or runs out of tries or time. */
export class CallRun<T> {
  readonly #call: PreparedCall<T>;
  readonly #wire: Wire;
  readonly #hooks: HookCalls;
  readonly #limits: TimeLimits;
  readonly #number = ++calls;
  /** The number of attempts that reached the network. */
  attempts = 0;
  /** True once the current attempt was passed to the network. */
  #isSent = false;
  /** What the attempts came to, joined. */
  #outcome: Outcome | undefined;
  #startedAt = performance.now();
  /** The tokens that were sent, the last one at the end. */
  #tokens: readonly string[] = [];
  /** The token to replace before the next attempt. */
  #refused: string | undefined;
  #replaced = false;
  /** True once an error of a framework, such as a redirect, was rethrown unchanged. */
  #isOfFramework = false;
  #incomplete: PaymentsError | undefined;

  constructor(call: PreparedCall<T>, wire: Wire, hooks: HookCalls) {
    this.#call = call;
    this.#wire = wire;
    this.#hooks = hooks;
    this.#limits = new TimeLimits(call.signal, call.deadline?.remaining);
  }

  /** Ends with a response, a PaymentsError, or an error of a framework. */
  async run(): Promise<ReceivedResponse<T>> {
    try {
      for (let retry = 0; ; ) {
        const result = await this.#attempt();
        if ('proof' in result) {
          // The strongest outcome needs no join.
          this.#outcome = result.proof.outcome;
          return result;
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
      if (isPaymentsError(thrown) || this.#isOfFramework) throw thrown;
      // An error that nothing here expects proves nothing.
      const error = unexpectedError(thrown, this.#context());
      this.#note('unknown');
      throw this.#failure(error);
    } finally {
      this.#limits.dispose();
      this.#call.pending?.settle(this.#outcome ?? 'unknown');
    }
  }

  /** Returns the facts for an error of the call. */
  #context(during?: CallContext['during']): CallContext {
    return {
      call: this.#call,
      attempts: this.attempts,
      isSent: this.#isSent,
      during,
      before: this.#outcome,
      tokens: this.#tokens,
    };
  }

  /** Makes one attempt: a response that did what was asked, or the failure in this package's terms. */
  async #attempt(): Promise<ReceivedResponse<T> | FailedAttempt> {
    const call = this.#call;
    this.#isSent = false;
    this.#startedAt = performance.now();
    let response: WireResponse;
    let bodyFailure: WireFailure['kind'] | undefined;
    try {
      response = await this.#limits.attempt(call.timeout, (cancellation) => this.#send(cancellation));
    } catch (thrown) {
      this.#rethrowOfFramework(thrown);
      if (!(thrown instanceof WireFailure)) return failedByThrow(thrown, this.#context());
      bodyFailure = bodyFailureOf(thrown);
      if (bodyFailure === undefined) return failedByThrow(thrown, this.#context());
      response = new WireResponse(thrown.status, thrown.headers, '');
    }
    if (!response.ok) {
      this.#tellOfResponse(response, false);
      return failedByStatus(response, this.#context(), Date.now(), bodyFailure);
    }
    const reading = readResponse(call, response);
    const received = reading instanceof Promise ? await this.#checked(reading) : reading;
    if (received.proof.outcome !== 'succeeded') {
      const failed = failedBySuccess(received, this.#context());
      this.#tellOfResponse(response, false);
      return failed;
    }
    // A caller who takes the raw response does not get this error. It is reported at once: the data may never be read.
    const isFailure = received.fatal.length > 0 && !call.isReadRaw();
    this.#tellOfResponse(response, !isFailure);
    if (isFailure) this.#failure(this.incompleteError(received));
    return received;
  }

  /** The error for whoever reads the data of a response without an essential field. */
  incompleteError(received: ReceivedResponse<T>): PaymentsError {
    this.#incomplete ??= incompleteError(received, this.#context());
    return this.#incomplete;
  }

  /**
   * Rethrows an error of a framework unchanged, such as a redirect or a dynamic page: one with a text `digest` that the
   * token function, or the platform's `fetch`, throws before any response. After `fetch` the request may have been sent.
   */
  #rethrowOfFramework(thrown: unknown): void {
    const caught =
      !this.#isSent && thrown instanceof ConfigurationError
        ? thrown.originalError
        : thrown instanceof WireFailure && thrown.kind === 'framework'
          ? thrown.caught
          : undefined;
    const isFirst = this.attempts === (this.#isSent ? 1 : 0);
    if (!isFirst || typeof peek(caught, 'digest') !== 'string') return;
    // The hooks were told of the request, so they are told how it ended.
    if (this.#isSent) this.#failure(failedByThrow(thrown, this.#context()).error);
    this.#note(this.#isSent ? 'unknown' : 'not-sent');
    this.#isOfFramework = true;
    throw caught;
  }

  #send(cancellation: Cancellation, late?: string): Promise<WireResponse> {
    const { url, method, body, credentials } = this.#call;
    const token = late ?? credentials.token(this.#refused);
    if (typeof token !== 'string') return token.then((brought) => this.#send(cancellation, brought));
    // The limit may have run out while the token was on its way: nothing may be sent any more.
    if (cancellation.cancelled) throw new Interrupted('aborted');
    this.#isSent = true;
    this.attempts += 1;
    this.#refused = undefined;
    if (this.#tokens.at(-1) !== token) this.#tokens = [...this.#tokens, token];
    const headers: Record<string, string> = { ...this.#call.headers, authorization: `Bearer ${token}` };
    if (!this.#hooks.idle) this.#addFromHooks(headers);
    return this.#wire({ url, method, headers, body, cancellation });
  }

  #addFromHooks(headers: Record<string, string>): void {
    const event = this.#event();
    this.#hooks.request(event, (added) => {
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
    const { operation, retries } = this.#call;
    const isLeft = retry < retries.limit;
    if (!isLeft || !mayRepeat(operation.retrySafety, repeat)) return undefined;
    const wait = waitBeforeRetry(retry, retryAfter, retries);
    return wait === undefined || wait >= this.#limits.remaining ? undefined : wait;
  }

  /** Waits for the next attempt. If the wait is cut short, the outcome is the joined one of the attempts so far. */
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
    const isRead = this.#call.operation.retrySafety === 'read';
    this.#outcome = joined(this.#outcome, outcome, { isRead, isSent: this.#isSent });
  }

  /** The call failed for good. Gives the error back, to be thrown. */
  #failure(error: PaymentsError): PaymentsError {
    if (!this.#hooks.idle) this.#hooks.error({ ...this.#event(), error, duration: this.#duration });
    return error;
  }

  #tellOfResponse(response: WireResponse, succeeded: boolean): void {
    if (this.#hooks.idle) return;
    const { status, headers } = response;
    const traceId = traceIdOf(headers, this.#call, this.#tokens);
    this.#hooks.response({ ...this.#event(), status, traceId, succeeded, duration: this.#duration });
  }

  #tellOfRetry(delay: number, error: PaymentsError): void {
    if (this.#hooks.idle) return;
    const status = error instanceof APIError ? error.status : undefined;
    const { traceId, code: reason } = error;
    this.#hooks.retry({ ...this.#event(), delay, status, traceId, reason, duration: this.#duration });
  }

  /** Returns the event of the current attempt, for a hook. */
  #event(): AttemptEvent {
    const { operation, method, template, origin, requestId } = this.#call;
    const attempt = this.attempts;
    const { name } = operation;
    return { operation: name, method, urlTemplate: template, origin, attempt, call: this.#number, requestId };
  }

  /** Milliseconds since the current attempt started. */
  get #duration(): number {
    return performance.now() - this.#startedAt;
  }
}

/** Tells what became of the body of an error status, where the status arrived alone. A refusal may be known by it. */
function bodyFailureOf({ kind, status }: WireFailure): WireFailure['kind'] | undefined {
  // No status arrived, or one of success.
  if (status < 300) return undefined;
  if (kind === 'cut' || kind === 'empty' || kind === 'too-large') return kind;
  // Row 2 (docs/guides/outcomes.md): "unless the status is 401". Any other one is the fault of the option `fetch`, which its error names.
  return kind === 'unreadable' && status === 401 ? kind : undefined;
}

/** Returns true for the header of the idempotency key: a hook must not send the payment under another key. */
const carriesKey = (
  name: string,
  headers: Readonly<Record<string, string>>,
  requestId: string | undefined,
): boolean => requestId !== undefined && (headers[name] === requestId || /idempoten/.test(name));
