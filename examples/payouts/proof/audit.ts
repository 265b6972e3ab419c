import type { PayoutOrder, PayoutRow } from 'stablecoin-payments/payouts';

/** One payment in the service's ledger that moves money: a transfer, or a part of a batch. */
export interface LedgerPayment {
  readonly transferId: string;
  readonly payer: string;
  readonly payee: string;
  readonly amount: string;
}

/** An order, as far as the audit reads it. */
export type OrderedPayout = Pick<PayoutOrder, 'id' | 'payer' | 'recipients' | 'requireApproval'>;

/** What the payouts say of one recipient. */
export type PaidRow = Pick<PayoutRow, 'id' | 'recipient' | 'state' | 'reason' | 'transferId'>;

/** What the service says: its ledger, and the payments that it refused at some time. */
export interface ServiceSide {
  readonly ledger: readonly LedgerPayment[];
  readonly refused: ReadonlySet<string>;
}

/** The name of one payment in the audit: never a key. */
export const nameOfPayment = (payer: string, payee: string, amount: string): string =>
  `${payer} ${payee} ${Number(amount).toFixed(6)}`;

/**
 * Compares what was ordered with the rows and the ledger. Payments are found by payer, payee and amount, never by key:
 * payouts with wrong keys must not be believed because their rows agree with their keys.
 */
export function audit(
  orders: readonly OrderedPayout[],
  rows: readonly PaidRow[],
  { ledger, refused }: ServiceSide,
): string[] {
  const problems: string[] = [];
  const paid = Map.groupBy(ledger, ({ payer, payee, amount }) => nameOfPayment(payer, payee, amount));
  const rowOf = new Map(rows.map((row) => [`${row.id} ${row.recipient}`, row]));
  let recipients = 0;
  for (const { id, payer, requireApproval, recipients: named } of orders) {
    for (const { id: name, userId = '', amount } of named) {
      recipients += 1;
      const row = rowOf.get(`${id} ${name}`);
      const key = nameOfPayment(payer, userId, amount);
      const payments = paid.get(key) ?? [];
      paid.delete(key);
      const mayBeRejected =
        userId === 'nobody' ||
        refused.has(key) ||
        row?.reason === 'NOT_FOUND_BY_LOOKUP' ||
        (requireApproval === true && row?.reason === 'APPROVAL_REJECTED');
      if (row === undefined) problems.push(`${name}: there is no row`);
      else if (payments.length > 1) problems.push(`${name}: paid ${payments.length} times`);
      else if (row.state === 'paid' && payments[0]?.transferId !== row.transferId)
        problems.push(`${name}: paid by another transfer, or by none`);
      else if (row.state !== 'paid' && payments.length > 0)
        problems.push(`${name}: ${row.state} (${row.reason}), but paid`);
      else if (row.state !== 'paid' && row.state !== 'rejected')
        problems.push(`${name}: ${row.state} (${row.reason})`);
      else if (row.state === 'rejected' && !mayBeRejected)
        problems.push(`${name}: rejected (${row.reason}), though it could be paid`);
    }
  }
  for (const [key] of paid) problems.push(`a payment that nobody ordered: ${key}`);
  if (rows.length !== recipients) problems.push(`${rows.length} rows instead of ${recipients}`);
  return problems;
}
