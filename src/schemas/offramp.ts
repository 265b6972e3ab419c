import type {
  Offramp,
  OfframpDestination,
  OfframpDetails,
  OfframpDeveloperFee,
  OfframpReceipt,
  OfframpSource,
} from '../types/offramp.ts';
import { amount, developerFee, developerFeeFields, partyUser, quotedFields } from './parts.ts';
import { receiptFields } from './transfer.ts';
import { anything, lazy, list, maybeText, nullish, record, shape, texts } from './zod.ts';

const source = /* @__PURE__ */ lazy(() =>
  record<OfframpSource>({
    ...texts('userId externalWalletId walletAddress currency chain'),
    amount: nullish(amount()),
    user: nullish(partyUser()),
  }),
);

const destination = /* @__PURE__ */ lazy(() =>
  record<OfframpDestination>({
    ...texts('userId accountId currency'),
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
      ...quotedFields(),
      ...texts('purposeOfPayment description'),
      source: nullish(source()),
      destination: nullish(destination()),
      receipt: nullish(receipt()),
      developerFee: nullish(fees()),
    }),
  }),
);

/** The spec does not show the record, so that nothing in it is essential. */
export const offrampShape = /* @__PURE__ */ shape<Offramp>(offramp, []);
