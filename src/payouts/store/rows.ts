import type { Sql } from '../database.ts';
import type { PayoutRow, RowChange } from '../rules/row.ts';

const COLUMNS = `month, employee, batch, request_id, state, reason, evidence, doubts, refused_before, attempts, fence,
  failures, pauses, again, transfer_id`;

/** Locks rows, always in the same order, so that two transactions never wait for each other. */
export async function lockRows(
  sql: Sql,
  by: 'request_id' | 'transfer_id',
  values: readonly string[],
): Promise<PayoutRow[]> {
  const type = by === 'request_id' ? 'uuid' : 'text';
  const { rows } = await sql.query<PayoutRow>(
    `select ${COLUMNS} from payout where ${by} = any($1::${type}[]) order by month, employee for update`,
    [values],
  );
  return rows;
}

/** A row and what changes of it. */
export interface ChangedRow {
  readonly row: PayoutRow;
  readonly change: RowChange;
}

/** Writes changes of locked rows, and the notices that come with them. */
export async function writeChanges(sql: Sql, changed: readonly ChangedRow[]): Promise<void> {
  if (changed.length === 0) return;
  const items = changed.map(({ row, change }) => {
    const { month, employee, state, reason, evidence, doubts, refused_before, failures, pauses } = row;
    const { notice: _notice, ...columns } = change;
    return { month, employee, state, reason, evidence, doubts, refused_before, failures, pauses, ...columns };
  });
  await sql.query(
    `update payout p set state = c.state, reason = c.reason, evidence = c.evidence, doubts = c.doubts,
       refused_before = c.refused_before, failures = c.failures, pauses = c.pauses,
       transfer_id = coalesce(c.transfer_id, p.transfer_id), approval_id = coalesce(c.approval_id, p.approval_id),
       expires_at = coalesce(c.expires_at, p.expires_at),
       undecided_since = case when c.state = 'undecided' then coalesce(p.undecided_since, clock_timestamp()) end,
       undecided_for = case when c.state = 'undecided' then coalesce(c.undecided_for, p.undecided_for) end,
       missing_since = case when c.state = 'awaiting_approval' then p.missing_since end,
       settled_at = case when c.state in ('paid', 'rejected', 'expired') then coalesce(p.settled_at, clock_timestamp()) end,
       due_at = case when c.due_in is null then p.due_at
         else clock_timestamp() + make_interval(secs => c.due_in) end
     from jsonb_to_recordset($1::jsonb) as c (month text, employee text, state text, reason text, evidence text,
       doubts integer, refused_before boolean, failures integer, pauses integer, transfer_id text, approval_id text,
       expires_at timestamptz, undecided_for text, due_in float8)
     where p.month = c.month and p.employee = c.employee`,
    [JSON.stringify(items)],
  );
  const notices = changed.flatMap(({ row: { month, employee }, change: { notice } }) =>
    notice === undefined ? [] : [{ month, employee, ...notice }],
  );
  if (notices.length === 0) return;
  await sql.query(
    `insert into payout_notice (month, employee, kind, detail)
     select month, employee, kind, detail
     from jsonb_to_recordset($1::jsonb) as n (month text, employee text, kind text, detail text)
     on conflict do nothing`,
    [JSON.stringify(notices)],
  );
}
