import { Cancellation } from '../wire/wire.ts';
import { readSockets } from './event-loop.ts';

/** Thrown inside the transport when a limit ends a wait; translated before it reaches the caller. */
export class Interrupted extends Error {
  /** What cut the wait short. */
  readonly by: 'attempt' | 'deadline' | 'aborted';
  /** The caller's own reason, where the signal was aborted. */
  readonly reason: unknown;
  /** True if the attempt still waited for a connection, so that nothing was sent. */
  readonly isUnsent: boolean | undefined;

  constructor(by: Interrupted['by'], reason?: unknown, isUnsent?: boolean) {
    super(by);
    this.by = by;
    this.reason = reason;
    this.isUnsent = isUnsent;
  }
}

/**
 * The limits of one call: the caller's signal, the deadline, and the current attempt's timeout. Holds one
 * listener on the signal and at most two timers: an attempt releases its own, `dispose` the rest.
 */
export class TimeLimits {
  readonly #signal: AbortSignal | undefined;
  readonly #deadlineAt: number = Number.POSITIVE_INFINITY;
  readonly #onAbort = () => this.#expire('aborted');
  #deadlineTimer: ReturnType<typeof setTimeout> | undefined;
  #attempt: Cancellation | undefined;
  #reject: ((reason: Interrupted) => void) | undefined;
  #ended: Interrupted['by'] | undefined;

  constructor(signal: AbortSignal | undefined, deadline: number | undefined) {
    this.#signal = signal;
    if (signal?.aborted === true) this.#ended = 'aborted';
    else signal?.addEventListener('abort', this.#onAbort);
    if (deadline !== undefined) {
      this.#deadlineAt = performance.now() + deadline;
      this.#deadlineTimer = setTimeout(() => this.#expire('deadline'), deadline);
    }
  }

  /** Milliseconds until the deadline; infinite when there is none. */
  get remaining(): number {
    return this.#deadlineAt - performance.now();
  }

  /** Runs one attempt under its timeout. The cancellation ends the work; the returned promise ends at once. */
  async attempt<T>(timeout: number, run: (cancellation: Cancellation) => Promise<T>): Promise<T> {
    if (this.#ended !== undefined) throw this.#interruption(this.#ended);
    const cancellation = new Cancellation();
    // A token function may abort the call, so this attempt must be current before the function runs.
    this.#attempt = cancellation;
    const timer = setTimeout(() => this.#expire('attempt'), timeout);
    try {
      return await this.within(run(cancellation));
    } finally {
      clearTimeout(timer);
      this.#attempt = undefined;
    }
  }

  /** Waits for work, unless a limit ends the wait first. What the work brings after that is dropped. */
  within<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#ended !== undefined) reject(this.#interruption(this.#ended));
      work.then(resolve, reject);
    });
  }

  /** Waits, unless a limit ends the wait first. */
  async sleep(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await this.within(wait).finally(() => clearTimeout(timer));
  }

  /** Releases the deadline's timer and the listener; each attempt has released its own. */
  dispose(): void {
    clearTimeout(this.#deadlineTimer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  /**
   * Ends what took too long or was aborted. A process that was blocked or frozen runs its timers first: while a response
   * is awaited, the sockets are read, so that a response that has arrived wins. Meanwhile nothing new begins.
   */
  #expire(by: Interrupted['by']): void {
    // An attempt's timeout ends that attempt alone; the others end the call.
    if (by !== 'attempt') this.#ended ??= by;
    const attempt = this.#attempt;
    if (attempt?.mayHaveSent !== true) {
      this.#interrupt(by);
      return;
    }
    readSockets(attempt, by !== 'aborted').then(() => {
      if (this.#attempt === attempt) this.#interrupt(by);
    });
  }

  #interrupt(by: Interrupted['by']): void {
    this.#reject?.(this.#interruption(by));
    this.#attempt?.cancel();
  }

  #interruption(by: Interrupted['by']): Interrupted {
    return new Interrupted(by, this.#signal?.reason, this.#attempt?.isUnsent);
  }
}
