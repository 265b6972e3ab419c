import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { statusesOf } from '../dialect/payments.ts';
import { ONRAMP_STATUSES } from '../service/records/onramp.ts';
import { ACCOUNT_STATUSES } from '../service/records/users.ts';
import { nullTexts, text, time, uuid } from './shared-schemas.ts';
import { TRANSFER_TYPES } from './transfer-schemas.ts';

const transferStatus = z.enum([...new Set(TRANSFER_TYPES.flatMap(statusesOf))]);
const about = {
  transferType: z.enum(TRANSFER_TYPES),
  status: transferStatus,
  amount: z.number(),
  currency: text,
  chain: text,
};
const hash = z.object(nullTexts('transactionHash'));
const approval = z.object({
  ...about,
  transferId: uuid,
  approvalId: uuid,
  destination: z.unknown(),
  initiatorId: z.nullable(uuid),
  comment: z.nullable(text),
});
const transfer = z.object({
  ...about,
  id: uuid,
  requestId: uuid,
  source: z.object({ userId: z.nullable(uuid) }),
  failedReason: z.nullable(text),
  error: z.optional(text),
  receipt: hash,
});
const account = z.object({
  accountId: uuid,
  userId: uuid,
  rail: z.enum(['onramp', 'offramp']),
  type: text,
  status: z.enum(ACCOUNT_STATUSES),
  invalidFields: z.array(text),
  message: text,
});
const onramp = z.object({
  id: uuid,
  requestId: uuid,
  status: z.enum(ONRAMP_STATUSES),
  source: z.object({ userId: uuid, currency: text, amount: z.number() }),
  destination: z.object({ userId: z.nullable(uuid), currency: text, chain: text }),
  receipt: hash,
});
const user = z.object({ userId: uuid, rails: z.array(z.enum(['usd', 'africa'])) });

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
export function webhookSchemas(dialect: Dialect): Map<string, z.ZodMiniType> {
  const kinds = dialect.eventKinds === 'all' ? { ...DOCUMENTED, ...MORE } : DOCUMENTED;
  const full = {
    eventCategory: text,
    eventAction: z.enum(['CREATE', 'UPDATE', 'DELETE']),
    timestamp: time,
    version: text,
  };
  return new Map(
    Object.entries<z.ZodMiniObject>(kinds).map(([kind, data]) => [
      kind,
      z.object({
        eventId: uuid,
        eventType: z.literal(kind),
        data,
        createdAt: time,
        ...(dialect.eventEnvelope === 'full' ? full : {}),
      }),
    ]),
  );
}
