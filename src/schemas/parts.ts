import type { Address, DeveloperFee, PartyUser, QuoteAmount, QuoteInformation } from '../types/fields.ts';
import type { PaymentRecord, QuotedPaymentRecord, StablecoinPaymentRecord } from '../types/transfer.ts';
import { transferApproval } from './approval.ts';
import { anything, either, type Fields, lazy, nullish, number, record, text, texts } from './zod.ts';

export const address = /* @__PURE__ */ lazy(() =>
  record<Address>(texts('addressLine1 addressLine2 city stateProvinceRegion postalCode country')),
);

export const partyUser = /* @__PURE__ */ lazy(() =>
  record<PartyUser>(texts('email lastName firstName businessName')),
);

/** A number, or a decimal string: services differ. */
export const amount = /* @__PURE__ */ lazy(() => either(number(), text()));

export const developerFeeFields = /* @__PURE__ */ lazy(
  (): Fields<DeveloperFee> => ({
    ...texts('feeId feeType status transactionHash failedReason'),
    feeAmount: nullish(amount()),
    feePercent: nullish(amount()),
  }),
);

export const developerFee = /* @__PURE__ */ lazy(() => record<DeveloperFee>(developerFeeFields()));

export const paymentFields = /* @__PURE__ */ lazy(
  (): Fields<PaymentRecord> => ({
    id: text(),
    status: text(),
    ...texts('requestId createdAt updatedAt failedReason error errorDetails'),
    developerFee: nullish(developerFee()),
  }),
);

const money = /* @__PURE__ */ lazy(() => record<QuoteAmount>({ amount: text(), currency: text() }));

export const quoteInformation = /* @__PURE__ */ lazy(() =>
  record<QuoteInformation>({
    sendGross: nullish(money()),
    sendNet: nullish(money()),
    railFee: nullish(money()),
    receiveGross: nullish(money()),
    receiveNet: nullish(money()),
    ...texts('rate expiresAt'),
  }),
);

/** The fields that the records of payments in stablecoins have. */
export const stablecoinFields = /* @__PURE__ */ lazy(
  (): Fields<StablecoinPaymentRecord> => ({
    ...paymentFields(),
    ...texts('currency chain'),
    amount: nullish(amount()),
    approval: nullish(transferApproval()),
  }),
);

/** The fields that the records of bridges and offramps have. */
export const quotedFields = /* @__PURE__ */ lazy(
  (): Fields<QuotedPaymentRecord> => ({
    ...stablecoinFields(),
    fee: anything(),
    quoteInformation: nullish(quoteInformation()),
  }),
);
