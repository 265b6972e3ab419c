import type { Database, Sql } from '../database.ts';
import type { PayoutQueue } from '../queue.ts';
import { type PayoutKey, payoutRequestId } from './keys.ts';

/** One payout of a payroll. */
export interface PayoutOrder {
  /** Who is paid, by your own name: unique within the month. */
  readonly employee: string;
  /** The user who is paid, by the service's id. */
  readonly payee: string;
  /** Units of the currency as decimal text above 0 and below 1,000,000,000, such as `1250.50`; at most six places. */
  readonly amount: string;
  /** Whether the transfer must be approved before it executes. Default false. */
  readonly needsApproval?: boolean;
}

/** The payouts of a month. */
export interface Payroll {
  /** The month or run, such as `2026-11`. It is part of every idempotency key. */
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

interface Planned {
  readonly order: PayoutOrder;
  readonly batch: string | null;
  readonly requestId: string;
}

/** Rows to a statement: few round trips, and no statement that is too long. */
const CHUNK = 1000;

/** Writes rows and jobs in one transaction: there is never a row without a job, or a job without its row. */
export async function enqueue(db: Database, queue: PayoutQueue, payroll: Payroll): Promise<number> {
  const { month, currency, chain } = payroll;
  checkPayroll(payroll);
  return db.transaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [month]);
    const planned = plan(payroll, await compareWithKnown(sql, payroll));
    for (let start = 0; start < planned.length; start += CHUNK) {
      const chunk = planned.slice(start, start + CHUNK);
      const rows = chunk.map(({ order, batch, requestId }) => ({
        employee: order.employee,
        batch,
        request_id: requestId,
        payee: order.payee,
        amount: order.amount,
        needs_approval: order.needsApproval ?? false,
      }));
      await sql.query(
        `insert into payout (month, employee, batch, request_id, payee, amount, currency, chain, needs_approval)
         select $1, employee, batch, request_id, payee, amount, $2, $3, needs_approval
         from jsonb_to_recordset($4::jsonb) as item (employee text, batch text, request_id uuid, payee text,
           amount numeric, needs_approval boolean)`,
        [month, currency, chain, JSON.stringify(rows)],
      );
    }
    const requestIds = [...new Set(planned.map(({ requestId }) => requestId))];
    for (let start = 0; start < requestIds.length; start += CHUNK) {
      const chunk = requestIds.slice(start, start + CHUNK);
      await queue.add(
        sql,
        chunk.map((requestId) => ({ requestId, afterSeconds: 0 })),
      );
    }
    return planned.length;
  });
}

function checkPayroll({ month, orders, batchSize = 1 }: Payroll): void {
  if (month.trim() === '')
    throw new RangeError('A payroll needs a month, such as 2026-11. Nothing was enqueued.');
  if (!(Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= 50)) {
    throw new RangeError('batchSize must be a whole number from 1 to 50. Nothing was enqueued.');
  }
  const employees = new Set<string>();
  for (const { employee, payee, amount, needsApproval } of orders) {
    const fault =
      employee.trim() === '' || payee.trim() === ''
        ? 'employee and payee must not be empty'
        : employees.has(employee)
          ? 'the employee is in the payroll twice'
          : typeof amount !== 'string' || !/^\d{1,9}(\.\d{1,6})?$/.test(amount) || Number(amount) === 0
            ? 'amount must be decimal text above 0 and below 1,000,000,000 with at most six places'
            : needsApproval !== undefined && typeof needsApproval !== 'boolean'
              ? 'needsApproval must be true or false'
              : undefined;
    if (fault !== undefined)
      throw new RangeError(`Payout of ${JSON.stringify(employee)}: ${fault}. Nothing was enqueued.`);
    employees.add(employee);
  }
}

interface Known {
  readonly employees: ReadonlySet<string>;
  readonly lastBatch: number;
}

/** A payout that is there already is left alone, but it must be the same payout. */
async function compareWithKnown(sql: Sql, { month, currency, chain, orders }: Payroll): Promise<Known> {
  const { rows } = await sql.query<{
    employee: string;
    batch: string | null;
    payee: string;
    amount: string;
    currency: string;
    chain: string;
    needs_approval: boolean;
  }>(
    `select employee, batch, payee, amount::text, currency, chain, needs_approval from payout where month = $1`,
    [month],
  );
  const known = new Map(rows.map((row) => [row.employee, row]));
  for (const { employee, payee, amount, needsApproval = false } of orders) {
    const row = known.get(employee);
    if (row === undefined) continue;
    const changed = [
      row.payee !== payee && 'payee',
      // Fifteen digits fit into a number.
      Number(row.amount) !== Number(amount) && 'amount',
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
  return { employees: new Set(known.keys()), lastBatch: batches.reduce((a, b) => Math.max(a, b), 0) };
}

/**
 * Which payouts go together. A batch is approved as one, so those that need approval are kept apart. A batch that was
 * enqueued before is never added to: the same key would then mean another payment.
 */
function plan({ month, orders, batchSize = 1 }: Payroll, { employees, lastBatch }: Known): Planned[] {
  const fresh = orders.filter(({ employee }) => !employees.has(employee));
  const planned = (order: PayoutOrder, batch: string | null): Planned => {
    const key: PayoutKey = batch === null ? { month, employee: order.employee } : { month, batch };
    return { order, batch, requestId: payoutRequestId(key) };
  };
  if (batchSize === 1) return fresh.map((order) => planned(order, null));
  let batch = lastBatch;
  return [false, true].flatMap((approval) => {
    const together = fresh.filter(({ needsApproval = false }) => needsApproval === approval);
    return together.map((order, place) => {
      if (place % batchSize === 0) batch += 1;
      return planned(order, String(batch));
    });
  });
}
