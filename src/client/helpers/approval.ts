import { refusePromise } from '../../shared/awaited.ts';
import type { TransferApproval } from '../../shared/service/approvals.ts';
import type { Bridge } from '../../shared/service/bridges.ts';
import type { Offramp } from '../../shared/service/offramps.ts';
import type { Transfer, TransferBatch } from '../../shared/service/transfers.ts';

/**
 * Finds the approval that a transfer waits for. Services put it at `transferDetails.approval` or at
 * `transferDetails.receipt.approval`.
 *
 * Spec: Transfer approval record.
 *
 * @param transfer - A transfer, batch, bridge, or offramp that the client returned.
 * @returns The approval, or null when the transfer has none.
 * @throws InvalidRequestError for a promise: await it first.
 *
 * @example
 * ```ts
 * const transfer = await payments.transfers.create({ ...params, requireApproval: true });
 * const approval = approvalOf(transfer);
 * if (approval !== null) await payments.approvals.approve(approval.id);
 * ```
 */
export function approvalOf(transfer: Transfer | TransferBatch | Bridge | Offramp): TransferApproval | null {
  refusePromise('approvalOf', transfer);
  // A live service may leave the details out.
  const details: Transfer['transferDetails'] | TransferBatch['transferDetails'] | undefined | null =
    transfer.transferDetails as Transfer['transferDetails'];
  return details?.approval ?? details?.receipt?.approval ?? null;
}
