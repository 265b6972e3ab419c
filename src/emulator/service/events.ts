import type { OnrampStatus } from '../../shared/service/onramps.ts';
import type { World } from '../state/world.ts';
import type { EmulatedOnrampDetails } from './records/onramp.ts';
import type { ApprovalRecord, EmulatedTransferRecord } from './records/transfer.ts';
import type { AccountRecord } from './records/users.ts';

/** Emits an event of a kind that the description does not name, where the dialect has such. */
export function emitMore(
  world: World,
  eventType: string,
  data: Record<string, unknown>,
  at: number = world.clock.millis(),
): void {
  if (world.dialect.eventKinds === 'all') world.events.emit(eventType, structuredClone(data), at);
}

/** Emits that a transfer was created, or that its status changed, where the dialect has such events: fields of its record. */
export function emitTransfer(
  world: World,
  { transferType, transferDetails }: EmulatedTransferRecord,
  action: 'CREATE' | 'UPDATE',
  at?: number,
): void {
  const { id, requestId, status, amount, currency, chain, source, failedReason, error, receipt } =
    transferDetails;
  const data = {
    id,
    requestId,
    transferType,
    status,
    amount,
    currency,
    chain,
    source: { userId: source.userId ?? null },
    failedReason,
    ...(error === undefined ? {} : { error }),
    receipt: { transactionHash: receipt.transactionHash },
  };
  const kinds = {
    'WALLET.TRANSFER': `WALLET.TRANSFER.${action}`,
    'WALLET.TRANSFER.BATCH': 'WALLET.TRANSFER.BATCH',
    'WALLET.BRIDGE': `WALLET.BRIDGE.${action}`,
    OFFRAMP: action === 'CREATE' ? 'OFFRAMP.TRANSACTION.CREATED' : `OFFRAMP.STATUS.${status}`,
  };
  emitMore(world, kinds[transferType], data, at);
}

/** Emits that an onramp was created or entered a status: enough to look it up, and no bank details. */
export function emitOnramp(
  world: World,
  change: 'TRANSACTION.CREATED' | `STATUS.${OnrampStatus}`,
  { id, requestId, status, source, destination, receipt }: EmulatedOnrampDetails,
  at?: number,
): void {
  const data = {
    id,
    requestId,
    status,
    source: { userId: source.userId, currency: source.currency, amount: source.amount },
    destination: { userId: destination.userId, currency: destination.currency, chain: destination.chain },
    receipt,
  };
  emitMore(world, `ONRAMP.${change}`, data, at);
}

/** Emits an event about an approval. The description names no event for one that expired. */
export function emitApproval(
  world: World,
  eventType: `TRANSFER.APPROVAL.${'PENDING' | 'APPROVED' | 'REJECTED' | 'EXPIRED'}`,
  transfer: EmulatedTransferRecord,
  approval: ApprovalRecord,
  at?: number,
): void {
  const { amount, currency, chain, destination, source, status } = transfer.transferDetails;
  const data = {
    transferId: transfer.id,
    approvalId: approval.id,
    transferType: transfer.transferType,
    status,
    amount,
    currency,
    chain,
    destination: structuredClone(destination),
    initiatorId: source.userId,
    comment: approval.votes.at(-1)?.comment ?? null,
  };
  if (eventType === 'TRANSFER.APPROVAL.EXPIRED') emitMore(world, eventType, data, at);
  else world.events.emit(eventType, data, at);
}

/** The event carries what a consumer needs to look the account up, and none of its bank details. */
export function emitAccount(
  world: World,
  action: 'CREATE' | 'UPDATE',
  account: AccountRecord,
  at: number,
): void {
  const { id, userId, rail, type, status, invalidFields, message } = account;
  const data = { accountId: id, userId, rail, type, status, invalidFields: [...invalidFields], message };
  // The description names the kinds of onramp accounts alone.
  if (rail === 'onramp') world.events.emit(`ACCOUNT.ONRAMP.${action}`, data, at);
  else emitMore(world, `ACCOUNT.OFFRAMP.${action}`, data, at);
}
