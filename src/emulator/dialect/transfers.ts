import type {
  ApprovalRecord,
  EmulatedApprovalVote,
  EmulatedTransferRecord,
  EmulatedTransferStatus,
  OnrampObject,
  OnrampRecord,
  TransferType,
} from '../service/records/index.ts';
import { hexOf } from '../state/ids.ts';
import { microsOf, numberOf } from '../state/money.ts';
import type { Dialect, QuotedFamily } from './dialect.ts';

/** The onramp object. */
export function onrampWire({ transferType, transferDetails }: OnrampRecord): OnrampObject {
  return { transferType, transferDetails };
}

/** A transfer object in the form of a dialect. */
export function transferWire(dialect: Dialect, transfer: EmulatedTransferRecord): Record<string, unknown> {
  const { transferType, transferDetails } = transfer;
  const { approval, ...receipt } = transferDetails.receipt;
  const details = { ...transferDetails, ...(dialect.transferFields === 'all' ? moreFields(transfer) : {}) };
  const shownReceipt =
    dialect.transferFields === 'all' ? { ...receipt, userOpHash: receipt.transactionHash } : receipt;
  if (approval === undefined) return { transferType, transferDetails: { ...details, receipt: shownReceipt } };
  const shown = approvalWire(dialect, approval);
  if (placeOf(dialect, transfer) === 'receipt') {
    return { transferType, transferDetails: { ...details, receipt: { ...shownReceipt, approval: shown } } };
  }
  return { transferType, transferDetails: { ...details, receipt: shownReceipt, approval: shown } };
}

function placeOf(
  { approvalPlace }: Dialect,
  { transferType }: EmulatedTransferRecord,
): 'receipt' | 'details' {
  if (approvalPlace !== 'mixed') return approvalPlace;
  return transferType === 'WALLET.TRANSFER.BATCH' ? 'receipt' : 'details';
}

/** An approval in the form of a dialect. */
export function approvalWire(dialect: Dialect, approval: ApprovalRecord): Record<string, unknown> {
  if (dialect.voteForm === 'decision') return { ...approval };
  const { votes, ...rest } = approval;
  return {
    ...rest,
    fromDashboard: false,
    initiatorProfileId: profileId(`initiator/${approval.id}`),
    votes: votes.map((vote, place) => voteWire(vote, `${approval.id}/${place}`)),
  };
}

function voteWire({ decision, comment, createdAt }: EmulatedApprovalVote, purpose: string) {
  return {
    approverId: profileId(purpose),
    vote: decision === 'APPROVED' ? 'APPROVE' : 'REJECT',
    comment,
    createdAt,
  };
}

/** The id of a member of the staff, always the same for the same purpose. */
function profileId(purpose: string): string {
  const hex = hexOf(`profile/${purpose}`, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** The amount with the integrator's fee, exact to the last decimal. */
function withFee(amount: number, fee: unknown): number {
  return numberOf((microsOf(amount) ?? 0n) + (typeof fee === 'number' ? (microsOf(fee) ?? 0n) : 0n));
}

/** The fields that most services add to a transfer. */
function moreFields({
  developerFee,
  transferDetails: { amount, source, destination },
}: EmulatedTransferRecord) {
  const party = { walletType: 'DEVELOPER', walletAddress: null, user: null };
  return {
    contractAddress: null,
    amountIncludeDeveloperFee: withFee(amount, developerFee?.feeAmount),
    developerFee,
    source: { ...party, ...source },
    ...(typeof destination === 'object' && destination !== null && !Array.isArray(destination)
      ? { destination: { ...party, ...destination } }
      : {}),
  };
}

const COMMON: readonly EmulatedTransferStatus[] = ['CREATED', 'INITIATED', 'PENDING', 'COMPLETED'];

const BY_KIND: Partial<Record<TransferType, readonly EmulatedTransferStatus[]>> = {
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

/** The statuses that a transfer passes through once it executes. */
export function stepsOf(
  { conversionStatuses }: Dialect,
  transferType: TransferType,
): readonly EmulatedTransferStatus[] {
  return (conversionStatuses === 'by-kind' ? BY_KIND[transferType] : undefined) ?? COMMON;
}

const FAMILIES: Partial<Record<TransferType, QuotedFamily>> = {
  'WALLET.BRIDGE': 'bridges',
  OFFRAMP: 'offramps',
};

/** Returns true if a transfer of this type waits until its quote is accepted. */
export function waitsForAcceptance(
  { acceptQuotes }: Dialect,
  transferType: TransferType | 'ONRAMP',
): boolean {
  const family = transferType === 'ONRAMP' ? 'onramps' : FAMILIES[transferType];
  return family !== undefined && acceptQuotes.includes(family);
}
