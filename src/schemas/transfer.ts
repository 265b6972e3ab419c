import type {
  Transfer,
  TransferBatch,
  TransferBatchDestination,
  TransferBatchDetails,
  TransferBatchRecipient,
  TransferDetails,
  TransferParty,
  TransferReceipt,
} from '../types/transfer.ts';
import { transferApproval } from './approval.ts';
import { type Fields, list, maybeText, nullish, number, record, text } from './field.ts';
import { amount, developerFee, partyUser, paymentFields } from './parts.ts';
import { lazy, shape } from './zod.ts';

/** The fields of one side of a transfer. */
export const partyFields = /* @__PURE__ */ lazy(
  (): Fields<TransferParty> => ({
    userId: maybeText(),
    walletAddress: maybeText(),
    walletType: maybeText(),
    user: nullish(partyUser()),
  }),
);

const party = /* @__PURE__ */ lazy(() => record<TransferParty>(partyFields()));

/** The fields of the on-chain part of a transfer. */
export const receiptFields = /* @__PURE__ */ lazy(
  (): Fields<TransferReceipt> => ({
    transactionHash: maybeText(),
    userOpHash: maybeText(),
    approval: nullish(transferApproval()),
  }),
);

const receipt = /* @__PURE__ */ lazy(() => record<TransferReceipt>(receiptFields()));

/** The fields that single transfers and batches share. */
const details = /* @__PURE__ */ lazy(
  (): Fields<Omit<TransferDetails, 'amount' | 'destination'>> => ({
    ...paymentFields(),
    amountIncludeDeveloperFee: nullish(amount()),
    currency: maybeText(),
    chain: maybeText(),
    contractAddress: maybeText(),
    source: nullish(party()),
    approval: nullish(transferApproval()),
    receipt: nullish(receipt()),
    developerFee: nullish(developerFee()),
  }),
);

const transfer = /* @__PURE__ */ lazy(() =>
  record<Transfer>({
    transferType: text(),
    transferDetails: record<TransferDetails>({
      ...details(),
      amount: nullish(number()),
      destination: nullish(party()),
    }),
  }),
);

export const transferShape = /* @__PURE__ */ shape<Transfer>(transfer, [
  'transferDetails.id',
  'transferDetails.status',
]);

const recipient = /* @__PURE__ */ lazy(() =>
  record<TransferBatchRecipient>({ ...partyFields(), amount: nullish(amount()) }),
);

const batchDestination = /* @__PURE__ */ lazy(() =>
  record<TransferBatchDestination>({ ...partyFields(), batch: nullish(list(recipient())) }),
);

const batch = /* @__PURE__ */ lazy(() =>
  record<TransferBatch>({
    transferType: text(),
    transferDetails: record<TransferBatchDetails>({
      ...details(),
      amount: nullish(amount()),
      destination: nullish(batchDestination()),
    }),
  }),
);

/** The spec does not show the record, so that nothing in it is essential. */
export const transferBatchShape = /* @__PURE__ */ shape<TransferBatch>(batch, []);
