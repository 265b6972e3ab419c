import { nearestName } from '../../shared/option-names.ts';
import type { Sql } from '../database.ts';
import type { PayoutEvidence, PayoutState } from '../rules/payment.ts';
import { lockPayments, type PaymentRow } from './payments.ts';
import { refuseDecision, type Selection, valuesOf, WITHIN } from './selection.ts';
import type { Tx } from './transaction.ts';

/**
 * Locks what a selection fits, also if it changed while the locks were waited for. A payment that was replaced meanwhile
 * has successors, which the selection fits, too.
 */
export async function lockSelected(sql: Tx, selection: Selection): Promise<PaymentRow[]> {
  for (;;) {
    const payments = await lockPayments(sql, 'request_id', await findPayments(sql, selection));
    const fits = new Set(await findPayments(sql, selection));
    if (payments.every(({ request_id }) => fits.has(request_id))) return payments;
  }
}

async function findPayments(sql: Sql, selection: Selection): Promise<string[]> {
  const { rows } = await sql.query<{ request_id: string }>(
    `select request_id from payout_payment p where ${WITHIN}`,
    valuesOf(selection),
  );
  return rows.map(({ request_id }) => request_id);
}

/** A payout of a selection. */
export interface Recipient {
  readonly request_id: string;
  readonly employee: string;
  readonly place: number;
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly evidence: PayoutEvidence | null;
  readonly shown: boolean;
  /** True if it has a state of its own, which is not that of its batch. */
  readonly isOwn: boolean;
  /** True if the selection fits it, and not only its batch. */
  readonly isMeant: boolean;
  /** True if it has notices that nobody has acknowledged. */
  readonly isNoted: boolean;
}

/** Returns the payouts of locked payments, by payment. */
export async function recipientsOf(
  sql: Sql,
  payments: readonly PaymentRow[],
  { employee, state, reason }: Selection,
): Promise<ReadonlyMap<string, Recipient[]>> {
  const { rows } = await sql.query<Recipient>(
    `select o.request_id, o.employee, o.place, v.state, v.reason, v.evidence, v.shown, o.state is not null as "isOwn",
       ($2::text is null or o.employee = $2) and ($3::text is null or v.state = $3)
         and ($4::text is null or v.reason = $4) as "isMeant",
       exists (select from payout_notice n where n.payer = o.payer and n.month = o.month and n.employee = o.employee
         and n.seen_at is null) as "isNoted"
     from payout_order o join payout v using (payer, month, employee)
     where o.request_id = any($1::uuid[]) order by o.request_id, o.place`,
    [payments.map(({ request_id }) => request_id), employee, state, reason],
  );
  return Map.groupBy(rows, ({ request_id }) => request_id);
}

/** Names of which the nearest is looked for. */
const CANDIDATES = 5000;

/**
 * Refuses a selection that names a month, an employee or a key that is nowhere: a command that does nothing in silence
 * looks like one that worked.
 */
export async function refuseMissing(sql: Sql, selection: Selection): Promise<void> {
  const { payers, month, employee, requestId } = selection;
  const refuse = async (
    name: string,
    table: string,
    column: string,
    given: string | null,
    within: string | null,
  ) => {
    if (given === null) return;
    const rows = `from ${table} where payer = any($1::text[]) and ($3::text is null or month = $3)`;
    const values = [payers, given, within];
    const known = await sql.query(`select ${rows} and ${column} = $2 limit 1`, values);
    if (known.rows.length > 0) return;
    const { rows: near } = await sql.query<{ name: string }>(
      `select name from (select distinct ${column} as name ${rows}) as names
       order by lower(left(name, 3)) = lower(left($2, 3)) desc limit ${CANDIDATES}`,
      values,
    );
    const nearest = nearestName(
      given,
      near.map((row) => row.name),
    );
    const meant = nearest === undefined ? '' : ` The nearest is ${JSON.stringify(nearest)}.`;
    refuseDecision(`No payout has the ${name} ${JSON.stringify(given)}.${meant}`);
  };
  await refuse('month', 'payout_payment', 'month', month, null);
  await refuse('employee', 'payout_order', 'employee', employee, month);
  await refuse('requestId', 'payout_payment', 'request_id::text', requestId?.toLowerCase() ?? null, null);
  const { rows } = await sql.query(
    `select from payout_payment p where ${WITHIN} limit 1`,
    valuesOf({ ...selection, state: null, reason: null }),
  );
  if (rows.length > 0 || (month ?? employee ?? requestId) === null) return;
  if ((month ?? employee) !== null) refuseDecision('No payout has all of these.');
  refuseDecision(`Another key pays what ${requestId} was for: give that key, as \`payouts.list\` shows it.`);
}
