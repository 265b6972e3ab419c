import type { Outcome, PaymentsError } from '../errors/index.ts';
import type { Cancellation } from './attempt/cancellation.ts';
import type { Credentials } from './attempt/credentials.ts';
import { Interrupted, monotonicNow, TimeLimits } from './attempt/time-limits.ts';
import { BodyFailure, type Wire, type WireResponse } from './attempt/wire.ts';
import { mayRepeat, waitBeforeRetry } from './failure/retry-policy.ts';
import {
  type CallContext,
  type TranslatedFailure,
  translateStatus,
  translateThrown,
} from './failure/translate-error.ts';
import { type AttemptEvent, shielded, type Watchers } from './hooks/events.ts';
import { checkHeaders } from './request/headers.ts';
import type { RetrySafety } from './types.ts';

/** A call with everything resolved: each attempt sends the same bytes. */
export interface PreparedCall {
  readonly operation: string;
  readonly method: string;
  readonly template: string;
  readonly safety: RetrySafety;
  readonly origin: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly requestId: string | undefined;
  readonly credentials: Credentials;
  readonly timeout: number;
  readonly deadline: number | undefined;
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
  readonly maxResponseBytes: number;
}

/** A successful answer, and what it took to get it. */
export interface ReceivedResponse {
  readonly answer: WireResponse;
  readonly url: string;
  readonly attempts: number;
  readonly requestId: string | undefined;
  /** Tells the watchers that the answer, though a success, could not be used. */
  readonly reportFailure: (error: PaymentsError) => void;
}

let calls = 0;

const refuse = (message: string): never => {
  throw new TypeError(message);
};

/** Sends a call until it is answered, refused, out of tries or out of time. Ends with a value or a PaymentsError. */
export async function executeCall(
  call: PreparedCall,
  wire: Wire,
  watchers: Watchers,
): Promise<ReceivedResponse> {
  const limits = new TimeLimits(call.signal, call.deadline);
  try {
    return await new CallRun(call, wire, watchers, limits).run();
  } finally {
    limits.dispose();
  }
}

class CallRun {
  readonly #call: PreparedCall;
  readonly #wire: Wire;
  readonly #watchers: Watchers;
  readonly #limits: TimeLimits;
  readonly #number = ++calls;
  #attempts = 0;
  #sent = false;
  #ambiguous = false;
  #mayBeKnown = false;
  #token = '';
  #refreshed = false;
  #replacing = false;
  #startedAt = 0;

  constructor(call: PreparedCall, wire: Wire, watchers: Watchers, limits: TimeLimits) {
    this.#call = call;
    this.#wire = wire;
    this.#watchers = watchers;
    this.#limits = limits;
  }

