import type { Address, DeveloperFee, PartyUser, QuoteAmount, QuoteInformation } from '../types/fields.ts';
import type { TransferDetails } from '../types/transfer.ts';
import { either, type Fields, lazy, nullish, number, record, text, texts } from './zod.ts';

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

/** The fields that the record of every payment has. */
type PaymentRecord = Pick<
  TransferDetails,
  'id' | 'status' | 'requestId' | 'createdAt' | 'updatedAt' | 'failedReason' | 'error' | 'errorDetails'
>;

export const paymentFields = /* @__PURE__ */ lazy(
  (): Fields<PaymentRecord> => ({
    id: text(),
    status: text(),
    ...texts('requestId createdAt updatedAt failedReason error errorDetails'),
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
