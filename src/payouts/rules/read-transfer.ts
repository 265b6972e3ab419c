import { approvalExpiresAt } from '../../helpers/expiry.ts';
import type { Transfer, TransferBatch } from '../../types/transfer.ts';
import type { TransferState } from './states.ts';

/** What a transfer's record says about its payout. */
export interface TransferReading {
  /** The id of the transfer. */
  readonly transferId: string;
  /** The state that the record proves. */
  readonly state: TransferState;
  /** Why, for states that need a reason. */
  readonly reason?: string;
  /** The id of the approval, where the transfer has one. */
  readonly approvalId?: string;
  /** When the approval expires, by the service's documentation. */
  readonly expiresAt?: Date;
}

const EXECUTING: readonly unknown[] = ['APPROVED', 'NOT_INITIATED', 'CREATED', 'INITIATED', 'PENDING'];

/**
 * Reads what a transfer's record proves. `COMPLETED` alone means paid: a transfer that was only accepted is
 * `accepted`. A status that is not documented proves only that the transfer exists: `made`.
 *
 * @param transfer - The record, from a response or a lookup.
 * @returns The reading; undefined where the record has no id.
 * @example
 * ```ts
 * import { readTransfer } from 'stablecoin-payments/payouts';
 *
 * readTransfer({ transferType: 'WALLET.TRANSFER', transferDetails: { id: 't1', status: 'PENDING' } });
 * // { transferId: 't1', state: 'accepted' }
 * ```
 */
export function readTransfer(transfer: Transfer | TransferBatch): TransferReading | undefined {
  // The record of a batch is not documented, so the client lets any pass.
  const details: Partial<(Transfer | TransferBatch)['transferDetails']> | null | undefined =
    transfer?.transferDetails;
  const transferId = details?.id;
  if (typeof transferId !== 'string' || transferId === '') return undefined;
  const status: unknown = details?.status;
  const approval = approvalIn(details);
  const approvalStatus: unknown = approval?.status;
  if (status === 'COMPLETED') return { transferId, state: 'paid' };
  if (EXECUTING.includes(status)) return { transferId, state: 'accepted' };
  if (status === 'FAILED') return { transferId, state: 'rejected', reason: 'TRANSFER_FAILED' };
  if (status === 'REJECTED') return { transferId, state: 'rejected', reason: 'APPROVAL_REJECTED' };
  if (status === 'EXPIRED' || (status === 'CANCELLED' && approvalStatus === 'EXPIRED')) {
    return { transferId, state: 'expired', reason: 'APPROVAL_EXPIRED' };
  }
  if (status === 'CANCELLED') {
    return approvalStatus === 'REJECTED'
      ? { transferId, state: 'rejected', reason: 'APPROVAL_REJECTED' }
      : { transferId, state: 'rejected', reason: 'TRANSFER_CANCELLED' };
  }
  if (status !== 'PENDING_APPROVAL') return { transferId, state: 'made', reason: 'STATUS_NOT_DOCUMENTED' };
  const expiresAt = approval == null ? null : approvalExpiresAt(approval);
  return {
    transferId,
    state: 'awaiting_approval',
    ...(typeof approval?.id === 'string' && { approvalId: approval.id }),
    ...(expiresAt !== null && { expiresAt }),
  };
}

type Approval = NonNullable<NonNullable<Transfer['transferDetails']['receipt']>['approval']>;

/** Services show the approval at one of two places. */
function approvalIn(
  details: Partial<(Transfer | TransferBatch)['transferDetails']> | undefined | null,
): Approval | undefined {
  const beside: unknown = details?.approval;
  if (isApproval(beside)) return beside;
  const within: unknown = details?.receipt?.approval;
  return isApproval(within) ? within : undefined;
}

const isApproval = (value: unknown): value is Approval => typeof value === 'object' && value !== null;
