import * as z from 'zod';
import type { Dialect } from '../dialect/dialect.ts';
import { developerFee, failure, identity, quote, text, time, uuid } from './parts.ts';

export const TRANSFER_TYPES = [
  'WALLET.TRANSFER',
  'WALLET.TRANSFER.BATCH',
  'WALLET.BRIDGE',
  'OFFRAMP',
] as const;

export const TRANSFER_STATUSES = [
  'NOT_INITIATED',
  'PENDING_APPROVAL',
  'APPROVED',
  'REJECTED',
  'OPEN_QUOTE',
  'QUOTE_FAILED',
  'CREATED',
  'INITIATED',
  'PENDING',
  'SOURCE_INITIATED',
  'SOURCE_PENDING',
  'SOURCE_PROCESSED',
  'DESTINATION_INITIATED',
  'DESTINATION_PENDING',
  'CRYPTO_INITIATED',
  'CRYPTO_PENDING',
  'FIAT_INITIATED',
  'FIAT_PENDING',
  'COMPLETED',
  'CANCELLED',
] as const;

/** An approval in a dialect. */
export function approvalOf({ voteForm }: Dialect) {
  const comment = text.nullable();
  const vote =
    voteForm === 'vote'
      ? z.object({ approverId: uuid, vote: z.enum(['APPROVE', 'REJECT']), comment, createdAt: time })
      : z.object({ decision: z.enum(['APPROVED', 'REJECTED']), comment, createdAt: time });
  return z.object({
    id: uuid,
    transferId: uuid,
    transferType: z.enum(TRANSFER_TYPES),
    status: z.enum(['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED']),
    createdAt: time,
    updatedAt: time,
    votes: z.array(vote),
    ...(voteForm === 'vote' ? { fromDashboard: z.boolean(), initiatorProfileId: uuid } : {}),
  });
}

/** A transfer in a dialect. */
export function transferOf(dialect: Dialect, approval: z.ZodType) {
  const all = dialect.transferFields === 'all';
  const receipt = { transactionHash: text.nullable(), ...(all ? { userOpHash: text.nullable() } : {}) };
  return z.object({
    transferType: z.enum(TRANSFER_TYPES),
    transferDetails: z.object({
      ...identity,
      ...failure,
      status: z.enum(TRANSFER_STATUSES),
      amount: z.number(),
      currency: text.nullable(),
      chain: text.nullable(),
      // The source and the destination come back as they were sent.
      source: z.looseObject({ userId: uuid.nullable() }),
      destination: z.unknown(),
      quoteInformation: quote.nullish(),
      receipt: z.object(
        dialect.approvalPlace === 'details' ? receipt : { ...receipt, approval: approval.optional() },
      ),
      ...(dialect.approvalPlace === 'receipt' ? {} : { approval: approval.optional() }),
      ...(all
        ? {
            contractAddress: z.null(),
            amountIncludeDeveloperFee: z.number(),
            developerFee: developerFee.nullable(),
          }
        : {}),
    }),
  });
}
