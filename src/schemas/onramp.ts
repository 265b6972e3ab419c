import type {
  Onramp,
  OnrampDestination,
  OnrampDetails,
  OnrampReceipt,
  OnrampSource,
} from '../types/onramp.ts';
import { inboundObject, onrampDepositInfo } from './deposit.ts';
import { boolean, maybeText, nullish, number, record, text } from './field.ts';
import { developerFee, partyUser, paymentFields, quoteInformation } from './parts.ts';
import { lazy, shape } from './zod.ts';

const source = /* @__PURE__ */ lazy(() =>
  record<OnrampSource>({
    userId: text(),
    currency: text(),
    amount: nullish(number()),
    transferType: maybeText(),
    accountId: maybeText(),
    user: nullish(partyUser()),
    bankInfo: nullish(inboundObject()),
  }),
);

const destination = /* @__PURE__ */ lazy(() =>
  record<OnrampDestination>({
    userId: maybeText(),
    currency: text(),
    chain: text(),
    walletAddress: maybeText(),
    externalWalletId: maybeText(),
    amount: nullish(number()),
    user: nullish(partyUser()),
  }),
);

const receipt = /* @__PURE__ */ lazy(() => record<OnrampReceipt>({ transactionHash: maybeText() }));

const details = /* @__PURE__ */ lazy(() =>
  record<OnrampDetails>({
    ...paymentFields(),
    requestId: text(),
    createdAt: text(),
    updatedAt: text(),
    purposeOfPayment: maybeText(),
    isInstant: nullish(boolean()),
    source: source(),
    destination: destination(),
    receipt: nullish(receipt()),
    developerFee: nullish(developerFee()),
    virtualAccountId: maybeText(),
    quoteInformation: nullish(quoteInformation()),
    depositInfo: nullish(onrampDepositInfo()),
  }),
);

const onramp = /* @__PURE__ */ lazy(() =>
  record<Onramp>({ transferType: text(), transferDetails: details() }),
);

export const onrampShape = /* @__PURE__ */ shape<Onramp>(onramp, [
  'transferDetails.id',
  'transferDetails.status',
]);
