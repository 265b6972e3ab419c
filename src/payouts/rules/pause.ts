/** The pauses between the attempts of a payout. */
export interface PauseOptions {
  /** Seconds of the first pause, above 0. Default 1. */
  readonly firstSeconds?: number;
  /** The longest pause in seconds that grows by itself, up to 86,400. Default 60. */
  readonly mostSeconds?: number;
  /** The longest Retry-After in seconds that is followed, up to 86,400. Default 900. */
  readonly mostRetryAfterSeconds?: number;
}

/** The pause options with their defaults. */
export type Pauses = Required<PauseOptions>;

/**
 * Seconds to wait after the given number of earlier pauses. Each pause doubles, whatever the service asks: a
 * `Retry-After: 0` must not make a worker call without rest.
 */
export function pauseSeconds(
  { firstSeconds, mostSeconds, mostRetryAfterSeconds }: Pauses,
  earlier: number,
  retryAfter = 0,
  random = Math.random(),
): number {
  const grown = Math.min(mostSeconds, firstSeconds * 2 ** Math.min(earlier, 30));
  // Jobs that paused together must not all come back at the same instant.
  return Math.max(grown, Math.min(retryAfter, mostRetryAfterSeconds)) * (1 + random * 0.25);
}

/** Checks the options once, where they are given. */
export function pausesFrom(options: PauseOptions = {}): Pauses {
  const { firstSeconds = 1, mostSeconds = 60, mostRetryAfterSeconds = 900 } = options;
  for (const [name, value] of Object.entries({ firstSeconds, mostSeconds, mostRetryAfterSeconds })) {
    if (!(value > 0 && value <= 86_400)) {
      throw new RangeError(`pause.${name} must be a number of seconds above 0 and up to 86,400.`);
    }
  }
  return { firstSeconds, mostSeconds, mostRetryAfterSeconds };
}
