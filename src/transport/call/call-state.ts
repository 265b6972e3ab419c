import { type Finding, strongerOf } from '../../evidence/evidence.ts';
import { monotonicNow } from '../attempt/time-limits.ts';
import type { CallContext } from '../failure/call-context.ts';
import type { AttemptEvent } from '../hooks/events.ts';
import { CallToken } from './call-token.ts';
import type { PreparedCall } from './prepared-call.ts';

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
