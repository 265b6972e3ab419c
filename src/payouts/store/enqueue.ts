import type { Database, Sql } from '../database.ts';
import { type BatchAmounts, writeBody } from '../rules/body.ts';
import { type CheckedOrder, type CheckedPayroll, checkPayroll, type Payroll } from '../rules/payroll.ts';
import { micros } from '../rules/record.ts';
import { fold, nextRequestId, payoutRequestId } from '../rules/request-ids.ts';
import { CANCELLED } from '../rules/see-record.ts';
import { lockPayments } from './payments.ts';
import { moving, type Store, type Tx } from './transaction.ts';

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

/** Writes payments and payouts in one transaction. */
export function enqueue(store: Store, payroll: Payroll, rules: EnqueueRules): Promise<number> {
  const checked = checkPayroll(payroll, rules.payers);
  return moving(store, async (sql) => {
    const { planned, corrected } = await planPayroll(sql, checked);
    await setAside(sql, corrected);
    for (let start = 0; start < planned.length; start += CHUNK)
      await insert(sql, planned.slice(start, start + CHUNK), checked, rules);
    return payoutsIn(planned);
  });
}

/** Keeps cancelled payouts as past: their corrections take their places. */
async function setAside(sql: Tx, corrected: readonly KnownOrder[]): Promise<void> {
  if (corrected.length === 0) return;
  const requestIds = [...new Set(corrected.map(({ request_id }) => request_id))];
  await lockPayments(sql, 'request_id', requestIds);
  const { rows } = await sql.query<{ employee: string }>(
    `with aside as (
       delete from payout_order o using payout_payment p, jsonb_to_recordset($1::jsonb) as c (request_id uuid, employee text)
       where o.request_id = c.request_id and o.employee = c.employee and p.request_id = o.request_id
         and o.state is null and p.state = 'rejected' and p.reason = $2 and p.doubts = 0 returning o.*)
     insert into payout_past (payer, month, employee, request_id, payee, amount, state, reason)
     select payer, month, employee, request_id, payee, amount, 'rejected', $2 from aside returning employee`,
    [JSON.stringify(corrected), CANCELLED.done],
  );
  if (rows.length < corrected.length)
    throw new Error('A cancelled payout has moved in the meantime. Nothing was enqueued: try again.');
  await sql.query(
    `update payout_payment p set state = case count when 0 then 'replaced' else state end,
       size = case count when 0 then size else count end
     from (select request_id, (select count(*)::int from payout_order o where o.request_id = p.request_id)
       from payout_payment p where request_id = any($1::uuid[])) as rest (request_id, count)
     where p.request_id = rest.request_id`,
    [requestIds],
  );
}

/** Says what `enqueue` would do, with the same checks. Writes nothing. */
export async function previewPayroll(
  db: Database,
  payroll: Payroll,
  rules: EnqueueRules,
): Promise<PayrollPreview> {
  const checked = checkPayroll(payroll, rules.payers);
  const { planned } = await db.transaction((sql) => planPayroll(sql, checked));
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

interface PlannedPayroll {
  readonly planned: readonly PlannedPayment[];
  /** Cancelled payouts that come with other values now. */
  readonly corrected: readonly KnownOrder[];
}

/** Compares a payroll with what is enqueued, and plans the payments for what is not. */
async function planPayroll(sql: Sql, checked: CheckedPayroll): Promise<PlannedPayroll> {
  const planned: PlannedPayment[] = [];
  const corrected: KnownOrder[] = [];
  const byPayer = Map.groupBy(checked.orders, ({ payer }) => payer);
  for (const payer of [...byPayer.keys()].sort()) {
    await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [
      JSON.stringify([payer, checked.month]),
    ]);
    const orders = byPayer.get(payer) ?? [];
    const known = await compareWithKnown(sql, payer, checked, orders);
    const aside = new Map(known.corrected.map((one) => [one.employee, one]));
    const fresh = orders.filter(({ employee }) => aside.has(employee) || !known.employees.has(employee));
    planned.push(...plan(payer, checked, fresh, known.lastBatch, aside));
    corrected.push(...known.corrected);
  }
  return { planned, corrected };
}

interface KnownOrder {
  readonly request_id: string;
  readonly employee: string;
  readonly payee: string;
  readonly amount: string;
  readonly currency: string;
  readonly chain: string;
  readonly needs_approval: boolean;
  /** True if it was cancelled and nothing can have been paid for it. */
  readonly is_over: boolean;
}

/** A payout that is there already is left alone, but it must be the same payout, under the same name. */
async function compareWithKnown(
  sql: Sql,
  payer: string,
  { month, currency, chain }: CheckedPayroll,
  orders: readonly CheckedOrder[],
) {
  const { rows } = await sql.query<KnownOrder>(
    `select request_id, employee, payee, amount::text, currency, chain, needs_approval,
       state = 'rejected' and reason = $3 and not in_doubt and not shown and transfer_id is null as is_over
     from payout where month = $1 and payer = $2`,
    [month, payer, CANCELLED.done],
  );
  const { rows: last } = await sql.query<{ batch: number }>(
    `select coalesce(max(substring(batch from '^[0-9]+')::int), 0) as batch from payout_payment
     where month = $1 and payer = $2`,
    [month, payer],
  );
  const known = new Map(rows.map((row) => [row.employee, row]));
  const similar = new Map(rows.map((row) => [fold(row.employee), row]));
  const corrected: KnownOrder[] = [];
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
    if (changed.length === 0) continue;
    if (row.is_over && row.employee === employee) corrected.push(row);
    else
      throw new Error(
        `The payout of ${JSON.stringify(row.employee)} for ${month} is enqueued already, with another ${changed.join(' and ')}. Nothing was enqueued: a payout is never changed once it may have been paid. Cancel it first.`,
      );
  }
  return {
    employees: new Set(rows.map((row) => row.employee)),
    lastBatch: last[0]?.batch ?? 0,
    corrected,
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
  corrected: ReadonlyMap<string, KnownOrder>,
): PlannedPayment[] {
  if (batchSize === 1) {
    return fresh.map((order) => {
      const { employee } = order;
      const before = corrected.get(employee)?.request_id;
      const requestId =
        before === undefined
          ? payoutRequestId({ payer, month, employee })
          : nextRequestId(before, 'corrected', employee);
      return { requestId, payer, batch: null, orders: [order] };
    });
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
