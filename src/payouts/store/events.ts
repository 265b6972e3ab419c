import { plainId, requestIdOf } from '../../shared/outcome/comparison.ts';
import { isRecord, valueAt } from '../../shared/values.ts';
import type { WebhookEvent } from '../../webhooks/index.ts';
import type { Sql } from '../database.ts';
import { readableBody } from '../rules/body.ts';
import { change, contradicts } from '../rules/payment.ts';
import {
  differences,
  readRecord,
  storableId,
  type TransferRecord,
  withoutPersonalData,
} from '../rules/record.ts';
import { type ApprovalDecisionKind, seeDecision, seeRecord } from '../rules/see-record.ts';
import { lockPayments, lockTransfers, tellOfPast, writeResolved } from './payments.ts';
import { moving, type Store, type Tx } from './transaction.ts';

/** An event about the approval of a transfer. */
export interface DecisionEvent {
  /** The id of the event: a second delivery with the same id changes nothing. */
  readonly id: string;
  /** The transfer that waited for the decision: `data.transferId` of the event. */
  readonly transferId: string;
  /** The result of the approval. */
  readonly decision: ApprovalDecisionKind;
}

/** An event that shows the record of a transfer, such as its completion. */
export interface RecordEvent {
  /** The id of the event: a second delivery with the same id changes nothing. */
  readonly id: string;
  /** The record, with at least the `id` of the transfer in `transferDetails`. */
  readonly record: TransferRecord;
}

/** The part of an event's context that the handlers read. Deliveries of the same event share its id. */
export interface PayoutEventContext {
  /** The id of the event. A second delivery with the same id changes nothing. */
  readonly id: string;
}

/** Handlers for a webhook receiver: pass them to `handler`, `nodeHandler` or `fastifyPlugin`. */
// An alias, as a receiver takes handlers of any kind and an interface would have to name them all.
export type PayoutWebhookHandlers = {
  /** Notes that a transfer was approved. */
  readonly 'TRANSFER.APPROVAL.APPROVED': (event: WebhookEvent, context: PayoutEventContext) => Promise<void>;
  /** Notes that a transfer was rejected. */
  readonly 'TRANSFER.APPROVAL.REJECTED': (event: WebhookEvent, context: PayoutEventContext) => Promise<void>;
  /** Notes that a transfer or a batch was made, completed or failed, where the service announces it. */
  readonly 'WALLET.TRANSFER.*': (
    event: { readonly data: Record<string, unknown> },
    context: PayoutEventContext,
  ) => Promise<void>;
  /** Notes that an approval expired, where the service announces it. Other events are left alone. */
  readonly otherwise: (event: WebhookEvent, context: PayoutEventContext) => Promise<void>;
};

/** Makes the handlers of approval events and of transfer events. */
export function webhookHandlers(store: Store): PayoutWebhookHandlers {
  const decide =
    (decision: ApprovalDecisionKind) =>
    async (event: WebhookEvent, { id }: PayoutEventContext): Promise<void> => {
      const transferId = storableId(event.data.transferId);
      if (transferId !== undefined) await noteDecision(store, { id: idOf(event, id), transferId, decision });
    };
  const expire = decide('EXPIRED');
  return {
    'TRANSFER.APPROVAL.APPROVED': decide('APPROVED'),
    'TRANSFER.APPROVAL.REJECTED': decide('REJECTED'),
    'WALLET.TRANSFER.*': (event, { id }) =>
      noteRecord(store, { id: idOf(event, id), record: recordIn(event.data) }),
    otherwise: async (event, context) => {
      const kind: string = event.eventType;
      if (kind === 'TRANSFER.APPROVAL.EXPIRED') await expire(event, context);
    },
  };
}

/** A sender may give events of different kinds the same id, such as that of the transfer. They are no duplicates. */
const idOf = (event: object, id: string): string => `${valueAt(event, 'eventType')}:${id}`;

/** An event carries the whole record, or the fields of its details, with the id under one of two names. */
function recordIn(data: Record<string, unknown>): TransferRecord {
  const { transferId, transferDetails } = data;
  return {
    transferDetails: {
      ...data,
      id: transferId ?? data.id,
      ...(isRecord(transferDetails) && transferDetails),
    },
  };
}

/** Notes a decision and what follows from it. That the event was handled commits with its effect. */
export async function noteDecision(store: Store, { id, transferId, decision }: DecisionEvent): Promise<void> {
  await moving(store, async (sql) => {
    await lockTransfers(sql, [transferId]);
    if (!(await isFirst(sql, id, transferId, decision))) return;
    const past = await pastOf(sql, transferId, null, false);
    await tellOfPast(sql, past, `${transferId} ${decision}`, decision === 'APPROVED');
    await applyEvents(sql, [transferId]);
  });
}

/** Moves the payments of these transfers as events told, where both the transfer and the event are known. */
export async function applyEvents(sql: Tx, transferIds: readonly string[]): Promise<void> {
  if (transferIds.length === 0) return;
  await applyDecisions(sql, transferIds);
  await applyNews(sql, transferIds);
}

