import { isRecord } from '../../shared/values.ts';
import type { OnrampObject, OnrampRecord } from '../service/records/onramp.ts';
import {
  type ApprovalRecord,
  type EmulatedApprovalVote,
  type EmulatedTransferRecord,
  type EmulatedTransferStatus,
  MADE_BY,
  type TransferType,
} from '../service/records/transfer.ts';
import type { EmulatedPartyUser } from '../service/records/users.ts';
import { hexOf, uuidOf } from '../state/ids.ts';
import { microsOf, numberOfMicros } from '../state/money.ts';
import type { Dialect } from './dialect.ts';

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
  if (!showsInReceipt(dialect, transferType))
    return { transferType, transferDetails: { ...details, ...shown } };
  const held = isRecord(details.receipt) ? details.receipt : {};
  return { transferType, transferDetails: { ...details, receipt: { ...held, ...shown } } };
}

/** Returns true if the approval of a transfer of a type stands in its receipt. */
export function showsInReceipt({ approvalPlace }: Dialect, transferType: TransferType): boolean {
  return approvalPlace === 'mixed' ? transferType === 'WALLET.TRANSFER.BATCH' : approvalPlace === 'receipt';
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
  return uuidOf(hexOf(`profile/${purpose}`, 32));
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

/** The next status of an executing transfer. If the dialect changes meanwhile, its later statuses are of the kind of the first. */
export function nextStatus(
  { conversionStatuses }: Dialect,
  transferType: TransferType,
  status: EmulatedTransferStatus,
): EmulatedTransferStatus | undefined {
  const byKind = BY_KIND[transferType] ?? COMMON;
  const [own, other] = conversionStatuses === 'by-kind' ? [byKind, COMMON] : [COMMON, byKind];
  const steps = !own.includes(status) && other.includes(status) ? other : own;
  return steps[steps.indexOf(status) + 1];
}

/** The statuses of a transfer other than those of its execution. */
const OTHERS: readonly EmulatedTransferStatus[] = [
  'NOT_INITIATED',
  'PENDING_APPROVAL',
  'APPROVED',
  'REJECTED',
  'CANCELLED',
];

/** Every status that a transfer of a type can have in some dialect. */
export function statusesOf(transferType: TransferType): EmulatedTransferStatus[] {
  const steps = BY_KIND[transferType];
  const quoted: EmulatedTransferStatus[] = steps === undefined ? [] : ['OPEN_QUOTE', 'QUOTE_FAILED'];
  return [...new Set([...OTHERS, ...quoted, ...COMMON, ...(steps ?? [])])];
}

/** Returns true if a transfer of this type waits until its quote is accepted. */
export function waitsForAcceptance(
  { acceptQuotes }: Dialect,
  transferType: TransferType | 'ONRAMP',
): boolean {
  const operation = transferType === 'ONRAMP' ? 'onramps.create' : MADE_BY[transferType];
  return acceptQuotes.some((family) => operation.startsWith(`${family}.`));
}

type Json = Record<string, unknown>;

/** Finds the wallet and the person of one side of a transfer. */
export type PartyFinder = (
  side: Json,
  chain: string | null,
) => { walletAddress: string | null; user: EmulatedPartyUser | null };

/** The `transferDetails` with all fields that services are known to send for this kind of transfer. */
function allFields(transfer: EmulatedTransferRecord, find: PartyFinder): Json {
  const { transferDetails: details, transferType, developerFee } = transfer;
  const { amount, source, chain, quoteInformation } = details;
  const destination = isRecord(details.destination) ? details.destination : {};
  const { approval: _approval, ...receipt } = details.receipt;
  const common = { ...details, developerFee, receipt: { ...receipt, userOpHash: receipt.transactionHash } };
  const fee = quoteInformation?.railFee ?? null;
  const quoted = quoteInformation?.receiveNet.amount;
  const received = quoted === undefined ? null : Number(quoted);
  if (transferType === 'WALLET.BRIDGE') {
    return {
      ...common,
      source: { amount, ...partyFields(source, chain, find) },
      destination: { amount: received, ...partyFields(destination, transfer.arrivesOn, find) },
      receipt: { ...common.receipt, operations: operationsOf(receipt.transactionHash) },
      fee,
    };
  }
  if (transferType === 'OFFRAMP') {
    const { walletType: _source, ...payer } = partyFields(source, chain, find);
    const {
      walletType: _destination,
      walletAddress: _address,
      ...payee
    } = partyFields(destination, null, find);
    return {
      ...common,
      ...transfer.stated,
      source: { amount, externalWalletId: null, ...payer },
      destination: { amount: received, ...payee },
      receipt: { ...common.receipt, paymentTracking: trackingOf(transfer) },
      fee,
      developerFee: developerFee && { ...developerFee, fees: [developerFee] },
    };
  }
  return {
    ...common,
    contractAddress: null,
    amountIncludeDeveloperFee: withFee(amount, developerFee?.feeAmount),
    source: partyFields(source, chain, find),
    destination: { ...partyFields(destination, chain, find), ...batchOf(transfer, destination, find) },
  };
}

/** One side of a transfer, with what was sent of it. */
function partyFields(side: Json, chain: string | null, find: PartyFinder): Json {
  const given = Object.fromEntries(Object.entries(side).filter(([, value]) => value !== undefined));
  const found = find(side, chain);
  const party = { userId: null, walletType: found.user === null ? null : 'DEVELOPER', ...found };
  return { ...party, ...given };
}

function batchOf({ transferDetails, parts }: EmulatedTransferRecord, { batch }: Json, find: PartyFinder) {
  if (!Array.isArray(batch)) return {};
  const recipients: readonly unknown[] = batch;
  return {
    batch: recipients.map((recipient, place) => ({
      amount: parts[place]?.amount ?? null,
      ...partyFields(isRecord(recipient) ? recipient : {}, transferDetails.chain, find),
    })),
  };
}

/** The transactions of a bridge. */
function operationsOf(transactionHash: string | null) {
  const operation = { transactionHash };
  return { approve: operation, burn: operation, mint: operation };
}

/** The number by which the receiving bank finds the payment of an offramp. */
function trackingOf({ id, transferDetails }: EmulatedTransferRecord) {
  const isSent = ['FIAT_PENDING', 'COMPLETED'].includes(transferDetails.status);
  return isSent ? { trackingNumber: id.replaceAll('-', '').slice(0, 16).toUpperCase() } : null;
}

/** The amount with the integrator's fee, exact to the last decimal. */
function withFee(amount: number, fee: unknown): number {
  return numberOfMicros((microsOf(amount) ?? 0n) + (typeof fee === 'number' ? (microsOf(fee) ?? 0n) : 0n));
}
