import { recipientsIn } from '../../shared/outcome/batch.ts';
import { endIn, type PaymentResult } from '../../shared/outcome/payment-record.ts';
import { mismatchesOf } from '../../shared/outcome/record.ts';
import { amountIn, isRecord, isShown, plainId, valueAt } from '../../shared/values.ts';

/** A row of your own: the idempotency key, and what was sent, under the names of the parameters. */
export interface ReconcileRow {
  /** The idempotency key of the payment. Rows with one key are the recipients of one batch. */
  readonly requestId: string;
  /** The amount that was sent: a number or a decimal string. */
  readonly amount?: number | string | null | undefined;
  /** The currency. */
  readonly currency?: string | null | undefined;
  /** The payer, and the amount of an onramp or offramp. */
  readonly source?: object | null | undefined;
  /** The payee, under the names of the parameters. */
  readonly destination?: object | null | undefined;
  /** The transfer, where you know it. */
  readonly transferId?: string | null | undefined;
  /**
   * What your row says of the payment: `paid`; `rejected`, `expired`, `cancelled`, `not-paid` or `not-made`; `queued`;
   * `undecided`. Any other word says nothing.
   */
  readonly state?: string | null | undefined;
  /** The time of the call. A text needs a zone. */
  readonly createdAt?: Date | string | null | undefined;
}

/** A payment, by your rows and the service's records. */
export interface ReconciledPayment<Row, Found> {
  /**
   * - `ordered`: the service has the payment as your rows say, or your rows say that it has none, and it has none.
   * - `differs`: `paths` differ between your rows and its records, or among its records.
   * - `missing`: no record shows the payment of your rows.
   * - `unordered`: none of your rows has the payment of these records. Also for what is no record.
   * - `second`: the service has another payment under the key of one.
   */
  readonly kind: 'ordered' | 'differs' | 'missing' | 'unordered' | 'second';
  /** The final result by all records; undefined before there is one. Records that contradict each other are `check`. */
  readonly result: PaymentResult | undefined;
  /** Your rows of the payment: several for a batch. */
  readonly rows: readonly Row[];
  /** Its records and events. */
  readonly records: readonly Found[];
  /**
   * Of `differs`: the fields that differ, such as `amount`, `currency`, `destination.userId` and `transferId`; `recipients`
   * of a batch; `state`: that of your row; `status`: that of the records among themselves.
   */
  readonly paths: readonly string[];
  /** What a person does about it. Undefined where nobody must look. */
  readonly advice: string | undefined;
}

/** What the rows and the records of a payment come to. */
export interface Comparison {
  readonly result: PaymentResult | undefined;
  /** What differs. */
  readonly paths: readonly string[];
  /** True if one more row of the payment would differ from what its records show. */
  readonly isWhole: boolean;
}

/** The details of a record. */
type Details = Readonly<Record<string, unknown>>;

/** Compares the rows of a payment with its records. */
export function compare(rows: readonly ReconcileRow[], shown: readonly Details[]): Comparison {
  const results = new Set(shown.map(resultOf).filter((result) => result !== undefined));
  const result = results.size > 1 ? 'check' : [...results][0];
  const paths = new Set(shown.flatMap((details) => differencesOfRows(rows, details)));
  if (results.size > 1) paths.add('status');
  if (rows.some((row) => contradicts(row, result))) paths.add('state');
  return { result, paths: [...paths], isWhole: shown.some((details) => isWhole(rows, details)) };
}

/** Returns how the payment of a record ended; undefined while it has not. */
const resultOf = (details: Details): PaymentResult | undefined => endIn(details)?.ended;

function differencesOfRows(rows: readonly ReconcileRow[], details: Details): readonly string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const isBatch = rows.length > 1 || (recipientsIn(details).length > 0 && hasOnePayee(first));
  const differing = isBatch ? batchMismatches(rows, first, details) : mismatchesOf(first, details);
  return [
    ...differing.map((path) => (path === 'destination.batch' ? 'recipients' : path)),
    ...(isBatch ? [] : unreadableAmounts(first, details)),
    ...(rows.some((row) => isOtherTransfer(row, details)) ? ['transferId'] : []),
  ];
}

/** Each row is a recipient of one batch. */
function batchMismatches(
  rows: readonly ReconcileRow[],
  first: ReconcileRow,
  details: Details,
): readonly string[] {
  const batch = rows.map(({ destination, amount }) => ({ ...destination, amount }));
  const isSingle = recipientsIn(details).length === 0 && hasOnePayee(details);
  return [
    ...rows.flatMap(({ source, currency }) => mismatchesOf({ source, currency }, details)),
    ...mismatchesOf({ fee: valueAt(first, 'fee'), destination: { batch } }, details),
    ...(isSingle ? ['recipients'] : []),
  ];
}

