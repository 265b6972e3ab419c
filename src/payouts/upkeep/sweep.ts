import { type OptionNames, refuseUnknown } from '../../shared/option-names.ts';
import type { Database } from '../database.ts';
import type { PayoutQueue } from '../queue.ts';
import { refuse } from '../rules/checks.ts';
import { HELD } from '../store/attempts.ts';
import { addJobs } from '../store/by-hand.ts';
import { type LookupParts, lookUpDue } from './lookups.ts';

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

/** The limits and waiting times of the sweep. */
export interface SweepOptions {
  /** Seconds after which an approval that left the list of pending ones is undecided, from 0. Default 600. */
  readonly graceSeconds?: number;
  /**
   * Seconds after the last attempt before a lookup that finds nothing counts, from 0. Default 120. A call lasts up to 90
   * seconds: with less, a payout whose request is still on its way can be paid twice.
   */
  readonly quietSeconds?: number;
  /** Seconds after which a payout that waits is checked for a lost job, above 0. Default 3600. */
  readonly lostSeconds?: number;
  /** Days for which handled events are remembered, above 0. Default 30; senders retry for a day. */
  readonly eventDays?: number;
  /** Seconds for which one sweep keeps others away, and the most it spends on lookups, above 0. Default 50. */
  readonly leaseSeconds?: number;
  /** The most calls of `lookup` in a second, above 0. Default 50. `lookupMany` is called for 500 payments at once. */
  readonly lookupsPerSecond?: number;
}

const sweepNames: OptionNames<SweepOptions> = {
  graceSeconds: true,
  quietSeconds: true,
  lostSeconds: true,
  eventDays: true,
  leaseSeconds: true,
  lookupsPerSecond: true,
};

/** The result of a sweep. */
export interface SweepReport {
  /** False where another process sweeps at the moment. */
  readonly swept: boolean;
}

export interface SweepParts extends LookupParts {
  readonly payments: PayoutApprovals;
}

/**
 * Brings evidence to payouts that no event will move. Each part runs whatever becomes of the others; a failure is
 * kept in the table `payout_sweep` and thrown at the end.
 */
export async function sweep(parts: SweepParts, options: SweepOptions = {}): Promise<SweepReport> {
  const { db, payments, queue, payers } = parts;
  const {
    graceSeconds = 600,
    quietSeconds = 120,
    lostSeconds = 3600,
    eventDays = 30,
    leaseSeconds = 50,
    lookupsPerSecond = 50,
  } = options;
  refuseUnknown(options, sweepNames, refuse);
  for (const [name, value] of Object.entries({ lostSeconds, eventDays, leaseSeconds, lookupsPerSecond })) {
    if (!(value > 0)) refuse(`${name} must be above 0.`);
  }
  if (!(graceSeconds >= 0 && quietSeconds >= 0)) refuse('graceSeconds and quietSeconds must be 0 or more.');
  const { rows } = await db.query(
    `update payout_sweep set lease_until = clock_timestamp() + make_interval(secs => $1)
     where lease_until < clock_timestamp() returning singleton`,
    [leaseSeconds],
  );
  if (rows.length === 0) return { swept: false };
  const work: readonly (readonly [name: string, part: () => Promise<void>])[] = [
    ['pending approvals', () => comparePending(db, payments, payers)],
    parts.lookup === undefined && parts.lookupMany === undefined
      ? ['missing approvals', () => giveUpMissing(db, graceSeconds, payers)]
      : [
          'lookups',
          () => lookUpDue(parts, { quietSeconds, budget: leaseSeconds * 1000, perSecond: lookupsPerSecond }),
        ],
    ['lost jobs', () => addLostJobs(db, queue, lostSeconds, payers)],
    ['old events', () => forgetOldEvents(db, eventDays)],
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
async function giveUpMissing(db: Database, graceSeconds: number, payers: readonly string[]): Promise<void> {
  await db.query(
    `update payout_payment set undecided_since = clock_timestamp(), undecided_for = 'approvers', state = 'undecided',
       reason = case state when 'made' then 'APPROVAL_NOT_KNOWN' else 'DECISION_NOT_HEARD' end
     where state in ('awaiting_approval', 'made') and payer = any($2::text[]) and case state
       when 'awaiting_approval' then missing_since <= clock_timestamp() - make_interval(secs => $1)
       when 'made' then transfer_id is null and needs_approval
         and last_attempt_at <= clock_timestamp() - make_interval(secs => $1) end`,
    [graceSeconds, payers],
  );
}

/** A job can be deleted by hand or by the queue's retention; its payment must not wait for ever. */
async function addLostJobs(
  db: Database,
  queue: PayoutQueue,
  lostSeconds: number,
  payers: readonly string[],
): Promise<void> {
  const { rows } = await db.query<{ request_id: string }>(
    `select request_id from payout_payment p
     where state = 'queued' and greatest(due_at, last_attempt_at) < clock_timestamp() - make_interval(secs => $1)
       and payer = any($2::text[]) and not ${HELD} order by due_at limit 1000`,
    [lostSeconds, payers],
  );
  await addJobs(
    db,
    queue,
    rows.map(({ request_id }) => request_id),
  );
}

async function forgetOldEvents(db: Database, days: number): Promise<void> {
  const isOld = (time: string) => `${time} < clock_timestamp() - make_interval(secs => $1)`;
  await db.query(`delete from payout_event where ${isOld('handled_at')}`, [days * 86_400]);
  await db.query(`delete from payout_news where ${isOld('received_at')}`, [days * 86_400]);
  await db.query(
    `delete from payout_decision d where ${isOld('received_at')}
       and not exists (select from payout_payment p where p.transfer_id = d.transfer_id)`,
    [days * 86_400],
  );
}
