import { type OptionNames, refuseUnknown } from '../../shared/option-names.ts';
import { checkMilliseconds, checkWholeNumber, refuseInput } from './checks.ts';

/** The pauses between the attempts of a payment, in milliseconds. */
export interface PauseOptions {
  /** The first pause. Default 1,000. */
  readonly first?: number;
  /** The longest pause that grows by itself. Default 60,000. */
  readonly most?: number;
  /** The longest Retry-After that is followed. Default 900,000. */
  readonly mostRetryAfter?: number;
}

/** The limits of payouts. All times are milliseconds. */
export interface RuleOptions {
  /**
   * The quiet time: an absence, or a person who says that nothing was paid, counts only so long after the last moment at
   * which the call may have been sent. Default 120,000: a service that acts later than that can make a payout paid twice.
   */
  readonly quiet?: number;
  /** The wait before the first lookup of a payment; it doubles up to an hour. Default 5,000. */
  readonly look?: number;
  /**
   * The time for which your service certainly keeps an idempotency key. A payment whose first attempt in doubt is older, but
   * for three minutes, is not retried: a service that has forgotten the key would pay it again. Default a day.
   */
  readonly keyLifetime?: number;
  /** The time without news after which an `accepted` payout becomes `undecided`. Default a day. */
  readonly patience?: number;
  /** Failures of one payment after which it is `undecided`. Pauses do not count. Default 25. */
  readonly maxFailures?: number;
  /** Payouts in a row that the service rejects, after which the payer is held until `resume`. Default 25. */
  readonly maxRefusals?: number;
  /** The pauses between attempts. */
  readonly pause?: PauseOptions;
}

/** The limits with their defaults, as the rules read them. */
export interface Rules {
  readonly quiet: number;
  readonly look: number;
  readonly keyLifetime: number;
  readonly patience: number;
  readonly maxFailures: number;
  readonly maxRefusals: number;
  readonly pauses: Required<PauseOptions>;
  /** True if a lookup was given: undecided payments are looked up. */
  readonly hasLookup: boolean;
  /** From 0 to below 1: payments that paused together must not all come back at the same instant. */
  readonly random: () => number;
}

export const ruleNames: OptionNames<RuleOptions> = {
  quiet: true,
  look: true,
  keyLifetime: true,
  patience: true,
  maxFailures: true,
  maxRefusals: true,
  pause: true,
};

const ONE_DAY = 86_400_000;

/** Checks the limits, and fills in the defaults. */
export function rulesFrom(options: RuleOptions, hasLookup: boolean, random = Math.random): Rules {
  const { quiet = 120_000, look = 5000, keyLifetime = ONE_DAY, patience = ONE_DAY } = options;
  return {
    quiet: checkMilliseconds('quiet', quiet, 1000),
    look: checkMilliseconds('look', look, 100),
    keyLifetime: checkMilliseconds('keyLifetime', keyLifetime, 3_600_000),
    patience: checkMilliseconds('patience', patience, 60_000),
    maxFailures: checkWholeNumber('maxFailures', options.maxFailures ?? 25, 1),
    maxRefusals: checkWholeNumber('maxRefusals', options.maxRefusals ?? 25, 1),
    pauses: pausesFrom(options.pause),
    hasLookup,
    random,
  };
}

function pausesFrom(options: PauseOptions = {}): Required<PauseOptions> {
  refuseUnknown(options, { first: true, most: true, mostRetryAfter: true }, (it) =>
    refuseInput(`pause: ${it}`),
  );
  const { first = 1000, most = 60_000, mostRetryAfter = 900_000 } = options;
  return {
    first: checkMilliseconds('pause.first', first, 100, ONE_DAY),
    most: checkMilliseconds('pause.most', most, 100, ONE_DAY),
    mostRetryAfter: checkMilliseconds('pause.mostRetryAfter', mostRetryAfter, 100, ONE_DAY),
  };
}

/**
 * Milliseconds to wait after the given number of earlier pauses. Each pause doubles, whatever the service asks: a
 * `Retry-After: 0` must not make a worker call without rest.
 */
export function pauseOf({ pauses, random }: Rules, earlier: number, retryAfter = 0): number {
  const grown = Math.min(pauses.most, pauses.first * 2 ** Math.min(earlier, 30));
  return Math.max(grown, Math.min(retryAfter, pauses.mostRetryAfter)) * (1 + random() * 0.25);
}

const LONGEST_LOOK = 3_600_000;

/** Milliseconds until the next lookup, after the given number of earlier ones. */
export const lookAfter = ({ look, random }: Rules, earlier: number): number =>
  Math.min(LONGEST_LOOK, look * 2 ** Math.min(earlier, 30)) * (1 + random() * 0.25);
