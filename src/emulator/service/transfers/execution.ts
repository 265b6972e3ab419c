import { waitsForAcceptance } from '../../dialect/payments.ts';
import { notFound, ServiceProblem } from '../../problem.ts';
import { type Micros, microsOf } from '../../state/money.ts';
import type { World } from '../../state/world.ts';
import { emitTransfer } from '../events.ts';
import { newQuote } from '../quotes.ts';
import type { EmulatedQuoteInformation } from '../records/onramp.ts';
import {
  type EmulatedTransferRecord,
  nextStatus,
  type TransferPart,
  type TransferType,
} from '../records/transfer.ts';
import { arrive, giveBack, type Holding } from './balances.ts';
import { transactionHash } from './wallets.ts';

export function totalOf(transfer: { parts: readonly { amount: number }[] }): Micros {
  return transfer.parts.reduce((sum, { amount }) => sum + (microsOf(amount) ?? 0n), 0n);
}

/** The balance that the sender pays from. */
export function sourceOf(transfer: EmulatedTransferRecord): Holding {
  const { source, currency, chain } = transfer.transferDetails;
  return { userId: typeof source.userId === 'string' ? source.userId : null, currency, chain };
}

/** Starts the execution of a transfer that needs no approval, or has it: from here on only time matters. */
export function execute(world: World, transfer: EmulatedTransferRecord, at: number): void {
  const details = transfer.transferDetails;
  if ('quoteInformation' in details) {
    const quote = quoteOf(world, { ...transfer, currency: details.currency }, at);
    details.quoteInformation = quote;
    if (waitsForAcceptance(world.dialect, transfer.transferType)) {
      details.status = 'OPEN_QUOTE';
      emitTransfer(world, transfer, 'UPDATE', at);
      const expiry = Date.parse(quote.expiresAt);
      // A quote whose expiry is N/A does not expire.
      if (!Number.isNaN(expiry)) world.tasks.plan({ id: transfer.id, kind: 'quote.expire', at: expiry });
      return;
    }
  }
  planStep(world, transfer, details.status === 'CREATED' ? at + world.pace.settlementStep : at);
}

/** The quote of a bridge or an offramp. Its rate is that of its key: the amount that was set aside is what it says. */
export function quoteOf(
  world: World,
  {
    requestId,
    currency,
    receives,
    receiveAmount,
    parts,
  }: Pick<EmulatedTransferRecord, 'requestId' | 'receives' | 'receiveAmount'> & {
    currency: string;
    parts: readonly TransferPart[];
  },
  at: number,
): EmulatedQuoteInformation {
  const from = currency;
  const receive = receiveAmount === null ? undefined : microsOf(receiveAmount);
  const to = receives ?? from;
  return newQuote(
    world,
    { amount: totalOf({ parts }), receive, from, to, rail: '', expires: true, of: requestId },
    at,
  );
}

/** The next status of an executing transfer, at the time it is due. */
export function stepTransfer(world: World, transfer: EmulatedTransferRecord, at: number): void {
  const details = transfer.transferDetails;
  const next = nextStatus(world.dialect.name, transfer.transferType, details.status);
  if (next === undefined) return;
  details.status = next;
  details.updatedAt = new Date(at).toISOString();
  if (next !== 'COMPLETED') {
    emitTransfer(world, transfer, 'UPDATE', at);
    planStep(world, transfer, at + world.pace.settlementStep);
    return;
  }
  details.receipt.transactionHash = transactionHash(world, details.chain, transfer.id);
  emitTransfer(world, transfer, 'UPDATE', at);
  if (transfer.transferType === 'OFFRAMP') return;
  const currency = transfer.receives ?? details.currency;
  const chain = transfer.arrivesOn ?? details.chain;
  const received = details.quoteInformation?.receiveNet.amount;
  for (const { userId, amount } of transfer.parts) {
    if (userId === null) continue;
    const between = { holding: { userId, currency, chain }, source: sourceOf(transfer) };
    arrive(world, between, transfer.setAside, microsOf(Number(received ?? amount)) ?? 0n);
  }
}

/** Ends a transfer that never executes, and gives back what was set aside for it. */
export function cancelTransfer(
  world: World,
  transfer: EmulatedTransferRecord,
  ending: { status: 'REJECTED' | 'CANCELLED' | 'QUOTE_FAILED'; error: string; errorDetails: string },
  at: number,
): void {
  const details = transfer.transferDetails;
  world.tasks.cancel(transfer.id);
  details.status = ending.status;
  details.error = ending.error;
  details.errorDetails = ending.errorDetails;
  details.failedReason = ending.errorDetails;
  details.updatedAt = new Date(at).toISOString();
  giveBack(world, transfer.setAside, totalOf(transfer));
  transfer.setAside = null;
  emitTransfer(world, transfer, 'UPDATE', at);
}

function planStep(world: World, transfer: EmulatedTransferRecord, at: number): void {
  world.tasks.plan({ id: transfer.id, kind: 'transfer.step', at });
}

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
  const details = transfer.transferDetails;
  const { status } = details;
  if (status === 'PENDING_APPROVAL') {
    throw new ServiceProblem(400, 'QUOTE_NOT_READY', 'The quote is made once the transfer is approved');
  }
  if (status !== 'OPEN_QUOTE') {
    const message = `A quote can be accepted only in OPEN_QUOTE; this transfer is ${status}`;
    throw new ServiceProblem(409, 'INVALID_QUOTE', message);
  }
  const at = world.clock.millis();
  details.status = 'CREATED';
  details.updatedAt = new Date(at).toISOString();
  emitTransfer(world, transfer, 'UPDATE', at);
  planStep(world, transfer, at + world.pace.settlementStep);
  return transfer;
}

/** Ends a transfer whose quote nobody accepted in time: accepting one plans another task in the place of this one. */
export function expireQuote(world: World, transfer: EmulatedTransferRecord, at: number): void {
  const errorDetails = 'The quote expired before it was accepted';
  cancelTransfer(world, transfer, { status: 'QUOTE_FAILED', error: 'EXPIRED', errorDetails }, at);
}
