import { InvalidRequestError } from '../errors/index.ts';
import { plainId } from '../evidence/key-memory.ts';
import { differencesOf, requestIdOf } from '../evidence/record.ts';
import { keyFlaw } from '../transport/request/body.ts';
import { endOf, type PaymentResult } from './payment-record.ts';

/** A row of your own: the idempotency key, and what was sent, under the names of the parameters. */
export interface ReconcileRow {
  /** The idempotency key of the payment. */
  readonly requestId: string;
  /** The amount that was sent: a number or a decimal string. */
  readonly amount?: number | string | null | undefined;
  /** The payer, and the amount of an onramp or offramp. */
  readonly source?: object | null | undefined;
  /** The payee, under the names of the parameters. */
  readonly destination?: object | null | undefined;
}

/** A row and the record of the service that has its idempotency key. */
export interface ReconciledPayment<Row, Found> {
  /** The row that you passed. */
  readonly row: Row;
  /** The record that you passed, with the `requestId` of the row. */
  readonly record: Found;
  /** The final result of the payment; undefined before there is one. */
  readonly ended: PaymentResult | undefined;
}

/** The result of {@link reconcile}. */
export interface Reconciliation<Row, Found> {
  /** The service has the payment, as it was sent. `ended` says whether it was paid. */
  readonly made: readonly ReconciledPayment<Row, Found>[];
  /** No record has the key. It proves that nothing was paid only if the records are complete. */
  readonly missing: readonly Row[];
  /** Records that belong to no row, records without a key, and a second record of one key. */
  readonly extra: readonly Found[];
  /** A record has the key, but another amount, currency, payer or payee: `paths` names what differs. */
  readonly differs: readonly (ReconciledPayment<Row, Found> & {
    /** The paths of the fields that differ, such as `amount` or `destination.userId`. */
    readonly paths: readonly string[];
  })[];
}

/**
 * Compares your own rows with records of the service, by `requestId`: after a crash, for a daily check, or for an audit.
 *
 * @param rows - Your rows, one for each payment. What a row does not have is not compared.
 * @param records - Records from any source: a list of the service, webhook events, an export. They may show `requestId`
 * at the top or in `transferDetails`.
 * @throws InvalidRequestError when two rows have one `requestId`, and when a row has none.
 *
 * @example
 * ```ts
 * const { missing, differs, extra } = await reconcile(rows, payments.paginate({ path: '/v2/transfers', strategy: 'cursor' }));
 * if (differs.length + extra.length > 0) tellAPerson(differs, extra);
 * ```
 */
export async function reconcile<Row extends ReconcileRow, Found>(
  rows: Iterable<Row>,
  records: Iterable<Found> | AsyncIterable<Found>,
): Promise<Reconciliation<Row, Found>> {
  const open = new Map<string, Row>();
  for (const row of rows) {
    const flaw = keyFlaw(row.requestId);
    if (flaw !== undefined)
      throw new InvalidRequestError(
        `reconcile: the \`requestId\` of a row must be a UUID string, but is ${flaw}. Give each row the \`requestId\` of its payment.`,
        { field: 'requestId' },
      );
    const id = plainId(row.requestId);
    if (open.has(id))
      throw new InvalidRequestError(
        'reconcile: two rows have one `requestId`. Give each payment a row, and each row a `requestId` of its own.',
        { field: 'requestId', requestId: row.requestId },
      );
    open.set(id, row);
  }
  const made: ReconciledPayment<Row, Found>[] = [];
  const differs: (ReconciledPayment<Row, Found> & { paths: readonly string[] })[] = [];
  const extra: Found[] = [];
  for await (const record of records) {
    const requestId = requestIdOf(record);
    const id = requestId === undefined ? '' : plainId(requestId);
    const row = open.get(id);
    if (row === undefined) {
      extra.push(record);
      continue;
    }
    // A second record of the key is one too many.
    open.delete(id);
    const found = { row, record, ended: endOf(record)?.ended };
    const paths = differencesOf(row, record);
    if (paths.length > 0) differs.push({ ...found, paths });
    else made.push(found);
  }
  return { made, missing: [...open.values()], extra, differs };
}