  async run(): Promise<ReceivedResponse> {
    const call = this.#call;
    for (let retry = 0; ; ) {
      const result = await this.#attempt();
      if ('status' in result) {
        const { url, requestId } = call;
        return {
          answer: result,
          url,
          requestId,
          attempts: this.#attempts,
          reportFailure: (error) => this.#failed(error),
        };
      }
      const { error, failure, retryAfter } = result;
      if (this.#mayRefreshToken(result)) {
        this.#refreshed = true;
        this.#replacing = true;
        this.#watchRetry(0, result);
        continue;
      }
      const wait =
        mayRepeat(call.safety, failure) && retry < call.retries
          ? waitBeforeRetry(retry, retryAfter)
          : undefined;
      if (wait === undefined || wait >= this.#limits.remaining) throw this.#failed(error);
      if (failure === 'ambiguous') this.#ambiguous = true;
      if (failure !== 'unreached') this.#mayBeKnown = true;
      retry += 1;
      this.#watchRetry(wait, result);
      await this.#pause(wait, error.outcome);
    }
  }

  async #attempt(): Promise<WireResponse | TranslatedFailure> {
    const call = this.#call;
    this.#sent = false;
    this.#startedAt = monotonicNow();
    let answer: WireResponse;
    try {
      answer = await this.#limits.attempt(call.timeout, (cancellation) => this.#send(cancellation));
    } catch (thrown) {
      if (!this.#sent && thrown instanceof Interrupted) call.credentials.abandon();
      if (!(thrown instanceof BodyFailure) || isSuccess(thrown.status)) {
        return translateThrown(thrown, this.#context());
      }
      // A refusal is known by its status, whatever became of its body.
      answer = { status: thrown.status, headers: thrown.headers, text: '' };
    }
    const { status } = answer;
    // A repeated DELETE that finds nothing means that the lost attempt did its work.
    const isDeleted = status === 404 && call.safety === 'delete' && this.#ambiguous;
    const succeeded = isDeleted || isSuccess(status);
    if (!this.#watchers.idle) {
      this.#watchers.response({ ...this.#event(), status, succeeded, duration: this.#duration() });
    }
    if (isDeleted) return { status, headers: answer.headers, text: '' };
    if (succeeded) return answer;
    return translateStatus(answer, this.#context(), Date.now());
  }

  async #send(cancellation: Cancellation): Promise<WireResponse> {
    const call = this.#call;
    const token = this.#replacing ? call.credentials.replace(this.#token) : call.credentials.current();
    this.#token = typeof token === 'string' ? token : await token;
    this.#replacing = false;
    // The limit may have run out while the token was on its way: nothing may be sent any more.
    if (cancellation.cancelled) throw new Interrupted('aborted');
    this.#sent = true;
    this.#attempts += 1;
    const headers: Record<string, string> = { ...call.headers, authorization: `Bearer ${this.#token}` };
    if (!this.#watchers.idle) this.#addWatchersHeaders(headers);
    const { url, origin, method, body, maxResponseBytes } = call;
    return this.#wire({ url, origin, method, headers, body, cancellation, maxResponseBytes });
  }

  #addWatchersHeaders(headers: Record<string, string>): void {
    for (const added of this.#watchers.request(this.#event())) {
      // A header that cannot be sent is the hook's problem, not the payment's.
      shielded(() => {
        Object.assign(headers, checkHeaders(added, refuse));
      });
    }
  }

  /** A 401 is a refusal, not a failure: one fresh token and one more try do not count as a retry. */
  #mayRefreshToken({ error }: TranslatedFailure): boolean {
    if (this.#refreshed || error.code !== 'authentication') return false;
    return this.#call.credentials.renewable;
  }

  /** Waits for the next attempt. A wait that is cut short leaves the money where the last attempt left it. */
  async #pause(wait: number, waitingAfter: Outcome): Promise<void> {
    try {
      await this.#limits.sleep(wait);
    } catch (thrown) {
      throw this.#failed(translateThrown(thrown, { ...this.#context(), waitingAfter }).error);
    }
  }

  #failed(error: PaymentsError): PaymentsError {
    if (!this.#watchers.idle) this.#watchers.error({ ...this.#event(), error, duration: this.#duration() });
    return error;
  }

  #watchRetry(delay: number, { error }: TranslatedFailure): void {
    if (this.#watchers.idle) return;
    const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined;
    this.#watchers.retry({
      ...this.#event(),
      delay,
      status,
      reason: error.code,
      duration: this.#duration(),
    });
  }

  #context(): CallContext {
    const { operation, method, template, safety, requestId } = this.#call;
    return {
      operation,
      method,
      template,
      safety,
      requestId,
      attempts: this.#attempts,
      sent: this.#sent,
      ambiguousBefore: this.#ambiguous,
      mayBeKnown: this.#mayBeKnown,
      secrets: this.#token === '' ? [] : [this.#token],
    };
  }

  #event(): AttemptEvent {
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

  #duration(): number {
    return monotonicNow() - this.#startedAt;
  }
}

const isSuccess = (status: number) => status >= 200 && status <= 299;
