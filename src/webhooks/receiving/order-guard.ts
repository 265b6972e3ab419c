import type { WebhookEvent } from '../../types/webhook-event.ts';
import type { OrderStore } from '../types.ts';
import { withinLimit } from './claim.ts';
import { type ApprovalEvent, isApprovalEvent } from './events.ts';

/** Finds events that arrive after a later one of the same transfer. */
export interface OrderGuard {
  isOutOfOrder(event: WebhookEvent): Promise<boolean>;
  /** Notes an event that was handled, unless a later one was noted meanwhile. */
  note(event: WebhookEvent): Promise<void>;
}

/**
 * An approval event is out of order when its time is before that of the latest one handled. PENDING after a decision
 * begins another round of approval when its time is later than the decision's; otherwise it is out of order. One call of
 * the store may take `limit` seconds.
 */
export function orderGuard(store: OrderStore, limit: number): OrderGuard {
  const comesLate = async (event: ApprovalEvent): Promise<boolean> => {
    const [kind, time] = readMark(await withinLimit(limit, () => store.get(orderKeyOf(event))));
    if (kind === undefined) return false;
    const own = timeOfEvent(event);
    if (event.eventType === pending && kind !== pending) {
      // Also where one of the times is not known.
      return !(own > time);
    }
    return own < time;
  };
  return {
    isOutOfOrder: async (event) => isApprovalEvent(event) && (await comesLate(event)),
    async note(event) {
      if (!isApprovalEvent(event) || (await comesLate(event))) return;
      await withinLimit(limit, () => store.set(orderKeyOf(event), orderMarkOf(event)));
    },
  };
}

/** Remembers the latest event of the 10,000 transfers whose events came last. */
export function memoryOrderStore(): OrderStore {
  const marks = new Map<string, string>();
  return {
    get: (transferId) => marks.get(transferId),
    set(transferId, mark) {
      marks.delete(transferId);
      marks.set(transferId, mark);
      for (const oldest of marks.keys()) {
        if (marks.size <= 10_000) return;
        marks.delete(oldest);
      }
    },
  };
}

const pending = 'TRANSFER.APPROVAL.PENDING';

const orderKeyOf = (event: ApprovalEvent): string => `webhook-order:${event.data.transferId}`;

/** Not a number where the event has no time: it is neither earlier nor later than any other then. */
const timeOfEvent = ({ createdAt }: ApprovalEvent): number =>
  typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;

function orderMarkOf(event: ApprovalEvent): string {
  const time = timeOfEvent(event);
  return `${event.eventType} ${Number.isNaN(time) ? '' : time}`;
}

function readMark(mark: unknown): readonly [kind: string | undefined, time: number] {
  const [kind, time] = typeof mark === 'string' ? mark.split(' ') : [];
  return [kind, time ? Number(time) : Number.NaN];
}
