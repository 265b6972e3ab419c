import type { Database } from '../database.ts';

/** The part of a client that the sweep needs: a `PaymentsClient`, or a composed client with `approvals`. */
export interface PayoutApprovals {
  /** The operations on approvals. */
  readonly approvals: {
    /** Lists the pending approvals. */
    list(params: { limit: number }): AsyncIterable<{
      /** The id of the transfer that waits for the approval. */
      readonly transferId: string;
    }>;
  };
}

/**
 * Compares the payouts that await approval with the list of pending approvals. One that left the list was decided or
 * has expired: the list does not say which, and neither does a clock.
 */
export async function comparePending(
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
  for await (const { transferId } of approvals.list({ limit: 100 })) pending.push(transferId);
  // What was noted after the list was asked for may rightly be missing from it.
  await db.query(
    `update payout_payment set missing_since =
       case when transfer_id = any($1::text[]) then null else coalesce(missing_since, clock_timestamp()) end
     where state = 'awaiting_approval' and last_attempt_at < $2::timestamptz and payer = any($3::text[])
       and (missing_since is null) = (transfer_id <> all($1::text[]))`,
    [pending, started, payers],
  );
}

/** Without a lookup, makes approvals undecided that left the list for long enough: the approvers remember them. */
export async function giveUpMissing(
  db: Database,
  graceSeconds: number,
  payers: readonly string[],
): Promise<void> {
  await db.query(
    `update payout_payment set state = 'undecided', reason = 'DECISION_NOT_HEARD', undecided_since = clock_timestamp(),
       undecided_for = 'approvers'
     where state = 'awaiting_approval' and missing_since <= clock_timestamp() - make_interval(secs => $1)
       and payer = any($2::text[])`,
    [graceSeconds, payers],
  );
  // A transfer that is known by its key alone cannot be found in the list of approvals.
  await db.query(
    `update payout_payment set state = 'undecided', reason = 'APPROVAL_NOT_KNOWN', undecided_since = clock_timestamp(),
       undecided_for = 'approvers'
     where state = 'made' and transfer_id is null and needs_approval
       and last_attempt_at <= clock_timestamp() - make_interval(secs => $1)
       and payer = any($2::text[])`,
    [graceSeconds, payers],
  );
}
