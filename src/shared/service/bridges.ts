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
  texts,
} from '../schema/schema.ts';
import type { Chain, KeyedParams, Stablecoin } from './fields.ts';
import { type QuotedPaymentRecord, quotedFields } from './payment-records.ts';
import {
  receiptFields,
  type TransferParty,
  type TransferReceipt,
  type TransferStatus,
  transferPartyFields,
} from './transfers.ts';

/** A status of a bridge that this version lists. The service documents those of `TransferStatus` only. */
export type BridgeStatus =
  | TransferStatus
  | 'OPEN_QUOTE'
  | 'SOURCE_INITIATED'
  | 'SOURCE_PENDING'
  | 'SOURCE_PROCESSED'
  | 'SOURCE_FAILED'
  | 'DESTINATION_INITIATED'
  | 'DESTINATION_PENDING'
  | 'DESTINATION_FAILED'
  | 'QUOTE_FAILED';

/** A transfer of stablecoins from one chain to another. `approvalOf` finds its approval. */
export interface Bridge {
  /** `WALLET.BRIDGE`. The service does not document it. */
  transferType?: 'WALLET.BRIDGE' | (string & {}) | null;
  /** The bridge itself. */
  transferDetails: BridgeDetails;
}

/** The record of a bridge. The service does not document it: every field but `id` and `status` may be missing. */
export interface BridgeDetails extends QuotedPaymentRecord {
  /** Begins as `PENDING_APPROVAL` with `requireApproval`. */
  status: BridgeStatus | (string & {});
  /** The sender and its wallet. */
  source?: BridgeParty | null;
  /** The recipient and its wallet. */
  destination?: BridgeParty | null;
  /** The on-chain transactions. */
  receipt?: BridgeReceipt | null;
}

/** One side of a bridge. */
export interface BridgeParty extends TransferParty {
  /** May be more exact than you gave it, such as `POLYGON_MAINNET`. */
  chain?: Chain | null;
  /** In lower case. */
  currency?: Stablecoin | null;
  /** In units of `currency`, as a number or a decimal string. */
  amount?: number | string | null;
}

/** The on-chain transactions of a bridge. */
export interface BridgeReceipt extends TransferReceipt {
  /** The transaction of each step of the bridge. */
  operations?: BridgeOperations | null;
}

/** The steps of a bridge, each in a form of the service's own. Narrow a step before you use it. */
export interface BridgeOperations {
  /** The transaction that mints the stablecoins on the destination chain. */
  mint?: unknown;
  /** The transaction that burns the stablecoins on the source chain. */
  burn?: unknown;
  /** The transaction that approves the spending. */
  approve?: unknown;
}

/** Parameters of `bridges.create`. */
export interface BridgeCreateParams extends KeyedParams {
  /**
   * In units of the currency, above 0: a number, or a decimal string such as `'25.50'`. At most 15 digits count. The
   * service receives a JSON number of the same value.
   */
  amount: number | string;
  /** The paying user, and what is sent. */
  source: BridgeSourceParams;
  /** The recipient, and what arrives. */
  destination: BridgeDestinationParams;
  /** Holds the bridge until it is approved. Its quote is then made after the approval. */
  requireApproval?: boolean;
}

/** The sender of a bridge, and the network and currency that are sent. */
export interface BridgeSourceParams {
  /** The user whose wallet pays, a UUID. */
  userId: string;
  /** In upper case, such as `POLYGON`. */
  chain: Chain;
  /** In lower case, such as `usdc`. */
  currency: Stablecoin;
}

/** The network and the currency that arrive, and the recipient: without one, it is the paying user's wallet. */
export type BridgeDestinationParams = {
  /** In upper case, such as `BASE`. */
  chain: Chain;
  /** In lower case, such as `usdc`. */
  currency: Stablecoin;
} & (
  | {
      /** The user who receives, a UUID. */
      userId?: string | null;
      /** Left out, or null. */
      walletAddress?: null;
    }
  | {
      /** The wallet that receives, in the format of `chain`. It may be outside the service. */
      walletAddress?: string | null;
      /** Left out, or null. */
      userId?: null;
    }
);

const bridgeParty = /* @__PURE__ */ lazy(() =>
  matching<BridgeParty>()(
    looseObject({ ...transferPartyFields(), ...texts('chain', 'currency'), amount: z.nullish(quantity()) }),
  ),
);

const operations = /* @__PURE__ */ lazy(() =>
  matching<BridgeOperations>()(
    looseObject({
      mint: z.optional(z.unknown()),
      burn: z.optional(z.unknown()),
      approve: z.optional(z.unknown()),
    }),
  ),
);

const bridgeReceipt = /* @__PURE__ */ lazy(() =>
  matching<BridgeReceipt>()(looseObject({ ...receiptFields(), operations: z.nullish(operations()) })),
);

export const bridge = /* @__PURE__ */ lazy(() =>
  matching<Bridge>()(
    looseObject({
      transferType: nullishText(),
      transferDetails: matching<BridgeDetails>()(
        looseObject({
          ...quotedFields(),
          source: z.nullish(bridgeParty()),
          destination: z.nullish(bridgeParty()),
          receipt: z.nullish(bridgeReceipt()),
        }),
      ),
    }),
  ),
);

const bridgeSourceParams = /* @__PURE__ */ lazy(() =>
  matching<BridgeSourceParams>()(strictObject({ userId: text(), chain: text(), currency: text() })),
);

const bridgeDestinationParams = /* @__PURE__ */ lazy(() =>
  matching<BridgeDestinationParams>()(
    z.union([
      strictObject({
        userId: z.nullish(text()),
        walletAddress: notWith('userId'),
        chain: text(),
        currency: text(),
      }),
      strictObject({
        userId: notWith('walletAddress'),
        walletAddress: z.nullish(text()),
        chain: text(),
        currency: text(),
      }),
    ]),
  ),
);

export const bridgeCreateParams = /* @__PURE__ */ lazy(() =>
  matching<BridgeCreateParams>()(
    strictObject({
      requestId: z.exactOptional(requestId()),
      amount: amount(),
      source: bridgeSourceParams(),
      destination: bridgeDestinationParams(),
      requireApproval: z.optional(flag()),
    }),
  ),
);
