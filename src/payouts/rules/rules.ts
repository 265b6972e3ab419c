import * as z from 'zod/mini';
import { milliseconds } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject, wholeNumber } from '../../shared/schema/schema.ts';

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

const ONE_DAY = 86_400_000;

/** A hundred years: these times are compared, and no timer counts them. */
const LONGEST = 100 * 365 * ONE_DAY;

const pauseOptions = /* @__PURE__ */ lazy(() => {
  const pause = z.optional(milliseconds(100, ONE_DAY));
  return matching<PauseOptions>()(strictObject({ first: pause, most: pause, mostRetryAfter: pause }));
});

/** The fields of the schema of options that contain the limits. */
export const ruleFields = /* @__PURE__ */ lazy(() => ({
  quiet: z.optional(milliseconds(1000, LONGEST)),
  look: z.optional(milliseconds(100, LONGEST)),
  keyLifetime: z.optional(milliseconds(3_600_000, LONGEST)),
  patience: z.optional(milliseconds(60_000, LONGEST)),
  maxFailures: z.optional(wholeNumber(1)),
  maxRefusals: z.optional(wholeNumber(1)),
  pause: z.optional(pauseOptions()),
}));

/** Fills in the defaults of the limits. */
export function rulesFrom(options: RuleOptions, hasLookup: boolean, random = Math.random): Rules {
  const { quiet = 120_000, look = 5000, keyLifetime = ONE_DAY, patience = ONE_DAY } = options;
  const { maxFailures = 25, maxRefusals = 25, pause = {} } = options;
  const { first = 1000, most = 60_000, mostRetryAfter = 900_000 } = pause;
  const pauses = { first, most, mostRetryAfter };
  return { quiet, look, keyLifetime, patience, maxFailures, maxRefusals, pauses, hasLookup, random };
}

/**
 * Milliseconds to wait after the given number of earlier pauses. Each pause doubles, whatever the service asks: a
 * `Retry-After: 0` must not make a worker call without rest.
 */
export function pauseOf({ pauses, random }: Rules, earlier: number, retryAfter = 0): number {
  const grown = Math.min(pauses.most, pauses.first * 2 ** earlier);
  return Math.max(grown, Math.min(retryAfter, pauses.mostRetryAfter)) * (1 + random() * 0.25);
}

const LONGEST_LOOK = 3_600_000;

/** Milliseconds until the next lookup, after the given number of earlier ones. */
export const lookAfter = ({ look, random }: Rules, earlier: number): number =>
  Math.min(LONGEST_LOOK, look * 2 ** earlier) * (1 + random() * 0.25);
