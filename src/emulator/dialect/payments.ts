import type { BridgeDetails } from '../../shared/service/bridges.ts';
import type { OfframpDetails } from '../../shared/service/offramps.ts';
import type { TransferBatchDetails, TransferDetails } from '../../shared/service/transfers.ts';
import { isRecord } from '../../shared/values.ts';
import type { OnrampObject, OnrampRecord } from '../service/records/onramp.ts';
import {
  type ApprovalRecord,
  type EmulatedTransferRecord,
  MADE_BY,
  type TransferType,
} from '../service/records/transfer.ts';
import type { EmulatedPartyUser } from '../service/records/users.ts';
import { hexOf, uuidOf } from '../state/ids.ts';
import { microsOf, numberOfMicros } from '../state/money.ts';
import type { Dialect } from './dialect.ts';

type WireFields = Record<string, unknown>;

/** The onramp object in the form of a dialect. */
export function onrampWire({ name }: Dialect, { transferType, transferDetails }: OnrampRecord): OnrampObject {
  if (name === 'field') return { transferType, transferDetails };
  const { purposeOfPayment: _, isInstant: __, ...documented } = transferDetails;
  return { transferType, transferDetails: documented };
}

/** A transfer object in the form of a dialect. */
export function transferWire(
  dialect: Dialect,
  transfer: EmulatedTransferRecord,
  find: PartyFinder,
): WireFields {
  const { transferType, transferDetails } = transfer;
  const { approval, ...receipt } = transferDetails.receipt;
  const details: WireFields =
    dialect.name === 'field' ? allFields(transfer, find) : { ...transferDetails, receipt };
  if (approval === undefined) return { transferType, transferDetails: details };
  const shown = { approval: approvalWire(dialect, approval) };
  const inReceipt = dialect.name === 'spec' || transferType === 'WALLET.TRANSFER.BATCH';
  const where = inReceipt ? { receipt: { ...Object(details.receipt), ...shown } } : shown;
  return { transferType, transferDetails: { ...details, ...where } };
}

/** An approval in the form of a dialect. */
export function approvalWire({ name }: Dialect, approval: ApprovalRecord): WireFields {
  const votes = approval.votes.map(({ decision, comment, createdAt }, place) => ({
    approverId: profileId(`${approval.id}/${place}`),
    vote: decision === 'APPROVED' ? 'APPROVE' : 'REJECT',
    comment,
    createdAt,
  }));
  if (name === 'spec') return { ...approval, votes };
  return {
    ...approval,
    fromDashboard: false,
    initiatorProfileId: profileId(`initiator/${approval.id}`),
    votes,
  };
}

/** The id of a member of the staff, always the same for the same purpose. */
const profileId = (purpose: string): string => uuidOf(hexOf(`profile/${purpose}`, 32));

/** Returns true if a transfer of this type waits until its quote is accepted. */
export function waitsForAcceptance(
  { acceptQuotes }: Dialect,
  transferType: TransferType | 'ONRAMP',
): boolean {
  const operation = transferType === 'ONRAMP' ? 'onramps.create' : MADE_BY[transferType];
  return acceptQuotes.some((family) => operation.startsWith(`${family}.`));
}

/** Finds the wallet and the person of one side of a transfer. */
export type PartyFinder = (
  side: WireFields,
  chain: string | null,
) => { walletAddress: string | null; user: EmulatedPartyUser | null };

/** Every field of the client's type. Failures and approvals have theirs only where there is one. */
type FieldsOf<T> = { [K in Exclude<keyof T, 'error' | 'errorDetails' | 'approval'>]-?: unknown };

/** The `transferDetails` with all fields that services are known to send for this kind of transfer. */
function allFields(transfer: EmulatedTransferRecord, find: PartyFinder): WireFields {
  const { transferDetails: details, transferType, developerFee } = transfer;
  const { amount, source, destination, chain, quoteInformation = null } = details;
  const { approval: _approval, ...held } = details.receipt;
  const receipt = { ...held, userOpHash: held.transactionHash };
  const party = (side: WireFields, on: string | null) => wirePartyFields(side, find(side, on));
  const payer = party(source, chain);
  const fee = quoteInformation?.railFee ?? null;
  const received = quoteInformation === null ? null : Number(quoteInformation.receiveNet.amount);
  if (transferType === 'WALLET.BRIDGE') {
    const operation = { transactionHash: held.transactionHash };
    return {
      ...details,
      developerFee,
      source: { amount, ...payer },
      destination: { amount: received, ...party(destination, transfer.arrivesOn) },
      receipt: { ...receipt, operations: { approve: operation, burn: operation, mint: operation } },
      quoteInformation,
      fee,
    } satisfies FieldsOf<BridgeDetails>;
  }
  if (transferType === 'OFFRAMP') {
    const { walletType: _source, ...from } = payer;
    const { walletType: _destination, walletAddress: _address, ...to } = party(destination, null);
    return {
      ...details,
      ...transfer.stated,
      source: { amount, externalWalletId: null, ...from },
      destination: { amount: received, ...to },
      receipt: { ...receipt, paymentTracking: trackingOf(transfer) },
      quoteInformation,
      fee,
      developerFee: developerFee && { ...developerFee, fees: [developerFee] },
    } satisfies FieldsOf<OfframpDetails>;
  }
  const batch = Array.isArray(destination.batch) ? destination.batch.filter(isRecord) : [];
  const recipients = batch.map((recipient, place) => ({
    amount: transfer.parts[place]?.amount ?? null,
    ...party(recipient, chain),
  }));
  return {
    ...details,
    contractAddress: null,
    amountIncludeDeveloperFee: withFee(amount, Number(developerFee?.feeAmount ?? 0)),
    source: payer,
    destination: { ...party(destination, chain), ...(batch.length === 0 ? {} : { batch: recipients }) },
    receipt,
    developerFee,
  } satisfies FieldsOf<TransferDetails> & FieldsOf<TransferBatchDetails>;
}

/** One side of a transfer, with what was sent of it. */
function wirePartyFields(side: WireFields, found: ReturnType<PartyFinder>): WireFields {
  const given = Object.fromEntries(Object.entries(side).filter(([, value]) => value !== undefined));
  return { userId: null, walletType: found.user === null ? null : 'DEVELOPER', ...found, ...given };
}

/** The number by which the receiving bank finds the payment of an offramp. */
function trackingOf({ id, transferDetails }: EmulatedTransferRecord) {
  const isSent = ['FIAT_PENDING', 'COMPLETED'].includes(transferDetails.status);
  return isSent ? { trackingNumber: id.replaceAll('-', '').slice(0, 16).toUpperCase() } : null;
}

/** The amount with the integrator's fee, exact to the last decimal. */
function withFee(amount: number, fee: number): number {
  return numberOfMicros((microsOf(amount) ?? 0n) + (microsOf(fee) ?? 0n));
}
