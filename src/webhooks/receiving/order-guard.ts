import type { KnownWebhookEvent, WebhookEvent } from '../../schemas/webhook-event.ts';
import { isKnownEvent } from './events.ts';

/** Where the order guard keeps the latest event of each transfer: a Keyv, a Map, or anything alike. */
export interface OrderStore {
  /** Reads the mark of a transfer; undefined when there is none. */
  get(transferId: string): unknown;
  /** Writes the mark of a transfer. */
  set(transferId: string, mark: string): unknown;
}

/** Tells events that arrive after a later one of the same transfer. */
export interface OrderGuard {
  isOutOfOrder(event: WebhookEvent): Promise<boolean>;
  /** Notes an event that was handled, unless a later one was noted meanwhile. */
  note(event: WebhookEvent): Promise<void>;
}

type ApprovalEvent = Extract<KnownWebhookEvent, { eventType: `TRANSFER.APPROVAL.${string}` }>;

/**
 * An approval event is out of order when its `createdAt` lies before that of the latest one handled, and,
 * whatever the times say, when it is PENDING after a decision.
 */
export function orderGuard(store: OrderStore): OrderGuard {
  const comesLate = async (event: ApprovalEvent): Promise<boolean> => {
    const [kind, time] = readMark(await store.get(keyOf(event)));
    if (kind === undefined) return false;
    if (event.eventType === pending && kind !== pending) return true;
    const createdAt = timeOf(event);
    return createdAt !== undefined && time !== undefined && createdAt < time;
  };
  return {
    isOutOfOrder: async (event) => isApproval(event) && (await comesLate(event)),
    async note(event) {
      if (!isApproval(event) || (await comesLate(event))) return;
      await store.set(keyOf(event), `${event.eventType} ${timeOf(event) ?? ''}`);
    },
  };
}

/** Remembers the latest event of the 10 000 transfers that were last heard of. */
export function memoryOrderStore(): OrderStore {
  const marks = new Map<string, string>();
  return {
    get: (transferId) => marks.get(transferId),
    set(transferId, mark) {
      marks.delete(transferId);
      marks.set(transferId, mark);
      const oldest = marks.keys().next();
      if (marks.size > 10_000 && oldest.done !== true) marks.delete(oldest.value);
    },
  };
}

const pending = 'TRANSFER.APPROVAL.PENDING';

const isApproval = (event: WebhookEvent): event is ApprovalEvent =>
  isKnownEvent(event) && event.eventType.startsWith('TRANSFER.APPROVAL.');

const keyOf = (event: ApprovalEvent): string => `webhook-order:${event.data.transferId}`;

function timeOf(event: ApprovalEvent): number | undefined {
  const time = typeof event.createdAt === 'string' ? Date.parse(event.createdAt) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function readMark(mark: unknown): readonly [kind?: string, time?: number] {
  if (typeof mark !== 'string') return [];
  const [kind = '', time = ''] = mark.split(' ');
  return time === '' ? [kind] : [kind, Number(time)];
}
