import * as z from 'zod/mini';
import type { Dialect } from '../dialect/dialect.ts';
import { ONRAMP_STATUSES } from '../service/records/index.ts';
import { developerFee, failure, identity, person, quote, text, texts, time, uuid } from './parts.ts';

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

export function onrampOf({ transferFields }: Dialect) {
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
