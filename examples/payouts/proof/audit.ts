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
export type PaidRow = Pick<PayoutRow, 'payer' | 'id' | 'recipient' | 'state' | 'reason' | 'transferId'>;

/** What the service says: its ledger, the payments that it refused at some time, and retries with other bytes. */
export interface ServiceSide {
  readonly ledger: readonly LedgerPayment[];
  readonly refused: ReadonlySet<string>;
  readonly changed: number;
}

/** What the audit found about one recipient. */
export interface Finding {
  /** Nothing that comes later makes it right. All other findings say that a payout has not ended yet. */
  readonly isWrong: boolean;
  /** What is wrong, in the same words for each recipient to whom it happened. */
  readonly kind: string;
  readonly detail: string;
}

const wrong = (kind: string, detail: string): Finding => ({ isWrong: true, kind, detail });
const open = (kind: string, detail: string): Finding => ({ isWrong: false, kind, detail });

/** The name of one payment in the audit: never a key. */
export const nameOfPayment = (payer: string, payee: string, amount: string): string =>
  `${payer} ${payee} ${Number(amount).toFixed(6)}`;

/**
 * Compares what was ordered with the rows and the ledger, which was read after them. Payments are found by payer, payee and
 * amount, never by key: payouts with wrong keys must not be believed because their rows agree with their keys.
 */
export function audit(
  orders: readonly OrderedPayout[],
  rows: readonly PaidRow[],
  { ledger, refused, changed }: ServiceSide,
): Finding[] {
  const findings: Finding[] = [];
  const paid = Map.groupBy(ledger, ({ payer, payee, amount }) => nameOfPayment(payer, payee, amount));
  const rowOf = new Map(rows.map((row) => [`${row.payer} ${row.id} ${row.recipient}`, row]));
  let recipients = 0;
  for (const { id, payer, requireApproval, recipients: named } of orders) {
    for (const { id: name = '', userId = '', amount } of named) {
      recipients += 1;
      const row = rowOf.get(`${payer} ${id} ${name}`);
      const key = nameOfPayment(payer, userId, amount);
      const payments = paid.get(key) ?? [];
      paid.delete(key);
      const mayBeRejected =
        userId === 'nobody' ||
        refused.has(key) ||
        row?.reason === 'NOT_FOUND_BY_LOOKUP' ||
        (requireApproval === true && row?.reason === 'APPROVAL_REJECTED');
      const finding = row === undefined ? open('no row', name) : findingOf(row, payments, mayBeRejected);
      if (finding !== undefined) findings.push(finding);
    }
  }
  for (const key of paid.keys()) findings.push(wrong('paid, but not ordered', key));
  if (rows.length > recipients)
    findings.push(wrong('more rows than recipients', `${rows.length} instead of ${recipients}`));
  if (changed > 0) findings.push(wrong('retries with other bytes than the first request', String(changed)));
  return findings;
}

function findingOf(
  { recipient, state, reason, transferId }: PaidRow,
  payments: readonly LedgerPayment[],
  mayBeRejected: boolean,
): Finding | undefined {
  const transfers = payments.map((payment) => payment.transferId).join(', ');
  const detail = `${recipient} is ${state} (${reason}, transfer ${transferId}); the ledger has ${transfers || 'no payment'}`;
  if (payments.length > 1) return wrong('paid more than once', detail);
  if (state === 'paid') {
    if (payments.length === 0) return wrong('paid in the row, but not in the ledger', detail);
    return transfers === transferId ? undefined : wrong('paid by another transfer than in the row', detail);
  }
  // Another round was paid after all, and this one was not called.
  if (state === 'undecided' && reason === 'ANOTHER_ROUND_MAY_BE_PAID')
    return payments.length === 1
      ? undefined
      : wrong('not called for another round that was not paid', detail);
  if (state !== 'rejected' && state !== 'expired' && state !== 'cancelled') return open(state, detail);
  if (payments.length > 0) return wrong(`${state}, but paid`, detail);
  return state === 'rejected' && mayBeRejected
    ? undefined
    : wrong(`${state}, though it could be paid`, detail);
}

/** Prints the findings. Returns the exit code: 2 if anything is wrong, 1 if a payout has not ended, else 0. */
export function tellFindings(findings: readonly Finding[]): number {
  const wrongs = findings.filter((one) => one.isWrong);
  const opens = findings.filter((one) => !one.isWrong);
  tellKinds('WRONG', wrongs, 5);
  tellKinds('OPEN', opens, wrongs.length > 0 ? 0 : 5);
  if (wrongs.length > 0) return 2;
  return opens.length > 0 ? 1 : 0;
}

function tellKinds(word: string, findings: readonly Finding[], shown: number): void {
  for (const [kind, found] of Map.groupBy(findings, (one) => one.kind)) {
    console.error(`${word}: ${kind}, ${found.length} times`);
    for (const { detail } of found.slice(0, shown)) console.error(`  ${detail}`);
  }
}
