import type { PayoutState } from 'stablecoin-payments/payouts';
import type { Plan, PlannedOrder } from './payroll.ts';

/** A row as far as the audit goes. */
export interface AuditRow {
  readonly payer: string;
  readonly month: string;
  readonly employee: string;
  readonly payee: string;
  /** Decimal text with six places. */
  readonly amount: string;
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly evidence: string | null;
  readonly transfer_id: string | null;
  readonly batch: string | null;
}

/** One payment in the service's ledger: a transfer, or a part of a batch. */
export interface LedgerPayment {
  readonly transferId: string;
  readonly payer: string;
  readonly payee: string;
  readonly amount: string;
  readonly status: string;
}

export interface AuditInput {
  readonly months: readonly string[];
  readonly orders: readonly PlannedOrder[];
  readonly rows: readonly AuditRow[];
  readonly ledger: readonly LedgerPayment[];
  /** Whether the service can look transfers up. Without it some ends cannot be known. */
  readonly lookup: boolean;
  /** Whether responses were lost: only then may a refusal be in doubt. */
  readonly faults: boolean;
  /** Whether payouts go in batches: a refusal of one payee then leaves all of a batch in doubt. */
  readonly batches?: boolean;
}

/** The status that the ledger must show for each order, and the ends that the row may have. */
interface Expectation {
  readonly ledger: 'COMPLETED' | 'REJECTED' | 'CANCELLED' | undefined;
  /** State, reason and evidence, as `state reason evidence`. */
  readonly row: RegExp;
  /** What is allowed besides where there is no lookup. */
  readonly withoutLookup: RegExp;
}

const HEARD = '(?:made \\w+ response$|undecided (?:DECISION_NOT_HEARD|APPROVAL_NOT_KNOWN) )';
const DOUBTED = /^undecided REFUSED_AFTER_LOST_RESPONSE (?:USER_NOT_FOUND|HTTP_4\d\d) /;
const EXPECTED: Readonly<Record<Plan, Expectation>> = {
  pay: {
    ledger: 'COMPLETED',
    row: /^paid - (?:response|lookup)$/,
    withoutLookup: /^(?:accepted - response|made \w+ response)$/,
  },
  refuse: {
    ledger: undefined,
    row: /^rejected (?:USER_NOT_FOUND|HTTP_4\d\d) (?:response|lookup)$/,
    withoutLookup: /^undecided REFUSED_AFTER_LOST_RESPONSE (?:USER_NOT_FOUND|HTTP_4\d\d) /,
  },
  approve: {
    ledger: 'COMPLETED',
    row: /^paid - lookup$/,
    withoutLookup: new RegExp(`^(?:accepted - event$|${HEARD})`),
  },
  reject: {
    ledger: 'REJECTED',
    row: /^rejected APPROVAL_REJECTED (?:event|lookup)$/,
    withoutLookup: new RegExp(`^${HEARD}`),
  },
  forget: {
    ledger: 'CANCELLED',
    row: /^expired APPROVAL_EXPIRED lookup$/,
    withoutLookup: new RegExp(`^${HEARD}`),
  },
  late: {
    ledger: 'COMPLETED',
    row: /^paid - lookup$/,
    withoutLookup: new RegExp(`^${HEARD}`),
  },
};

/**
 * Compares the ledger and the rows with what was to become of every order. Payments are found by payer, payee and amount,
 * never by key: a fleet that makes its keys wrong must not be believed because its rows agree with its keys.
 */
export function audit({
  months,
  orders,
  rows,
  ledger,
  lookup,
  faults,
  batches = false,
}: AuditInput): string[] {
  const problems: string[] = [];
  const byOrder = new Map<string, LedgerPayment[]>();
  for (const payment of ledger) {
    const key = `${payment.payer} ${payment.payee} ${micros(payment.amount)}`;
    byOrder.set(key, [...(byOrder.get(key) ?? []), payment]);
  }
  const rowsOf = Map.groupBy(rows, ({ payer, employee }) => `${payer} ${employee}`);
  for (const order of orders) {
    const { plan, payer, employee, payee, amount } = order;
    const { ledger: status, row: expected, withoutLookup } = EXPECTED[plan];
    const key = `${payer} ${payee} ${micros(amount)}`;
    const payments = byOrder.get(key) ?? [];
    byOrder.delete(key);
    const mine = rowsOf.get(`${payer} ${employee}`) ?? [];
    // Without a lookup, a batch with a bad payee may stay in doubt; then nothing was paid for its payouts.
    const isDoubted = (row: AuditRow) => !lookup && faults && batches && DOUBTED.test(endOf(row));
    const count = status === undefined ? 0 : months.length - mine.filter(isDoubted).length;
    if (payments.length !== count) {
      problems.push(`${employee} (${plan}): ${payments.length} transfers in the ledger instead of ${count}`);
    }
    for (const payment of payments) {
      if (status !== undefined && payment.status !== status) {
        problems.push(`${employee} (${plan}): the ledger says ${payment.status} instead of ${status}`);
      }
    }
    for (const month of months) {
      const row = mine.find((one) => one.month === month);
      const name = `${employee} ${month} (${plan})`;
      if (row === undefined) {
        problems.push(`${name}: there is no row`);
        continue;
      }
      if (row.payee !== payee || micros(row.amount) !== micros(amount))
        problems.push(`${name}: another payee or amount`);
      const end = endOf(row);
      const doubt = plan !== 'refuse' || faults;
      if (!expected.test(end) && !isDoubted(row) && !(!lookup && doubt && withoutLookup.test(end)))
        problems.push(`${name}: ${end}`);
      if (row.transfer_id !== null && !payments.some((one) => one.transferId === row.transfer_id)) {
        problems.push(`${name}: its transfer is another payment’s`);
      }
    }
    const transfers = mine.flatMap((row) => (row.transfer_id === null ? [] : [row.transfer_id]));
    if (new Set(transfers).size < transfers.length) {
      problems.push(`${employee}: two months claim one transfer`);
    }
  }
  for (const [key, payments] of byOrder)
    problems.push(`${payments.length} payments that nobody ordered: ${key}`);
  if (rows.length !== orders.length * months.length) {
    problems.push(`${rows.length} rows instead of ${orders.length * months.length}`);
  }
  return problems;
}

const endOf = ({ state, reason, evidence }: AuditRow): string =>
  `${state} ${reason ?? '-'} ${evidence ?? '-'}`;

/** What the ledger executed, in whole millionths. */
export const executed = (ledger: readonly LedgerPayment[]): bigint =>
  ledger.reduce((sum, { amount, status }) => (status === 'COMPLETED' ? sum + micros(amount) : sum), 0n);

/** An amount in whole millionths. */
export function micros(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** Whole millionths as decimal text. */
export function decimal(value: bigint): string {
  const text = value.toString().padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
}
