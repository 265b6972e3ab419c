import * as z from 'zod';
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

/** An onramp in a dialect. */
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
        transferType: text.nullable(),
        accountId: uuid.nullable(),
        user: person,
        bankInfo: received.nullable(),
      }),
      destination: z.object({
        userId: uuid.nullable(),
        currency: text,
        chain: text,
        walletAddress: text,
        externalWalletId: text.nullable(),
        amount: z.number().nullable(),
        user: person.nullable(),
      }),
      receipt: z.object({ transactionHash: text.nullable() }),
      developerFee: developerFee.nullable(),
      virtualAccountId: z.null(),
      quoteInformation: quote,
      depositInfo: deposit.nullable(),
      ...(all ? { purposeOfPayment: text.nullable(), isInstant: z.boolean().nullable() } : {}),
    }),
  });
}
