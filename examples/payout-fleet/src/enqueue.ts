import type { PgBoss } from 'pg-boss';
import { asQueueDatabase, type Database, type Sql } from './data/database.ts';
import { type PayoutKey, requestIdOf } from './key.ts';
import { GROUP, PAYOUTS } from './queue.ts';

export interface PayoutOrder {
  readonly employee: string;
  /** The user who is paid. */
  readonly payee: string;
  /** Units of the currency as a decimal text, such as `1250.50`; at most six places. */
  readonly amount: string;
  readonly needsApproval?: boolean;
}

export interface Payroll {
  readonly month: string;
  readonly currency: string;
  readonly chain: string;
  readonly orders: readonly PayoutOrder[];
  /** Payouts per transfer: 1 makes single transfers, up to 50 batch transfers. */
  readonly batchSize?: number;
}

interface Planned {
  readonly order: PayoutOrder;
  readonly key: PayoutKey;
}

/** Rows per statement: few round trips, and no statement that is too long. */
const CHUNK = 1000;

/**
 * Writes the rows and their jobs in one transaction: there is never a row without a job, or a job without its row.
 * Orders that are there already are left alone, with what became of them. Returns how many are new.
 */
export async function enqueue(db: Database, boss: PgBoss, payroll: Payroll): Promise<number> {
  const { month, currency, chain } = payroll;
  return db.transaction(async (sql) => {
    await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [month]);
    const planned = plan(payroll, await known(sql, month));
    for (let start = 0; start < planned.length; start += CHUNK) {
      const chunk = planned.slice(start, start + CHUNK);
      const rows = chunk.map(({ order, key }) => ({
        employee: order.employee,
        batch: 'batch' in key ? key.batch : null,
        request_id: requestIdOf(key),
        payee: order.payee,
        amount: order.amount,
        needs_approval: order.needsApproval ?? false,
      }));
      await sql.query(
        `insert into payout (month, employee, batch, request_id, payee, amount, currency, chain, needs_approval)
         select $1, employee, batch, request_id, payee, amount, $2, $3, needs_approval
         from jsonb_to_recordset($4::jsonb) as item (employee text, batch integer, request_id uuid, payee text,
           amount numeric, needs_approval boolean)`,
        [month, currency, chain, JSON.stringify(rows)],
      );
      const jobs = new Map(chunk.map(({ key }) => [requestIdOf(key), key]));
      const inserts = [...jobs].map(([id, data]) => ({ id, data, group: GROUP }));
      await boss.insert(PAYOUTS, inserts, { db: asQueueDatabase(sql) });
    }
    return planned.length;
  });
}

interface Known {
  readonly employees: ReadonlySet<string>;
  readonly lastBatch: number;
}

async function known(sql: Sql, month: string): Promise<Known> {
  const { rows } = await sql.query<{ employee: string; batch: number | null }>(
    'select employee, batch from payout where month = $1',
    [month],
  );
  return {
    employees: new Set(rows.map((row) => row.employee)),
    lastBatch: rows.reduce((last, row) => Math.max(last, row.batch ?? 0), 0),
  };
}

/**
 * Which payouts go together. A batch is approved as one, so those that need approval are kept apart. A batch that
 * was enqueued before is never added to: the same request id would then stand for another payment.
 */
function plan({ month, orders, batchSize = 1 }: Payroll, { employees, lastBatch }: Known): Planned[] {
  if (!(Number.isInteger(batchSize) && batchSize >= 1 && batchSize <= 50)) {
    throw new RangeError('batchSize must be a whole number from 1 to 50');
  }
  const fresh = orders.filter(({ employee }) => !employees.has(employee));
  if (batchSize === 1) return fresh.map((order) => ({ order, key: { month, employee: order.employee } }));
  const groups = [fresh.filter((o) => !o.needsApproval), fresh.filter((o) => o.needsApproval)];
  let batch = lastBatch;
  return groups.flatMap((group) =>
    group.map((order, place) => {
      if (place % batchSize === 0) batch += 1;
      return { order, key: { month, batch } };
    }),
  );
}
