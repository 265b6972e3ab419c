import { approvalExpiresAt } from '../../helpers/expiry.ts';
import type { TransferState } from './states.ts';

/** The record of a transfer as far as it is read: of a single transfer or of a batch, from a response or a lookup. */
export interface TransferRecord {
  /** The kind of transfer; it is not read. */
  readonly transferType?: unknown;
  /** The details, with `id`, `status` and, where there is one, the approval. */
  readonly transferDetails?: unknown;
}

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
 * readTransfer({ transferDetails: { id: 't1', status: 'PENDING' } });
 * // { transferId: 't1', state: 'accepted' }
 * ```
 */
export function readTransfer(transfer: TransferRecord): TransferReading | undefined {
  // The record of a batch is not documented, so the client lets any pass.
  const details = transfer?.transferDetails;
  if (!isRecord(details) || typeof details.id !== 'string' || details.id === '') return undefined;
  const { id: transferId, status } = details;
  const approval = approvalIn(details);
  const approvalStatus = approval?.status;
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
  const expiresAt = expiryOf(approval);
  return {
    transferId,
    state: 'awaiting_approval',
    ...(typeof approval?.id === 'string' && { approvalId: approval.id }),
    ...(expiresAt !== null && { expiresAt }),
  };
}

/** Services show the approval at one of two places. */
function approvalIn({ approval, receipt }: Record<string, unknown>): Record<string, unknown> | undefined {
  if (isRecord(approval)) return approval;
  return isRecord(receipt) && isRecord(receipt.approval) ? receipt.approval : undefined;
}

function expiryOf({ createdAt, transferType }: Record<string, unknown> = {}): Date | null {
  if (typeof createdAt !== 'string') return null;
  if (typeof transferType !== 'string') return null;
  return approvalExpiresAt({ createdAt, transferType });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
