import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { showsInReceipt, statusesOf } from '../dialect/payments.ts';
import { ONRAMP_STATUSES } from '../service/records/onramp.ts';
import {
  developerFee,
  failure,
  identity,
  money,
  nullTexts,
  person,
  quote,
  text,
  texts,
  time,
  uuid,
} from './shared-schemas.ts';

export const TRANSFER_TYPES = [
  'WALLET.TRANSFER',
  'WALLET.TRANSFER.BATCH',
  'WALLET.BRIDGE',
  'OFFRAMP',
] as const;

export function approvalSchema({ voteForm }: Dialect) {
  const comment = z.nullable(text);
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
export function transferSchemas(dialect: Dialect, approval: z.ZodMiniType) {
  const record = (transferType: (typeof TRANSFER_TYPES)[number], more: Fields, receipt: Fields = {}) =>
    transferSchema(dialect, approval, { transferType, more, receipt });
  if (dialect.transferFields === 'documented') {
    const quoted = { quoteInformation: z.nullable(quote) };
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
    developerFee: z.nullable(developerFee),
    source: party,
  };
  const batch = z.extend(party, { batch: z.array(z.extend(party, { amount: sent })) });
  const priced = { quoteInformation: z.nullable(quote), fee: z.nullable(money) };
  return {
    Transfer: record('WALLET.TRANSFER', { ...onChain, destination: party }),
    TransferBatch: record('WALLET.TRANSFER.BATCH', { ...onChain, destination: batch }),
    Bridge: record(
      'WALLET.BRIDGE',
      {
        ...priced,
        developerFee: z.nullable(developerFee),
        source: z.extend(party, coins),
        destination: z.extend(party, coins),
      },
      { operations: z.object({ approve: operation, burn: operation, mint: operation }) },
    ),
    Offramp: record(
      'OFFRAMP',
      {
        ...priced,
        purposeOfPayment: z.nullable(text),
        description: z.nullable(text),
        developerFee: offrampFee,
        source: payer,
        destination: payee,
      },
      { paymentTracking: z.nullable(z.object({ trackingNumber: text })) },
    ),
  };
}

type Fields = Readonly<Record<string, z.ZodMiniType>>;

const sent = z.union([z.number(), text]);
/** One side of a transfer. */
const sideOf = (...names: string[]) =>
  z.object({ userId: z.nullable(uuid), ...nullTexts(...names), user: z.nullable(person) });
const amount = z.nullable(z.number());
const coins = { chain: text, currency: text, amount };
const party = sideOf('walletAddress', 'walletType');
const payer = z.extend(sideOf('externalWalletId', 'walletAddress'), coins);
const payee = z.extend(sideOf(), { accountId: text, currency: text, amount });
const operation = z.object(nullTexts('transactionHash'));
const offrampFee = z.nullable(z.extend(developerFee, { fees: z.array(developerFee) }));

function transferSchema(
  dialect: Dialect,
  approval: z.ZodMiniType,
  {
    transferType,
    more,
    receipt,
  }: { transferType: (typeof TRANSFER_TYPES)[number]; more: Fields; receipt: Fields },
) {
  const inReceipt = showsInReceipt(dialect, transferType);
  const held = { approval: z.optional(approval) };
  return z.object({
    transferType: z.literal(transferType),
    transferDetails: z.object({
      ...identity,
      ...failure,
      status: z.enum(statusesOf(transferType)),
      amount: z.number(),
      currency: text,
      chain: text,
      // The source and the destination come back as they were sent.
      source: z.looseObject({ userId: z.nullable(uuid) }),
      destination: z.unknown(),
      ...more,
      receipt: z.object({
        transactionHash: z.nullable(text),
        ...(dialect.transferFields === 'all' ? { userOpHash: z.nullable(text) } : {}),
        ...receipt,
        ...(inReceipt ? held : {}),
      }),
      ...(inReceipt ? {} : held),
    }),
  });
}

const numbers = z.object({ routingNumber: text, accountNumber: text });
const deposit = z.object({
  bankName: text,
  bankAddress: text,
  swiftCode: text,
  beneficiary: z.object({ name: text, address: text }),
  ach: numbers,
  wire: numbers,
  rtp: numbers,
  reference: text,
  depositBy: time,
  instruction: text,
});
const bankInfo = texts(
  'bankName senderName routingNumber accountNumber accountType fedBatchId imad omad traceNumber bankAddress description paymentRail'.split(
    ' ',
  ),
);

export function onrampSchema({ transferFields }: Dialect) {
  const all = transferFields === 'all';
  const received = z.object({ ...bankInfo, ...(all ? texts(['beneficiaryName', 'referenceNumber']) : {}) });
  return z.object({
    transferType: z.literal('ONRAMP'),
    transferDetails: z.object({
      ...identity,
      ...failure,
      status: z.enum(ONRAMP_STATUSES),
      source: z.object({
        userId: uuid,
        currency: text,
        amount: z.number(),
        transferType: z.nullable(text),
        accountId: z.nullable(uuid),
        user: person,
        bankInfo: z.nullable(received),
      }),
      destination: z.object({
        userId: z.nullable(uuid),
        currency: text,
        chain: text,
        walletAddress: text,
        externalWalletId: z.nullable(text),
        amount: z.nullable(z.number()),
        user: z.nullable(person),
      }),
      receipt: z.object({ transactionHash: z.nullable(text) }),
      developerFee: z.nullable(developerFee),
      virtualAccountId: z.null(),
      quoteInformation: quote,
      depositInfo: z.nullable(deposit),
      ...(all ? { purposeOfPayment: z.nullable(text), isInstant: z.nullable(z.boolean()) } : {}),
    }),
  });
}