const payeeFields: readonly string[] = ['userId', 'walletAddress', 'externalWalletId', 'accountId'];

/** Returns true if a row or a record shows one payee, and no batch. */
const hasOnePayee = (payment: unknown): boolean =>
  !Array.isArray(valueAt(payment, 'destination.batch')) &&
  payeeFields.some((field) => isShown(valueAt(payment, `destination.${field}`)));

/** The places of amounts in rows and records. */
export const amountPaths: readonly string[] = ['amount', 'source.amount', 'destination.amount'];

/** The amounts of a record that cannot be compared: they do not show that the payment is as it was sent. */
const unreadableAmounts = (row: ReconcileRow, details: Details): readonly string[] =>
  amountPaths.filter((path) => {
    const shown = valueAt(details, path) ?? '';
    return (valueAt(row, path) ?? '') !== '' && shown !== '' && amountIn(shown) === undefined;
  });

const isOtherTransfer = ({ transferId }: ReconcileRow, { id }: Details): boolean =>
  isShown(transferId) && plainId(transferId) !== plainId(String(id));

/** What one more row would contradict: the amount, the payee, or all recipients. A fee hides the amounts. */
function isWhole(rows: readonly ReconcileRow[], details: Details): boolean {
  const [first] = rows;
  if (isRecord(valueAt(first, 'fee'))) return false;
  const isAmountShown = amountPaths.some((path) =>
    [first, details].every((payment) => amountIn(valueAt(payment, path)) !== undefined),
  );
  const arePayeesShown = hasOnePayee(first) && (recipientsIn(details).length > 0 || hasOnePayee(details));
  return isAmountShown || arePayeesShown;
}

/** The states of rows for which the service has no payment, or one that moved no money. */
const unpaidStates: readonly string[] = ['rejected', 'expired', 'cancelled', 'not-paid', 'not-made'];

const stateOf = ({ state }: ReconcileRow): string => (typeof state === 'string' ? state.toLowerCase() : '');

/** Returns true if a row says another state than the records. What they say to check is for a person anyway. */
function contradicts(row: ReconcileRow, result: PaymentResult | undefined): boolean {
  const state = stateOf(row);
  if (result === 'check') return false;
  if (state === 'paid') return result !== 'paid';
  if (unpaidStates.includes(state)) return result !== 'not-paid';
  return state === 'undecided' && result !== undefined;
}

/** What rows come to of which no record is known: their own state may say that there is none. */
export function withoutRecord(
  rows: readonly ReconcileRow[],
): Pick<ReconciledPayment<never, never>, 'kind' | 'result'> {
  const states = rows.map(stateOf);
  if (states.every((state) => unpaidStates.includes(state))) return { kind: 'ordered', result: 'not-paid' };
  const isNotSent = states.every((state) => state === 'queued' || unpaidStates.includes(state));
  return { kind: isNotSent ? 'ordered' : 'missing', result: undefined };
}

/** Makes the item of a payment, with the advice for a person who must look. */
export const itemOf = <Row, Found>(
  item: Pick<ReconciledPayment<Row, Found>, 'kind' | 'result' | 'rows' | 'records'>,
  paths: readonly string[] = [],
  advice: string | undefined = adviceOn(item, paths),
): ReconciledPayment<Row, Found> => ({
  kind: item.kind,
  result: item.result,
  rows: item.rows,
  records: item.records,
  paths,
  advice,
});

const advices: Readonly<Record<'missing' | 'unordered' | 'second', string>> = {
  missing:
    'No record shows this payment: look it up, and pay it only under the same `requestId`, with `inDoubt: true`.',
  unordered: 'None of your rows has this payment: find out who made it before this payer pays anything more.',
  second:
    'The service made another payment under this `requestId`: find out which one is yours, and ask it to return the other one.',
};

function adviceOn(
  { kind, result }: Pick<ReconciledPayment<unknown, unknown>, 'kind' | 'result'>,
  paths: readonly string[],
): string | undefined {
  if (kind === 'missing' || kind === 'unordered' || kind === 'second') return advices[kind];
  if (paths.includes('status'))
    return 'The records of this payment contradict each other: ask the service where the money is before you pay again.';
  if (paths.some((path) => path !== 'state'))
    return `Your row and the service differ in ${paths.join(', ')}: find out which payment was made before you pay again.`;
  if (paths.length > 0)
    return 'Your row says another state than the service: correct the row, and find out why before you pay again.';
  return result === 'check'
    ? 'This payment failed on the way, came back, or was paid in part: find out where the money is before you pay again.'
    : undefined;
}

/** The advice on what is no record of a payment. */
export const notRecordAdvice =
  'This is no record of a payment, since it shows no `id` and `status`, or is an error: find out where it comes from.';
