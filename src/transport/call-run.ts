import { APIError, type Finding, type PaymentsError } from '../errors/index.ts';
import { strongerOf } from '../evidence/finding.ts';
import { saysGone } from '../evidence/service-error.ts';
import type { Admit } from './admission.ts';
import type { TranslatedFailure } from './explain.ts';
import { departureError, translateStatus, translateThrown, unprovenSuccess } from './failure.ts';
import { type AttemptEvent, shielded, type Watchers } from './hooks.ts';
import { parseJson } from './judge.ts';
import { type Cancellation, Interrupted, monotonicNow, TimeLimits } from './limits.ts';
import { traceIdOf } from './mask.ts';
import type { CallContext, PreparedCall, ReceivedResponse } from './prepared-call.ts';
import { checkHeaders, failWith } from './request-options.ts';
import { mayRepeat, waitBeforeRetry } from './retry-policy.ts';
import { type Wire, WireFailure, type WireResponse } from './wire.ts';

let calls = 0;

type Attempted<T> = Pick<ReceivedResponse<T>, 'answer' | 'judged'> | TranslatedFailure;

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
  /** The strongest finding of the attempts. */
  #found: Finding | undefined;
  #startedAt = monotonicNow();
  /** The tokens that were sent, the last one at the end. */
  #tokens: readonly string[] = [];
  /** The token to replace before the next attempt. */
  #refused: string | undefined;
  #replaced = false;

  constructor(call: PreparedCall<T>, wire: Wire, watchers: Watchers) {
    this.#call = call;
    this.#wire = wire;
    this.#watchers = watchers;
    this.#found = call.before;
    this.#limits = new TimeLimits(call.signal, call.deadline);
  }

  /** Ends with a response or a PaymentsError. */
  async run(admit?: Admit): Promise<ReceivedResponse<T>> {
    const { url } = this.#call;
    let leave: (() => void) | undefined;
    try {
      if (admit !== undefined) leave = await admit(this);
      for (let retry = 0; ; ) {
        const result = await this.#attempt();
        if ('judged' in result) {
          const departure = () => this.#departure(result.answer, result.judged);
          return { ...result, url, attempts: this.#attempts, departure };
        }
        this.#note(result.finding);
        const isFree = this.#replacesToken(result.error);
        const wait = isFree ? 0 : this.#waitBefore(retry, result);
        if (wait === undefined) throw this.#failure(result.error);
        if (!isFree) retry += 1;
        this.#tellOfRetry(wait, result.error);
        if (!isFree) await this.#pause(wait, result.error);
      }
    } finally {
      this.#limits.dispose();
      leave?.();
    }
  }

  /** Waits for a place among the calls that run at a time. */
  async waitForPlace(turn: Promise<void>): Promise<void> {
    try {
      await this.#limits.within(turn);
    } catch (thrown) {
      throw this.refuse(translateThrown(thrown, this.context('queue')).error);
    }
  }

  /** The call ends before it was sent. Gives the error back, to be thrown. */
  refuse(error: PaymentsError): PaymentsError {
    this.#note('not-reached');
    return this.#failure(error);
  }

  /** Returns the facts for an error of the call. */
  context(during?: CallContext['during']): CallContext {
    return {
      ...{ call: this.#call, attempts: this.#attempts, sent: this.#sent, during },
      ...{ before: this.#found, tokens: this.#tokens },
    };
  }

  /** Makes one attempt: a response that did what was asked, or the failure in this package's terms. */
  async #attempt(): Promise<Attempted<T>> {
    const call = this.#call;
    this.#sent = false;
    this.#startedAt = monotonicNow();
    let answer: WireResponse;
    let isCut = false;
    try {
      answer = await this.#limits.attempt(call.timeout, (cancellation) => this.#send(cancellation));
    } catch (thrown) {
      // A refusal may be known by its status, whatever became of its body.
      const isRefusal = thrown instanceof WireFailure && thrown.status !== 0 && !isSuccess(thrown.status);
      if (!isRefusal) return translateThrown(thrown, this.context());
      answer = { status: thrown.status, headers: thrown.headers, text: '' };
      isCut = true;
    } finally {
      this.#limits.endAttempt();
    }
    // A retried deletion that finds nothing means that the lost attempt did its work.
    const isDeleted = call.safety === 'delete' && this.#found === 'open' && isGone(answer);
    if (!isDeleted && !isSuccess(answer.status)) {
      this.#tellOfResponse(answer, false);
      return translateStatus(answer, this.context(), Date.now(), isCut);
    }
    const judging = call.judge.judge(isDeleted ? '' : answer.text);
    const judged = judging instanceof Promise ? await this.#checked(judging) : judging;
    const isProven = isDeleted || (judged.mismatch ?? judged.unusable) === undefined;
    const failed = isProven ? undefined : unprovenSuccess(answer, judged, this.context());
    // An essential field that is missing fails the call when its data is read.
    const isReadable = judged.fatal.length === 0 || call.judge.isTaken;
    this.#tellOfResponse(answer, failed === undefined && (isDeleted || isReadable));
    if (failed !== undefined) return failed;
    // Headers are made when they are first read, which costs.
    return {
      answer: isDeleted ? { status: answer.status, headers: answer.headers, text: '' } : answer,
      judged,
    };
  }

  #send(cancellation: Cancellation): Promise<WireResponse> {
    const { credentials } = this.#call;
    const token = this.#refused === undefined ? credentials.current() : credentials.replace(this.#refused);
    return typeof token === 'string'
      ? this.#sendWith(token, cancellation)
      : token.then((late) => this.#sendWith(late, cancellation));
  }

  #sendWith(token: string, cancellation: Cancellation): Promise<WireResponse> {
    const { url, origin, method, body, maxResponseBytes } = this.#call;
    // The limit may have run out while the token was on its way: nothing may be sent any more.
    if (cancellation.cancelled) throw new Interrupted('aborted');
    this.#sent = true;
    this.#attempts += 1;
    this.#refused = undefined;
    if (this.#tokens.at(-1) !== token) this.#tokens = [...this.#tokens, token];
    const headers: Record<string, string> = { ...this.#call.headers, authorization: `Bearer ${token}` };
    if (!this.#watchers.idle) this.#addFromHooks(headers);
    return this.#wire({ url, origin, method, headers, body, cancellation, maxResponseBytes });
  }

  #addFromHooks(headers: Record<string, string>): void {
    const event = this.#event();
    for (const added of this.#watchers.request(event)) {
      // A header that cannot be sent is the hook's problem, not the payment's.
      shielded(() => {
        for (const [name, value] of Object.entries(checkHeaders(added, failWith(event.operation))))
          if (!carriesKey(name, headers, event.requestId)) headers[name] = value;
      });
    }
  }

  /** Waits for a check of the caller's, such as an asynchronous schema, within the call's deadline and signal. */
  async #checked<Checked>(work: Promise<Checked>): Promise<Checked> {
    try {
      return await this.#limits.within(work);
    } catch (thrown) {
      if (!(thrown instanceof Interrupted)) throw thrown;
      const { error, finding } = translateThrown(thrown, this.context('check'));
      this.#note(finding);
      throw this.#failure(error);
    }
  }

  /** Milliseconds before the next attempt; undefined if there is none. */
  #waitBefore(retry: number, { failure, retryAfter }: TranslatedFailure): number | undefined {
    const { safety, retries } = this.#call;
    if (!mayRepeat(safety, failure) || retry >= retries.limit) return undefined;
    const wait = waitBeforeRetry(retry, retryAfter, retries);
    return wait === undefined || wait >= this.#limits.remaining ? undefined : wait;
  }

  /** Waits for the next attempt. A wait that is cut short leaves the money where the last attempt left it. */
  async #pause(wait: number, last: PaymentsError): Promise<void> {
    try {
      await this.#limits.sleep(wait, this.#call.sleep);
    } catch (thrown) {
      // A `sleep` of the caller's that fails ends the call with what it was waiting after.
      if (!(thrown instanceof Interrupted)) throw this.#failure(last);
      throw this.#failure(translateThrown(thrown, this.context('wait')).error);
    }
  }

  /** After a 401: whether the next attempt gets a fresh token. A refused token does not count as a retry. */
  #replacesToken(error: PaymentsError): boolean {
    if (this.#replaced || error.code !== 'authentication' || !this.#call.credentials.renewable) return false;
    this.#replaced = true;
    this.#refused = this.#tokens.at(-1);
    return true;
  }

  /** Remembers what an attempt came to, for the later ones and for other calls with the same key. */
  #note(finding: Finding): void {
    this.#found = strongerOf(this.#found, finding);
    this.#call.key?.note(finding);
  }

  #departure(...[answer, judged]: [WireResponse, ReceivedResponse<T>['judged']]): PaymentsError {
    this.#note('made');
    return this.#failure(departureError(this.context(), answer, judged));
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
    return monotonicNow() - this.#startedAt;
  }
}

const isSuccess = (status: number) => status >= 200 && status <= 299;

/** Returns true if the service says by name that what was to be deleted is gone. */
const isGone = ({ status, text }: WireResponse): boolean =>
  status === 404 && saysGone(parseJson(text)?.value);

/** Returns true for the header of the idempotency key: a hook must not send the payment under another key. */
const carriesKey = (
  name: string,
  headers: Readonly<Record<string, string>>,
  requestId: string | undefined,
): boolean => requestId !== undefined && (headers[name] === requestId || /idempoten/.test(name));
