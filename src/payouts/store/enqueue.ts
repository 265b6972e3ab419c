import type { Database, Sql } from '../database.ts';
import type { PayoutQueue } from '../queue.ts';
import { type BatchAmounts, writeBody } from './body.ts';
import { canonical, checkMonth, fold, payoutRequestId } from './keys.ts';

/** One payout of a payroll. */
export interface PayoutOrder {
  /** The payee, by your own name: unique within the month. */
  readonly employee: string;
  /** The user who is paid, by the service's id. */
  readonly payee: string;
  /** Units of the currency as decimal text above 0 and below 1,000,000,000, such as `1250.50`; at most six places. */
  readonly amount: string;
  /** True if the transfer must be approved before it executes. Default false. */
  readonly needsApproval?: boolean;
  /** The user who pays, by the service's id: one of the payers of `createPayouts`. Default `userId`. */
  readonly payer?: string;
}

/** The payouts of a month. */
export interface Payroll {
  /** The month, written as `2026-11`. It is part of every idempotency key. */
  readonly month: string;
  /** The currency in lower case, such as `usdc`. */
  readonly currency: string;
  /** The network in upper case, such as `POLYGON`. */
  readonly chain: string;
  /** The payouts. */
  readonly orders: readonly PayoutOrder[];
  /** Payouts to a transfer: 1 makes single transfers, 2 to 50 batch transfers. Default 1. */
  readonly batchSize?: number;
}

/** The changes that a payroll would make. */
export interface PayrollPreview {
  /** Payouts that are not enqueued yet. */
  readonly payouts: number;
  /** Their sum as decimal text. */
  readonly amount: string;
  /** Transfers that the new payouts make. */
  readonly payments: number;
  /** Payouts that are enqueued already. */
  readonly known: number;
}

/** The payers of a fleet and how it writes batches. */
export interface EnqueueRules {
  readonly payers: readonly [string, ...string[]];
  readonly batchAmounts: BatchAmounts;
}

type Order = Required<PayoutOrder>;

interface PlannedPayment {
  readonly requestId: string;
  readonly payer: string;
  readonly batch: string | null;
  readonly orders: readonly Order[];
}

/** Payments to a statement: few round trips, and no statement that is too long. */
const CHUNK = 500;

/** Writes payments, payouts and jobs in one transaction: there is never a payment without a job, or the other way round. */
export async function enqueue(
  db: Database,
  queue: PayoutQueue,
  payroll: Payroll,
  rules: EnqueueRules,
): Promise<number> {
  const checked = checkPayroll(payroll, rules);
  return db.transaction(async (sql) => {
    const planned = await planPayroll(sql, checked);
    for (let start = 0; start < planned.length; start += CHUNK) {
      const chunk = planned.slice(start, start + CHUNK);
      await insert(sql, chunk, checked, rules);
      await queue.add(
        sql,
        chunk.map(({ requestId }) => ({ requestId, afterSeconds: 0 })),
      );
    }
    return countOf(planned);
  });
}

/** Says what `enqueue` would do, with the same checks. Writes nothing. */
export async function previewPayroll(
  db: Database,
  payroll: Payroll,
  rules: EnqueueRules,
): Promise<PayrollPreview> {
  const checked = checkPayroll(payroll, rules);
  const planned = await db.transaction((sql) => planPayroll(sql, checked));
  const payouts = countOf(planned);
  const sum = planned
    .flatMap(({ orders }) => orders)
    .reduce((total, { amount }) => total + micros(amount), 0n);
  const digits = String(sum).padStart(7, '0');
  return {
    payouts,
    amount: `${digits.slice(0, -6)}.${digits.slice(-6)}`,
    payments: planned.length,
    known: checked.orders.length - payouts,
  };
}

const countOf = (planned: readonly PlannedPayment[]): number =>
  planned.reduce((count, { orders }) => count + orders.length, 0);

