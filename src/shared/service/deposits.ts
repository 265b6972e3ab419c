import * as z from 'zod/mini';
import { lazy, looseObject, matching, texts } from '../schema/schema.ts';

/** The payment rails by which a bank payment can arrive, in lower case. */
export type PaymentRail = 'ach' | 'wire' | 'rtp';

/** The numbers to pay to by one payment rail. Bank data. */
export interface DepositRail {
  /** Of the bank, for this rail. */
  routingNumber?: string | null;
  /** Valid for one payment. */
  accountNumber?: string | null;
}

/** The beneficiary that the payer must name in the bank payment. */
export interface DepositBeneficiary {
  /** The name to pay to. */
  name?: string | null;
  /** One text, not an object. */
  address?: string | null;
}

/**
 * The bank details to which a one-time onramp is paid. They are valid for one payment of its amount and currency. The
 * payer must put `reference` into the memo of the transfer.
 */
export interface OnrampDepositInfo {
  /** The bank that receives the deposit. */
  bankName?: string | null;
  /** One text, not an object. */
  bankAddress?: string | null;
  /** Of the bank that receives the deposit. */
  swiftCode?: string | null;
  /** The recipient to name in the bank payment. */
  beneficiary?: DepositBeneficiary | null;
  /** The account to pay to by ACH. May be absent. */
  ach?: DepositRail | null;
  /** The account to pay to by wire. May be absent. */
  wire?: DepositRail | null;
  /** The account to pay to by real-time payment. May be absent. */
  rtp?: DepositRail | null;
  /** The text that must be in the memo, so that the service can match the deposit. */
  reference?: string | null;
  /** The deadline for the deposit, in ISO 8601. */
  depositBy?: string | null;
  /** The service's instructions for the payer, as text to show. */
  instruction?: string | null;
}

/**
 * The bank's side of a payment that arrived, for a trace at the bank. Personal and bank data: the client masks it in
 * logs.
 */
export interface InboundObject {
  /** The sender's bank. */
  bankName?: string | null;
  /** As the bank gave it. */
  senderName?: string | null;
  /** Not documented; some services send it. */
  beneficiaryName?: string | null;
  /** The documentation does not say of which side. */
  routingNumber?: string | null;
  /** The documentation does not say of which side. */
  accountNumber?: string | null;
  /** The values are not documented. */
  accountType?: string | null;
  /** The batch id of the Federal Reserve. */
  fedBatchId?: string | null;
  /** The input id of a wire, from the Federal Reserve. */
  imad?: string | null;
  /** The output id of a wire, from the Federal Reserve. */
  omad?: string | null;
  /** The number by which banks find an ACH payment. */
  traceNumber?: string | null;
  /** The bank's reference for the payment. Not documented; some services send it. */
  referenceNumber?: string | null;
  /** One text, not an object. */
  bankAddress?: string | null;
  /** The text that came with the payment, such as the memo. */
  description?: string | null;
  /** The rail on which the payment arrived, in lower case. */
  paymentRail?: PaymentRail | (string & {}) | null;
}

const depositRail = /* @__PURE__ */ lazy(() =>
  matching<DepositRail>()(looseObject(texts('routingNumber', 'accountNumber'))),
);

const depositBeneficiary = /* @__PURE__ */ lazy(() =>
  matching<DepositBeneficiary>()(looseObject(texts('name', 'address'))),
);

export const onrampDepositInfo = /* @__PURE__ */ lazy(() =>
  matching<OnrampDepositInfo>()(
    looseObject({
      ...texts('bankName', 'bankAddress', 'swiftCode', 'reference', 'depositBy', 'instruction'),
      beneficiary: z.nullish(depositBeneficiary()),
      ach: z.nullish(depositRail()),
      wire: z.nullish(depositRail()),
      rtp: z.nullish(depositRail()),
    }),
  ),
);

export const inboundObject = /* @__PURE__ */ lazy(() =>
  matching<InboundObject>()(
    looseObject({
      ...texts('bankName', 'bankAddress', 'senderName', 'beneficiaryName', 'routingNumber', 'accountNumber'),
      ...texts('accountType', 'fedBatchId', 'imad', 'omad', 'traceNumber', 'referenceNumber', 'description'),
      ...texts('paymentRail'),
    }),
  ),
);
