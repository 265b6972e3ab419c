import { requestIdOf } from '../../helpers/payment-record.ts';
import type { Database, Sql } from '../database.ts';
import { change, type Payment, type Resolution } from '../rules/payment.ts';
import {
  differences,
  type Reading,
  readRecord,
  type TransferRecord,
  withoutPersonalData,
} from '../rules/record.ts';
import { seeReading } from '../rules/see-record.ts';
import { readableBody } from './body.ts';
import { lockPayments, lockTransfers, writeResolved } from './payments.ts';

/** An event that shows the record of a transfer, such as its completion. */
export interface RecordEvent {
  /** The id of the event: a second delivery with the same id changes nothing. */
  readonly id: string;
  /** The record, with at least the `id` of the transfer in `transferDetails`. */
  readonly record: TransferRecord;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Notes what an event shows of a transfer, and what follows from it. That the event was handled commits with its effect. */
export async function noteRecord(db: Database, { id, record }: RecordEvent): Promise<void> {
  const reading = readRecord(record);
  if (reading === undefined) return;
  const { transferId } = reading;
  const shown = requestIdOf(record);
  const requestId = shown !== undefined && UUID.test(shown) ? shown : null;
  await db.transaction(async (sql) => {
    await lockTransfers(sql, [transferId]);
    if (!(await isFirst(sql, id))) return;
    const { rows } = await sql.query<{ request_id: string }>(
      `select request_id from payout_payment where transfer_id = $1 or request_id = $2::uuid
       order by transfer_id = $1 desc nulls last limit 1`,
      [transferId, requestId],
    );
    const [found] = rows;
    if (found === undefined) {
      // The worker that notes this transfer finds the event here.
      await sql.query('insert into payout_news (event_id, transfer_id, record) values ($1, $2, $3)', [
        id,
        transferId,
        JSON.stringify(withoutPersonalData(record)),
      ]);
      return;
    }
    await tellOfPast(sql, reading, requestId);
    await apply(sql, found.request_id, record);
  });
}

/** Returns true for the first delivery of an event. */
export async function isFirst(sql: Sql, id: string): Promise<boolean> {
  const { rows } = await sql.query(
    'insert into payout_event (id) values ($1) on conflict do nothing returning id',
    [id],
  );
  return rows.length > 0;
}

/** Applies what events showed of these transfers before the payments were known to have made them. */
export async function applyNews(sql: Sql, transferIds: readonly string[]): Promise<void> {
  const { rows } = await sql.query<{ request_id: string; record: string }>(
    `with news as (delete from payout_news n using payout_payment p
       where n.transfer_id = any($1::text[]) and p.transfer_id = n.transfer_id returning n.*, p.request_id)
     select request_id, record from news order by received_at, event_id`,
    [transferIds],
  );
  for (const { request_id, record } of rows) await apply(sql, request_id, JSON.parse(record));
}

async function apply(sql: Sql, requestId: string, record: TransferRecord): Promise<void> {
  const reading = readRecord(record);
  const [payment] = await lockPayments(sql, 'request_id', [requestId]);
  const { rows } = await sql.query<{ body: string }>(
    'select body from payout_payment where request_id = $1',
    [requestId],
  );
  if (reading === undefined || payment === undefined || rows[0] === undefined) return;
  const body = readableBody(rows[0].body);
  const differs = body === undefined ? ['body'] : differences(record, body, payment.transfer_id, 'lookup');
  await writeResolved(sql, [{ payment, resolution: seeEvent(payment, reading, differs) }]);
}

function seeEvent(payment: Payment, reading: Reading, differs: readonly string[]): Resolution {
  // An event is not asked for: one about something else changes no state, and is shown.
  if (differs.length > 0) {
    return change({ notice: { kind: 'RECORD_OF_ANOTHER_PAYMENT', detail: `event: ${differs.join(', ')}` } });
  }
  // Whether the approval was rejected or has expired is told by another event, or by a lookup.
  if (payment.state === 'awaiting_approval' && reading.reason === 'TRANSFER_CANCELLED') return change({});
  return change(seeReading(payment, reading, 'event') ?? {});
}

/** The payouts of a payment that was replaced must show that its transfer was made after all. */
async function tellOfPast(sql: Sql, { transferId, state }: Reading, requestId: string | null): Promise<void> {
  if (state === 'rejected' || state === 'expired') return;
  await sql.query(
    `insert into payout_notice (payer, month, employee, kind, detail)
     select payer, month, employee, 'EVENT_FOR_PAST_TRANSFER', $1 || ' ' || $2::text from payout_past
     where (transfer_id = $1 and $2 = 'paid') or (transfer_id is null and request_id = $3::uuid)
     on conflict do nothing`,
    [transferId, state, requestId],
  );
}
