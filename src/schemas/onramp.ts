import type {
  Onramp,
  OnrampDestination,
  OnrampDetails,
  OnrampReceipt,
  OnrampSource,
} from '../types/onramp.ts';
import { inboundObject, onrampDepositInfo } from './deposit.ts';
import { partyUser, paymentFields, quoteInformation } from './parts.ts';
import { boolean, lazy, nullish, number, record, shape, text, texts } from './zod.ts';

const source = /* @__PURE__ */ lazy(() =>
  record<OnrampSource>({
    userId: text(),
    currency: text(),
    ...texts('transferType accountId'),
    amount: nullish(number()),
    user: nullish(partyUser()),
    bankInfo: nullish(inboundObject()),
  }),
);

const destination = /* @__PURE__ */ lazy(() =>
  record<OnrampDestination>({
    currency: text(),
    chain: text(),
    ...texts('userId walletAddress externalWalletId'),
    amount: nullish(number()),
    user: nullish(partyUser()),
  }),
);

const details = /* @__PURE__ */ lazy(() =>
  record<OnrampDetails>({
    ...paymentFields(),
    requestId: text(),
    createdAt: text(),
    updatedAt: text(),
    ...texts('purposeOfPayment virtualAccountId'),
    isInstant: nullish(boolean()),
    source: source(),
    destination: destination(),
    receipt: nullish(record<OnrampReceipt>(texts('transactionHash'))),
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
