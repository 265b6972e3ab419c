/** A length of time: milliseconds, or a number with a unit such as `'10s'`, `'30m'`, `'25h'` or `'7d'`. */
export type Duration = number | string;

const UNITS = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

/** A hundred years: far enough for any test, and far from the last instant a date can hold. */
const LONGEST = 100 * 365 * 86_400_000;

/** Milliseconds of a duration, or `undefined` where it is not one. */
export function parseDuration(duration: unknown): number | undefined {
  const milliseconds = typeof duration === 'number' ? duration : parseText(duration);
  if (milliseconds === undefined || !(milliseconds >= 0 && milliseconds <= LONGEST)) return undefined;
  return Math.round(milliseconds);
}

/** Milliseconds of a duration; throws a `RangeError` that names the option where it is not one. */
export function toMilliseconds(duration: Duration, name: string): number {
  const milliseconds = parseDuration(duration);
  if (milliseconds === undefined) {
    throw new RangeError(
      `${name} must be milliseconds or a text like '30s', '25h' or '7d', and not negative`,
    );
  }
  return milliseconds;
}

function parseText(text: unknown): number | undefined {
  const match = typeof text === 'string' ? /^(\d{1,12}(?:\.\d{1,6})?)([a-z]{1,2})$/.exec(text.trim()) : null;
  const unit = UNITS.get(match?.[2] ?? '');
  return unit === undefined ? undefined : Number(match?.[1]) * unit;
}

/** Milliseconds with one decimal: what is beyond is noise of the clock and of binary numbers. */
export const tenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/** The start and the mode of the emulator's clock. */
export interface EmulatorClockOptions {
  /** The instant at which the clock starts. Default: the real time, or 2026-01-01T00:00:00Z where frozen. */
  start?: Date | string | number;
  /** True stops the time, except for `advance`. Default: `true` where a `seed` is given and no clock, else `false`. */
  frozen?: boolean;
}

/** The emulator's clock: every timestamp and every expiry follows it. */
export interface EmulatorClock {
  /** The present instant of the emulator. */
  now(): Date;
  /**
   * Moves time forward. What is due by then happens before it returns.
   *
   * @param duration - Milliseconds, or a text such as `'7d'`.
   * @returns The new time.
   * @throws RangeError when the duration is not valid, or the clock would pass the year 9999.
   *
   * @example
   * ```ts
   * emulator.clock.advance('7d'); // pending approvals expire
   * ```
   */
  advance(duration: Duration): Date;
  /** Stops the time where it is. */
  freeze(): void;
  /** Lets the time run on from where it is. */
  resume(): void;
  /** True if the clock is frozen. */
  readonly frozen: boolean;
}

const FIXED_START = Date.parse('2026-01-01T00:00:00.000Z');

/** The latest instant that a four-digit year can write. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** A moment of the clock, as a snapshot keeps it. */
export interface ClockState {
  /** The present instant. */
  now: number;
  /** True if the clock is frozen. */
  frozen: boolean;
}

/** The mode of a clock: stopped at an instant, or at a distance from its source. */
export type ClockSetting = { frozenAt: number } | { offset: number };

export class Clock implements EmulatorClock {
  readonly #start: number | undefined;
  readonly #startsFrozen: boolean;
  #offset = 0;
  #frozenAt: number | undefined;
  /** Called after time was moved by hand, so that what became due happens at once. */
  onAdvance: () => void = () => {};

  constructor(options: EmulatorClockOptions) {
    this.#startsFrozen = options.frozen ?? false;
    this.#start = options.start === undefined ? undefined : new Date(options.start).getTime();
    this.reset();
  }

  reset(): void {
    const start = this.#start ?? (this.#startsFrozen ? FIXED_START : Date.now());
    this.restore({ now: start, frozen: this.#startsFrozen });
  }

  restore(state: ClockState): void {
    this.#offset = state.now - Date.now();
    this.#frozenAt = state.frozen ? state.now : undefined;
  }

  /** The setting of the clock: its frozen time, or its offset from the source. It does not change while time passes. */
  setting(): ClockSetting {
    return this.#frozenAt === undefined ? { offset: this.#offset } : { frozenAt: this.#frozenAt };
  }

  /** The present moment under an earlier setting: a clock that ran went on running meanwhile. */
  stateOf(setting: ClockSetting): ClockState {
    if ('frozenAt' in setting) return { now: setting.frozenAt, frozen: true };
    return { now: Math.min(Date.now() + setting.offset, LAST_INSTANT), frozen: false };
  }

  state(): ClockState {
    return { now: this.millis(), frozen: this.frozen };
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  millis(): number {
    return this.#frozenAt ?? Math.min(Date.now() + this.#offset, LAST_INSTANT);
  }

  now(): Date {
    return new Date(this.millis());
  }

  /** The present instant as it stands in wire records. */
  iso(): string {
    return this.now().toISOString();
  }

  /** The present instant, or just after another one: a cursor is a time, so no two records of a list may share one. */
  isoAfter(latest: string | undefined): string {
    const after = latest === undefined ? 0 : Date.parse(latest) + 1;
    return new Date(Math.max(this.millis(), after)).toISOString();
  }

  advance(duration: Duration): Date {
    const milliseconds = toMilliseconds(duration, 'advance');
    if (this.millis() + milliseconds > LAST_INSTANT) {
      throw new RangeError('advance would move the clock past the year 9999');
    }
    if (this.#frozenAt === undefined) this.#offset += milliseconds;
    else this.#frozenAt += milliseconds;
    this.onAdvance();
    return this.now();
  }

  freeze(): void {
    this.restore({ now: this.millis(), frozen: true });
  }

  resume(): void {
    this.restore({ now: this.millis(), frozen: false });
  }
}

/** What is wrong with a date, if anything is. A number of seconds would be a time in January 1970. */
export function problemOfInstant(start: unknown): string | undefined {
  if (typeof start === 'number' && start > 0 && start < 1e11)
    return `must be milliseconds since 1970: for seconds pass ${start * 1000}`;
  const isDate = typeof start === 'string' || typeof start === 'number' || start instanceof Date;
  const instant = isDate ? new Date(start).getTime() : Number.NaN;
  return instant >= 0 && instant <= LAST_INSTANT ? undefined : 'must be a date between 1970 and 9999';
}
