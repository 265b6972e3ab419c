/** The result of a call, as a sign of the service's capacity. */
export type Signal =
  /** The service took the call, whatever it decided. */
  | 'served'
  /** The service, or the way to it, could not take it. */
  | 'refused'
  /** The outcome is unknown. */
  | 'lost';

/** Calls that start at once, before the service has shown a limit. */
const UNLIMITED = Number.POSITIVE_INFINITY;
/** The share of refused calls up to which the pace is right. */
const TOLERATED = 0.1;
/** Calls a second at which a service that takes nothing is asked whether it is back. */
const PROBE = 1;
/** Windows after which refusals that no slowing changes are not about the pace. */
const PATIENCE = 4;
/** Windows without a refusal after which the pace doubles instead of feeling its way. */
const CLEAR = 3;
/** Windows for which refusals are then ignored. */
const IGNORED = 30;

interface Window {
  start: number;
  calls: number;
  served: number;
  refused: number;
  lost: number;
  readonly subjects: Set<string>;
}

/**
 * Limits the calls that a worker starts. There is no limit until the service refuses calls of more than one payee; the
 * pace then follows the number of calls that the service took in a second. One payee whose calls are always refused
 * does not slow the others. A service that takes nothing is asked once a second.
 */
export class Pace {
  readonly #now: () => number;
  #rate = UNLIMITED;
  /** The pace up to which the service has taken all calls. */
  #ceiling = UNLIMITED;
  #tokens = 0;
  #filledAt: number;
  #window: Window;
  #down = false;
  #bad = 0;
  #firstShare = 0;
  #ignored = 0;
  /** Windows without a single refusal. */
  #clear = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#filledAt = now();
    this.#window = emptyWindow(now());
  }

  /** Calls a second at present; infinite before the service has shown a limit. */
  get rate(): number {
    return this.#rate;
  }

  /** The number of calls that may start now. */
  room(): number {
    this.#turn();
    if (this.#rate === UNLIMITED) return UNLIMITED;
    const now = this.#now();
    // A tenth of a second's worth may start together, so that jobs are still taken in groups.
    const most = Math.max(1, this.#rate / 10);
    this.#tokens = Math.min(most, this.#tokens + ((now - this.#filledAt) / 1000) * this.#rate);
    this.#filledAt = now;
    return Math.floor(this.#tokens);
  }

  /** Milliseconds until another call may start. */
  wait(): number {
    return (Math.max(0, 1 - this.#tokens) / this.#rate) * 1000;
  }

  /** Notes that so many calls start. */
  start(calls: number): void {
    if (this.#rate !== UNLIMITED) this.#tokens -= calls;
    this.#window.calls += calls;
  }

  /** Notes how a call ended; `subject` is the payee, or the batch. */
  end(signal: Signal, subject: string): void {
    this.#turn();
    this.#window[signal] += 1;
    if (signal === 'refused' || this.#window.served === 0) this.#window.subjects.add(subject);
  }

  /** Once a second: compares what was asked with what was taken. */
  #turn(): void {
    const now = this.#now();
    const window = this.#window;
    const seconds = (now - window.start) / 1000;
    if (seconds < 1) return;
    this.#window = emptyWindow(now);
    const { served, subjects } = window;
    // Lost calls say nothing about the pace, unless nothing else happens any more.
    const refused = window.refused + (served === 0 ? window.lost : 0);
    const ended = served + refused;
    if (ended === 0) return;
    const share = refused / ended;
    if (share > TOLERATED && (subjects.size > 1 || this.#down))
      this.#slow(served / seconds, ended / seconds, share);
    else this.#quicken(window.calls / seconds, refused === 0);
  }

  #slow(taken: number, asked: number, share: number): void {
    if (this.#ignored > 0) {
      this.#ignored -= 1;
      return;
    }
    this.#clear = 0;
    this.#bad += 1;
    if (this.#bad === 1) this.#firstShare = share;
    this.#down = taken === 0;
    if (this.#down) {
      this.#set(Math.max(PROBE, Math.min(this.#rate, asked) / 4));
      return;
    }
    if (this.#bad > PATIENCE && share > this.#firstShare * 0.7) {
      this.#ignored = IGNORED;
      this.#bad = 0;
      this.#ceiling = UNLIMITED;
      this.#set(UNLIMITED);
      return;
    }
    this.#ceiling = Math.max(taken, PROBE);
    this.#set(this.#ceiling);
  }

  #quicken(asked: number, clear: boolean): void {
    this.#clear = clear ? this.#clear + 1 : 0;
    this.#bad = 0;
    this.#down = false;
    this.#ignored = Math.max(0, this.#ignored - 1);
    // Whoever asks for far less than is allowed has shown nothing about the limit.
    if (asked < this.#rate * 0.5 && this.#rate > 8) {
      if (this.#ceiling === UNLIMITED) this.#set(UNLIMITED);
      return;
    }
    if (this.#rate < this.#ceiling * 0.8) this.#set(Math.min(this.#rate * 2, this.#ceiling));
    // Near a limit refusals come soon; where none come, the limit was another time's.
    else this.#set(this.#rate * (this.#clear > CLEAR ? 2 : 1.05));
  }

  #set(rate: number): void {
    this.#rate = rate;
    this.#tokens = Math.min(this.#tokens, Math.max(1, rate / 10));
    this.#filledAt = this.#now();
  }
}

const emptyWindow = (start: number): Window => ({
  start,
  calls: 0,
  served: 0,
  refused: 0,
  lost: 0,
  subjects: new Set(),
});
