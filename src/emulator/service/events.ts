import type { World } from '../state/world.ts';
import type { EmulatedTransferRecord } from './records/index.ts';

/** Emits an event of a kind that the description does not name, where the dialect has such. */
export function emitMore(
  world: World,
  eventType: string,
  data: Record<string, unknown>,
  at: number = world.clock.millis(),
): void {
  if (world.dialect.eventKinds === 'all') world.events.emit(eventType, structuredClone(data), at);
}

/** Emits that a transfer was created, or that its status changed, where the dialect has such events. */
export function emitTransfer(
  world: World,
  { id, requestId, transferType, transferDetails }: EmulatedTransferRecord,
  action: 'CREATE' | 'UPDATE',
  at?: number,
): void {
  const { status, amount, currency, chain, source, failedReason, error, receipt } = transferDetails;
  const data = {
    transferId: id,
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
