import { type OptionNames, refuseUnknown } from '../shared/option-names.ts';
import type { Database } from './database.ts';
import type { BatchAmounts } from './rules/body.ts';
import { canonical, refuse } from './rules/checks.ts';
import { type PauseOptions, pausesFrom } from './rules/see-attempt.ts';
import type { FleetRules } from './store/attempts.ts';
import type { EnqueueRules } from './store/enqueue.ts';
import type { OnPayoutChange } from './store/transaction.ts';
import type { TransferLookup, TransferLookupMany } from './upkeep/lookups.ts';
import type { PayoutApprovals } from './upkeep/sweep.ts';
import type { PayoutTransfers } from './worker/call.ts';

/** The parts and rules of payouts. */
export interface PayoutsOptions {
  /** Your PostgreSQL database, by any driver. `migratePayouts` creates the tables. */
  readonly db: Database;
  /** The client. Its `retries` do not matter for transfers: the payouts retry by themselves. */
  readonly payments: PayoutTransfers & PayoutApprovals;
  /** The user who pays, by the service's id. These payouts read and pay only what their own payers enqueued. */
  readonly userId: string;
  /** Further users who pay, by the service's id, for orders with a `payer`. The client must be allowed to pay for them. */
  readonly payers?: readonly string[];
  /** Reads a transfer from the service, where the service has such an operation. It turns guesses into evidence. */
  readonly lookup?: TransferLookup;
  /** Reads many transfers at once, where the service can list them. The sweep prefers it to `lookup`. */
  readonly lookupMany?: TransferLookupMany;
  /**
   * Called within each transaction that moves payouts, with those that moved, so that your ledger moves with them. If it
   * throws, nothing moves: a worker and the sweep try each payment alone, and the one that fails waits.
   */
  readonly onChange?: OnPayoutChange;
  /** The form in which your service takes the amounts of a batch: decimal text, the default, or numbers. */
  readonly batchAmounts?: BatchAmounts;
  /** The pauses between the attempts of a payment. */
  readonly pause?: PauseOptions;
  /** Failures of one payment after which it is undecided, from 1. Pauses do not count. Default 25. */
  readonly maxFailures?: number;
  /** Rejected payouts in a row after which the payer's payouts are held until `resume`, from 1. Default 25. */
  readonly maxRefusals?: number;
  /**
   * Milliseconds for which your service certainly keeps an idempotency key, from 3,600,000, an hour. A payment whose first
   * attempt in doubt is older is not retried: a service that has forgotten the key would pay it again. Default a day.
   */
  readonly keyLifetime?: number;
}

const optionNames: OptionNames<PayoutsOptions> = {
  db: true,
  payments: true,
  userId: true,
  payers: true,
  lookup: true,
  lookupMany: true,
  onChange: true,
  batchAmounts: true,
  pause: true,
  maxFailures: true,
  maxRefusals: true,
  keyLifetime: true,
};
const workerNames: OptionNames<PayoutWorkerOptions> = {
  concurrency: true,
  pollInterval: true,
  onError: true,
};

const DAY = 86_400_000;

/** Checks the options of `createPayouts`, and fills in the defaults. */
export function rulesFrom(options: PayoutsOptions): FleetRules & EnqueueRules {
  const { pause, batchAmounts = 'text', maxFailures = 25, maxRefusals = 25, keyLifetime = DAY } = options;
  refuseUnknown(options, optionNames, refuse);
  const payers = payersOf(options);
  for (const [name, value] of Object.entries({ maxFailures, maxRefusals })) {
    if (!(Number.isInteger(value) && value >= 1)) refuse(`${name} must be a whole number of at least 1.`);
  }
  if (!(keyLifetime >= 3_600_000))
    refuse('keyLifetime must be a number of milliseconds from 3,600,000, an hour.');
  if (batchAmounts !== 'text' && batchAmounts !== 'number') {
    refuse('batchAmounts must be "text" or "number".');
  }
  return { pauses: pausesFrom(pause), maxFailures, maxRefusals, keyLifetime, payers, batchAmounts };
}

function payersOf({ userId, payers = [] }: PayoutsOptions): [string, ...string[]] {
  if (typeof userId !== 'string' || userId.trim() === '') {
    refuse('userId must name the user who pays.');
  }
  const own = canonical('userId', userId);
  const others = payers.map((payer) => canonical('payers', payer));
  return [own, ...new Set(others.filter((payer) => payer !== own))];
}

/** The pace and the reports of one worker. */
export interface PayoutWorkerOptions {
  /** Calls at once, 1 to 1,000. Default 32. Calls that take longer than a second do not count, up to 8 times as many. */
  readonly concurrency?: number;
  /** Milliseconds between two looks for payouts where none is due, from 1. Default 500. */
  readonly pollInterval?: number;
  /** Called with every failure of the database. The worker continues by itself. Default `console.error`. */
  readonly onError?: (error: unknown) => void;
}

/** A running worker. Stop it before the process ends. */
export interface PayoutWorker {
  /**
   * Takes no more payouts, waits for the calls under way and notes their results. Resolves within the patience, also while
   * the database is away.
   *
   * @param patience - Milliseconds, from 0. Calls that are still under way shortly before are aborted. Payouts whose
   * result is not noted then are in doubt; the next worker continues with them. Default 30,000.
   */
  stop(patience?: number): Promise<void>;
}

/** Checks the options of a worker, and fills in the defaults. */
export function workerOptionsFrom(options: PayoutWorkerOptions): Required<PayoutWorkerOptions> {
  const { concurrency = 32, pollInterval = 500 } = options;
  refuseUnknown(options, workerNames, refuse);
  if (!(Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 1000)) {
    refuse('concurrency must be a whole number from 1 to 1,000.');
  }
  if (!(pollInterval >= 1)) refuse('pollInterval must be a number of milliseconds from 1.');
  const report = options.onError ?? ((error) => console.error('payouts:', nameAndCode(error)));
  // One that throws must not end the worker: its payouts would wait for nobody.
  const onError = (error: unknown) => {
    try {
      report(error);
    } catch (thrown) {
      console.error('payouts: onError threw', nameAndCode(thrown));
    }
  };
  return { concurrency, pollInterval, onError };
}

/** The name and the code: a driver's message may contain stored values. */
function nameAndCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
}
