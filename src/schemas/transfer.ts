import type {
  Transfer,
  TransferBatch,
  TransferBatchDestination,
  TransferBatchDetails,
  TransferBatchRecipient,
  TransferDetails,
  TransferParty,
  TransferReceipt,
  TransferRecord,
} from '../types/transfer.ts';
import { transferApproval } from './approval.ts';
import { amount, partyUser, stablecoinFields } from './parts.ts';
import { type Fields, lazy, list, maybeText, nullish, number, record, shape, text, texts } from './zod.ts';

/** The fields of one side of a transfer. */
export const partyFields = /* @__PURE__ */ lazy(
  (): Fields<TransferParty> => ({
    ...texts('userId walletAddress walletType'),
    user: nullish(partyUser()),
  }),
);

const party = /* @__PURE__ */ lazy(() => record<TransferParty>(partyFields()));

/** The fields of the on-chain part of a transfer. */
export const receiptFields = /* @__PURE__ */ lazy(
  (): Fields<TransferReceipt> => ({
    ...texts('transactionHash userOpHash'),
    approval: nullish(transferApproval()),
  }),
);

/** The fields that single transfers and batches share. */
const details = /* @__PURE__ */ lazy(
  (): Fields<TransferRecord> => ({
    ...stablecoinFields(),
    contractAddress: maybeText(),
    amountIncludeDeveloperFee: nullish(amount()),
    source: nullish(party()),
    receipt: nullish(record<TransferReceipt>(receiptFields())),
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
      destination: nullish(batchDestination()),
    }),
  }),
);

/** The spec does not show the record, so that nothing in it is essential. */
export const transferBatchShape = /* @__PURE__ */ shape<TransferBatch>(batch, []);
