import { type OptionNames, refuseUnknown } from '../../shared/option-names.ts';
import type { Database } from '../database.ts';
import { refuse } from '../rules/checks.ts';
import type { FleetRules } from '../store/attempts.ts';
import { lockPayments } from '../store/payments.ts';
import { allOrEach, errorsOf, moving, type Store } from '../store/transaction.ts';
import { type LookupParts, lookUpDue } from './lookups.ts';
import { rejudge } from './rejudge.ts';

/** The part of a client that the sweep needs: a `PaymentsClient`, or a composed client with `approvals`. */
export interface PayoutApprovals {
  /** The `approvals` of a client. */
  readonly approvals: {
    /** Lists the pending approvals. The sweep reads all pages. */
    list(params: { limit: number }): AsyncIterable<{
      /** The transfer that waits for the approval. */
      readonly transferId: string;
    }>;
  };
}

/** The limits and waiting times of the sweep. All times are milliseconds. */
export interface SweepOptions {
  /** The time after which an approval that left the list of pending ones is undecided, from 0. Default 600,000. */
  readonly grace?: number;
  /**
   * The time after the last attempt before a lookup that finds nothing counts: 0, or from 1,000. Default 120,000. A call
   * lasts up to 90 seconds: with less, a payout whose request is still on its way can be paid twice.
   */
  readonly quiet?: number;
  /** The time for which handled events are remembered, from an hour. Default 30 days; senders retry for a day. */
  readonly keepEvents?: number;
  /** The time for which one sweep keeps others away, and the most it spends on lookups, from 1,000. Default 50,000. */
  readonly lease?: number;
  /** The most calls of `lookup` in a second, above 0. Default 50. `lookupMany` is called for 500 payments at once. */
  readonly lookupsPerSecond?: number;
}

const sweepNames: OptionNames<SweepOptions> = {
  grace: true,
  quiet: true,
  keepEvents: true,
  lease: true,
  lookupsPerSecond: true,
};

/** The least that is meant in milliseconds. 0 is none. */
const LEAST = { grace: 1000, quiet: 1000, keepEvents: 3_600_000, lease: 1000 } as const;

function checkOptions(options: SweepOptions): Required<SweepOptions> {
  refuseUnknown(options, sweepNames, refuse);
  const { grace = 600_000, quiet = 120_000, keepEvents = 30 * 86_400_000, lease = 50_000 } = options;
  const all = { grace, quiet, keepEvents, lease, lookupsPerSecond: options.lookupsPerSecond ?? 50 };
  for (const name of ['grace', 'quiet', 'keepEvents', 'lease'] as const) {
    const isNone = all[name] === 0 && (name === 'grace' || name === 'quiet');
    if (!isNone && !(all[name] >= LEAST[name]))
      refuse(`${name} must be a number of milliseconds of at least ${LEAST[name].toLocaleString('en-US')}.`);
  }
  if (!(all.lookupsPerSecond > 0)) refuse('lookupsPerSecond must be above 0.');
  return all;
}

/** The result of a sweep. */
export interface SweepReport {
  /** False where another process sweeps at the moment. */
  readonly swept: boolean;
}

export interface SweepParts extends LookupParts {
  readonly payments: PayoutApprovals;
  readonly rules: FleetRules;
}

/**
 * Brings evidence to payouts that no event will move. Each part runs whatever becomes of the others; a failure is
 * kept in the table `payout_sweep` and thrown at the end.
 */
