import { lazy, openEnum, optionalText } from './common.ts';
import * as z from './zod.ts';

const rail = lazy(() =>
  z.looseObject({
    /** The bank's routing number. */
    routingNumber: optionalText(),
    /** The account's number. */
    accountNumber: optionalText(),
  }),
);

export const onrampDepositInfo = lazy(() =>
  z.looseObject({
    /** The receiving bank. */
    bankName: optionalText(),
    /** Its address. */
    bankAddress: optionalText(),
    /** Its SWIFT code. */
    swiftCode: optionalText(),
    /** Whom to pay. */
    beneficiary: z.nullish(
      z.looseObject({
        /** The beneficiary's name. */
        name: optionalText(),
        /** The beneficiary's address. */
        address: optionalText(),
      }),
    ),
    /** Numbers for a payment by ACH. */
    ach: z.nullish(rail()),
    /** Numbers for a payment by wire. */
    wire: z.nullish(rail()),
    /** Numbers for a real-time payment. */
    rtp: z.nullish(rail()),
    /** What must stand in the memo, so that the deposit can be matched. */
    reference: optionalText(),
    /** Until when the instructions hold. */
    depositBy: optionalText(),
    /** The service's words for the payer. */
    instruction: optionalText(),
  }),
);

/** Where and how to pay in for a one-time USD onramp. The `reference` must stand in the transfer's memo. */
export interface OnrampDepositInfo extends z.infer<ReturnType<typeof onrampDepositInfo>> {}

/** The rails by which a bank payment is known to arrive. */
export const paymentRails = ['ach', 'wire', 'rtp'] as const;

/** `ach`, `wire` or `rtp`: a rail by which a bank payment arrives. */
export type PaymentRail = (typeof paymentRails)[number];

export const inboundObject = lazy(() =>
  z.looseObject({
    /** The sender's bank. */
    bankName: optionalText(),
    /** Who sent it. Personal data. */
    senderName: optionalText(),
    /** The bank's routing number. */
    routingNumber: optionalText(),
    /** The account's number. */
    accountNumber: optionalText(),
    /** Kind of account. */
    accountType: optionalText(),
    /** Batch id of the Federal Reserve. */
    fedBatchId: optionalText(),
    /** Input id of a wire. */
    imad: optionalText(),
    /** Output id of a wire. */
    omad: optionalText(),
    /** Trace number of an ACH payment. */
    traceNumber: optionalText(),
    /** The bank's address. */
    bankAddress: optionalText(),
    /** What came with the payment, such as the memo. */
    description: optionalText(),
    /** How it came. */
    paymentRail: z.nullish(openEnum(paymentRails)),
  }),
);

/** The bank's side of a payment that arrived. */
export interface InboundObject extends z.infer<ReturnType<typeof inboundObject>> {}
