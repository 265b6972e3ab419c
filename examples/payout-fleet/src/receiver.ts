import {
  createWebhookReceiver,
  standardWebhooks,
  type WebhookHandlers,
  type WebhookReceiver,
} from 'stablecoin-payments/webhooks';
import type { Database } from './data/database.ts';
import { postgresDedupe } from './dedupe.ts';
import { applyDecision, lockTransfer } from './payouts.ts';

/** Verifies deliveries and handles each event once. */
export const receiver = (db: Database, secret: string): WebhookReceiver =>
  createWebhookReceiver({ verifier: standardWebhooks({ secret }), dedupe: postgresDedupe(db) });

/**
 * Decisions move rows; that an approval is pending is known from the answer to the call. A decision may come before
 * the worker has noted the transfer, twice, and in any order: it is kept, and whoever comes second applies it.
 */
export function handlers(db: Database): WebhookHandlers {
  const decide = (decision: 'APPROVED' | 'REJECTED', transferId: string, eventId: string): Promise<void> =>
    db.transaction(async (sql) => {
      await lockTransfer(sql, transferId);
      await sql.query(
        `insert into approval_decision as known (transfer_id, decision, event_id) values ($1, $2, $3)
         on conflict (transfer_id) do update set contradicted = true where known.decision <> excluded.decision`,
        [transferId, decision, eventId],
      );
      await applyDecision(sql, transferId);
    });
  return {
    'TRANSFER.APPROVAL.APPROVED': (event, { id }) => decide('APPROVED', event.data.transferId, id),
    'TRANSFER.APPROVAL.REJECTED': (event, { id }) => decide('REJECTED', event.data.transferId, id),
  };
}
