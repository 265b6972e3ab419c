import type { Address, DeveloperFee, PartyUser, QuoteAmount, QuoteInformation } from '../types/fields.ts';
import type { TransferDetails } from '../types/transfer.ts';
import { either, type Fields, maybeText, nullish, number, record, text, texts } from './field.ts';
import { lazy } from './zod.ts';

export const addressFields = [
  'addressLine1',
  'addressLine2',
  'city',
  'stateProvinceRegion',
  'postalCode',
  'country',
] as const satisfies readonly (keyof Address)[];

export const address = /* @__PURE__ */ lazy(() => record<Address>(texts(addressFields)));

export const partyUser = /* @__PURE__ */ lazy(() =>
  record<PartyUser>(texts(['email', 'lastName', 'firstName', 'businessName'])),
);

/** A number, or a decimal string: services differ. */
export const amount = /* @__PURE__ */ lazy(() => either(number(), text()));

export const developerFeeFields = /* @__PURE__ */ lazy(
  (): Fields<DeveloperFee> => ({
    feeId: maybeText(),
    feeType: maybeText(),
    feeAmount: nullish(amount()),
    feePercent: nullish(amount()),
    status: maybeText(),
    transactionHash: maybeText(),
    failedReason: maybeText(),
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
    ...texts(['requestId', 'createdAt', 'updatedAt', 'failedReason', 'error', 'errorDetails']),
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
    rate: maybeText(),
    expiresAt: maybeText(),
  }),
);
