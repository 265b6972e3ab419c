import type { Database, Sql } from '../database.ts';
import { change } from '../rules/payment.ts';
import { type ApprovalDecisionKind, seeDecision } from '../rules/see-record.ts';
import { lockPayments, resolve } from './payments.ts';

/**
 * Takes turns for transfers: the worker that notes a transfer and the receiver that hears of its decision. Otherwise
 * each could miss what the other has not committed yet, and the decision would be lost.
 */
export async function lockTransfers(sql: Sql, transferIds: readonly string[]): Promise<void> {
  if (transferIds.length === 0) return;
  await sql.query(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended(id, 2) as key from unnest($1::text[]) as id order by key) as keys`,
    [transferIds],
  );
}

/** An event about the approval of a transfer. */
export interface DecisionEvent {
  /** The id of the event: a second delivery with the same id changes nothing. */
  readonly id: string;
  /** The transfer that was decided. */
  readonly transferId: string;
  /** The decision. */
  readonly decision: ApprovalDecisionKind;
}

/** Notes a decision and what follows from it. That the event was handled commits with its effect. */
export async function noteDecision(db: Database, { id, transferId, decision }: DecisionEvent): Promise<void> {
  await db.transaction(async (sql) => {
    await lockTransfers(sql, [transferId]);
    const { rows } = await sql.query(
      'insert into payout_event (id) values ($1) on conflict do nothing returning id',
      [id],
    );
    if (rows.length === 0) return;
    await sql.query(
      `insert into payout_decision as known (transfer_id, decision, event_id) values ($1, $2, $3)
       on conflict (transfer_id) do update set contradicted = true where known.decision <> excluded.decision`,
      [transferId, decision, id],
    );
    await sql.query(
      `insert into payout_notice (payer, month, employee, kind, detail)
       select payer, month, employee, 'EVENT_FOR_PAST_TRANSFER', transfer_id || ' ' || $2::text
       from payout_past where transfer_id = $1 on conflict do nothing`,
      [transferId, decision],
    );
    await applyDecisions(sql, [transferId]);
  });
}

/** Moves the payments of these transfers as they were decided, where both the transfer and the decision are known. */
export async function applyDecisions(sql: Sql, transferIds: readonly string[]): Promise<void> {
  if (transferIds.length === 0) return;
  const { rows: decisions } = await sql.query<{
    transfer_id: string;
    decision: ApprovalDecisionKind;
    contradicted: boolean;
  }>('select transfer_id, decision, contradicted from payout_decision where transfer_id = any($1::text[])', [
    transferIds,
  ]);
  if (decisions.length === 0) return;
  const byTransfer = new Map(decisions.map((decision) => [decision.transfer_id, decision]));
  const payments = await lockPayments(sql, 'transfer_id', [...byTransfer.keys()]);
  await resolve(
    sql,
    payments.flatMap((payment) => {
      const found = byTransfer.get(payment.transfer_id ?? '');
      const seen = found && seeDecision(payment, found.decision, found.contradicted);
      return seen === undefined ? [] : [{ payment, resolution: change(seen) }];
    }),
  );
}
