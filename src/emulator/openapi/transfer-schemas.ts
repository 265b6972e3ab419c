import * as z from 'zod';
import type { Dialect } from '../dialect/dialect.ts';
import { developerFee, failure, identity, money, person, quote, text, time, uuid } from './parts.ts';

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

/** The records of each kind of transfer in a dialect, by the name of their component. */
export function transferSchemas(dialect: Dialect, approval: z.ZodType) {
  const record = (transferType: (typeof TRANSFER_TYPES)[number], more: Fields, receipt: Fields = {}) =>
    recordOf(dialect, approval, { transferType, more, receipt });
  if (dialect.transferFields === 'documented') {
    const quoted = { quoteInformation: quote.nullable() };
    return {
      Transfer: record('WALLET.TRANSFER', {}),
      TransferBatch: record('WALLET.TRANSFER.BATCH', {}),
      Bridge: record('WALLET.BRIDGE', quoted),
      Offramp: record('OFFRAMP', quoted),
    };
  }
  const onChain = {
    contractAddress: z.null(),
    amountIncludeDeveloperFee: z.number(),
    developerFee: developerFee.nullable(),
    source: party,
  };
  const batch = party.extend({ batch: z.array(party.extend({ amount: sent })) });
  const priced = { quoteInformation: quote.nullable(), fee: money.nullable() };
  return {
    Transfer: record('WALLET.TRANSFER', { ...onChain, destination: party }),
    TransferBatch: record('WALLET.TRANSFER.BATCH', { ...onChain, destination: batch }),
    Bridge: record(
      'WALLET.BRIDGE',
      {
        ...priced,
        developerFee: developerFee.nullable(),
        source: party.extend(coins),
        destination: party.extend(coins),
      },
      { operations: z.object({ approve: operation, burn: operation, mint: operation }) },
    ),
    Offramp: record(
      'OFFRAMP',
      {
        ...priced,
        purposeOfPayment: text.nullable(),
        description: text.nullable(),
        developerFee: offrampFee,
        source: payer,
        destination: payee,
      },
      { paymentTracking: z.object({ trackingNumber: text }).nullable() },
    ),
  };
}

type Fields = Readonly<Record<string, z.ZodType>>;

const sent = z.union([z.number(), text]).nullable();
// What was sent comes back, and with it what a service that accepts unknown fields was sent besides.
const party = z.looseObject({
  userId: uuid.nullable(),
  walletAddress: text.nullable(),
  walletType: text.nullable(),
  user: person.nullable(),
});
const coins = { chain: text.nullable(), currency: text.nullable(), amount: z.number().nullable() };
const payer = z.looseObject({
  userId: uuid.nullable(),
  externalWalletId: text.nullable(),
  walletAddress: text.nullable(),
  user: person.nullable(),
  ...coins,
});
const payee = z.looseObject({
  userId: uuid.nullable(),
  accountId: text.nullable(),
  currency: text.nullable(),
  amount: z.number().nullable(),
  user: person.nullable(),
});
const operation = z.object({ transactionHash: text.nullable() });
const offrampFee = z.object({
  ...Object.fromEntries(
    Object.entries(developerFee.shape).map(([name, field]) => [name, z.union([field, z.null()])]),
  ),
  fees: z.array(developerFee),
});

function recordOf(
  dialect: Dialect,
  approval: z.ZodType,
  {
    transferType,
    more,
    receipt,
  }: { transferType: (typeof TRANSFER_TYPES)[number]; more: Fields; receipt: Fields },
) {
  const { approvalPlace, transferFields } = dialect;
  const inReceipt =
    approvalPlace === 'receipt' || (approvalPlace === 'mixed' && transferType === 'WALLET.TRANSFER.BATCH');
  const held = { approval: approval.optional() };
  return z.object({
    transferType: z.literal(transferType),
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
      ...more,
      receipt: z.object({
        transactionHash: text.nullable(),
        ...(transferFields === 'all' ? { userOpHash: text.nullable() } : {}),
        ...receipt,
        ...(inReceipt ? held : {}),
      }),
      ...(inReceipt ? {} : held),
    }),
  });
}
