import type { Sql } from '../database.ts';
import type { NewPayoutJob } from '../queue.ts';
import { bodyUnder, readableBody } from '../rules/body.ts';
import type { Change, Payment, Resolution } from '../rules/payment.ts';
import { againRequestId, partRequestId } from '../rules/request-ids.ts';
import { KEY_KNOWN, REFUSED_AFTER } from '../rules/see-record.ts';
import { findPayments, type Selection, succeeds } from './selection.ts';

const COLUMNS = `request_id, payer, month, batch, size, state, reason, evidence, attempts, doubts, refused, fence,
  failures, pauses, again, transfer_id`;

/** Locks payments, always in the same order, so that two transactions never wait for each other. */
export async function lockPayments(
  sql: Sql,
  by: 'request_id' | 'transfer_id',
  values: readonly string[],
): Promise<Payment[]> {
  const type = by === 'request_id' ? 'uuid' : 'text';
  const { rows } = await sql.query<Payment>(
    `select ${COLUMNS} from payout_payment where ${by} = any($1::${type}[]) order by request_id for update`,
    [values],
  );
  return rows;
}

/**
 * Locks what a selection fits, also if it changed while the locks were waited for. A payment that was replaced meanwhile
 * has successors, which the selection fits, too.
 */
export async function lockSelected(sql: Sql, selection: Selection): Promise<Payment[]> {
  for (;;) {
    const payments = await lockPayments(sql, 'request_id', await findPayments(sql, selection));
    const fits = new Set(await findPayments(sql, selection));
    if (payments.every(({ request_id }) => fits.has(request_id))) return payments;
  }
}

/**
 * Takes turns for transfers: the worker that notes a transfer and the receiver that hears of its decision. Otherwise
 * each could miss what the other has not committed yet, and the decision would be lost.
 */
