import * as z from 'zod/mini';
import {
  amount,
  flag,
  lazy,
  looseObject,
  matching,
  notWith,
  nullishText,
  quantity,
  requestId,
  strictObject,
  text,
  textAmount,
  texts,
} from '../schema/schema.ts';
import { type TransferApproval, transferApproval } from './approvals.ts';
import {
  type Chain,
  type FeeParams,
  feeParams,
  type KeyedParams,
  type PartyUser,
  partyUser,
  type Stablecoin,
} from './fields.ts';
import { type StablecoinPaymentRecord, stablecoinFields } from './payment-records.ts';

/** The statuses of a transfer. The service may add others. */
export const TransferStatus = {
  /** Not started. Not documented; some services show it. */
  NOT_INITIATED: 'NOT_INITIATED',
  /** The transfer waits for a decision: at most one week, an offramp one day. */
  PENDING_APPROVAL: 'PENDING_APPROVAL',
  /** The transfer was approved and executes immediately. */
  APPROVED: 'APPROVED',
  /** The transfer was rejected and never executes. */
  REJECTED: 'REJECTED',
  /** Created; about to execute. */
  CREATED: 'CREATED',
  /** The on-chain transaction was requested. */
  INITIATED: 'INITIATED',
  /** The on-chain transaction is not confirmed yet. */
  PENDING: 'PENDING',
  /** The recipient has the stablecoins. */
  COMPLETED: 'COMPLETED',
  /** The transfer was cancelled and never executes, for example because its approval expired. */
  CANCELLED: 'CANCELLED',
  /** The transfer failed; see `failedReason`. Not documented; some services show it. */
  FAILED: 'FAILED',
  /** The service cannot tell; read the transfer again later. */
  UNKNOWN: 'UNKNOWN',
} as const;

/** A status of a transfer that this version lists. */
export type TransferStatus = (typeof TransferStatus)[keyof typeof TransferStatus];

/** A transfer of stablecoins from one wallet to another. `approvalOf` finds its approval. */
export interface Transfer {
  /** `WALLET.TRANSFER`. Batches, bridges and offramps have others. */
  transferType: 'WALLET.TRANSFER' | (string & {});
  /** The transfer itself. */
  transferDetails: TransferDetails;
}

/** The fields that the records of transfers and of batches have. */
interface TransferFields extends StablecoinPaymentRecord {
  /** One of `TransferStatus`, or a status that the service adds. */
  status: TransferStatus | (string & {});
  /** `amount` with your fee, in units of `currency`. */
  amountIncludeDeveloperFee?: number | string | null;
  /** The address of the stablecoin's contract. */
  contractAddress?: string | null;
  /** The user and wallet that pay. */
  source?: TransferParty | null;
  /** The on-chain transaction. */
  receipt?: TransferReceipt | null;
}

/**
 * The record of a transfer. The service documents `id`, `requestId`, `status`, `amount`, `currency`, `chain` and `receipt`.
 */
export interface TransferDetails extends TransferFields {
  /** In units of `currency`. `amountIncludeDeveloperFee` adds your fee. */
  amount?: number | null;
  /** The user or wallet that receives. */
  destination?: TransferParty | null;
}

/** One side of a transfer. */
export interface TransferParty {
  /** May be absent for a wallet outside the service. */
  userId?: string | null;
  /** In the format of the transfer's `chain`. */
  walletAddress?: string | null;
  /** The values are not documented. */
  walletType?: string | null;
  /** Personal data. */
  user?: PartyUser | null;
}

/** The on-chain transaction of a transfer. */
export interface TransferReceipt {
  /** The hash of the transaction; null until it is on the chain. */
  transactionHash?: string | null;
  /** The hash of the user operation, for wallets that are smart contracts. */
  userOpHash?: string | null;
  /** The approval that the transfer waits for. See `approvalOf`. */
  approval?: TransferApproval | null;
}

/** Parameters of `transfers.create`. */
export interface TransferCreateParams extends KeyedParams {
  /** The user who pays. */
  source: TransferSourceParams;
  /** The recipient: a user of the service, or a wallet address. */
  destination: TransferDestinationParams;
  /**
   * In units of the currency, above 0: a number, or a decimal string such as `'25.50'`. At most 15 digits count. The
   * service receives a JSON number of the same value.
   */
  amount: number | string;
  /** The stablecoin in lower case. */
  currency: Stablecoin;
  /** The network in upper case. */
  chain: Chain;
  /** Holds the transfer until it is approved, at most one week. */
  requireApproval?: boolean;
  /** A fee that you charge. Null means that there is no fee. Not documented; some services take it. */
  fee?: FeeParams | null;
}

/** The user whose wallet pays. */
export interface TransferSourceParams {
  /** A UUID. */
  userId: string;
}

/** A user of the service who receives. */
interface UserDestinationParams {
  /** A UUID. */
  userId: string;
  /** Left out, or null: the user receives. */
  walletAddress?: null;
}

/** A wallet that receives. */
interface WalletDestinationParams {
  /** In the format of `chain`. It may be outside the service. */
  walletAddress: string;
  /** Left out, or null: the wallet receives. */
  userId?: null;
}

/** The recipient of a transfer: a user or a wallet. */
export type TransferDestinationParams = UserDestinationParams | WalletDestinationParams;

/** A transfer to up to 50 recipients. Its approval is in `receipt`; `approvalOf` finds it. */
export interface TransferBatch {
  /** `WALLET.TRANSFER.BATCH`. */
  transferType: 'WALLET.TRANSFER.BATCH' | (string & {});
  /** The batch itself. */
  transferDetails: TransferBatchDetails;
}

/** The record of a batch. The service does not document it. */
export interface TransferBatchDetails extends TransferFields {
  /** All recipients with their amounts. */
  destination?: TransferBatchDestination | null;
}

