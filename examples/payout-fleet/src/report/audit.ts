import type { State } from '../data/schema.ts';

/** A row as far as the audit goes. */
export interface AuditRow {
  readonly employee: string;
  readonly request_id: string;
  readonly payee: string;
  /** Decimal text with six places. */
  readonly amount: string;
  readonly state: State;
  readonly transfer_id: string | null;
}

/** A transfer in the service's ledger: one payment, or one of the payments of a batch. */
export interface LedgerEntry {
  readonly requestId: string;
  readonly transferId: string;
  readonly status: string;
  readonly payments: readonly { readonly payee: string; readonly amount: number }[];
}

export interface Audit {
  /** What does not agree; empty where all does. */
  readonly problems: readonly string[];
  readonly rowsPaid: bigint;
  /** What the ledger executed, of payouts that the rows call paid. */
  readonly ledgerPaid: bigint;
  /** Of the rows for a person: those whose money moved, and those whose did not. */
  readonly unknownMoved: number;
  readonly unknownNotMoved: number;
  /** All that the ledger executed. */
  readonly executed: bigint;
}

const NOT_EXECUTED = ['REJECTED', 'CANCELLED', 'PENDING_APPROVAL'];
const EXPECTED: Partial<Record<State, (status: string) => boolean>> = {
  paid: (status) => !NOT_EXECUTED.includes(status),
  rejected: (status) => status === 'REJECTED',
  expired: (status) => status === 'CANCELLED',
  unknown: () => true,
};

/** Holds every row against the ledger, and the ledger against the rows, in whole millionths. */
export function audit(rows: readonly AuditRow[], ledger: readonly LedgerEntry[], expected: number): Audit {
  const problems: string[] = [];
  if (rows.length !== expected) problems.push(`${rows.length} rows instead of ${expected}`);
  const byRequest = new Map<string, LedgerEntry>();
  for (const entry of ledger) {
    if (byRequest.has(entry.requestId)) problems.push(`two transfers under ${entry.requestId}`);
    byRequest.set(entry.requestId, entry);
  }
  const unclaimed = new Map(
    ledger.map((entry) => [entry.requestId, entry.payments.map((p) => `${p.payee} ${microsOf(p.amount)}`)]),
  );
  let rowsPaid = 0n;
  let ledgerPaid = 0n;
  let unknownMoved = 0;
  let unknownNotMoved = 0;
  for (const row of rows) {
    const amount = microsOf(row.amount);
    if (row.state === 'paid') rowsPaid += amount;
    const name = `${row.employee} (${row.state})`;
    const rule = EXPECTED[row.state];
    if (rule === undefined) problems.push(`${name} has not ended`);
    const entry = byRequest.get(row.request_id);
    if (entry === undefined) {
      if (row.state === 'unknown') unknownNotMoved += 1;
      else if (row.state !== 'rejected' || row.transfer_id !== null) problems.push(`${name} has no transfer`);
      continue;
    }
    const payments = unclaimed.get(row.request_id) ?? [];
    const place = payments.indexOf(`${row.payee} ${amount}`);
    if (place === -1) problems.push(`${name}: the ledger holds another payee or amount`);
    else payments.splice(place, 1);
    if (rule?.(entry.status) === false) problems.push(`${name}: the ledger says ${entry.status}`);
    if (row.transfer_id !== null && row.transfer_id !== entry.transferId) {
      problems.push(`${name}: the ledger holds another transfer`);
    }
    if (row.state === 'paid' && place !== -1) ledgerPaid += amount;
    if (row.state === 'unknown') unknownMoved += 1;
  }
  for (const [requestId, payments] of unclaimed) {
    if (payments.length > 0)
      problems.push(`the ledger holds ${payments.length} payments too many under ${requestId}`);
  }
  if (rowsPaid !== ledgerPaid) problems.push(`paid: ${rowsPaid} in the rows, ${ledgerPaid} in the ledger`);
  const executed = ledger
    .filter(({ status }) => !NOT_EXECUTED.includes(status))
    .flatMap(({ payments }) => payments)
    .reduce((sum, { amount }) => sum + microsOf(amount), 0n);
  return { problems, rowsPaid, ledgerPaid, unknownMoved, unknownNotMoved, executed };
}

/** An amount in whole millionths, from a number or a decimal text with at most six places. */
export function microsOf(amount: number | string): bigint {
  const text = typeof amount === 'number' ? amount.toFixed(6) : amount;
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** Whole millionths as decimal text. */
export function decimalOf(micros: bigint): string {
  const text = micros.toString().padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
}