export async function sweep(parts: SweepParts, options: SweepOptions = {}): Promise<SweepReport> {
  const { store, payments, payers, rules } = parts;
  const { db } = store;
  const { grace, quiet, keepEvents, lease, lookupsPerSecond } = checkOptions(options);
  const { rows } = await db.query(
    `update payout_sweep set lease_until = clock_timestamp() + make_interval(secs => $1)
     where lease_until < clock_timestamp() returning singleton`,
    [lease / 1000],
  );
  if (rows.length === 0) return { swept: false };
  const work: readonly (readonly [name: string, part: () => Promise<unknown>])[] = [
    ['refusals', async () => throwAll(await rejudge(store, payments, rules))],
    ['pending approvals', () => comparePending(db, payments, payers)],
    parts.lookup === undefined && parts.lookupMany === undefined
      ? ['missing approvals', () => giveUpMissing(store, grace, payers)]
      : ['lookups', () => lookUpDue(parts, { quiet, budget: lease, perSecond: lookupsPerSecond })],
    ['old events', () => forgetOldEvents(db, keepEvents / 1000)],
  ];
  const problems: string[] = [];
  const errors: unknown[] = [];
  for (const [name, part] of work) {
    try {
      await part();
    } catch (error) {
      errors.push(error);
      // Names and codes only: a message from outside may contain data that must not be stored.
      problems.push(`${name}: ${error instanceof Error ? error.name : typeof error}`);
    }
  }
  await db.query(
    `update payout_sweep set lease_until = '-infinity', finished_at = clock_timestamp(), problems = $1::text[]`,
    [problems],
  );
  if (errors.length > 0) {
    throw new AggregateError(
      errors,
      `The sweep failed in part (${problems.join('; ')}). The other parts are done.`,
    );
  }
  return { swept: true };
}

/**
 * Compares the payouts that await approval with the list of pending approvals. One that left the list was decided or
 * has expired: the list does not say which, and neither does a clock.
 */
async function comparePending(
  db: Database,
  { approvals }: PayoutApprovals,
  payers: readonly string[],
): Promise<void> {
  const { rows } = await db.query<{ at: string }>(
    `select clock_timestamp()::text as at where exists (select from payout_payment
       where state = 'awaiting_approval' and payer = any($1::text[]))`,
    [payers],
  );
  const started = rows[0]?.at;
  if (started === undefined) return;
  const pending: string[] = [];
  for await (const { transferId } of approvals.list({ limit: 100 })) {
    // No payout can be told to be missing from a list that hides one.
    if (typeof transferId !== 'string') throw new Error('A pending approval shows no transferId.');
    pending.push(transferId);
  }
  // What was noted after the list was asked for may rightly be missing from it.
  await db.query(
    `update payout_payment set missing_since =
       case when transfer_id = any($1::text[]) then null else coalesce(missing_since, clock_timestamp()) end
     where state = 'awaiting_approval' and last_attempt_at < $2::timestamptz and payer = any($3::text[])
       and (missing_since is null) = (transfer_id <> all($1::text[]))`,
    [pending, started, payers],
  );
}

/**
 * Without a lookup, makes approvals undecided that left the list for long enough: the approvers remember them. So are
 * those whose transfer is known by its key alone: the list cannot show them.
 */
async function giveUpMissing(store: Store, grace: number, payers: readonly string[]): Promise<void> {
  const missing = `state in ('awaiting_approval', 'made') and payer = any($2::text[]) and case state
    when 'awaiting_approval' then missing_since <= clock_timestamp() - make_interval(secs => $1)
    when 'made' then transfer_id is null and needs_approval
      and last_attempt_at <= clock_timestamp() - make_interval(secs => $1) end`;
  const { rows } = await store.db.query<{ request_id: string }>(
    `select request_id from payout_payment where ${missing}`,
    [grace / 1000, payers],
  );
  const giveUp = (some: readonly { request_id: string }[]) =>
    moving(store, async (sql) => {
      const requestIds = some.map(({ request_id }) => request_id);
      await lockPayments(sql, 'request_id', requestIds);
      await sql.query(
        `update payout_payment set state_at = clock_timestamp(), state = 'undecided',
           reason = case state when 'made' then 'APPROVAL_NOT_KNOWN' else 'DECISION_NOT_HEARD' end
         where request_id = any($3::uuid[]) and ${missing}`,
        [grace / 1000, payers, requestIds],
      );
    });
  throwAll(errorsOf(await allOrEach(rows, giveUp)));
}

function throwAll(errors: readonly unknown[]): void {
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors);
}

async function forgetOldEvents(db: Database, seconds: number): Promise<void> {
  await db.query(
    `delete from payout_event e where handled_at < clock_timestamp() - make_interval(secs => $1)
       and (decision is null or not exists (select from payout_payment p where p.transfer_id = e.transfer_id))`,
    [seconds],
  );
}
