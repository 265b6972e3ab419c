import type { ApprovalStatus, TransferApproval } from '../../../shared/service/approvals.ts';
import type { BridgeStatus } from '../../../shared/service/bridges.ts';
import type { DeveloperFee } from '../../../shared/service/fields.ts';
import type { OfframpStatus } from '../../../shared/service/offramps.ts';
import type { TransferStatus } from '../../../shared/service/transfers.ts';
import type { OperationName } from '../../state/faults.ts';
import type { EmulatedQuoteInformation, Failure } from './onramp.ts';
import type { With, Written } from './written.ts';

/** The statuses of an approval. An approval that nobody decided in time is `EXPIRED`. */
export type EmulatedApprovalStatus = ApprovalStatus;

export const TRANSFER_TYPES = [
  'WALLET.TRANSFER',
  'WALLET.TRANSFER.BATCH',
  'WALLET.BRIDGE',
  'OFFRAMP',
] as const;

/** The kinds of transfers that can need an approval. */
export type TransferType = (typeof TRANSFER_TYPES)[number];

/** The operation that makes a transfer of each kind. */
export const MADE_BY = {
  'WALLET.TRANSFER': 'transfers.create',
  'WALLET.TRANSFER.BATCH': 'transfers.createBatch',
  'WALLET.BRIDGE': 'bridges.create',
  OFFRAMP: 'offramps.create',
} as const satisfies Record<TransferType, OperationName>;

/**
 * The states of a transfer; one that expired undecided is `CANCELLED` with the error `EXPIRED`. Which ones a transfer
 * passes through depends on the dialect.
 */
export type EmulatedTransferStatus = TransferStatus | BridgeStatus | OfframpStatus;

type Statuses = readonly EmulatedTransferStatus[];

const COMMON: Statuses = ['CREATED', 'INITIATED', 'PENDING', 'COMPLETED'];

/** The statuses of bridges and offramps that execute, in the dialect `field`. */
const BY_KIND: Partial<Record<TransferType, Statuses>> = {
  'WALLET.BRIDGE': [
    'CREATED',
    'SOURCE_INITIATED',
    'SOURCE_PENDING',
    'SOURCE_PROCESSED',
    'DESTINATION_INITIATED',
    'DESTINATION_PENDING',
    'COMPLETED',
  ],
  OFFRAMP: ['CREATED', 'CRYPTO_INITIATED', 'CRYPTO_PENDING', 'FIAT_INITIATED', 'FIAT_PENDING', 'COMPLETED'],
};

/** The next status of an executing transfer. If a restart brought another dialect, its later statuses are of the kind of the first. */
export function nextStatus(
  dialect: 'spec' | 'field',
  transferType: TransferType,
  status: EmulatedTransferStatus,
): EmulatedTransferStatus | undefined {
  const byKind = BY_KIND[transferType] ?? COMMON;
  const [own, other] = dialect === 'field' ? [byKind, COMMON] : [COMMON, byKind];
  const steps = !own.includes(status) && other.includes(status) ? other : own;
  return steps[steps.indexOf(status) + 1];
}

/** Every status that a transfer of a type can have in some dialect. */
export function statusesOf(transferType: TransferType): EmulatedTransferStatus[] {
  const steps = BY_KIND[transferType];
  const waiting: Statuses = ['NOT_INITIATED', 'PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'CANCELLED'];
  const quoted: Statuses = steps === undefined ? [] : ['OPEN_QUOTE', 'QUOTE_FAILED'];
  return [...new Set([...waiting, ...quoted, ...COMMON, ...(steps ?? [])])];
}

/** A vote on an approval. The spec does not show its fields. */
export interface EmulatedApprovalVote {
  /** `APPROVED` by `approve`, `REJECTED` by `reject`. */
  decision: 'APPROVED' | 'REJECTED';
  /** The comment of the voter; `null` if there is none. */
  comment: string | null;
  /** The time of creation, as an ISO 8601 time of the emulator's clock. */
  createdAt: string;
}

/** The approval of a transfer that was created with `requireApproval`. */
export type ApprovalRecord = With<
  // The dialect `field` adds these two to what it writes.
  Omit<Written<TransferApproval>, 'fromDashboard' | 'initiatorProfileId'>,
  {
    /** An `OFFRAMP` expires after one day, the others after one week. */
    transferType: TransferType;
    /** `PENDING` until a decision, or until it expires by the emulator's clock. */
    status: EmulatedApprovalStatus;
    /** The time of the last change, as an ISO 8601 time of the emulator's clock. */
    updatedAt: string;
    /** The votes so far. */
    votes: EmulatedApprovalVote[];
  }
>;

/** The `transferDetails` of a wallet, batch, bridge or offramp transfer, before the dialect writes it. */
export interface EmulatedTransferDetails extends Failure {
  /** The id of the transfer. Its approval has another one. */
  id: string;
  /** The idempotency key (UUID) of the request that created the record. */
  requestId: string;
  /** Changes by approvals, quotes and the clock. */
  status: EmulatedTransferStatus;
  /** The amount, in units of the currency. */
  amount: number;
  /** The currency, in lower case. */
  currency: string;
  /** The network, in upper case. */
  chain: string;
  /** The time of creation, as an ISO 8601 time of the emulator's clock. */
  createdAt: string;
  /** The time of the last change, as an ISO 8601 time of the emulator's clock. */
  updatedAt: string;
  /** The reason of the failure; `null` unless the transfer failed. */
  failedReason: string | null;
  /** The payer, with the fields of the request. */
  source: Record<string, unknown>;
  /** The recipient or recipients, with the fields of the request. */
  destination: Record<string, unknown>;
  /** Of bridges and offramps. */
  quoteInformation?: EmulatedQuoteInformation | null;
  /** The on-chain transaction. */
  receipt: {
    /** The hash of the transaction; `null` until it is sent. */
    transactionHash: string | null;
    /** The approval, if the request set `requireApproval`. */
    approval?: ApprovalRecord;
  };
}

/** A wallet, batch, bridge or offramp transfer in the state of the emulator: the object of the service, with its ids at the top. */
export interface EmulatedTransferState {
  /** The same as `transferDetails.id`. */
  id: string;
  /** The idempotency key (UUID) of the request that created the record. */
  requestId: string;
  /** The one of the four operations that created it. */
  transferType: TransferType;
  /** The record of the transfer, as the service returns it. */
  transferDetails: EmulatedTransferDetails;
}

/** A transfer as the emulator stores it, with the internal fields that no response contains. */
export interface EmulatedTransferRecord extends EmulatedTransferState {
  /** The recipients with their amounts. */
  parts: TransferPart[];
  /** The currency that arrives; `null` if it is the same as the currency sent. */
  receives: string | null;
  /** The amount of `receives` that must arrive, if the request fixes that and not the amount to send. */
  receiveAmount: number | null;
  /** The destination chain; `null` if it is the source chain. */
  arrivesOn: string | null;
  /** The balance that the amount was set aside from, and its version then; `null` if the balance is unlimited. */
  setAside: { balance: string; version: number } | null;
  /** The developer fee of the request; `null` if there is none. */
  developerFee: Written<DeveloperFee> | null;
  /** The fields of the request that some dialects show in the record. */
  stated: { purposeOfPayment: string | null; description: string | null };
}

/** One recipient of a transfer with its amount. */
export interface TransferPart {
  /** The user who receives; `null` for a wallet address. */
  userId: string | null;
  /** The amount, in units of the currency. */
  amount: number;
}