async function applyDecisions(sql: Tx, transferIds: readonly string[]): Promise<void> {
  const { rows: decisions } = await sql.query<{
    transfer_id: string;
    decision: ApprovalDecisionKind;
    contradicted: boolean;
  }>(
    `select transfer_id, (array_agg(decision order by handled_at, id))[1] as decision,
       count(distinct decision = 'APPROVED') > 1 as contradicted
     from payout_event where transfer_id = any($1::text[]) and decision is not null group by transfer_id`,
    [transferIds],
  );
  if (decisions.length === 0) return;
  const byTransfer = new Map(decisions.map((decision) => [decision.transfer_id, decision]));
  const payments = await lockPayments(sql, 'transfer_id', [...byTransfer.keys()]);
  await writeResolved(
    sql,
    payments.flatMap((payment) => {
      const found = byTransfer.get(payment.transfer_id ?? '');
      const seen = found && seeDecision(payment, found.decision, found.contradicted);
      return seen === undefined ? [] : [{ payment, resolution: change(seen) }];
    }),
  );
}

/** Notes what an event shows of a transfer, and what follows from it. That the event was handled commits with its effect. */
export async function noteRecord(store: Store, { id, record }: RecordEvent): Promise<void> {
  const reading = readRecord(record);
  if (reading === undefined) return;
  const { transferId } = reading;
  const shown = plainId(requestIdOf(record) ?? '');
  // The database takes no other text for a UUID.
  const requestId = /^[0-9a-f]{32}$/.test(shown) ? shown : null;
  await moving(store, async (sql) => {
    await lockTransfers(sql, [transferId]);
    const { rows } = await sql.query<{ request_id: string }>(
      `select request_id from payout_payment where transfer_id = $1 or request_id = $2::uuid
       order by transfer_id = $1 desc nulls last limit 1`,
      [transferId, requestId],
    );
    const [found] = rows;
    // The worker that notes this transfer finds the record in the event.
    const kept = found === undefined ? JSON.stringify(withoutPersonalData(record)) : null;
    if (!(await isFirst(sql, id, transferId, null, kept)) || found === undefined) return;
    const { state } = reading;
    const isUnpaid = state === 'rejected' || state === 'expired';
    const moved = contradicts('rejected', state) ? transferId : null;
    const past = isUnpaid ? [] : await pastOf(sql, moved, requestId, state === 'paid');
    await tellOfPast(sql, past, `${transferId} ${state}`, true);
    await apply(sql, found.request_id, record);
    await applyEvents(sql, [transferId]);
  });
}

/** Keeps an event. Returns true for its first delivery. */
async function isFirst(
  sql: Sql,
  id: string,
  transferId: string,
  decision: ApprovalDecisionKind | null,
  record: string | null = null,
): Promise<boolean> {
  const { rows } = await sql.query(
    `insert into payout_event (id, transfer_id, decision, record) values ($1, $2, $3, $4)
     on conflict do nothing returning id`,
    [id, transferId, decision, record],
  );
  return rows.length > 0;
}

/** Applies what events showed of these transfers before the payments were known to have made them. */
async function applyNews(sql: Tx, transferIds: readonly string[]): Promise<void> {
  const { rows } = await sql.query<{ request_id: string; record: string }>(
    `with news as (select e.id, e.handled_at, e.record, p.request_id from payout_event e join payout_payment p using (transfer_id)
       where transfer_id = any($1::text[]) and e.record is not null),
     told as (update payout_event set record = null where id in (select id from news))
     select request_id, record from news order by handled_at, id`,
    [transferIds],
  );
  for (const { request_id, record } of rows) await apply(sql, request_id, JSON.parse(record));
}

async function apply(sql: Tx, requestId: string, record: TransferRecord): Promise<void> {
  const [payment] = await lockPayments(sql, 'request_id', [requestId]);
  const { rows } = await sql.query<{ body: string }>(
    'select body from payout_payment where request_id = $1',
    [requestId],
  );
  const body = readableBody(rows[0]?.body ?? '');
  const reading = readRecord(record, body);
  if (reading === undefined || payment === undefined) return;
  const differs = differences(record, body, payment.transfer_id, 'lookup');
  await writeResolved(sql, [{ payment, resolution: seeRecord(payment, reading, differs, 'event') }]);
}

/**
 * Returns the replaced payments that made this transfer, or have the key and are not known to have made another. A
 * transfer that failed was approved and under way before: only that it is paid is news.
 */
async function pastOf(
  sql: Sql,
  transferId: string | null,
  requestId: string | null,
  isPaid: boolean,
): Promise<readonly string[]> {
  const { rows } = await sql.query<{ request_id: string }>(
    `select distinct request_id from payout_past
     where (transfer_id = $1 and ($3 or reason is distinct from 'TRANSFER_FAILED'))
       or (transfer_id is null and request_id = $2::uuid)`,
    [transferId, requestId, isPaid],
  );
  return rows.map(({ request_id }) => request_id);
}
