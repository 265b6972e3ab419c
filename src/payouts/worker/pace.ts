import type { Finding } from '../rules/see-attempt.ts';

/** The result of a call, as a sign of the service's capacity. */
export type Signal =
  /** The service took the call, whatever it decided. */
  | 'served'
  /** The service, or the way to it, could not take it. */
  | 'refused'
  /** The outcome is unknown. */
  | 'lost';

/** A refusal of the payment is a call that the service took. */
export function signalOf(finding: Finding): Signal {
  if (finding.finding === 'not-reached') return 'refused';
  if (finding.finding === 'refused') return finding.about === 'payer' ? 'refused' : 'served';
  return finding.finding === 'open' ? 'lost' : 'served';
}

/** Calls that start at once, before the service has shown a limit. */
const UNLIMITED = Number.POSITIVE_INFINITY;
/** The share of refused calls up to which the pace is right. */
const TOLERATED = 0.1;
/** Calls a second to a service that refuses everything, to notice when it is back. */
const PROBE = 1;
/** Windows after which refusals that no slowing changes are not about the pace. */
const PATIENCE = 4;
/** The share of the last known limit by which the pace grows after a good window, once more for each one before it. */
const GROWTH = 0.05;
/** The least of that, calls a second. */
const LEAST_GROWTH = 0.25;
/** Windows for which refusals are then ignored. */
const IGNORED = 30;

interface Window {
  start: number;
  served: number;
  refused: number;
  lost: number;
  readonly subjects: Set<string>;
}

/**
 * Limits the calls that a worker starts. There is no limit until the service refuses calls of more than one payee; the
 * pace then is what the service took in a second, and grows with the time that passes without too many refusals: a
 * little at first, then faster. How much of the pace is used does not matter: a worker whose database is slow uses little
 * of it, and would never get more. One payee whose calls are always refused does not slow the others. A service that
 * takes nothing is asked once a second.
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
  /** The first of the bad windows in a row. */
  #first = { share: 0, asked: 0, ceiling: UNLIMITED };
  #ignored = 0;
  /** Good windows at the limit since the last bad one. */
  #good = 0;

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
    else this.#quicken();
  }

  #slow(taken: number, asked: number, share: number): void {
    if (this.#ignored > 0) {
      this.#ignored -= 1;
      return;
    }
    this.#good = 0;
    this.#bad += 1;
    if (this.#bad === 1) this.#first = { share, asked, ceiling: this.#ceiling };
    this.#down = taken === 0;
    if (this.#down) {
      // The few calls that were taken as the service went down say nothing of its limit.
      this.#ceiling = this.#first.ceiling;
      this.#set(Math.max(PROBE, Math.min(this.#rate, asked) / 4));
      return;
    }
    if (this.#bad > PATIENCE && share > this.#first.share * 0.7 && asked < this.#first.asked / 2) {
      this.#ignored = IGNORED;
      this.#bad = 0;
      this.#ceiling = this.#first.asked;
      this.#set(this.#ceiling);
      return;
    }
    this.#ceiling = Math.max(taken, PROBE);
    this.#set(this.#ceiling);
  }

  #quicken(): void {
    this.#bad = 0;
    this.#down = false;
    this.#ignored = Math.max(0, this.#ignored - 1);
    if (this.#rate < this.#ceiling * 0.8) {
      this.#set(Math.min(this.#rate * 2, this.#ceiling));
      return;
    }
    this.#good += 1;
    this.#set(this.#rate + Math.max(LEAST_GROWTH, this.#ceiling * GROWTH) * this.#good);
  }

  #set(rate: number): void {
    this.#rate = rate;
    this.#tokens = Math.min(this.#tokens, Math.max(1, rate / 10));
    this.#filledAt = this.#now();
  }
}

const emptyWindow = (start: number): Window => ({
  start,
  served: 0,
  refused: 0,
  lost: 0,
  subjects: new Set(),
});
