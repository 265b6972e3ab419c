import { refusePromise } from '../../shared/awaited.ts';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { amountIn, detailsOf, differencesOf, plainId, requestIdOf } from '../../shared/outcome/comparison.ts';
import { endOf, type PaymentResult } from '../../shared/outcome/payment-record.ts';
import { isEvent, recordIn } from '../../shared/outcome/read-record.ts';
import { isShown } from '../../shared/outcome/shapes.ts';
import { isTextOfNothing, kindOf, valueAt } from '../../shared/values.ts';

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

/** A row and the records of the service that belong to it. */
export interface ReconciledPayment<Row, Found> {
  /** The row that you passed. */
  readonly row: Row;
  /** The record that shows the final result; before there is one, the record that came last. */
  readonly record: Found;
  /** The final result of the payment; undefined before there is one. Records that contradict each other are `check`. */
  readonly ended: PaymentResult | undefined;
}

/** The result of {@link reconcile}. */
export interface Reconciliation<Row, Found> {
  /** The service has the payment, as it was sent. `ended` says whether it was paid. */
  readonly made: readonly ReconciledPayment<Row, Found>[];
  /** No record has the key. It proves that nothing was paid only if the records are complete. */
  readonly missing: readonly Row[];
  /** Records that belong to no row, and a second payment under one key. */
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
 * @param records - Records or webhook events from any source, in any order. A record shows its `id`, its `status` and the
 * `requestId` in `transferDetails`; an event contains the record, or the `transferId` of one, in `data`. Several events of
 * one payment belong to one row. What is no record, such as an error response, is `extra`.
 * @throws InvalidRequestError when two rows have one `requestId`, when a row has none, and for an amount of a row that is
 * neither a number nor a decimal string. Also for a promise of rows or records.
 *
 * @example
 * ```ts
 * const { missing, differs, extra } = await reconcile(rows, payments.paginate({ path: '/v2/transfers', next }));
 * if (differs.length + extra.length > 0) tellAPerson(differs, extra);
 * ```
 */
export async function reconcile<Row extends ReconcileRow, Found>(
  rows: Iterable<Row>,
  records: Iterable<Found> | AsyncIterable<Found>,
): Promise<Reconciliation<Row, Found>> {
  refusePromise('reconcile', rows);
  // A list of the client is a promise, too, and can be walked.
  if (!(Symbol.asyncIterator in Object(records))) refusePromise('reconcile', records);
  const payments = new Map<string, Payment<Row, Found>>();
  for (const row of rows) {
    const key = keyOfRow(row);
    if (payments.has(key))
      throw wrongRow('two rows have one `requestId`. Give each payment a row.', 'requestId', row.requestId);
    payments.set(key, { row, id: undefined, shown: [] });
  }
  const byId = new Map<string, Payment<Row, Found>>();
  const extra: Found[] = [];
  const withoutKey: ShownPayment<Found>[] = [];
  for await (const found of records) {
    const shown = readRecordOf(found);
    if (shown === undefined) {
      extra.push(found);
      continue;
    }
    const key = requestIdOf(shown.record);
    const payment = key === undefined ? undefined : payments.get(plainId(key));
    // An event of an approval shows only the id of its transfer, whose record may come later.
    if (key === undefined) withoutKey.push(shown);
    // Another id is a second payment under the key of the first.
    else if (payment === undefined || (payment.id ?? shown.id) !== shown.id) extra.push(found);
    else {
      payment.shown.push(shown);
      payment.id = shown.id;
      byId.set(shown.id, payment);
    }
  }
  for (const shown of withoutKey) {
    const payment = byId.get(shown.id);
    if (payment === undefined) extra.push(shown.found);
    else payment.shown.push(shown);
  }
  const all = [...payments.values()];
  const known = all.flatMap(summaryOf);
  return {
    made: known.flatMap(({ paths, ...payment }) => (paths.length === 0 ? [payment] : [])),
    missing: all.filter(({ shown }) => shown.length === 0).map(({ row }) => row),
    extra,
    differs: known.filter(({ paths }) => paths.length > 0),
  };
}

const amounts = ['amount', 'source.amount', 'destination.amount'];

/** Returns the key of a row in the form in which ids are compared. */
function keyOfRow(row: ReconcileRow): string {
  const { requestId } = row;
  if (typeof requestId !== 'string' || requestId.trim() === '' || isTextOfNothing(requestId))
    throw wrongRow(
      `the \`requestId\` of a row must be the UUID string of its payment, but is ${kindOf(requestId)}.`,
      'requestId',
    );
  for (const field of amounts) {
    if (amountIn(valueAt(row, field) ?? 0) === undefined)
      throw wrongRow(`\`${field}\` of a row must be a number or a decimal string.`, field, requestId);
  }
  return plainId(requestId);
}

const wrongRow = (message: string, field: string, requestId?: string) =>
  new InvalidRequestError(`reconcile: ${message}`, { field, requestId });

/** A record as it came, and what it shows. */
interface ShownPayment<Found> {
  readonly found: Found;
  readonly record: unknown;
  readonly id: string;
}

interface Payment<Row, Found> {
  readonly row: Row;
  id: string | undefined;
  readonly shown: ShownPayment<Found>[];
}

/** Reads a record, or an event that names its transfer; undefined for anything else. */
function readRecordOf<Found>(found: Found): ShownPayment<Found> | undefined {
  const details =
    recordIn(withDecision(found)) ?? (isEvent(found) ? { id: valueAt(found, 'data.transferId') } : {});
  const { id } = details;
  return isShown(id) ? { found, record: { transferDetails: details }, id: plainId(String(id)) } : undefined;
}

/** The event of a rejection says only in its name that the transfer never executes. */
const withDecision = (found: unknown): unknown =>
  isEvent(found) && found.eventType === 'TRANSFER.APPROVAL.REJECTED'
    ? { ...found, data: { status: 'REJECTED', ...found.data } }
    : found;

function summaryOf<Row, Found>({ row, shown }: Payment<Row, Found>) {
  const ends = shown.map(({ record }) => endOf(record)?.ended);
  const last = shown[ends.findLastIndex((end) => end !== undefined)] ?? shown.at(-1);
  if (last === undefined) return [];
  const results = new Set(ends.filter((end) => end !== undefined));
  const ended = results.size > 1 ? ('check' as const) : [...results][0];
  const paths = [
    ...new Set(
      shown.flatMap(({ record }) => [
        ...differencesOf(row, detailsOf(record)),
        ...unreadableRecord(row, record),
      ]),
    ),
  ];
  return [{ row, record: last.found, ended, paths }];
}

/** The amounts of a record that cannot be compared with those of its row. They do not show that the payment is as it was sent. */
const unreadableRecord = (row: unknown, record: unknown): readonly string[] =>
  amounts.filter((path) => {
    const shown = valueAt(detailsOf(record), path) ?? '';
    return (valueAt(row, path) ?? '') !== '' && shown !== '' && amountIn(shown) === undefined;
  });
