import { notFound, ServiceProblem } from '../../problem.ts';
import type { World } from '../../state/world.ts';
import type { EmulatedTransferRecord, TransferType } from '../records/index.ts';
import { cancelTransfer, start } from './execution.ts';

/** Accepts the open quote of a transfer, which then executes. */
export function acceptTransferQuote(
  world: World,
  id: string,
  transferType?: TransferType,
): EmulatedTransferRecord {
  const transfer = world.transfers.get(id);
  if (transfer === undefined || (transferType !== undefined && transfer.transferType !== transferType)) {
    throw notFound('transfer', id);
  }
  const { status } = transfer.transferDetails;
  if (status === 'PENDING_APPROVAL') {
    throw new ServiceProblem(400, 'QUOTE_NOT_READY', 'The quote is made once the transfer is approved');
  }
  if (status !== 'OPEN_QUOTE') {
    const message = `A quote can be accepted only in OPEN_QUOTE; this transfer is ${status}`;
    throw new ServiceProblem(409, 'QUOTE_NOT_OPEN', message);
  }
  start(world, transfer, world.clock.millis());
  return transfer;
}

/** Ends a transfer whose quote nobody accepted in time. */
export function expireQuote(world: World, transfer: EmulatedTransferRecord, at: number): void {
  if (transfer.transferDetails.status !== 'OPEN_QUOTE') return;
  const errorDetails = 'The quote expired before it was accepted';
  cancelTransfer(world, transfer, { status: 'QUOTE_FAILED', error: 'EXPIRED', errorDetails }, at);
}
