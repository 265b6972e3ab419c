import { APIError, type Finding, type PaymentsError } from '../../errors/index.ts';
import { strongerOf } from '../../evidence/finding.ts';
import { monotonicNow } from '../attempt/time-limits.ts';
import type { WireResponse } from '../attempt/wire.ts';
import type { TranslatedFailure } from '../failure/explain.ts';
import { traceIdOf } from '../failure/mask.ts';

import type { AttemptEvent } from '../hooks/events.ts';
import { shielded, type Watchers } from '../hooks/watchers.ts';
import { checkHeaders, failWith } from '../request/options.ts';
import type { CallContext, PreparedCall } from './call.ts';

let calls = 0;

/**
 * The state of a call while its attempts run: their number, their findings, and their access tokens. Tells
 * the hooks and the log of each step; makes no event where nobody watches.
 */
export class CallState {
  readonly #call: PreparedCall;
  readonly #watchers: Watchers;
  readonly #number = ++calls;
  /** The number of attempts that reached the network. */
  attempts = 0;
  /** True once the current attempt was passed to the network. */
  #sent = false;
  #found: Finding | undefined;
  #startedAt = 0;
  /** The tokens that were sent, the last one at the end. */
  #tokens: readonly string[] = [];
  /** The token to replace before the next attempt. */
  #refused: string | undefined;
  #replaced = false;

  constructor(call: PreparedCall, watchers: Watchers) {
    this.#call = call;
    this.#watchers = watchers;
    this.#found = call.before;
  }

  /** True if an earlier attempt may have been carried out. */
  get ambiguous(): boolean {
    return this.#found === 'open';
  }

  /** An attempt starts; its token is still to come. */
  startAttempt(): void {
    this.#sent = false;
    this.#startedAt = monotonicNow();
  }

  /** The token for the attempt that starts now; no promise where it is there already. */
  token(): string | Promise<string> {
    const { credentials } = this.#call;
    return this.#refused === undefined ? credentials.current() : credentials.replace(this.#refused);
  }

  /** Notes that the attempt is sent. Returns its headers, with those that the hooks add. */
  send(token: string): Record<string, string> {
    this.#sent = true;
    this.attempts += 1;
    this.#refused = undefined;
    if (this.#tokens.at(-1) !== token) this.#tokens = [...this.#tokens, token];
    const headers: Record<string, string> = { ...this.#call.headers, authorization: `Bearer ${token}` };
    if (!this.#watchers.idle) this.#addFromHooks(headers);
    return headers;
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

  /** A response arrived, of whatever status. */
  response(answer: WireResponse, succeeded: boolean): void {
    if (this.#watchers.idle) return;
    // Headers are made when they are first read, which costs.
    const { status, headers } = answer;
    const traceId = traceIdOf(headers, this.#call, this.#tokens);
    this.#watchers.response({ ...this.#event(), status, traceId, succeeded, duration: this.#duration });
  }

  /** Remembers what a failed attempt came to, for the later ones and for other calls with the same key. */
  note(finding: Finding): void {
    this.#found = strongerOf(this.#found, finding);
    this.#call.key?.note(finding);
  }

  /** After a 401: whether the next attempt gets a fresh token. A refused token does not count as a retry. */
  replaceToken(error: PaymentsError): boolean {
    if (this.#replaced || error.code !== 'authentication' || !this.#call.credentials.renewable) return false;
    this.#replaced = true;
    this.#refused = this.#tokens.at(-1);
    return true;
  }

  /** An attempt failed and another one follows. */
  retry(delay: number, { error }: TranslatedFailure): void {
    const status = error instanceof APIError ? error.status : undefined;
    const { traceId, code: reason } = error;
    const duration = this.#duration;
    this.#watchers.retry({ ...this.#event(), delay, status, traceId, reason, duration });
  }

  /** The call failed for good. Gives the error back, to be thrown. */
  failure(error: PaymentsError): PaymentsError {
    this.#watchers.error({ ...this.#event(), error, duration: this.#duration });
    return error;
  }

  /** Returns the facts for an error of the call. */
  context(): CallContext {
    return {
      call: this.#call,
      attempts: this.attempts,
      sent: this.#sent,
      before: this.#found,
      tokens: this.#tokens,
    };
  }

  /** Returns the event of the current attempt, for a hook. */
  #event(): AttemptEvent {
    const { operation, method, template, origin, requestId } = this.#call;
    const { attempts: attempt } = this;
    return { operation, method, urlTemplate: template, origin, attempt, call: this.#number, requestId };
  }

  /** Milliseconds since the current attempt started. */
  get #duration(): number {
    return monotonicNow() - this.#startedAt;
  }
}

/** Returns true for the header of the idempotency key: a hook must not send the payment under another key. */
const carriesKey = (
  name: string,
  headers: Readonly<Record<string, string>>,
  requestId: string | undefined,
): boolean => requestId !== undefined && (headers[name] === requestId || /idempoten/.test(name));