/** The recipients of a batch, as its record shows them. */
export interface TransferBatchDestination extends TransferParty {
  /** One entry for each recipient. */
  batch?: TransferBatchRecipient[] | null;
}

/** One recipient of a batch, as its record shows it. */
export interface TransferBatchRecipient extends TransferParty {
  /** In units of the batch's `currency`, as a decimal string or a number. */
  amount?: number | string | null;
}

/** Parameters of `transfers.createBatch`. */
export interface TransferBatchCreateParams extends KeyedParams {
  /** The user who pays all recipients. */
  source: TransferSourceParams;
  /** All recipients with their amounts. */
  destination: TransferBatchDestinationParams;
  /** In lower case, the same for all recipients. */
  currency: Stablecoin;
  /** In upper case, the same for all recipients. */
  chain: Chain;
  /** Holds the whole batch until it is approved, at most one week. */
  requireApproval?: boolean;
}

/** The recipients of a batch to create: at least one, at most 50. */
export interface TransferBatchDestinationParams {
  /** One entry for each recipient, at most 50. */
  batch: readonly TransferBatchRecipientParams[];
}

/** A recipient of a batch to create: a user or a wallet, with its amount. */
export type TransferBatchRecipientParams = TransferDestinationParams & {
  /**
   * In units of the currency, above 0: a decimal string such as `'0.01'`, or a number. At most 15 digits count. The
   * service receives a string of the same value.
   */
  amount: number | string;
};

/** The fields of one side of a transfer. */
export const transferPartyFields = /* @__PURE__ */ lazy(() => ({
  ...texts('userId', 'walletAddress', 'walletType'),
  user: z.nullish(partyUser()),
}));

const transferParty = /* @__PURE__ */ lazy(() =>
  matching<TransferParty>()(looseObject(transferPartyFields())),
);

/** The fields of the on-chain part of a transfer. */
export const receiptFields = /* @__PURE__ */ lazy(() => ({
  ...texts('transactionHash', 'userOpHash'),
  approval: z.nullish(transferApproval()),
}));

/** The fields that single transfers and batches share. */
const transferFields = /* @__PURE__ */ lazy(() => ({
  ...stablecoinFields(),
  amountIncludeDeveloperFee: z.nullish(quantity()),
  contractAddress: nullishText(),
  source: z.nullish(transferParty()),
  receipt: z.nullish(matching<TransferReceipt>()(looseObject(receiptFields()))),
}));

export const transfer = /* @__PURE__ */ lazy(() =>
  matching<Transfer>()(
    looseObject({
      transferType: z.string(),
      transferDetails: matching<TransferDetails>()(
        looseObject({
          ...transferFields(),
          amount: z.nullish(z.number()),
          destination: z.nullish(transferParty()),
        }),
      ),
    }),
  ),
);

const batchRecipient = /* @__PURE__ */ lazy(() =>
  matching<TransferBatchRecipient>()(
    looseObject({ ...transferPartyFields(), amount: z.nullish(quantity()) }),
  ),
);

const batchDestination = /* @__PURE__ */ lazy(() =>
  matching<TransferBatchDestination>()(
    looseObject({ ...transferPartyFields(), batch: z.nullish(z.array(batchRecipient())) }),
  ),
);

export const transferBatch = /* @__PURE__ */ lazy(() =>
  matching<TransferBatch>()(
    looseObject({
      transferType: z.string(),
      transferDetails: matching<TransferBatchDetails>()(
        looseObject({ ...transferFields(), destination: z.nullish(batchDestination()) }),
      ),
    }),
  ),
);

const transferSourceParams = /* @__PURE__ */ lazy(() =>
  matching<TransferSourceParams>()(strictObject({ userId: text() })),
);

const transferDestinationParams = /* @__PURE__ */ lazy(() =>
  matching<TransferDestinationParams>()(
    z.union([
      strictObject({ userId: text(), walletAddress: notWith('userId') }),
      strictObject({ userId: notWith('walletAddress'), walletAddress: text() }),
    ]),
  ),
);

export const transferCreateParams = /* @__PURE__ */ lazy(() =>
  matching<TransferCreateParams>()(
    strictObject({
      requestId: z.exactOptional(requestId()),
      source: transferSourceParams(),
      destination: transferDestinationParams(),
      amount: amount(),
      currency: text(),
      chain: text(),
      requireApproval: z.optional(flag()),
      fee: z.nullish(feeParams()),
    }),
  ),
);

const recipientParams = /* @__PURE__ */ lazy(() =>
  matching<TransferBatchRecipientParams>()(
    z.union([
      strictObject({ userId: text(), walletAddress: notWith('userId'), amount: textAmount() }),
      strictObject({ userId: notWith('walletAddress'), walletAddress: text(), amount: textAmount() }),
    ]),
  ),
);

/** The service's limit for a batch. */
const mostRecipients = 50;
const recipientCount = `must be a list of from 1 to ${mostRecipients} recipients`;

const batchParams = /* @__PURE__ */ lazy(() =>
  z
    .array(recipientParams(), { error: recipientCount })
    .check(
      z.minLength(1, { error: recipientCount, abort: true }),
      z.maxLength(mostRecipients, { error: recipientCount, abort: true }),
    ),
);

export const transferBatchCreateParams = /* @__PURE__ */ lazy(() =>
  matching<TransferBatchCreateParams>()(
    strictObject({
      requestId: z.exactOptional(requestId()),
      source: transferSourceParams(),
      destination: matching<TransferBatchDestinationParams>()(strictObject({ batch: batchParams() })),
      currency: text(),
      chain: text(),
      requireApproval: z.optional(flag()),
    }),
  ),
);
