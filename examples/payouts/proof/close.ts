import { type ReconcileRow, reconcile, type TransferList } from 'stablecoin-payments';
import type { PayoutRow, TransferRecord } from 'stablecoin-payments/payouts';
import type { Finding } from './audit.ts';

/** What the daily close of the run reads. */
export interface Closed {
  readonly payers: readonly string[];
  /** `payouts.list` */
  readonly list: (range: { readonly since: Date }) => AsyncIterable<PayoutRow>;
  readonly transfers: Pick<TransferList<TransferRecord>, 'between'>;
}

const ANOTHER_ROUND = 'ANOTHER_ROUND_MAY_BE_PAID';

/**
 * Closes the run as a day: by `requestId`, as users do. A round that was refused, and was paid after all once a second round
 * followed, must be found: its second round waits for a person. Nothing else may be found.
 */
export async function closeRun(since: Date, { payers, list, transfers }: Closed): Promise<Finding[]> {
  const rows: (PayoutRow & ReconcileRow)[] = [];
  for await (const row of list({ since })) rows.push(row);
  const followed = new Map(
    rows.filter(({ reason }) => reason === ANOTHER_ROUND).map((row) => [`${row.payer} ${row.id}`, row]),
  );
  const findings: Finding[] = [];
  for await (const payment of reconcile(rows, transfers.between({ payers, since }))) {
    const { kind, result = 'not ended', rows: own, records, paths, advice } = payment;
    if (advice === undefined) continue;
    const [row] = own;
    const second = row === undefined ? undefined : followed.get(`${row.payer} ${row.id}`);
    // The refused round that was paid, and the second one, of which the service knows nothing.
    const isPaidAfterAll = second !== undefined && result === 'paid' && paths.join() === 'state';
    if (isPaidAfterAll) followed.delete(`${second.payer} ${second.id}`);
    if (isPaidAfterAll || (kind === 'missing' && row?.reason === ANOTHER_ROUND)) continue;
    const states = own.map(({ recipient, state }) => `${recipient} is ${state}`).join(', ');
    const detail = `${states || 'no row'}; ${JSON.stringify(records)}`;
    // A row that has not ended may be right yet.
    const isWrong = kind !== 'missing' || own.every(({ state }) => state !== 'undecided');
    findings.push({ isWrong, kind: `close: ${[kind, result, ...paths].join(' ')}`, detail });
  }
  for (const { id } of followed.values())
    findings.push({ isWrong: true, kind: 'close: a round that was paid after all is not found', detail: id });
  return findings;
}