async function insert(
  sql: Sql,
  payments: readonly PlannedPayment[],
  { month, currency, chain }: Checked,
  { batchAmounts }: EnqueueRules,
): Promise<void> {
  const items = payments.map(({ requestId, payer, batch, orders }) => {
    const needsApproval = orders[0]?.needsApproval ?? false;
    const parts = { requestId, payer, currency, chain, needsApproval, isBatch: batch !== null };
    return {
      request_id: requestId,
      payer,
      batch,
      size: orders.length,
      needs_approval: needsApproval,
      body: writeBody({ ...parts, recipients: orders }, batchAmounts),
      orders: orders.map(({ employee, payee, amount }, place) => ({ employee, payee, amount, place })),
    };
  });
  await sql.query(
    `with item as (select * from jsonb_to_recordset($4::jsonb) as item (request_id uuid, payer text, batch text,
       size integer, needs_approval boolean, body text, orders jsonb)),
     payment as (
       insert into payout_payment (request_id, payer, month, batch, size, needs_approval, body)
       select request_id, payer, $1, batch, size, needs_approval, body from item)
     insert into payout_order (payer, month, employee, request_id, place, payee, amount, currency, chain, needs_approval)
     select payer, $1, employee, request_id, place, payee, amount, $2, $3, needs_approval
     from item, jsonb_to_recordset(item.orders) as one (employee text, payee text, amount numeric, place integer)`,
    [month, currency, chain, JSON.stringify(items)],
  );
}

type Checked = Omit<Required<Payroll>, 'orders'> & { readonly orders: readonly Order[] };

const PAYROLL_FIELDS = ['month', 'currency', 'chain', 'orders', 'batchSize'];
const ORDER_FIELDS = ['employee', 'payee', 'amount', 'needsApproval', 'payer'];

/** Checks a payroll and brings its names into the form of which keys are made. */
function checkPayroll(payroll: Payroll, { payers }: EnqueueRules): Checked {
  const { currency, chain, orders, batchSize = 1 } = payroll;
  onlyFields(payroll, PAYROLL_FIELDS, 'A payroll');
  const month = refusing('A payroll', () => checkMonth(payroll.month));
  if (!(Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= 50)) {
    throw new RangeError('batchSize must be a whole number from 1 to 50. Nothing was enqueued.');
  }
  for (const [name, value] of Object.entries({ currency, chain })) {
    if (typeof value !== 'string' || value.trim() === '')
      throw new RangeError(`A payroll needs a ${name}. Nothing was enqueued.`);
  }
  const seen = new Map<string, string>();
  return {
    month,
    currency,
    chain,
    batchSize,
    orders: orders.map((order) => {
      const name = `Payout of ${JSON.stringify(order.employee)}`;
      onlyFields(order, ORDER_FIELDS, name);
      const checked = refusing(name, () => checkOrder(order, payers));
      const folded = `${checked.payer} ${fold(checked.employee)}`;
      const before = seen.get(folded);
      if (before !== undefined) {
        const twin = before === checked.employee ? '' : `, as ${JSON.stringify(before)} before`;
        throw new RangeError(`${name}: the employee is in the payroll twice${twin}. Nothing was enqueued.`);
      }
      seen.set(folded, checked.employee);
      return checked;
    }),
  };
}

function checkOrder(order: PayoutOrder, payers: readonly [string, ...string[]]): Order {
  const { amount, needsApproval = false } = order;
  const payer = canonical('payer', order.payer ?? payers[0]);
  if (!payers.includes(payer)) throw new RangeError(`payer is not a payer of these payouts`);
  if (typeof amount !== 'string' || !/^\d{1,9}(\.\d{1,6})?$/.test(amount) || Number(amount) === 0) {
    throw new RangeError(
      'amount must be decimal text above 0 and below 1,000,000,000 with at most six places',
    );
  }
  if (typeof needsApproval !== 'boolean') throw new RangeError('needsApproval must be true or false');
  return {
    employee: canonical('employee', order.employee),
    payee: canonical('payee', order.payee),
    amount: shortest(amount),
    needsApproval,
    payer,
  };
}

/** One way to write an amount: without leading and trailing zeros. */
const shortest = (amount: string): string => {
  const text = amount.replace(/^0+(?=\d)/, '');
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
};

function onlyFields(value: object, fields: readonly string[], name: string): void {
  const unknown = Object.keys(value).find((field) => !fields.includes(field));
  if (unknown !== undefined) {
    const known = fields.join(', ');
    throw new RangeError(`${name}: ${JSON.stringify(unknown)} is none of ${known}. Nothing was enqueued.`);
  }
}

