import {
  isPaymentsError,
  NotFoundError,
  type PaymentsClient,
  ResponseValidationError,
  type TransferApproval,
} from 'stablecoin-payments';
import { observe, type Surroundings } from '../observed-call.ts';
import { type Level, note } from '../report.ts';
import { isOpen, isRefusal, judge, judgeWrite } from './judge.ts';

/** More pending approvals than this are not compared. */
const most = 1000;

/** Lists the pending approvals, or returns undefined if the list cannot be read to its end. */
export async function pendingApprovals(client: PaymentsClient): Promise<TransferApproval[] | undefined> {
  try {
    const approvals = await client.approvals.list({ limit: 100 }).toArray({ limit: most });
    return approvals.length < most ? approvals.filter(({ status }) => status === 'PENDING') : undefined;
  } catch (error) {
    if (isPaymentsError(error)) return undefined;
    throw error;
  }
}

/** Finds the pending approval of a transfer. */
export async function findApproval(
  { client }: Surroundings,
  transferId: string,
): Promise<TransferApproval | undefined> {
  return (await pendingApprovals(client))?.find((approval) => approval.transferId === transferId);
}

/** Checks that the list of pending approvals contains one: who does not find it there takes it for decided. */
export async function checkListed({ client, report }: Surroundings, approvalId: string): Promise<void> {
  const pending = await pendingApprovals(client);
  if (pending === undefined || pending.some(({ id }) => id === approvalId)) return;
  note(
    report,
    'approvals.list',
    'failure',
    'A pending approval is missing from the list, so the list does not tell whether an approval was decided.',
    [`approval ${approvalId}`],
  );
}

/**
 * Rejects the approval of a transfer and checks that the decision holds.
 *
 * @returns False if the transfer may still be paid.
 */
export async function rejectApproval(
  around: Surroundings,
  approvalId: string,
  transferId: string,
): Promise<boolean> {
  const { client, report } = around;
  const rejected = await observe(around, 'approvals.reject', () =>
    client.approvals.reject(approvalId, { comment: 'created by stablecoin-payments doctor' }),
  );
  if (rejected.error instanceof NotFoundError)
    note(report, 'approvals.reject', 'failure', 'The service does not find an approval that it has shown.');
  const isDone = judgeWrite(around, 'approvals.reject', rejected);
  const status = rejected.data?.status;
  if (isDone && status === 'REJECTED' && !(await isPending(client, approvalId))) return true;
  if (isDone)
    note(
      report,
      'approvals.reject',
      'failure',
      status === 'REJECTED'
        ? 'The service says REJECTED, and still lists the approval as PENDING.'
        : 'The approval was rejected, but the response does not say REJECTED.',
    );
  report.open.push(`transfer ${transferId}: its approval ${approvalId} may still be pending`);
  return false;
}

async function isPending(client: PaymentsClient, approvalId: string): Promise<boolean> {
  return (await pendingApprovals(client))?.some(({ id }) => id === approvalId) ?? false;
}

/**
 * Tries to approve a rejected approval, which the service must refuse.
 *
 * @returns False if the service took the second decision.
 */
export async function decideAgain(
  around: Surroundings,
  approvalId: string,
  transferId: string,
): Promise<boolean> {
  const { client, report } = around;
  const check = 'approvals.approve';
  const again = await observe(around, check, () => client.approvals.approve(approvalId));
  const { data, error } = again;
  const say = (level: Level, message: string) => note(report, check, level, message);
  if (data !== undefined || (isOpen(error) && !saysRejected(error)))
    report.open.push(
      `transfer ${transferId}: rejected, and ${data === undefined ? 'perhaps ' : ''}approved afterwards (approval ${approvalId}). It may be paid`,
    );
  if (data !== undefined)
    say(
      'failure',
      'The service decides one approval twice: it was rejected, and could be approved afterwards.',
    );
  else if (saysRejected(error)) say('ok', 'A rejected approval stays rejected.');
  else if (!isRefusal(error)) judge(around, check, again);
  else if (error.status === 403) say('note', 'A second decision was not checked (HTTP 403).');
  else say('ok', `A rejected approval cannot be approved (HTTP ${error.status}).`);
  return data === undefined;
}

const saysRejected = (error: unknown): boolean =>
  error instanceof ResponseValidationError && error.issues.some(({ code }) => code === 'contradicts_call');

/** Finds approvals that became pending during the check, and that no call has left so. */
export async function findStrays(
  { client, report }: Surroundings,
  before: readonly TransferApproval[] | undefined,
): Promise<void> {
  const after = before === undefined ? undefined : await pendingApprovals(client);
  if (before === undefined || after === undefined) {
    const message = 'Hidden second transfers were not looked for: the pending approvals cannot be listed.';
    note(report, 'writes', 'note', message);
    return;
  }
  const told = report.open.flatMap((line) => line.split(/[\s()]+/));
  const known = new Set([...before.map(({ id }) => id), ...told]);
  const strays = after.filter(({ id }) => !known.has(id));
  if (strays.length === 0) return;
  for (const { id, transferId } of strays)
    report.open.push(`transfer ${transferId}: its approval ${id} is pending`);
  note(
    report,
    'writes',
    'failure',
    'Approvals appeared during the check, or are pending again after they were rejected. If nobody else uses this sandbox now, the service made more transfers than it says, or opens rejected ones again.',
    strays.map(({ id, transferId }) => `approval ${id} of transfer ${transferId}`),
  );
}
