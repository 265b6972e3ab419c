import type { Database, Sql } from '../database.ts';
import { change } from '../rules/payment.ts';
import { type ApprovalDecisionKind, seeDecision } from '../rules/see-record.ts';
import { lockPayments, lockTransfers, writeResolved } from './payments.ts';
import { applyNews, isFirst } from './record-events.ts';

/** An event about the approval of a transfer. */
export interface DecisionEvent {
  /** The id of the event: a second delivery with the same id changes nothing. */
  readonly id: string;
  /** The transfer that waited for the decision: `data.transferId` of the event. */
  readonly transferId: string;
  /** The result of the approval. */
  readonly decision: ApprovalDecisionKind;
}

/** Notes a decision and what follows from it. That the event was handled commits with its effect. */
export async function noteDecision(db: Database, { id, transferId, decision }: DecisionEvent): Promise<void> {
  await db.transaction(async (sql) => {
    await lockTransfers(sql, [transferId]);
    if (!(await isFirst(sql, id))) return;
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
    await applyEvents(sql, [transferId]);
  });
}

/** Moves the payments of these transfers as events told, where both the transfer and the event are known. */
export async function applyEvents(sql: Sql, transferIds: readonly string[]): Promise<void> {
  if (transferIds.length === 0) return;
  await applyDecisions(sql, transferIds);
  await applyNews(sql, transferIds);
}

async function applyDecisions(sql: Sql, transferIds: readonly string[]): Promise<void> {
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
  await writeResolved(
    sql,
    payments.flatMap((payment) => {
      const found = byTransfer.get(payment.transfer_id ?? '');
      const seen = found && seeDecision(payment, found.decision, found.contradicted);
      return seen === undefined ? [] : [{ payment, resolution: change(seen) }];
    }),
  );
}
