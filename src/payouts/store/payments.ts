import type { Sql } from '../database.ts';
import { bodyUnder, readableBody } from '../rules/body.ts';
import type { Change, Payment, RecipientChange, Resolution } from '../rules/payment.ts';
import { nextRequestId } from '../rules/request-ids.ts';
import { KEY_KNOWN, REFUSED_AFTER } from '../rules/see-record.ts';
import { succeeds } from './selection.ts';
import { noteBefore, type Tx } from './transaction.ts';

const COLUMNS = `request_id, payer, month, batch, size, state, reason, evidence, attempts, doubts, refused, fence,
  failures, pauses, transfer_id, shown`;

/** A payment that is locked. */
export interface PaymentRow extends Payment {
  readonly payer: string;
  readonly month: string;
  readonly batch: string | null;
}

/** Locks payments, always in the same order, so that two transactions never wait for each other. */
export async function lockPayments(
  sql: Tx,
  by: 'request_id' | 'transfer_id',
  values: readonly string[],
): Promise<PaymentRow[]> {
  const type = by === 'request_id' ? 'uuid' : 'text';
  const { rows } = await sql.query<PaymentRow>(
    `select ${COLUMNS} from payout_payment where ${by} = any($1::${type}[]) order by request_id for update`,
    [values],
  );
  const requestIds = rows.map(({ request_id }) => request_id);
  await noteBefore(sql, requestIds);
  return rows;
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
  readonly payment: PaymentRow;
  readonly resolution: Resolution;
}

/** Writes what becomes of locked payments. */
export async function writeResolved(sql: Tx, resolved: readonly Resolved[]): Promise<void> {
  const changed: { payment: PaymentRow; change: Change }[] = [];
  for (const { payment, resolution } of resolved) {
    if (resolution.action === 'split') await split(sql, payment, resolution.reason);
    else if (resolution.action === 'rekey') await rekey(sql, payment, resolution.reason);
    else if (Object.keys(resolution.change).length > 0) changed.push({ payment, change: resolution.change });
  }
  await writeChanges(sql, changed);
}

async function writeChanges(
  sql: Tx,
  changed: readonly { readonly payment: PaymentRow; readonly change: Change }[],
): Promise<void> {
  if (changed.length === 0) return;
  const items = changed.map(({ payment, change: { notice: _n, recipients: _r, ...columns } }) => {
    const { request_id, state, reason, evidence, doubts, refused, failures, pauses, shown } = payment;
    return { request_id, state, reason, evidence, doubts, refused, failures, pauses, shown, ...columns };
  });
  await sql.query(
    `update payout_payment p set state = c.state, reason = c.reason, evidence = c.evidence, doubts = c.doubts,
       doubt_since = case when c.doubts > 0 then coalesce(p.doubt_since, p.created_at) end, shown = c.shown,
       refused = c.refused, failures = c.failures, pauses = c.pauses, transfer_id = coalesce(c.transfer_id, p.transfer_id),
       state_at = case when c.state = p.state then p.state_at else clock_timestamp() end,
       missing_since = case when c.state = 'awaiting_approval' then p.missing_since end,
       looks = case when c.state = p.state then p.looks else 0 end,
       look_at = case when c.state = p.state then p.look_at else clock_timestamp() end,
       due_at = case when c.due_in is null then p.due_at else clock_timestamp() + make_interval(secs => c.due_in / 1000) end
     from jsonb_to_recordset($1::jsonb) as c (request_id uuid, state text, reason text, evidence text,
       doubts integer, refused boolean, failures integer, pauses integer, shown boolean, transfer_id text, due_in float8)
     where p.request_id = c.request_id`,
    [JSON.stringify(items)],
  );
  const recipients = changed.flatMap(({ payment: { request_id }, change }) =>
    (change.recipients ?? []).map((one) => ({ request_id, evidence: change.evidence ?? 'lookup', ...one })),
  );
  await writeRecipients(sql, recipients);
  await tellOfShown(
    sql,
    changed.filter(({ change }) => change.shown).map(({ payment }) => payment.request_id),
  );
  const notices = changed.flatMap(({ payment: { request_id }, change: { notice } }) =>
    notice === undefined ? [] : [{ request_id, ...notice }],
  );
  await addNotices(sql, notices);
  const past = changed.filter(
    ({ payment: { state }, change: { notice } }) =>
      notice !== undefined && (state === 'replaced' || notice.kind !== 'RECORD_OF_ANOTHER_PAYMENT'),
  );
  await stopSuccessors(
    sql,
    past.map(({ payment }) => payment.request_id),
  );
}

/** Writes what a record says of recipients whose result is not that of their batch. What a person found out stays. */
async function writeRecipients(
  sql: Sql,
  recipients: readonly (RecipientChange & { request_id: string; evidence: string })[],
): Promise<void> {
  if (recipients.length === 0) return;
  const isPersons = `o.evidence is not distinct from 'person'`;
  await sql.query(
    `update payout_order o set shown = coalesce(o.shown, false) or c.shown,
       state = case when ${isPersons} then o.state else coalesce(c.state, o.state) end,
       reason = case when ${isPersons} or c.state is null then o.reason else c.reason end,
       evidence = case when ${isPersons} or c.state is null then o.evidence else c.evidence end,
       state_at = case when ${isPersons} or c.state is null then o.state_at else coalesce(o.state_at, clock_timestamp()) end
     from jsonb_to_recordset($1::jsonb) as c (request_id uuid, place integer, shown boolean, state text, reason text,
       evidence text)
     where o.request_id = c.request_id and o.place = c.place`,
    [JSON.stringify(recipients)],
  );
  await tellOfShown(
    sql,
    recipients.filter(({ shown }) => shown).map(({ request_id }) => request_id),
  );
}

