import { transferApproval } from './approval.ts';
import { lazy, openEnum, optionalText, shape } from './common.ts';
import * as z from './zod.ts';

/** The statuses of a transfer that the service documents. */
export const TransferStatus = {
  /** Waits for approval. */
  PENDING_APPROVAL: 'PENDING_APPROVAL',
  /** Approved; executes at once. */
  APPROVED: 'APPROVED',
  /** Rejected; never executes. */
  REJECTED: 'REJECTED',
  /** Created; about to execute. */
  CREATED: 'CREATED',
  /** Handed to the chain. */
  INITIATED: 'INITIATED',
  /** On its way. */
  PENDING: 'PENDING',
  /** Done. */
  COMPLETED: 'COMPLETED',
} as const;

/** A documented status of a transfer. */
export type TransferStatus = (typeof TransferStatus)[keyof typeof TransferStatus];

const receipt = lazy(() =>
  z.looseObject({
    /** The transaction; null until it is on the chain. */
    transactionHash: optionalText(),
    /** The approval that the transfer waits for, if it does. */
    approval: z.nullish(transferApproval()),
  }),
);

const transfer = lazy(() =>
  z.looseObject({
    /** Kind of transfer, such as `WALLET.TRANSFER`. */
    transferType: z.string(),
    /** The transfer's record. */
    transferDetails: z.looseObject({
      /** The transfer's id. */
      id: z.string(),
      /** The idempotency id that it was created with. */
      requestId: optionalText(),
      /** One of `TransferStatus`, or what the service adds. */
      status: openEnum(Object.values(TransferStatus)),
      /** Amount in units of the currency. */
      amount: z.nullish(z.number()),
      /** Stablecoin in lower case. */
      currency: optionalText(),
      /** Network name. */
      chain: optionalText(),
      /** What came of it: transaction and approval. */
      receipt: z.nullish(receipt()),
    }),
  }),
);

/**
 * A transfer that leaves a wallet: single, batch, bridge or offramp. With `requireApproval` its approval
 * is at `transferDetails.receipt.approval`. The spec shows some fields of the single wallet transfer only.
 */
export interface Transfer extends z.infer<ReturnType<typeof transfer>> {}

export const transferShape = shape<Transfer>(transfer, ['transferDetails.id', 'transferDetails.status']);

/** Batch, bridge and offramp records are not shown by the spec: an object is all that is asked of them. */
export const unshownTransferShape = shape<Transfer>(transfer, []);

/** What `transfers.create` takes. */
export interface TransferCreateParams {
  /** Idempotency id, a UUID. Made by the client when left out; see `requestIdFrom` for one of your own. */
  requestId?: string;
  /** Who pays. */
  source: {
    /** The paying user. */
    userId: string;
    /** Fields that the spec does not show. */
    [field: string]: unknown;
  };
  /** Who receives. */
  destination: {
    /** The receiving user. */
    userId: string;
    /** Fields that the spec does not show. */
    [field: string]: unknown;
  };
  /** Amount in units of the currency; finite and above 0. */
  amount: number;
  /** Stablecoin in lower case, such as `usdc`. */
  currency: string;
  /** Network name in upper case. */
  chain: string;
  /** Hold the transfer until it is approved. */
  requireApproval?: boolean;
  /** Fields that the spec does not show. */
  [field: string]: unknown;
}

/** A body of which the spec shows only these fields; every other field is sent as it is. */
export interface UnshownTransferParams {
  /** Idempotency id, a UUID. Made by the client when left out; see `requestIdFrom` for one of your own. */
  requestId?: string;
  /** Hold the transfer until it is approved. */
  requireApproval?: boolean;
  /** Every other field: the spec does not show this body. */
  [field: string]: unknown;
}

/** What `transfers.createBatch` takes: at most 50 recipients, under whatever name your service gives the list. */
export interface TransferBatchCreateParams extends UnshownTransferParams {}

/** What `bridges.create` takes. */
export interface BridgeCreateParams extends UnshownTransferParams {}

/** What `offramps.create` takes. */
export interface OfframpCreateParams extends UnshownTransferParams {}
