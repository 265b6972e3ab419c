import type {
  Offramp,
  OfframpDestination,
  OfframpDetails,
  OfframpDeveloperFee,
  OfframpReceipt,
  OfframpSource,
} from '../types/offramp.ts';
import { transferApproval } from './approval.ts';
import { anything, list, maybeText, nullish, record } from './field.ts';
import {
  amount,
  developerFee,
  developerFeeFields,
  partyUser,
  paymentFields,
  quoteInformation,
} from './parts.ts';
import { receiptFields } from './transfer.ts';
import { lazy, shape } from './zod.ts';

const source = /* @__PURE__ */ lazy(() =>
  record<OfframpSource>({
    userId: maybeText(),
    externalWalletId: maybeText(),
    walletAddress: maybeText(),
    currency: maybeText(),
    chain: maybeText(),
    amount: nullish(amount()),
    user: nullish(partyUser()),
  }),
);

const destination = /* @__PURE__ */ lazy(() =>
  record<OfframpDestination>({
    userId: maybeText(),
    accountId: maybeText(),
    currency: maybeText(),
    amount: nullish(amount()),
    user: nullish(partyUser()),
  }),
);

const receipt = /* @__PURE__ */ lazy(() =>
  record<OfframpReceipt>({ ...receiptFields(), paymentTracking: anything() }),
);

const fees = /* @__PURE__ */ lazy(() =>
  record<OfframpDeveloperFee>({ ...developerFeeFields(), fees: nullish(list(developerFee())) }),
);

const offramp = /* @__PURE__ */ lazy(() =>
  record<Offramp>({
    transferType: maybeText(),
    transferDetails: record<OfframpDetails>({
      ...paymentFields(),
      amount: nullish(amount()),
      currency: maybeText(),
      chain: maybeText(),
      purposeOfPayment: maybeText(),
      description: maybeText(),
      source: nullish(source()),
      destination: nullish(destination()),
      approval: nullish(transferApproval()),
      receipt: nullish(receipt()),
      fee: anything(),
      developerFee: nullish(fees()),
      quoteInformation: nullish(quoteInformation()),
    }),
  }),
);

/** The spec does not show the record, so that nothing in it is essential. */
export const offrampShape = /* @__PURE__ */ shape<Offramp>(offramp, []);
