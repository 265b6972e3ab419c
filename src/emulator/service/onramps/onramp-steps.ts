import { microsOf } from '../../state/money.ts';
import type { World } from '../../state/world.ts';
import { emitMore } from '../events.ts';
import type { EmulatedOnrampDetails, OnrampRecord, OnrampStatusName } from '../records/index.ts';
import { credit } from '../transfers/balances.ts';
import { transactionHash } from '../transfers/wallets.ts';

/** The way of a funded onramp. */
const STEPS: readonly OnrampStatusName[] = [
  'FIAT_PENDING',
  'FIAT_PROCESSED',
  'CRYPTO_INITIATED',
  'CRYPTO_PENDING',
  'COMPLETED',
];

const FAILED: readonly OnrampStatusName[] = [
  'FIAT_FAILED',
  'FIAT_RETURNED',
  'CRYPTO_FAILED',
  'QUOTE_FAILED',
  'EXPIRED',
];

/** The statuses in which an onramp waits for its deposit. */
const WAITING: readonly OnrampStatusName[] = ['AWAITING_FUNDS', 'CREATED', 'NOT_INITIATED'];

/** A failed status, and why. */
export interface Failure {
  status: OnrampStatusName;
  error?: string | undefined;
  errorDetails?: string | undefined;
}

/** The next status of a funded onramp, at the time it is due. */
export function step(world: World, onramp: OnrampRecord, at: number): void {
  const next = STEPS[STEPS.indexOf(onramp.transferDetails.status) + 1];
  if (next === undefined) return;
  enter(world, onramp, next, at);
  if (next !== 'COMPLETED') {
    world.tasks.plan({ id: onramp.id, kind: 'onramp.step', at: at + world.pace.settlementStep });
  }
}

export function expireOnramp(world: World, onramp: OnrampRecord, at: number): void {
  if (!WAITING.includes(onramp.transferDetails.status)) return;
  enter(world, onramp, 'EXPIRED', at, {
    error: 'EXPIRED',
    errorDetails: 'No deposit arrived before depositBy',
  });
}

/** Puts an onramp into a status with all that belongs to it. */
export function enter(
  world: World,
  onramp: OnrampRecord,
  status: OnrampStatusName,
  at: number,
  failure?: Omit<Failure, 'status'>,
) {
  const details = onramp.transferDetails;
  // A hash proves that the money arrived before: a test may send an onramp back and forth, and it arrives once.
  const arrived = details.receipt.transactionHash !== null;
  details.status = status;
  details.updatedAt = new Date(at).toISOString();
  const failed = FAILED.includes(status);
  const error =
    failure?.error ?? (failed ? (status === 'EXPIRED' ? 'EXPIRED' : 'INTERNAL_ERROR') : undefined);
  const errorDetails = failure?.errorDetails ?? (failed ? `The onramp failed in ${status}` : undefined);
  delete details.error;
  delete details.errorDetails;
  if (error !== undefined) details.error = error;
  if (errorDetails !== undefined) details.errorDetails = errorDetails;
  details.failedReason = failed ? (errorDetails ?? null) : null;
  if (status === 'COMPLETED' && !arrived) {
    const { destination } = details;
    details.receipt.transactionHash = transactionHash(world, destination.chain, details.id);
    credit(world, destination, microsOf(destination.amount ?? 0) ?? 0n);
  }
  emitMore(world, `ONRAMP.STATUS.${status}`, eventDataOf(details), at);
}

/** The data of an onramp's event: enough to look it up, and no bank details. */
export function eventDataOf({
  id,
  requestId,
  status,
  source,
  destination,
  receipt,
}: EmulatedOnrampDetails): Record<string, unknown> {
  return {
    transferId: id,
    requestId,
    status,
    source: { userId: source.userId, currency: source.currency, amount: source.amount },
    destination: { userId: destination.userId, currency: destination.currency, chain: destination.chain },
    receipt,
  };
}
