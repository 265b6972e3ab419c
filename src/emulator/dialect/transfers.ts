import { isRecord } from '../../values.ts';
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
import type { Dialect, QuotedFamily } from './dialect.ts';
import { allFields, type PartyFinder } from './transfer-fields.ts';

/** The onramp object in the form of a dialect. */
export function onrampWire(dialect: Dialect, onramp: OnrampRecord): OnrampObject {
  const { transferType, transferDetails, stated } = onramp;
  if (dialect.transferFields === 'documented') return { transferType, transferDetails };
  const { purposeOfPayment = null, isInstant = null } = stated ?? {};
  return { transferType, transferDetails: { ...transferDetails, purposeOfPayment, isInstant } };
}

/** A transfer object in the form of a dialect. */
export function transferWire(
  dialect: Dialect,
  transfer: EmulatedTransferRecord,
  find: PartyFinder,
): Record<string, unknown> {
  const { transferType, transferDetails } = transfer;
  const { approval, ...receipt } = transferDetails.receipt;
  const details: Record<string, unknown> =
    dialect.transferFields === 'all' ? allFields(transfer, find) : { ...transferDetails, receipt };
  if (approval === undefined) return { transferType, transferDetails: details };
  const shown = { approval: approvalWire(dialect, approval) };
  if (placeOf(dialect, transfer) === 'details')
    return { transferType, transferDetails: { ...details, ...shown } };
  const held = isRecord(details.receipt) ? details.receipt : {};
  return { transferType, transferDetails: { ...details, receipt: { ...held, ...shown } } };
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