/** Shows a person that a recipient whom they settled as not paid was paid. */
async function tellOfShown(sql: Sql, requestIds: readonly string[]): Promise<void> {
  if (requestIds.length === 0) return;
  await sql.query(
    `insert into payout_notice (payer, month, employee, kind, detail)
     select o.payer, o.month, o.employee, 'CONTRADICTION', 'shown as paid' from payout_order o join payout_payment p
       using (request_id)
     where request_id = any($1::uuid[]) and o.state in ('rejected', 'expired') and coalesce(o.shown, p.shown)
     on conflict do nothing`,
    [requestIds],
  );
}

/** Tells what an event shows of the transfers of replaced payments; one that was made after all stops their successors. */
export async function tellOfPast(
  sql: Tx,
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
 * Leaves it to a person whether payments go on, where a past payment may have paid their payouts: those that are
 * queued, and those to which a lookup would give new keys.
 */
async function stopSuccessors(sql: Tx, past: readonly string[]): Promise<void> {
  if (past.length === 0) return;
  const { rows } = await sql.query<{ request_id: string }>(
    `select request_id from payout_payment p
     where (state = 'queued' or reason = '${KEY_KNOWN}' or (size > 1 and reason like '${REFUSED_AFTER}%'))
       and ${succeeds('any($1::uuid[])')} order by request_id for update`,
    [past],
  );
  const requestIds = rows.map(({ request_id }) => request_id);
  await noteBefore(sql, requestIds);
  await sql.query(
    `update payout_payment set state = 'undecided', reason = 'MADE_UNDER_PAST_KEY',
       state_at = clock_timestamp() where request_id = any($1::uuid[])`,
    [requestIds],
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
async function split(sql: Sql, payment: PaymentRow, reason: string): Promise<void> {
  const { request_id, batch } = payment;
  const places = await placesOf(sql, request_id);
  const middle = Math.ceil(places.length / 2);
  await replace(sql, payment, reason, [
    { requestId: nextRequestId(request_id, 'part', 1), batch: `${batch}.1`, places: places.slice(0, middle) },
    { requestId: nextRequestId(request_id, 'part', 2), batch: `${batch}.2`, places: places.slice(middle) },
  ]);
}

/** Replaces a payment that surely did nothing by one with another key, which is returned. */
export async function rekey(sql: Sql, payment: PaymentRow, reason: string): Promise<string> {
  const { request_id, batch } = payment;
  const requestId = nextRequestId(request_id, 'again');
  await replace(sql, payment, reason, [{ requestId, batch, places: await placesOf(sql, request_id) }]);
  return requestId;
}

/** Gives some recipients of a batch to a payment of their own, whose key is returned. The batch keeps the others. */
export async function takeOut(
  sql: Sql,
  payment: PaymentRow,
  places: readonly number[],
  reason: string,
): Promise<string> {
  const { request_id, batch } = payment;
  const requestId = nextRequestId(request_id, 'again', ...places);
  await replace(sql, payment, reason, [{ requestId, batch: `${batch}.again`, places }], false);
  return requestId;
}

/** The places of the recipients that still belong to a payment. */
async function placesOf(sql: Sql, requestId: string): Promise<number[]> {
  const { rows } = await sql.query<{ place: number }>(
    'select place from payout_order where request_id = $1 order by place',
    [requestId],
  );
  return rows.map(({ place }) => place);
}

interface Part {
  readonly requestId: string;
  readonly batch: string | null;
  /** The places of its recipients in the body of the payment before. */
  readonly places: readonly number[];
}

/** Gives the payouts of a payment to new ones, and keeps them as past. */
async function replace(
  sql: Sql,
  { request_id, payer, month }: PaymentRow,
  reason: string,
  parts: readonly Part[],
  isWhole = true,
): Promise<void> {
  const places = parts.flatMap((part) => part.places);
  await sql.query(
    `insert into payout_past (payer, month, employee, request_id, payee, amount, transfer_id, state, reason)
     select payer, month, employee, request_id, payee, amount, transfer_id, state, coalesce(reason, $2)
     from payout where request_id = $1 and employee in (
       select employee from payout_order where request_id = $1 and place = any($3::integer[])) on conflict do nothing`,
    [request_id, reason, places],
  );
  const { rows } = await sql.query<{ body: string }>(
    isWhole
      ? `update payout_payment set state = 'replaced', reason = $2 where request_id = $1 returning body`
      : `update payout_payment set size = size - $2 where request_id = $1 returning body`,
    [request_id, isWhole ? reason : places.length],
  );
  const read = readableBody(rows[0]?.body ?? '');
  if (read === undefined) throw new Error(`The body of the payment ${request_id} cannot be read.`);
  const items = parts.map(({ requestId, batch, places }) => ({
    request_id: requestId,
    batch,
    size: places.length,
    body: bodyUnder(read, requestId, places),
  }));
  await sql.query(
    `insert into payout_payment (request_id, payer, month, batch, size, body, needs_approval)
     select c.request_id, $2, $3, c.batch, c.size, c.body, p.needs_approval
     from jsonb_to_recordset($1::jsonb) as c (request_id uuid, batch text, size integer, body text), payout_payment p
     where p.request_id = $4`,
    [JSON.stringify(items), payer, month, request_id],
  );
  const moved = parts.flatMap(({ requestId, places }) =>
    places.map((place, index) => ({ request_id: requestId, place, next: index })),
  );
  await sql.query(
    `update payout_order o set request_id = c.request_id, place = c.next, state = null, reason = null, evidence = null,
       settled_by = null, shown = null, state_at = null
     from jsonb_to_recordset($1::jsonb) as c (request_id uuid, place integer, next integer)
     where o.request_id = $2 and o.place = c.place`,
    [JSON.stringify(moved), request_id],
  );
}
