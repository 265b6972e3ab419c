import type { PayoutOrder, PayoutReview, PayoutRow } from 'stablecoin-payments/payouts';
import type { Finding } from '../audit.ts';
import { NOBODY } from './forgetting-service.ts';

/** What a run came to. */
export interface RunEnd {
  readonly orders: readonly PayoutOrder[];
  /** The ids that the caller cancelled. */
  readonly cancelled: ReadonlySet<string>;
  readonly rows: readonly PayoutRow[];
  readonly review: readonly PayoutReview[];
  /** How often the service paid each payee: each is a recipient of one order. */
  readonly timesPaid: ReadonlyMap<string, number>;
  /** Payees whom the service refused at some time. */
  readonly refused: ReadonlySet<string>;
}

/** Compares each recipient with the service's ledger. What is open or contradicts it must have a line in `review`. */
export function auditRun({ orders, cancelled, rows, review, timesPaid, refused }: RunEnd): Finding[] {
  const findings: Finding[] = [];
  const rowOf = new Map(rows.map((row) => [`${row.id} ${row.recipient}`, row]));
  const reviewed = new Set(review.map(({ id }) => id));
  const unknown = new Set(timesPaid.keys());
  for (const { id, recipients } of orders) {
    for (const { id: name = id, userId = '' } of recipients) {
      unknown.delete(userId);
      const row = rowOf.get(`${id} ${name}`);
      const times = timesPaid.get(userId) ?? 0;
      const wrong = (kind: string) =>
        findings.push({
          isWrong: true,
          kind,
          detail: `${userId}: ${row?.state ?? 'no row'} (${row?.reason ?? '-'}), paid ${times} times`,
        });
      const state = row?.state ?? 'lost';
      if (times > 1) wrong('paid more than once');
      else if (reviewed.has(id)) continue;
      // The caller knows that it cancelled the order: it is not enqueued again, whatever became of it.
      else if (state === 'lost') cancelled.has(id) || wrong('lost');
      else if (state === 'paid') times === 1 || wrong('paid in the row, but not in the ledger');
      else if (!['rejected', 'expired', 'cancelled'].includes(state))
        wrong('open without a line in review()');
      else if (times > 0) wrong(`${state}, but paid`);
      else if (state === 'cancelled') cancelled.has(id) || wrong('cancelled by nobody');
      else if (
        !userId.startsWith(NOBODY) &&
        !refused.has(userId) &&
        !cancelled.has(id) &&
        // The service had no transfer: nothing was paid, and nobody said that it was.
        row?.evidence !== 'lookup'
      )
        wrong(`${state}, though it could be paid`);
    }
  }
  for (const userId of unknown)
    findings.push({ isWrong: true, kind: 'paid, but not ordered', detail: userId });
  return findings;
}
