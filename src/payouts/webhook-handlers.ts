import type { WebhookEvent } from '../index.ts';
import type { TransferRecord } from './rules/record.ts';
import type { ApprovalDecisionKind } from './rules/see-record.ts';
import type { DecisionEvent } from './store/decisions.ts';
import type { RecordEvent } from './store/record-events.ts';

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

/** Some services announce expiry by an event of their own. */
const EXPIRED = 'TRANSFER.APPROVAL.EXPIRED';

/** Makes the handlers of approval events and of transfer events. */
export function webhookHandlers(
  noteDecision: (event: DecisionEvent) => Promise<void>,
  noteRecord: (event: RecordEvent) => Promise<void>,
): PayoutWebhookHandlers {
  const decide =
    (decision: ApprovalDecisionKind) =>
    async (event: WebhookEvent, { id }: PayoutEventContext): Promise<void> => {
      const { transferId } = event.data;
      if (typeof transferId === 'string' && transferId !== '')
        await noteDecision({ id, transferId, decision });
    };
  return {
    'TRANSFER.APPROVAL.APPROVED': decide('APPROVED'),
    'TRANSFER.APPROVAL.REJECTED': decide('REJECTED'),
    'WALLET.TRANSFER.*': ({ data }, { id }) => noteRecord({ id, record: recordIn(data) }),
    otherwise: async (event, context) => {
      const kind: string = event.eventType;
      if (kind === EXPIRED) await decide('EXPIRED')(event, context);
    },
  };
}

/** An event carries the whole record, or the fields of its details, with the id under one of two names. */
function recordIn(data: Record<string, unknown>): TransferRecord {
  const { transferId, transferDetails } = data;
  return {
    transferDetails: {
      ...data,
      ...(transferId !== undefined && { id: transferId }),
      ...toFields(transferDetails),
    },
  };
}

const toFields = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});
