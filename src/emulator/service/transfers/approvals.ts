import { notFound, ServiceProblem } from '../../problem.ts';
import { noteStatus } from '../../state/history.ts';
import type { World } from '../../state/world.ts';
import { emitApproval, emitTransfer } from '../events.ts';
import type { ApprovalRecord, EmulatedApprovalStatus, EmulatedTransferRecord } from '../records/transfer.ts';
import { cancelTransfer, execute } from './execution.ts';

const DAY = 86_400_000;

/** The lifetime of a pending approval: a day for offramps, a week for everything on-chain. */
function approvalLifetime(transferType: EmulatedTransferRecord['transferType']): number {
  return transferType === 'OFFRAMP' ? DAY : 7 * DAY;
}

export function openApproval(world: World, transfer: EmulatedTransferRecord): void {
  const now = world.clock.iso();
  const approval: ApprovalRecord = {
    id: world.ids.uuid('approval'),
    transferId: transfer.id,
    transferType: transfer.transferType,
    status: 'PENDING',
    createdAt: now,
    updatedAt: now,
    votes: [],
  };
  world.approvals.add(approval);
  noteStatus(world, approval.id, approval.status, world.clock.millis());
  showOn(transfer, approval);
  const at = world.clock.millis() + approvalLifetime(transfer.transferType);
  world.tasks.plan({ id: transfer.id, kind: 'approval.expire', at });
  emitApproval(world, 'TRANSFER.APPROVAL.PENDING', transfer, approval);
}

export function listPendingApprovals(world: World): ApprovalRecord[] {
  return world.approvals.list().filter(({ status }) => status === 'PENDING');
}

export function decideApproval(
  world: World,
  approvalId: string,
  decision: 'APPROVED' | 'REJECTED',
  comment: string | null | undefined,
): ApprovalRecord {
  const approval = world.approvals.get(approvalId);
  const transfer = approval === undefined ? undefined : world.transfers.get(approval.transferId);
  if (approval === undefined || transfer === undefined)
    throw notFound('approval', approvalId, mistakenFor(world, approvalId));
  if (approval.status !== 'PENDING') {
    throw new ServiceProblem(
      409,
      'APPROVAL_NOT_PENDING',
      `The approval is ${approval.status} and cannot be decided`,
    );
  }
  const now = world.clock.millis();
  approval.votes.push({ decision, comment: comment ?? null, createdAt: new Date(now).toISOString() });
  const approvals = approval.votes.filter((vote) => vote.decision === 'APPROVED').length;
  if (decision === 'APPROVED' && approvals < world.dialect.votesNeeded) {
    setApprovalStatus(world, approval, transfer, 'PENDING', now);
    return approval;
  }
  setApprovalStatus(world, approval, transfer, decision, now);
  if (decision === 'APPROVED') {
    transfer.transferDetails.status = 'APPROVED';
    transfer.transferDetails.updatedAt = approval.updatedAt;
    emitTransfer(world, transfer, 'UPDATE', now);
    execute(world, transfer, now);
    emitApproval(world, 'TRANSFER.APPROVAL.APPROVED', transfer, approval);
  } else {
    const errorDetails = 'The transfer was rejected in its approval';
    cancelTransfer(world, transfer, { status: 'REJECTED', error: 'REJECTED', errorDetails }, now);
    emitApproval(world, 'TRANSFER.APPROVAL.REJECTED', transfer, approval);
  }
  return approval;
}

/** The end of the message about an id that no approval has: the one of its transfer looks like it. */
function mistakenFor(world: World, id: string): string {
  const isTransfer = world.transfers.get(id) !== undefined;
  return `. It ${isTransfer ? 'is' : 'may be'} the id of a transfer: \`approvalOf(transfer)\` has the one of its approval`;
}

export function expireApproval(world: World, transfer: EmulatedTransferRecord, at: number): void {
  const approval = world.approvals.get(transfer.transferDetails.receipt.approval?.id ?? '');
  if (approval === undefined || approval.status !== 'PENDING') return;
  setApprovalStatus(world, approval, transfer, 'EXPIRED', at);
  const errorDetails = 'The transfer expired before its approval was decided';
  cancelTransfer(world, transfer, { status: 'CANCELLED', error: 'EXPIRED', errorDetails }, at);
  emitApproval(world, 'TRANSFER.APPROVAL.EXPIRED', transfer, approval, at);
}

function setApprovalStatus(
  world: World,
  approval: ApprovalRecord,
  transfer: EmulatedTransferRecord,
  status: EmulatedApprovalStatus,
  at: number,
): void {
  approval.status = status;
  approval.updatedAt = new Date(at).toISOString();
  showOn(transfer, approval);
  noteStatus(world, approval.id, status, at);
}

function showOn(transfer: EmulatedTransferRecord, approval: ApprovalRecord): void {
  transfer.transferDetails.receipt.approval = structuredClone(approval);
}