export async function lockTransfers(sql: Sql, transferIds: readonly string[]): Promise<void> {
  if (transferIds.length === 0) return;
  await sql.query(
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended(id, 2) as key from unnest($1::text[]) as id order by key) as keys`,
    [transferIds],
  );
}

/** A locked payment and what becomes of it. */
export interface Resolved {
  readonly payment: Payment;
  readonly resolution: Resolution;
}

/** Writes what becomes of locked payments. Returns the jobs to add. */
export async function writeResolved(sql: Sql, resolved: readonly Resolved[]): Promise<NewPayoutJob[]> {
  const jobs: NewPayoutJob[] = [];
  const changed: { payment: Payment; change: Change }[] = [];
  for (const { payment, resolution } of resolved) {
    if (resolution.action === 'split') jobs.push(...(await split(sql, payment, resolution.reason)));
    else if (resolution.action === 'rekey') jobs.push(...(await rekey(sql, payment, resolution.reason)));
    else if (Object.keys(resolution.change).length > 0) {
      changed.push({ payment, change: resolution.change });
      const { due_in } = resolution.change;
      if (due_in !== undefined) jobs.push({ requestId: payment.request_id, afterSeconds: due_in });
    }
  }
  await writeChanges(sql, changed);
  return jobs;
}

async function writeChanges(
  sql: Sql,
  changed: readonly { readonly payment: Payment; readonly change: Change }[],
): Promise<void> {
  if (changed.length === 0) return;
  const items = changed.map(({ payment, change: { notice: _notice, ...columns } }) => {
    const { request_id, state, reason, evidence, doubts, refused, failures, pauses } = payment;
    return { request_id, state, reason, evidence, doubts, refused, failures, pauses, ...columns };
  });
  await sql.query(
    `update payout_payment p set state = c.state, reason = c.reason, evidence = c.evidence, doubts = c.doubts,
       doubt_since = case when c.doubts > 0 then coalesce(p.doubt_since, p.created_at) end,
       refused = c.refused, failures = c.failures, pauses = c.pauses, transfer_id = coalesce(c.transfer_id, p.transfer_id),
       approval_id = coalesce(c.approval_id, p.approval_id), expires_at = coalesce(c.expires_at, p.expires_at),
       undecided_since = case when c.state = 'undecided' then coalesce(p.undecided_since, clock_timestamp()) end,
       undecided_for = case when c.state = 'undecided' then coalesce(c.undecided_for, p.undecided_for) end,
       missing_since = case when c.state = 'awaiting_approval' then p.missing_since end,
       looks = case when c.state = p.state then p.looks else 0 end,
       look_at = case when c.state = p.state then p.look_at else clock_timestamp() end,
       settled_at = case when c.state in ('paid', 'rejected', 'expired') then coalesce(p.settled_at, clock_timestamp()) end,
       due_at = case when c.due_in is null then p.due_at else clock_timestamp() + make_interval(secs => c.due_in) end
     from jsonb_to_recordset($1::jsonb) as c (request_id uuid, state text, reason text, evidence text,
       doubts integer, refused boolean, failures integer, pauses integer, transfer_id text, approval_id text,
       expires_at timestamptz, undecided_for text, due_in float8)
     where p.request_id = c.request_id`,
    [JSON.stringify(items)],
  );
  const notices = changed.flatMap(({ payment: { request_id }, change: { notice } }) =>
    notice === undefined ? [] : [{ request_id, ...notice }],
  );
  await addNotices(sql, notices);
  const past = changed.filter(({ payment, change }) => payment.state === 'replaced' && change.notice);
  await stopSuccessors(
    sql,
    past.map(({ payment }) => payment.request_id),
  );
}

/** Tells what an event shows of the transfers of replaced payments; one that was made after all stops their successors. */
export async function tellOfPast(
  sql: Sql,
  past: readonly string[],
  detail: string,
  isMade: boolean,
): Promise<void> {
  await addNotices(
    sql,
    past.map((request_id) => ({ request_id, kind: 'EVENT_FOR_PAST_TRANSFER', detail })),
  );
  if (isMade) await stopSuccessors(sql, past);
}

/**
 * Leaves it to a person whether payments go on, where a replaced payment may have paid their payouts: those that are
 * queued, and those to which a lookup would give new keys.
 */
async function stopSuccessors(sql: Sql, past: readonly string[]): Promise<void> {
  if (past.length === 0) return;
  await sql.query(
    `update payout_payment set state = 'undecided', reason = 'MADE_UNDER_PAST_KEY',
       undecided_since = clock_timestamp(), undecided_for = 'operator'
     where request_id in (select request_id from payout_payment p
       where (state = 'queued' or reason = '${KEY_KNOWN}' or (size > 1 and reason like '${REFUSED_AFTER}%'))
       and ${succeeds('any($1::uuid[])')} order by request_id for update)`,
    [past],
  );
}

/** Adds notices for all payouts that belong to a payment, or did when it was made. */
async function addNotices(
  sql: Sql,
  notices: readonly { readonly request_id: string; readonly kind: string; readonly detail: string }[],
): Promise<void> {
  if (notices.length === 0) return;
  await sql.query(
    `insert into payout_notice (payer, month, employee, kind, detail)
     select member.payer, member.month, member.employee, n.kind, n.detail
     from jsonb_to_recordset($1::jsonb) as n (request_id uuid, kind text, detail text)
     join (select request_id, payer, month, employee from payout_order
       union select request_id, payer, month, employee from payout_past) as member using (request_id)
     on conflict do nothing`,
    [JSON.stringify(notices)],
  );
}

/** Replaces a batch that surely did nothing by two payments, each with a key and a body of its own. */
function split(sql: Sql, payment: Payment, reason: string): Promise<NewPayoutJob[]> {
  const { request_id, size, batch } = payment;
  const middle = Math.ceil(size / 2);
  return replace(sql, payment, reason, [
    { requestId: partRequestId(request_id, 1), batch: `${batch}.1`, from: 0, to: middle },
    { requestId: partRequestId(request_id, 2), batch: `${batch}.2`, from: middle, to: size },
  ]);
}

/** Replaces a payment that surely did nothing by one with another key. */
export function rekey(sql: Sql, payment: Payment, reason: string): Promise<NewPayoutJob[]> {
  const { request_id, again, batch, size } = payment;
  const requestId = againRequestId(request_id, again + 1);
  return replace(sql, payment, reason, [{ requestId, batch, from: 0, to: size }]);
}

interface Part {
  readonly requestId: string;
  readonly batch: string | null;
  /** The place of the first payout, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** Records the payment as past, and gives its payouts to new ones. Returns the jobs of these. */
async function replace(
  sql: Sql,
  { request_id, payer, month, again }: Payment,
  reason: string,
  parts: readonly Part[],
): Promise<NewPayoutJob[]> {
  const { rows } = await sql.query<{ body: string }>(
    `with past as (
       insert into payout_past (payer, month, employee, request_id, transfer_id, state, reason)
       select o.payer, o.month, o.employee, p.request_id, p.transfer_id, p.state, coalesce(p.reason, $2)
       from payout_order o join payout_payment p using (request_id) where p.request_id = $1 on conflict do nothing
     )
     update payout_payment set state = 'replaced', reason = $2, undecided_since = null, undecided_for = null
     where request_id = $1 returning body`,
    [request_id, reason],
  );
  const [{ body } = { body: '' }] = rows;
  // A body that somebody made unreadable stays so, and goes to a person before it is sent.
  const read = readableBody(body);
  const items = parts.map(({ requestId, batch, from, to }) => ({
    request_id: requestId,
    batch,
    size: to - from,
    body: read === undefined ? body : bodyUnder(read, requestId, from, to),
    first: from,
  }));
  const part =
    'jsonb_to_recordset($1::jsonb) as c (request_id uuid, batch text, size integer, body text, first integer)';
  await sql.query(
    `insert into payout_payment (request_id, payer, month, batch, size, body, needs_approval, again)
     select c.request_id, $2, $3, c.batch, c.size, c.body, p.needs_approval, $4
     from ${part}, payout_payment p where p.request_id = $5`,
    [JSON.stringify(items), payer, month, again + 1, request_id],
  );
  await sql.query(
    `update payout_order o set request_id = c.request_id, place = o.place - c.first
     from ${part} where o.request_id = $2 and o.place >= c.first and o.place < c.first + c.size`,
    [JSON.stringify(items), request_id],
  );
  return parts.map(({ requestId }) => ({ requestId, afterSeconds: 0 }));
}
