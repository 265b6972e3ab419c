import { notFound, ServiceProblem } from '../../problem.ts';
import type { World } from '../../state/world.ts';
import { emitMore } from '../events.ts';
import type {
  ApprovalRecord,
  EmulatedApprovalStatus,
  EmulatedTransferRecord,
  EmulatorEventType,
} from '../records/index.ts';
import { cancelTransfer, execute } from './execution.ts';

const DAY = 86_400_000;

/** The lifetime of a pending approval: a day for offramps, a week for everything on-chain. */
function approvalLifetime(transferType: EmulatedTransferRecord['transferType']): number {
  return transferType === 'OFFRAMP' ? DAY : 7 * DAY;
}

export function openApproval(world: World, transfer: EmulatedTransferRecord): ApprovalRecord {
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
  showOn(transfer, approval);
  const at = world.clock.millis() + approvalLifetime(transfer.transferType);
  world.tasks.plan({ id: transfer.id, kind: 'approval.expire', at });
  emit(world, 'TRANSFER.APPROVAL.PENDING', transfer, approval);
  return approval;
}

export function listPendingApprovals(world: World): ApprovalRecord[] {
  return world.approvals.list().filter(({ status }) => status === 'PENDING');
}

export function decideApproval(
  world: World,
  approvalId: string,
  decision: 'APPROVED' | 'REJECTED',
  comment: string | undefined,
): ApprovalRecord {
  const approval = world.approvals.get(approvalId);
  const transfer = approval === undefined ? undefined : world.transfers.get(approval.transferId);
  if (approval === undefined || transfer === undefined) throw notFound('approval', approvalId);
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
    settle(approval, transfer, 'PENDING', now);
    return approval;
  }
  settle(approval, transfer, decision, now);
  if (decision === 'APPROVED') {
    transfer.transferDetails.status = 'APPROVED';
    transfer.transferDetails.updatedAt = approval.updatedAt;
    execute(world, transfer, now);
    emit(world, 'TRANSFER.APPROVAL.APPROVED', transfer, approval);
  } else {
    const errorDetails = 'The transfer was rejected in its approval';
    cancelTransfer(world, transfer, { status: 'REJECTED', error: 'REJECTED', errorDetails }, now);
    emit(world, 'TRANSFER.APPROVAL.REJECTED', transfer, approval);
  }
  return approval;
}

export function expireApproval(world: World, transfer: EmulatedTransferRecord, at: number): void {
  const approval = world.approvals.get(transfer.transferDetails.receipt.approval?.id ?? '');
  if (approval === undefined || approval.status !== 'PENDING') return;
  settle(approval, transfer, 'EXPIRED', at);
  const errorDetails = 'The transfer expired before its approval was decided';
  cancelTransfer(world, transfer, { status: 'CANCELLED', error: 'EXPIRED', errorDetails }, at);
  emitMore(world, 'TRANSFER.APPROVAL.EXPIRED', eventDataOf(transfer, approval), at);
}

function settle(
  approval: ApprovalRecord,
  transfer: EmulatedTransferRecord,
  status: EmulatedApprovalStatus,
  at: number,
): void {
  approval.status = status;
  approval.updatedAt = new Date(at).toISOString();
  showOn(transfer, approval);
}

function showOn(transfer: EmulatedTransferRecord, approval: ApprovalRecord): void {
  transfer.transferDetails.receipt.approval = structuredClone(approval);
}

function emit(
  world: World,
  eventType: EmulatorEventType,
  transfer: EmulatedTransferRecord,
  approval: ApprovalRecord,
): void {
  world.events.emit(eventType, eventDataOf(transfer, approval));
}

function eventDataOf(transfer: EmulatedTransferRecord, approval: ApprovalRecord): Record<string, unknown> {
  const { amount, currency, chain, destination, source, status } = transfer.transferDetails;
  const comment = approval.votes.at(-1)?.comment ?? null;
  return {
    transferId: transfer.id,
    approvalId: approval.id,
    transferType: transfer.transferType,
    status,
    amount,
    currency,
    chain,
    destination: structuredClone(destination),
    initiatorId: source.userId,
    comment,
  };
}
