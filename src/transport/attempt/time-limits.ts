import { InnerError } from './inner-error.ts';

/** The reason why a wait was cut short. */
export type Interruption = 'attempt' | 'deadline' | 'aborted';

/** Thrown inside the transport when a limit ends a wait; translated before it reaches the caller. */
export class Interrupted extends InnerError {
  readonly by: Interruption;
  /** The caller's own reason, for an abort. */
  readonly reason: unknown;
  /** True if the attempt still waited for a connection, so that nothing was sent. */
  readonly isUnsent: boolean;

  constructor(by: Interruption, reason?: unknown, isUnsent = false) {
    super(by);
    this.by = by;
    this.reason = reason;
    this.isUnsent = isUnsent;
  }
}

/**
 * The limits of one call: the caller's signal, the deadline, and the current attempt's timeout. Holds one
 * listener on the signal and at most two timers, all released by `dispose`.
 */
export class TimeLimits {
  readonly #signal: AbortSignal | undefined;
  readonly #deadlineAt: number | undefined;
  readonly #now: () => number;
  readonly #timers = timers();
  readonly #onAbort = () => this.#expire('aborted');
  #deadlineTimer: ReturnType<typeof setTimeout> | undefined;
  #attemptTimer: ReturnType<typeof setTimeout> | undefined;
  #cancellation: Cancellation | undefined;
  #request: SentRequest = noRequest;
  #reject: ((reason: Interrupted) => void) | undefined;
  #interrupted: Interruption | undefined;
  /** Milliseconds that the caller's `sleep` let pass on a clock of its own. */
  #passedElsewhere = 0;

  constructor(
    signal: AbortSignal | undefined,
    deadline: number | undefined,
    now: () => number = monotonicNow,
  ) {
    this.#signal = signal;
    this.#now = now;
    if (signal?.aborted === true) this.#interrupted = 'aborted';
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (deadline !== undefined) {
      this.#deadlineAt = now() + deadline;
      this.#deadlineTimer = this.#startTimer('deadline', deadline);
    }
  }

  /** Milliseconds until the deadline; infinite when there is none. */
  get remaining(): number {
    return this.#deadlineAt === undefined
      ? Number.POSITIVE_INFINITY
      : this.#deadlineAt - this.#passedElsewhere - this.#now();
  }

