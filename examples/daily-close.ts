import { type ReconciledPayment, type ReconcileRow, reconcile, type TransferList } from 'stablecoin-payments';

/** A payment of your own database. `payouts.list()` gives such rows. */
export interface OwnRow extends ReconcileRow {
  /** Your own name of the payment. */
  readonly id: string;
  readonly amount: string;
  readonly currency: string;
}

/** A range of instants. */
export interface Range {
  readonly since: Date;
  readonly until: Date;
}

/** The two sides of a close. */
export interface Sides<Found> {
  /** The users who pay. */
  readonly payers: readonly string[];
  /** Reads your rows of a range: `(range) => payouts.list(range)`. */
  readonly rows: (range: Range) => Iterable<OwnRow> | AsyncIterable<OwnRow>;
  /** The service's list. */
  readonly transfers: Pick<TransferList<Found>, 'between'>;
}

const HOUR = 3_600_000;

/** Returns the day before a time, from midnight to midnight of a place that is so many hours ahead of UTC. */
export function dayBefore(now: Date, hoursAhead: number): Range {
  const shift = hoursAhead * HOUR;
  const midnight = Math.floor((now.getTime() + shift) / (24 * HOUR)) * 24 * HOUR - shift;
  return { since: new Date(midnight - 24 * HOUR), until: new Date(midnight) };
}

/**
 * Closes a day: prints the payments at which a person must look, and how many there are of each kind, with their sums.
 * Returns 1 where a person must look, else 0: the exit code of a job.
 */
export async function closeDay<Found>(day: Range, { payers, rows, transfers }: Sides<Found>): Promise<0 | 1> {
  // A payment of midnight may have its row on one day and its record on the other.
  const wide = { since: new Date(day.since.getTime() - HOUR), until: new Date(day.until.getTime() + HOUR) };
  const lines = new Map<
    string,
    { kind: string; result: string; currency: string; payments: number; sum: bigint }
  >();
  let findings = 0;
  for await (const payment of reconcile(rows(wide), transfers.between({ payers, ...wide }), day)) {
    const { kind, result = 'not ended', advice } = payment;
    if (advice !== undefined) {
      findings += 1;
      console.error(`${kind.toUpperCase()} ${nameOf(payment)}: ${advice}`);
    }
    const { amount, currency } = amountOf(payment);
    const name = `${advice === undefined} ${kind} ${result} ${currency}`;
    const line = lines.get(name) ?? { kind, result, currency, payments: 0, sum: 0n };
    lines.set(name, { ...line, payments: line.payments + 1, sum: line.sum + amount });
  }
  console.log(`${day.since.toISOString()} to ${day.until.toISOString()}: ${findings} for a person`);
  console.table(
    [...lines]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, line]) => ({ ...line, sum: decimal(line.sum) })),
  );
  return findings === 0 ? 0 : 1;
}

/** Your own names of a payment or, where you did not order it, the service's id. */
const nameOf = ({ rows, records }: ReconciledPayment<OwnRow, unknown>): string =>
  rows.length > 0 ? rows.map(({ id }) => id).join(', ') : `transfer ${detailsOf(records[0]).id}`;

/** The amount in millionths: whole numbers, which add up exactly. */
function amountOf({ rows, records }: ReconciledPayment<OwnRow, unknown>): {
  amount: bigint;
  currency: string;
} {
  const { amount: shown = 0, currency = 'unknown' } = detailsOf(records[0]);
  const amounts = rows.length > 0 ? rows.map(({ amount }) => amount) : [String(shown)];
  const amount = amounts.reduce((sum, one) => sum + millionths(one), 0n);
  return { amount, currency: (rows[0]?.currency ?? String(currency)).toLowerCase() };
}

function millionths(amount: string): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,6}))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new Error(`The amount ${amount} has more than six decimals, or is none.`);
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

const decimal = (amount: bigint): string =>
  `${amount / 1_000_000n}.${String(amount % 1_000_000n)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')}`;

function detailsOf(record: unknown): Record<string, unknown> {
  const { transferDetails = record } = Object(record);
  return Object(transferDetails);
}
