import { isRecord } from '../../values.ts';
import type { EmulatedPartyUser, EmulatedTransferRecord } from '../service/records/index.ts';
import { microsOf, numberOf } from '../state/money.ts';

type Json = Record<string, unknown>;

/** Finds the wallet and the person of one side of a transfer. */
export type PartyFinder = (
  side: Json,
  chain: string | null,
) => { walletAddress: string | null; user: EmulatedPartyUser | null };

/** The `transferDetails` with all fields that services are known to send for this kind of transfer. */
export function allFields(transfer: EmulatedTransferRecord, find: PartyFinder): Json {
  const { transferDetails: details, transferType, developerFee } = transfer;
  const { source, chain, quoteInformation } = details;
  const destination = isRecord(details.destination) ? details.destination : {};
  const arrivesOn = transfer.arrivesOn ?? chain;
  const { approval: _approval, ...receipt } = details.receipt;
  const common = { ...details, developerFee, receipt: { ...receipt, userOpHash: receipt.transactionHash } };
  const fee = quoteInformation?.railFee ?? null;
  const sent = { chain, currency: details.currency, amount: details.amount };
  const received = numberFrom(quoteInformation?.receiveNet.amount);
  if (transferType === 'WALLET.BRIDGE') {
    const arrives = { chain: arrivesOn, currency: details.currency, amount: received };
    return {
      ...common,
      source: { ...sent, ...partyOf(source, chain, find) },
      destination: { ...arrives, ...partyOf(destination, arrivesOn, find) },
      receipt: { ...common.receipt, operations: operationsOf(receipt.transactionHash) },
      fee,
    };
  }
  if (transferType === 'OFFRAMP') {
    const { walletType: _source, ...payer } = partyOf(source, chain, find);
    const { walletType: _destination, walletAddress: _address, ...payee } = partyOf(destination, null, find);
    return {
      ...common,
      ...{ purposeOfPayment: null, description: null },
      ...transfer.stated,
      source: { ...sent, externalWalletId: null, ...payer },
      destination: { accountId: null, currency: transfer.receives, amount: received, ...payee },
      receipt: { ...common.receipt, paymentTracking: trackingOf(transfer) },
      fee,
      developerFee: { ...NO_FEE, ...developerFee, fees: developerFee === null ? [] : [developerFee] },
    };
  }
  const { amount, ...onChain } = common;
  return {
    ...onChain,
    amount,
    contractAddress: null,
    amountIncludeDeveloperFee: withFee(amount, developerFee?.feeAmount),
    source: partyOf(source, chain, find),
    destination: { ...partyOf(destination, chain, find), ...batchOf(transfer, destination, find) },
  };
}

/** One side of a transfer, with what was sent of it. */
function partyOf(side: Json, chain: string | null, find: PartyFinder): Json {
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
      ...partyOf(isRecord(recipient) ? recipient : {}, transferDetails.chain, find),
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

const NO_FEE = {
  feeId: null,
  feeType: null,
  feeAmount: null,
  feePercent: null,
  status: null,
  transactionHash: null,
  failedReason: null,
};

const numberFrom = (decimal: string | undefined): number | null =>
  decimal === undefined ? null : Number(decimal);

/** The amount with the integrator's fee, exact to the last decimal. */
function withFee(amount: number, fee: unknown): number {
  return numberOf((microsOf(amount) ?? 0n) + (typeof fee === 'number' ? (microsOf(fee) ?? 0n) : 0n));
}
