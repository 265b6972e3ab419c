import type { Database, Sql } from '../database.ts';
import type { PayoutQueue } from '../queue.ts';
import { type BatchAmounts, writeBody } from '../rules/body.ts';
import { type CheckedOrder, type CheckedPayroll, checkPayroll, type Payroll } from '../rules/payroll.ts';
import { micros } from '../rules/record.ts';
import { fold, payoutRequestId } from '../rules/request-ids.ts';

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

interface PlannedPayment {
  readonly requestId: string;
  readonly payer: string;
  readonly batch: string | null;
  readonly orders: readonly CheckedOrder[];
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
  const checked = checkPayroll(payroll, rules.payers);
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
    return payoutsIn(planned);
  });
}

/** Says what `enqueue` would do, with the same checks. Writes nothing. */
export async function previewPayroll(
  db: Database,
  payroll: Payroll,
  rules: EnqueueRules,
): Promise<PayrollPreview> {
  const checked = checkPayroll(payroll, rules.payers);
  const planned = await db.transaction((sql) => planPayroll(sql, checked));
  const payouts = payoutsIn(planned);
  const sum = planned
    .flatMap(({ orders }) => orders)
    .reduce((total, { amount }) => total + (micros(amount) ?? 0n), 0n);
  const digits = String(sum).padStart(7, '0');
  return {
    payouts,
    amount: `${digits.slice(0, -6)}.${digits.slice(-6)}`,
    payments: planned.length,
    known: checked.orders.length - payouts,
  };
}

const payoutsIn = (planned: readonly PlannedPayment[]): number =>
  planned.reduce((count, { orders }) => count + orders.length, 0);

async function insert(
  sql: Sql,
  payments: readonly PlannedPayment[],
  { month, currency, chain }: CheckedPayroll,
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

/** Compares a payroll with what is enqueued, and plans the payments for what is not. */
async function planPayroll(sql: Sql, checked: CheckedPayroll): Promise<PlannedPayment[]> {
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
  { month, currency, chain }: CheckedPayroll,
  orders: readonly CheckedOrder[],
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

/**
 * Plans which payouts go together. A batch is approved as one, so those that need approval are kept apart. A batch that
 * was enqueued before is never added to: the same key would then mean another payment.
 */
function plan(
  payer: string,
  { month, batchSize }: CheckedPayroll,
  fresh: readonly CheckedOrder[],
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
