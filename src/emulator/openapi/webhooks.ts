import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { ONRAMP_STATUSES } from '../service/records/onramp.ts';
import { statusesOf, TRANSFER_TYPES } from '../service/records/transfer.ts';
import { ACCOUNT_STATUSES } from '../service/records/users.ts';

const text = z.string();
const maybeText = z.nullable(text);
const transferStatus = z.enum([...new Set(TRANSFER_TYPES.flatMap(statusesOf))]);
const hash = z.object({ transactionHash: maybeText });
const coins = { currency: text, chain: text };
const about = { ...coins, transferType: z.enum(TRANSFER_TYPES), status: transferStatus, amount: z.number() };
const approval = z.object({
  ...about,
  transferId: text,
  approvalId: text,
  destination: z.unknown(),
  initiatorId: maybeText,
  comment: maybeText,
});
const transfer = z.object({
  ...about,
  id: text,
  requestId: text,
  source: z.object({ userId: maybeText }),
  failedReason: maybeText,
  error: z.optional(text),
  receipt: hash,
});
const account = z.object({
  accountId: text,
  userId: text,
  rail: z.enum(['onramp', 'offramp']),
  type: text,
  status: z.enum(ACCOUNT_STATUSES),
  invalidFields: z.array(text),
  message: text,
});
const onramp = z.object({
  id: text,
  requestId: text,
  status: z.enum(ONRAMP_STATUSES),
  source: z.object({ userId: text, currency: text, amount: z.number() }),
  destination: z.object({ userId: maybeText, ...coins }),
  receipt: hash,
});
const user = z.object({ userId: text, rails: z.array(z.enum(['usd', 'africa'])) });

/** The data of each kind of event. */
const DOCUMENTED = {
  'ACCOUNT.ONRAMP.CREATE': account,
  'ACCOUNT.ONRAMP.UPDATE': account,
  'TRANSFER.APPROVAL.PENDING': approval,
  'TRANSFER.APPROVAL.APPROVED': approval,
  'TRANSFER.APPROVAL.REJECTED': approval,
};
const MORE: Record<string, z.ZodMiniObject> = {
  'ACCOUNT.OFFRAMP.CREATE': account,
  'ACCOUNT.OFFRAMP.UPDATE': account,
  'OFFRAMP.TRANSACTION.CREATED': transfer,
  'ONRAMP.TRANSACTION.CREATED': onramp,
  'TRANSFER.APPROVAL.EXPIRED': approval,
  'USER.STATUS.CREATE': user,
  'WALLET.BRIDGE.CREATE': transfer,
  'WALLET.BRIDGE.UPDATE': transfer,
  'WALLET.TRANSFER.BATCH': transfer,
  'WALLET.TRANSFER.CREATE': transfer,
  'WALLET.TRANSFER.UPDATE': transfer,
  ...Object.fromEntries(ONRAMP_STATUSES.map((status) => [`ONRAMP.STATUS.${status}`, onramp])),
  ...Object.fromEntries(statusesOf('OFFRAMP').map((status) => [`OFFRAMP.STATUS.${status}`, transfer])),
};

/** The body of each kind of event in a dialect, by its kind. */
export function eventSchemas({ eventKinds, name }: Dialect): Map<string, z.ZodMiniType> {
  const kinds = eventKinds === 'all' ? { ...DOCUMENTED, ...MORE } : DOCUMENTED;
  const full = {
    eventCategory: text,
    eventAction: z.enum(['CREATE', 'UPDATE']),
    timestamp: text,
    version: text,
  };
  return new Map(
    Object.entries(kinds).map(([kind, data]) => {
      const envelope = { eventId: text, eventType: z.literal(kind), data, createdAt: text };
      return [kind, z.object(name === 'field' ? { ...envelope, ...full } : envelope)];
    }),
  );
}
