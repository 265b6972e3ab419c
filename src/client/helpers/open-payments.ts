import type { PaymentResult } from '../../shared/outcome/payment-record.ts';
import {
  type Comparison,
  compare,
  itemOf,
  notRecordAdvice,
  type ReconciledPayment,
  type ReconcileRow,
  withoutRecord,
} from './reconciled-payment.ts';
import { shownPaymentIn, timeOfPayment } from './shown-payment.ts';
import { ToldPayments } from './told-payments.ts';

/** A payment that is not told yet: its rows, its records, or both. Nothing else is kept: there may be very many. */
interface OpenPayment<Row, Found> {
  rows: readonly Row[];
  records: readonly Found[];
  /** The transfer, once a record shows it. */
  id: string | undefined;
}

/** Brings rows and records together, and tells each payment once it is certain. */
export class OpenPayments<Row extends ReconcileRow, Found> {
  readonly #isInside: (time: unknown) => boolean;
  /** By the key. */
  readonly #open = new Map<string, OpenPayment<Row, Found>>();
  /** By the transfer: events that show no key, such as that of an approval, and records without one. */
  readonly #withoutKey = new Map<string, readonly Found[]>();
  readonly #told = new ToldPayments();
  /** The transfers that were told as a second payment. */
  readonly #seconds = new Set<string>();
  #hasAllRows = false;
  /** True if the other side of what was added last had come before it. */
  hasMet = false;

  /** @param isInside - Returns true for the time of a payment that is told where it is missing or unordered. */
  constructor(isInside: (time: unknown) => boolean) {
    this.#isInside = isInside;
  }

  addRow(key: string, row: Row): ReconciledPayment<Row, Found> | undefined {
    const told = this.#told.get(key);
    this.hasMet = true;
    // The records of what was told leave no room for another row.
    if (told !== undefined)
      return itemOf({ kind: 'differs', result: told.result, rows: [row], records: [] }, ['recipients']);
    const payment = this.#paymentOf(key);
    this.hasMet = payment.records.length > 0;
    payment.rows = [...payment.rows, row];
    return this.#ifCertain(key, payment);
  }

  addRecord(found: Found): ReconciledPayment<Row, Found> | undefined {
    const shown = shownPaymentIn(found);
    this.hasMet = false;
    if (shown === undefined) return this.#unordered([found], undefined, notRecordAdvice);
    const { key, id } = shown;
    if (key === undefined) {
      this.#withoutKey.set(id, [...(this.#withoutKey.get(id) ?? []), found]);
      return undefined;
    }
    const told = this.#told.get(key);
    if (told !== undefined) {
      this.hasMet = true;
      if (!told.isOf(id)) return this.#second(id, [], found);
      return this.#contradiction([found], told.result, () => this.#told.put(key, id, 'check'));
    }
    const payment = this.#paymentOf(key);
    this.hasMet = payment.rows.length > 0;
    payment.id ??= id;
    if (payment.id !== id) return this.#second(id, payment.rows, found);
    payment.records = [...payment.records, found];
    return this.#ifCertain(key, payment);
  }

  /** Says that no row follows: what waited for one is certain. */
  *endRows(): Generator<ReconciledPayment<Row, Found>, void, undefined> {
    this.#hasAllRows = true;
    for (const [key, payment] of this.#open) {
      const item = this.#ifCertain(key, payment);
      if (item !== undefined) yield item;
    }
  }

  /** Says that nothing follows: what is left is certain. */
  *end(): Generator<ReconciledPayment<Row, Found>, void, undefined> {
    for (const [key, payment] of this.#open) {
      const { id = '', rows, records } = payment;
      if (records.length > 0) payment.records = [...records, ...(this.#withoutKey.get(id) ?? [])];
      this.#withoutKey.delete(id);
      const item =
        records.length > 0 ? this.#tell(key, payment, comparisonOf(payment)) : this.#withoutRecord(rows);
      if (item !== undefined) yield item;
    }
    const results = this.#told.resultsOf(this.#withoutKey.keys());
    for (const [id, records] of this.#withoutKey) {
      const item = results.has(id)
        ? this.#contradiction(records, results.get(id))
        : this.#unordered(records, resultOf(records));
      if (item !== undefined) yield item;
    }
  }

  #paymentOf(key: string): OpenPayment<Row, Found> {
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const payment: OpenPayment<Row, Found> = { rows: none, records: none, id: undefined };
    this.#open.set(key, payment);
    return payment;
  }

  /** Tells a payment that has ended, if no row that follows can change what it comes to. */
  #ifCertain(key: string, payment: OpenPayment<Row, Found>): ReconciledPayment<Row, Found> | undefined {
    const { rows, records } = payment;
    if (records.length === 0 || (rows.length === 0 && !this.#hasAllRows)) return undefined;
    const comparison = comparisonOf(payment);
    const { result, paths, isWhole } = comparison;
    const isCertain = this.#hasAllRows || (isWhole && paths.length === 0);
    return result !== undefined && isCertain ? this.#tell(key, payment, comparison) : undefined;
  }

  #tell(
    key: string,
    { id = '', rows, records }: OpenPayment<Row, Found>,
    { result, paths }: Comparison,
  ): ReconciledPayment<Row, Found> | undefined {
    this.#open.delete(key);
    this.#told.put(key, id, result);
    if (rows.length === 0) return this.#unordered(records, result);
    return itemOf({ kind: paths.length > 0 ? 'differs' : 'ordered', result, rows, records }, paths);
  }

  #withoutRecord(rows: readonly Row[]): ReconciledPayment<Row, Found> | undefined {
    const { kind, result } = withoutRecord(rows);
    const isTold = kind !== 'missing' || rows.some(({ createdAt }) => this.#isInside(createdAt));
    return isTold ? itemOf({ kind, result, rows, records: [] }) : undefined;
  }

  #unordered(
    records: readonly Found[],
    result: PaymentResult | undefined,
    advice?: string,
  ): ReconciledPayment<Row, Found> | undefined {
    const isTold = records.some((found) => this.#isInside(timeOfPayment(found)));
    return isTold ? itemOf({ kind: 'unordered', result, rows: [], records }, [], advice) : undefined;
  }

  #second(id: string, rows: readonly Row[], found: Found): ReconciledPayment<Row, Found> | undefined {
    if (this.#seconds.has(id)) return undefined;
    this.#seconds.add(id);
    return itemOf({ kind: 'second', result: resultOf([found]), rows, records: [found] });
  }

  /** Tells again what was told with another result. */
  #contradiction(
    records: readonly Found[],
    told: PaymentResult | undefined,
    note = () => {},
  ): ReconciledPayment<Row, Found> | undefined {
    const result = resultOf(records);
    if (result === undefined || result === told || told === 'check') return undefined;
    note();
    return itemOf({ kind: 'differs', result: 'check', rows: [], records }, ['status']);
  }
}

/** Most payments have one row and one record: a list that grows would keep room for many. */
const none: readonly never[] = [];

const comparisonOf = ({
  rows,
  records,
}: Pick<OpenPayment<ReconcileRow, unknown>, 'rows' | 'records'>): Comparison =>
  compare(
    rows,
    records.map((found) => shownPaymentIn(found)?.details).filter((details) => details !== undefined),
  );

const resultOf = (records: readonly unknown[]): PaymentResult | undefined =>
  comparisonOf({ rows: [], records }).result;
