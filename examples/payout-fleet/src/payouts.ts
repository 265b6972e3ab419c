import type { Database, Sql } from './data/database.ts';
import type { State } from './data/schema.ts';

/** One recipient of a payment that a worker is about to ask for. */
export interface Recipient {
  readonly month: string;
  readonly employee: string;
  readonly payee: string;
  readonly amount: string;
  readonly currency: string;
  readonly chain: string;
  readonly needs_approval: boolean;
}

export interface Begun {
  /** In the same order each time: the service holds a repeat against the first request. */
  readonly recipients: readonly Recipient[];
  readonly attempt: number;
  /** Whether an earlier attempt may have been carried out. */
  readonly inDoubt: boolean;
}

/**
 * Notes that a call is about to be made, before it is: whoever comes after a worker that dies from here on knows that
 * the payment may exist. Undefined where the fleet pauses or the payout is settled.
 */
export async function begin(db: Sql, requestId: string): Promise<Begun | undefined> {
  const { rows } = await db.query<Recipient & { attempts: number; was_in_doubt: boolean }>(
    `with mine as (
       select month, employee, in_doubt from payout
       where request_id = $1 and state = 'queued'
         and not exists (select from fleet where paused_until > clock_timestamp())
       order by month, employee for update
     )
     update payout p set in_doubt = true, attempts = p.attempts + 1, last_attempt_at = clock_timestamp()
     from mine where p.month = mine.month and p.employee = mine.employee
     returning p.month, p.employee, p.payee, p.amount::text, p.currency, p.chain, p.needs_approval, p.attempts,
       mine.in_doubt as was_in_doubt`,
    [requestId],
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const recipients = rows.sort((a, b) => (a.employee < b.employee ? -1 : 1));
  return { recipients, attempt: first.attempts, inDoubt: rows.some((row) => row.was_in_doubt) };
}

/** Takes the note back where this attempt was surely not carried out, unless another one has begun meanwhile. */
export async function certainlyNotDone(
  db: Sql,
  requestId: string,
  { attempt, inDoubt }: Begun,
): Promise<void> {
  if (inDoubt) return;
  await db.query(
    `update payout set in_doubt = false where request_id = $1 and attempts = $2 and state = 'queued'`,
    [requestId, attempt],
  );
}

/** Ends a payout that has no transfer that we know of. A settled one is left as it is. */
export async function end(
  db: Sql,
  requestId: string,
  state: 'rejected' | 'unknown',
  reason: string,
): Promise<void> {
  await db.query(
    `update payout set state = $2, reason = $3, settled_at = clock_timestamp()
     where request_id = $1 and state = 'queued'`,
    [requestId, state, reason],
  );
}

export interface Accepted {
  readonly transferId: string;
  readonly state: Exclude<State, 'queued'>;
  readonly reason?: string;
  readonly approvalId?: string;
  readonly expiresAt?: Date;
}

/** Notes the transfer that the service made. That it exists is stronger than whatever was thought before. */
export async function accept(db: Database, requestId: string, accepted: Accepted): Promise<void> {
  const { transferId, state, reason = null, approvalId = null, expiresAt = null } = accepted;
  const values = [requestId, state, transferId, reason, approvalId, expiresAt];
  const update = `update payout set state = $2, transfer_id = $3, reason = $4, approval_id = $5, expires_at = $6,
      in_doubt = false, settled_at = case when $2 = 'awaiting_approval' then null else clock_timestamp() end
    where request_id = $1 and transfer_id is null returning employee`;
  if (state !== 'awaiting_approval') {
    const { rows } = await db.query(update, values);
    if (rows.length === 0) await compare(db, requestId, transferId);
    return;
  }
  await db.transaction(async (sql) => {
    await lockTransfer(sql, transferId);
    const { rows } = await sql.query(update, values);
    if (rows.length === 0) await compare(sql, requestId, transferId);
    await applyDecision(sql, transferId);
  });
}

/** A second transfer under one request id would be a double payment by the service's own fault. */
async function compare(sql: Sql, requestId: string, transferId: string): Promise<void> {
  await sql.query(
    `update payout set state = 'unknown', reason = 'TWO_TRANSFERS', settled_at = clock_timestamp()
     where request_id = $1 and transfer_id <> $2`,
    [requestId, transferId],
  );
}

/**
 * The worker that notes a transfer and the receiver that hears of its decision take turns. Otherwise each could miss
 * what the other has not committed yet, and the decision would be lost.
 */
export async function lockTransfer(sql: Sql, transferId: string): Promise<void> {
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', [transferId]);
}

/** Ends the payouts of a transfer as it was decided, if both the transfer and the decision are known. */
export async function applyDecision(sql: Sql, transferId: string): Promise<void> {
  await sql.query(
    `update payout p set settled_at = clock_timestamp(),
       state = case when d.contradicted then 'unknown' when d.decision = 'APPROVED' then 'paid' else 'rejected' end,
       reason = case when d.contradicted then 'CONTRADICTORY_DECISIONS'
         when d.decision = 'APPROVED' then null else 'APPROVAL_REJECTED' end
     from approval_decision d
     where d.transfer_id = $1 and p.transfer_id = $1 and p.reason is distinct from 'TWO_TRANSFERS'
       and (p.state in ('awaiting_approval', 'expired', 'unknown') or d.contradicted)`,
    [transferId],
  );
}
