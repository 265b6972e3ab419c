import { isRecord } from '../../shared/values.ts';
import { type AddressedMessage, payoutMessageOf } from '../message-of-event.ts';
import { isKey, refuseInput } from '../rules/checks.ts';
import type { PayoutMessage } from '../rules/hear.ts';
import { planLooks, type Sql } from './engine.ts';
import { keepUnknownRecord } from './kept-records.ts';
import { select } from './query.ts';
import { keyOfPayout, type Store } from './row.ts';
import { idRow, keyRow, payerRow, requestRow } from './rows.ts';

/** The part of an event's context that the handlers read. Deliveries of the same event share its id. */
export interface PayoutEventContext {
  /** The id of the event. A second delivery with the same id changes nothing. */
  readonly id: string;
}

/** A webhook event, as far as the payouts read it. */
export interface PayoutEvent {
  /** The kind of the event. */
  readonly eventType: string;
  /** What it is about. */
  readonly data: unknown;
}

/** The handlers for `createWebhookReceiver`. Pass them to `handler`, `nodeHandler` or `fastifyPlugin`. */
// An alias, as a receiver takes handlers of any kind and an interface would have to name them all.
export type PayoutWebhookHandlers = {
  /** Hears that a transfer waits, was approved, was rejected, or that its approval expired. */
  readonly 'TRANSFER.APPROVAL.*': (event: PayoutEvent, context: PayoutEventContext) => Promise<void>;
  /** Hears that a transfer or a batch was made, completed or failed, where the service announces it. */
  readonly 'WALLET.TRANSFER.*': (event: PayoutEvent, context: PayoutEventContext) => Promise<void>;
  /** Leaves other events alone. */
  readonly otherwise: (event: PayoutEvent, context: PayoutEventContext) => Promise<void>;
};

export function hearEvents(store: Store): PayoutWebhookHandlers {
  const hear = async (event: PayoutEvent, { id }: PayoutEventContext) => {
    const heard = payoutMessageOf(event);
    // A sender may give events of different kinds the same id, such as that of the transfer. They are no duplicates.
    if (heard !== undefined) await storeMessage(store, `${event.eventType}:${id}`, heard);
  };
  return { 'TRANSFER.APPROVAL.*': hear, 'WALLET.TRANSFER.*': hear, otherwise: async () => {} };
}

/** Names the payment in a message that names none: it is about the one that it is stored for. */
export const namingPayment = (message: PayoutMessage, requestId: string): PayoutMessage =>
  isRecord(message) &&
  (message.type === 'decision' || message.type === 'wake') &&
  message.requestId === undefined
    ? { ...message, requestId }
    : message;

/** Stores a message, and plans a look at its payout, in one transaction. A second one with the same id changes nothing. */
export async function storeMessage(
  { db, boss }: Store,
  messageId: string,
  { requestId, transferId, message }: AddressedMessage,
): Promise<void> {
  if (requestId !== undefined && !isKey(requestId))
    refuseInput('`requestId` must be the idempotency key of a payment.', 'requestId');
  if (typeof messageId !== 'string' || messageId === '')
    refuseInput('`messageId` must be a non-empty string.', 'messageId');
  return db.transaction(async (sql) => {
    const named = await keyFor(sql, requestId, transferId);
    // A payout is cancelled, whatever round the key is of: no other one can still be called.
    const isCancel = isRecord(message) && message.type === 'cancel';
    const key = isCancel && named !== undefined ? await latestRound(sql, named) : named;
    const rows = await select(
      sql,
      idRow,
      `insert into payout_message (id, key, request_id, transfer_id, message) values ($1, $2, $3, $4, $5)
       on conflict (id) do nothing returning id`,
      [messageId, key ?? null, requestId ?? null, transferId ?? null, JSON.stringify(message)],
    );
    if (rows.length === 0) return;
    await keepUnknownRecord(sql, message, key === undefined ? undefined : requestId);
    if (key === undefined) return;
    const [payout] = await select(sql, payerRow, 'select payer from payout where key = $1', [key]);
    // The repair brings an archived payout back.
    if (payout === undefined) return;
    await planLooks(boss, sql, [{ key, payer: payout.payer, jobId: crypto.randomUUID(), wait: 0 }]);
  });
}

async function latestRound(sql: Sql, key: string): Promise<string> {
  const [latest] = await select(
    sql,
    keyRow,
    `select l.key from payout p join payout l on l.payer = p.payer and l.id = p.id where p.key = $1 order by l.round desc limit 1`,
    [key],
  );
  return latest?.key ?? key;
}

/** The row that a message is about; undefined while its transfer is that of no known payment. */
async function keyFor(
  sql: Sql,
  requestId: string | undefined,
  transferId: string | undefined,
): Promise<string | undefined> {
  const own = requestId === undefined ? undefined : await keyOfPayout(sql, requestId);
  if (own !== undefined || transferId === undefined) return own;
  const rows = await select(
    sql,
    requestRow,
    'select request_id from payout_transfer where transfer_id = $1',
    [transferId],
  );
  const [owner] = rows;
  return owner === undefined ? undefined : keyOfPayout(sql, owner.request_id);
}
