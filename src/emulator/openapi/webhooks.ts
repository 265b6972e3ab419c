import * as z from 'zod/mini';
import { webhookEventTypes } from '../../types/webhook-kinds.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ONRAMP_STATUSES } from '../service/records/onramp.ts';
import { statusesOf } from '../service/records/transfer.ts';

/** The kinds that the emulator sends beside the documented ones. */
const MORE = [
  'ACCOUNT.OFFRAMP.CREATE',
  'ACCOUNT.OFFRAMP.UPDATE',
  'OFFRAMP.TRANSACTION.CREATED',
  'ONRAMP.TRANSACTION.CREATED',
  'TRANSFER.APPROVAL.EXPIRED',
  'USER.STATUS.CREATE',
  'WALLET.BRIDGE.CREATE',
  'WALLET.BRIDGE.UPDATE',
  'WALLET.TRANSFER.BATCH',
  'WALLET.TRANSFER.CREATE',
  'WALLET.TRANSFER.UPDATE',
  ...ONRAMP_STATUSES.map((status) => `ONRAMP.STATUS.${status}`),
  ...statusesOf('OFFRAMP').map((status) => `OFFRAMP.STATUS.${status}`),
];

const text = z.string();
const full = {
  eventCategory: text,
  eventAction: z.enum(['CREATE', 'UPDATE']),
  timestamp: text,
  version: text,
};
/** The fields of a record that the event is about, which differ by its kind. */
const data = z.looseObject({
  id: z.optional(text),
  transferId: z.optional(text),
  accountId: z.optional(text),
  userId: z.optional(text),
  status: z.optional(text),
});

/** The body of each kind of event in a dialect, by its kind. */
export function eventSchemas({ eventKinds, name }: Dialect): Map<string, z.ZodMiniType> {
  const kinds = eventKinds === 'all' ? [...webhookEventTypes, ...MORE] : webhookEventTypes;
  return new Map(
    kinds.map((kind) => {
      const envelope = { eventId: text, eventType: z.literal(kind), data, createdAt: text };
      return [kind, z.object(name === 'field' ? { ...envelope, ...full } : envelope)];
    }),
  );
}
