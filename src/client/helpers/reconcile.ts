import { refusePromise } from '../../shared/awaited.ts';
import { InvalidRequestError } from '../../shared/errors/index.ts';
import { instantOf } from '../../shared/instant.ts';
import { inheritedWhy } from '../../shared/option-names.ts';
import {
  amountIn,
  isInherited,
  isRecord,
  isTextOfNothing,
  kindOf,
  plainId,
  valueAt,
} from '../../shared/values.ts';
import { OpenPayments } from './open-payments.ts';
import { amountPaths, type ReconciledPayment, type ReconcileRow } from './reconciled-payment.ts';

export type { ReconciledPayment, ReconcileRow } from './reconciled-payment.ts';

/** Items, as an array, a generator, or a list that is walked. */
type Stream<T> = Iterable<T> | AsyncIterable<T>;

/** The range of time that is closed. */
interface CloseWindow {
  /** The first instant. */
  readonly since: Date;
  /** The first instant after it. */
  readonly until: Date;
}

/**
 * Compares your rows with the records of the service, by `requestId`, and gives an item for each payment as soon as it is
 * certain: for the daily close, after a crash, or for an audit. Nothing is sent.
 *
 * It keeps the payments that are not told yet, and 16 bytes of each other one. A payment that was told, and of which a record
 * that contradicts its result comes later, is told again.
 *
 * @param rows - Your rows: an array, a cursor of your database, or `payouts.list()`. What a row does not have is not
 * compared.
 * @param records - Records and webhook events of payments from any source, in any order. A record shows its `id`, its
 * `status` and the `requestId` in `transferDetails`; an event contains the record, or the `transferId` of one, in `data`.
 * What is no record, such as an error response, is `unordered`.
 * @param window - The range that is closed. `missing` and `unordered` are told only of payments that were made inside: give
 * rows and records of an hour more on both sides.
 * @throws InvalidRequestError when a row has no `requestId`, for an amount of a row that is neither a number nor a decimal
 * string, for rows and records that cannot be iterated, and for a wrong `window`.
 *
 * @example
 * ```ts
 * for await (const { kind, rows, paths, advice } of reconcile(rows, transfers.between(range), window))
 *   if (advice !== undefined) tellAPerson(kind, rows, paths, advice);
 * ```
 */
export async function* reconcile<Row extends ReconcileRow, Found>(
  rows: Stream<Row>,
  records: Stream<Found>,
  window?: CloseWindow,
): AsyncGenerator<ReconciledPayment<Row, Found>, void, undefined> {
  const payments = new OpenPayments<Row, Found>(insideOf(window));
  const ownRows = itemsOf('rows', rows);
  const foundRecords = itemsOf('records', records);
  try {
    let hasRows = true;
    let hasRecords = true;
    // One side after the other, and the one that is behind until it is not: payments that stand in one order on both sides
    // are told at once, however many records a payment has.
    for (let isRowNext = true; hasRows || hasRecords; ) {
      if (hasRows && (isRowNext || !hasRecords)) {
        const { done, value: row } = await ownRows.next();
        hasRows = done !== true;
        isRowNext = false;
        if (done === true) yield* payments.endRows();
        else {
          const item = payments.addRow(keyOfRow(row), row);
          isRowNext = payments.hasMet;
          if (item !== undefined) yield item;
        }
      } else {
        const { done, value: found } = await foundRecords.next();
        hasRecords = done !== true;
        isRowNext = true;
        if (done !== true) {
          const item = payments.addRecord(found);
          isRowNext = !payments.hasMet;
          if (item !== undefined) yield item;
        }
      }
    }
  } finally {
    await ownRows.return();
    await foundRecords.return();
  }
  yield* payments.end();
}

/** Iterates any stream in one way, and closes it. */
function itemsOf<T>(name: string, stream: Stream<T>): AsyncGenerator<T, void, undefined> {
  const isStream =
    typeof stream === 'object' &&
    stream !== null &&
    (Symbol.asyncIterator in stream || Symbol.iterator in stream);
  if (!isStream) refusePromise('reconcile', stream);
  if (!isStream)
    throw wrong(
      `\`${name}\` must be an array or another iterable, sync or async, but is ${kindOf(stream)}.`,
      name,
    );
  return (async function* () {
    yield* stream;
  })();
}

/** Returns a check of the time of a payment. A time that is no instant may be inside. */
function insideOf(window: CloseWindow | undefined): (time: unknown) => boolean {
  if (window === undefined) return () => true;
  const [since = Number.NaN, until = Number.NaN] = [window.since, window.until].map((time) =>
    time instanceof Date ? time.getTime() : Number.NaN,
  );
  if (!(since < until))
    throw wrong(
      '`window` must have the valid Dates `since` and `until`, and `until` must be later.',
      'window',
    );
  return (time) => {
    const instant = time instanceof Date ? time.getTime() : instantOf(time);
    return Number.isNaN(instant) || (instant >= since && instant < until);
  };
}

/** Returns the key of a row in the form in which ids are compared. */
function keyOfRow(row: ReconcileRow): string {
  refuseInherited(row);
  const requestId = valueAt(row, 'requestId');
  if (typeof requestId !== 'string' || requestId.trim() === '' || isTextOfNothing(requestId))
    throw wrong(
      `the \`requestId\` of a row must be the UUID string of its payment, but is ${kindOf(requestId)}.`,
      'requestId',
    );
  for (const field of amountPaths) {
    if (amountIn(valueAt(row, field) ?? 0) === undefined)
      throw wrong(`\`${field}\` of a row must be a number or a decimal string.`, field, requestId);
  }
  return plainId(requestId);
}

const rowFields: readonly (keyof ReconcileRow | 'fee')[] = [
  'requestId',
  'amount',
  'currency',
  'source',
  'destination',
  'transferId',
  'state',
  'createdAt',
  'fee',
];

/** Refuses a field that a class or another prototype has: it would not be compared. */
function refuseInherited(row: object): void {
  const name = isRecord(row) ? rowFields.find((field) => isInherited(row, field)) : undefined;
  if (name !== undefined) throw wrong(`\`${name}\` of a row ${inheritedWhy(name)}.`, name);
}

const wrong = (message: string, field: string, requestId?: string) =>
  new InvalidRequestError(`reconcile: ${message}`, { field, requestId });
