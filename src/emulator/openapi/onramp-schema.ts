import * as z from 'zod';
import { ONRAMP_STATUSES } from '../service/records/index.ts';
import { developerFee, failure, identity, open, quote, text, time, uuid } from './parts.ts';

const party = z.object({
  email: text.nullable(),
  lastName: text.nullable(),
  firstName: text.nullable(),
  businessName: text.nullable(),
});
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
/** An onramp. */
export const onramp = z.object({
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
      user: party,
      bankInfo: open.nullable(),
    }),
    destination: z.object({
      userId: uuid.nullable(),
      currency: text,
      chain: text,
      walletAddress: text,
      externalWalletId: text.nullable(),
      amount: z.number().nullable(),
      user: party.nullable(),
    }),
    receipt: z.object({ transactionHash: text.nullable() }),
    developerFee: developerFee.nullable(),
    virtualAccountId: z.null(),
    quoteInformation: quote,
    depositInfo: deposit.nullable(),
  }),
});