function refusing<T>(name: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`${name}: ${error.message.replace(/\.$/, '')}. Nothing was enqueued.`);
  }
}

/** Compares a payroll with what is enqueued, and plans the payments for what is not. */
async function planPayroll(sql: Sql, checked: Checked): Promise<PlannedPayment[]> {
  const planned: PlannedPayment[] = [];
  const byPayer = Map.groupBy(checked.orders, ({ payer }) => payer);
  for (const payer of [...byPayer.keys()].sort()) {
    await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [
      JSON.stringify([payer, checked.month]),
    ]);
    const orders = byPayer.get(payer) ?? [];
    const { employees, lastBatch } = await compareWithKnown(sql, payer, checked, orders);
    const fresh = orders.filter(({ employee }) => !employees.has(employee));
    planned.push(...plan(payer, checked, fresh, lastBatch));
  }
  return planned;
}

interface KnownOrder {
  readonly payer: string;
  readonly employee: string;
  readonly batch: string | null;
  readonly payee: string;
  readonly amount: string;
  readonly currency: string;
  readonly chain: string;
  readonly needs_approval: boolean;
}

/** A payout that is there already is left alone, but it must be the same payout, under the same name. */
async function compareWithKnown(
  sql: Sql,
  payer: string,
  { month, currency, chain }: Checked,
  orders: readonly Order[],
): Promise<{ readonly employees: ReadonlySet<string>; readonly lastBatch: number }> {
  const { rows } = await sql.query<KnownOrder>(
    `select payer, employee, batch, payee, amount::text, currency, chain, needs_approval from payout
     where month = any($1::text[]) and payer in ($2, '')`,
    // Version 1 took a month with white space around it for another month.
    [[month, `${month} `, ` ${month}`, `${month}\n`, `${month}\r\n`, `${month}\t`], payer],
  );
  if (rows.some((row) => row.payer === '')) {
    throw new Error(
      'Payouts of an older version have no payer: call payouts.migrate(). Nothing was enqueued.',
    );
  }
  const known = new Map(rows.map((row) => [row.employee, row]));
  const similar = new Map(rows.map((row) => [fold(row.employee), row]));
  for (const { employee, payee, amount, needsApproval } of orders) {
    const row = known.get(employee) ?? similar.get(fold(employee));
    if (row === undefined) continue;
    const changed = [
      row.employee !== employee && `name (${JSON.stringify(row.employee)})`,
      row.payee !== payee && 'payee',
      micros(row.amount) !== micros(amount) && 'amount',
      row.currency !== currency && 'currency',
      row.chain !== chain && 'chain',
      row.needs_approval !== needsApproval && 'approval',
    ].filter((field) => field !== false);
    if (changed.length > 0) {
      throw new Error(
        `The payout of ${JSON.stringify(employee)} for ${month} is enqueued already, with another ${changed.join(' and ')}. Nothing was enqueued: a payout is never changed once it may have been paid.`,
      );
    }
  }
  const batches = rows.map(({ batch }) => Number.parseInt(batch ?? '0', 10));
  return {
    employees: new Set(rows.map(({ employee }) => employee)),
    lastBatch: batches.reduce((a, b) => Math.max(a, b), 0),
  };
}

/** An amount in whole millionths. */
function micros(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/**
 * Plans which payouts go together. A batch is approved as one, so those that need approval are kept apart. A batch that
 * was enqueued before is never added to: the same key would then mean another payment.
 */
function plan(
  payer: string,
  { month, batchSize }: Checked,
  fresh: readonly Order[],
  lastBatch: number,
): PlannedPayment[] {
  if (batchSize === 1) {
    return fresh.map((order) => ({
      requestId: payoutRequestId({ payer, month, employee: order.employee }),
      payer,
      batch: null,
      orders: [order],
    }));
  }
  const planned: PlannedPayment[] = [];
  for (const approval of [false, true]) {
    const together = fresh.filter(({ needsApproval }) => needsApproval === approval);
    for (let start = 0; start < together.length; start += batchSize) {
      const batch = String(lastBatch + planned.length + 1);
      const requestId = payoutRequestId({ payer, month, batch });
      planned.push({ requestId, payer, batch, orders: together.slice(start, start + batchSize) });
    }
  }
  return planned;
}
