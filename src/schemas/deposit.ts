import { lazy, openEnum, optionalText } from './common.ts';
import * as z from './zod.ts';

const rail = lazy(() => z.looseObject({ routingNumber: optionalText(), accountNumber: optionalText() }));

export const onrampDepositInfo = lazy(() =>
  z.looseObject({
    bankName: optionalText(),
    bankAddress: optionalText(),
    swiftCode: optionalText(),
    beneficiary: z.nullish(z.looseObject({ name: optionalText(), address: optionalText() })),
    ach: z.nullish(rail()),
    wire: z.nullish(rail()),
    rtp: z.nullish(rail()),
    reference: optionalText(),
    depositBy: optionalText(),
    instruction: optionalText(),
  }),
);

/** Where and how to pay in for a one-time USD onramp. The `reference` must stand in the transfer's memo. */
export type OnrampDepositInfo = z.infer<ReturnType<typeof onrampDepositInfo>>;

/** The rails by which a bank payment is known to arrive. */
export const paymentRails = ['ach', 'wire', 'rtp'] as const;

/** A rail by which a bank payment arrives. */
export type PaymentRail = (typeof paymentRails)[number];

export const inboundObject = lazy(() =>
  z.looseObject({
    bankName: optionalText(),
    senderName: optionalText(),
    routingNumber: optionalText(),
    accountNumber: optionalText(),
    accountType: optionalText(),
    fedBatchId: optionalText(),
    imad: optionalText(),
    omad: optionalText(),
    traceNumber: optionalText(),
    bankAddress: optionalText(),
    description: optionalText(),
    paymentRail: z.nullish(openEnum(paymentRails)),
  }),
);

/** The bank's side of a payment that arrived. */
export type InboundObject = z.infer<ReturnType<typeof inboundObject>>;
