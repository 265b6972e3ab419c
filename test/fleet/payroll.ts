import type { PayoutOrder } from 'stablecoin-payments/payouts';

/** What is to become of an order. The audit knows it before the fleet has started. */
export type Plan =
  /** Paid without an approval. */
  | 'pay'
  /** The payee does not exist, so the service refuses. */
  | 'refuse'
  /** Approved as soon as it is pending. */
  | 'approve'
  /** Rejected by an approver. */
  | 'reject'
  /** Nobody decides; the approval expires. */
  | 'forget'
  /** Approved minutes before it would expire, and the event is lost. */
  | 'late';

export interface PlannedOrder extends PayoutOrder {
  readonly plan: Plan;
  readonly payer: string;
}

/**
 * A payroll that is the same in every process: what becomes of an order follows from its amount, which no other order
 * has. Batches are approved as a whole, so with them approvals have one plan. Two payers have the same employees and
 * payees, with other amounts.
 */
export function payroll(
  count: number,
  payees: readonly string[],
  batches = false,
  payer = 'payer',
  turn = 0,
): PlannedOrder[] {
  return Array.from({ length: count }, (_, place) => {
    const plan = planOf(place, batches);
    return {
      plan,
      payer,
      employee: `E${String(place + 1).padStart(6, '0')}`,
      payee: plan === 'refuse' ? `nobody-${place}` : (payees[place % payees.length] ?? ''),
      amount: `${100 + (place % 900)}.${String(place + 1 + turn * 500_000).padStart(6, '0')}`,
      needsApproval: plan !== 'pay' && plan !== 'refuse',
    };
  });
}

function planOf(place: number, batches: boolean): Plan {
  const turn = place % 100;
  if (turn === 50) return 'refuse';
  if (turn % 10 !== 7) return 'pay';
  if (batches) return 'approve';
  if (turn === 27) return 'reject';
  if (turn === 47) return 'forget';
  return turn === 67 ? 'late' : 'approve';
}