  /** Runs one attempt under its timeout. The cancellation ends the work; the returned promise ends at once. */
  async attempt<T>(timeout: number, run: (cancellation: Cancellation) => Promise<T>): Promise<T> {
    if (this.#interrupted !== undefined) throw this.#interruption(this.#interrupted);
    const cancellation = new Cancellation();
    this.#cancellation = cancellation;
    // A token function may abort the call: the attempt is the one to end, and not the one before.
    this.#request = cancellation;
    this.#attemptTimer = this.#startTimer('attempt', timeout);
    try {
      return await this.within(run(cancellation), cancellation);
    } finally {
      this.#timers.clearTimeout(this.#attemptTimer);
      this.#cancellation = undefined;
    }
  }

  /**
   * Waits for work, unless a limit ends the wait first. What the work brings after that is dropped. For work that waits
   * for no response, the limit counts at once.
   */
  within<T>(work: Promise<T>, request: SentRequest = { mayHaveSent: true }): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#reject = reject;
    this.#request = request;
    if (this.#interrupted !== undefined) reject(this.#interruption(this.#interrupted));
    work.then(resolve, reject);
    return promise;
  }

  /** Waits, by a timer or as the caller says, unless a limit ends the wait first. */
  async sleep(milliseconds: number, sleep?: Sleep): Promise<void> {
    if (sleep !== undefined) {
      const before = this.#now();
      await this.within(Promise.resolve(milliseconds).then(sleep), noRequest);
      // A `sleep` that returns at once never lets the deadline's timer run, so the wait itself counts.
      this.#passedElsewhere += Math.max(0, milliseconds - (this.#now() - before));
      if (this.remaining <= 0) this.#interrupt('deadline');
      if (this.#interrupted !== undefined) throw this.#interruption(this.#interrupted);
      return;
    }
    // A faked timer would delay a wait of no time.
    if (milliseconds === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = new Promise<void>((resolve) => {
      timer = this.#timers.setTimeout(resolve, milliseconds);
    });
    await this.within(wait, noRequest).finally(() => this.#timers.clearTimeout(timer));
  }

  /** Releases the timers and the listener. */
  dispose(): void {
    this.#timers.clearTimeout(this.#deadlineTimer);
    this.#timers.clearTimeout(this.#attemptTimer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #startTimer(by: 'attempt' | 'deadline', milliseconds: number): ReturnType<typeof setTimeout> {
    return this.#timers.setTimeout(() => this.#expire(by), milliseconds);
  }

  /**
   * Ends what took too long or was aborted, once the sockets were read: a response that has arrived wins. A process that
   * was blocked, stopped or frozen runs its timers first. Meanwhile nothing new begins.
   */
  #expire(by: Interruption, turns = turnsToRead): void {
    // Faked time stands still: nobody would move these turns on.
    if (turns === 0 || !this.#request.mayHaveSent || isFaked(this.#timers.setTimeout)) {
      this.#interrupt(by);
      return;
    }
    if (by !== 'attempt') this.#interrupted ??= by;
    const timer = this.#timers.setTimeout(() => this.#expire(by, turns - 1), 1);
    if (by === 'attempt') this.#attemptTimer = timer;
    else {
      this.#timers.clearTimeout(this.#deadlineTimer);
      this.#deadlineTimer = timer;
    }
  }

  #interruption(by: Interruption): Interrupted {
    const reason = by === 'aborted' ? this.#signal?.reason : undefined;
    return new Interrupted(by, reason, this.#cancellation?.isUnsent);
  }

  #interrupt(by: Interruption): void {
    // An attempt's timeout ends that attempt alone; the others end the call.
    if (by !== 'attempt') this.#interrupted ??= by;
    const cancellation = this.#cancellation;
    this.#reject?.(this.#interruption(by));
    cancellation?.cancel();
  }
}

/** A request that is waited for. */
interface SentRequest {
  /** True once the request may have been written, so that a response may have arrived. */
  readonly mayHaveSent: boolean;
}

/** A wait for something else than a response. */
export const noRequest: SentRequest = /* @__PURE__ */ Object.freeze({ mayHaveSent: false });

/** Turns of the event loop in which sockets are read before a limit or an abort ends an attempt. */
const turnsToRead = 5;

/** Milliseconds on a clock that does not jump. */
export function monotonicNow(): number {
  return performance.now();
}

/**
 * Lets the time limits end an attempt that is under way. Cheaper than an AbortController, which costs more than the
 * rest of the limits; one is made only for a `fetch` that asks for its signal.
 */
export class Cancellation implements SentRequest {
  /** True once the attempt was ended. */
  cancelled = false;
  mayHaveSent = false;
  /** True if what sends sets `mayHaveSent` for sure before it writes. */
  isToldOfSending = false;
  #listener: (() => void) | undefined;
  #controller: AbortController | undefined;

  /** True if nothing was written, for sure. */
  get isUnsent(): boolean {
    return this.isToldOfSending && !this.mayHaveSent;
  }

  /** The same as an AbortSignal, made when it is first asked for. */
  get signal(): AbortSignal {
    this.mayHaveSent = true;
    this.#controller ??= new AbortController();
    if (this.cancelled) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Names what is to be called when the attempt is ended. There is one listener; a later one takes its place. */
  whenCancelled(listener: () => void): void {
    this.#listener = listener;
    if (this.cancelled) listener();
  }

  /** Ends the attempt. */
  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.#listener?.();
    this.#controller?.abort();
  }
}

/** Waits for a number of milliseconds. A test can advance its own clock instead. */
export type Sleep = (milliseconds: number) => unknown;

/** The two functions that limits and waits need. */
export interface Timers {
  setTimeout(run: () => void, milliseconds: number): ReturnType<typeof setTimeout>;
  clearTimeout(timer: ReturnType<typeof setTimeout> | undefined): void;
}

/** Returns true if a test replaced a timer: with sinon, which jest and vitest use, or a mock of jest. */
const isFaked = (timer: unknown): boolean =>
  typeof timer === 'function' && ('clock' in timer || '_isMockFunction' in timer);

/** A test that fakes timers before it imports this package does not mean this package's: nobody would move them on. */
const fakedBeforehand = /* @__PURE__ */ (() => isFaked(globalThis.setTimeout))();

/**
 * The timers to use now. Fakes that are installed later are used, so that a test can let time pass; those that were
 * there before this package are gone around, where the platform lets it.
 */
export function timers(): Timers {
  if (!fakedBeforehand) return globalThis;
  const real: Timers | undefined = globalThis.process?.getBuiltinModule?.('node:timers');
  return real === undefined || isFaked(real.setTimeout) ? globalThis : real;
}
