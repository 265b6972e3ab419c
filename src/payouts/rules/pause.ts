/** The pauses between the attempts of a payout. */
export interface PauseOptions {
  /** Seconds of the first pause, above 0. Default 1. */
  readonly minSeconds?: number;
  /** The longest pause in seconds that grows by itself, up to 86,400. Default 60. */
  readonly maxSeconds?: number;
  /** The longest Retry-After in seconds that is followed, up to 86,400. Default 900. */
  readonly maxRetryAfterSeconds?: number;
}

/** The pause options with their defaults. */
export type Pauses = Required<PauseOptions>;

/**
 * Seconds to wait after the given number of earlier pauses. Each pause doubles, whatever the service asks: a
 * `Retry-After: 0` must not make a worker call without rest.
 */
export function pauseSeconds(
  { minSeconds, maxSeconds, maxRetryAfterSeconds }: Pauses,
  earlier: number,
  retryAfter = 0,
  random = Math.random(),
): number {
  const grown = Math.min(maxSeconds, minSeconds * 2 ** Math.min(earlier, 30));
  // Jobs that paused together must not all come back at the same instant.
  return Math.max(grown, Math.min(retryAfter, maxRetryAfterSeconds)) * (1 + random * 0.25);
}

/** Checks the options once, where they are given. */
export function pausesFrom(options: PauseOptions = {}): Pauses {
  const { minSeconds = 1, maxSeconds = 60, maxRetryAfterSeconds = 900 } = options;
  for (const [name, value] of Object.entries({ minSeconds, maxSeconds, maxRetryAfterSeconds })) {
    if (!(value > 0 && value <= 86_400)) {
      throw new RangeError(`pause.${name} must be a number of seconds above 0 and up to 86,400.`);
    }
  }
  return { minSeconds, maxSeconds, maxRetryAfterSeconds };
}
