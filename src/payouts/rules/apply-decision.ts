import { applySecondTransfer, isAhead, isForAPerson } from './apply-record.ts';
import type { RecordedState } from './record.ts';
import type { Rules } from './rules.ts';
import { isFinal, isUnpaid, type PayoutPart } from './situation.ts';
import { awake, move, moved, noticeOf, type Transition } from './transition.ts';

/** The decision on an approval, as events announce it. */
export type ApprovalResult = 'APPROVED' | 'REJECTED' | 'EXPIRED';

/** A decision, with the transfer that it is about where the event shows it. */
interface DecisionOnTransfer {
  readonly decision: ApprovalResult;
  readonly transferId: string | undefined;
}

const DECIDED: Readonly<Record<ApprovalResult, { state: RecordedState; reason: string | null }>> = {
  // An approved transfer executes; that it is completed is another piece of evidence.
  APPROVED: { state: 'accepted', reason: null },
  REJECTED: { state: 'rejected', reason: 'APPROVAL_REJECTED' },
  EXPIRED: { state: 'expired', reason: 'APPROVAL_EXPIRED' },
};

/** What the decision on the payment's transfer means. */
export function applyDecision(
  part: PayoutPart,
  { decision, transferId: shown }: DecisionOnTransfer,
  now: number,
  rules: Rules,
): Transition {
  if (shown !== undefined && part.transferId !== null && part.transferId !== shown)
    return applySecondTransfer(part, shown, now, rules);
  const transferId = shown ?? part.transferId;
  const { state, reason } = DECIDED[decision];
  const notices = [
    noticeOf(part, 'CONTRADICTION', `${transferId ?? 'no transfer'} ${decision} by event`, now),
  ];
  if (isFinal(part.state)) {
    // A transfer is approved before it is completed, or fails.
    const fits =
      part.state === state ||
      (decision === 'APPROVED' && (part.state === 'paid' || part.reason === 'TRANSFER_FAILED'));
    return fits ? { parts: [part] } : { parts: [decision === 'APPROVED' ? moved(part) : part], notices };
  }
  const isOpposed = part.state === 'accepted' && part.reason === null && state !== 'accepted';
  const isUnsent = part.state === 'queued' && part.doubtSince === null;
  if (isOpposed || isUnsent || isForAPerson(part)) return { parts: [awake(part, now)], notices };
  const heard = { ...part, transferId, heard: now };
  if (!isAhead(part.state, state)) return { parts: [awake(heard, now)] };
  return { parts: [move({ ...heard, doubtSince: null }, state, reason, 'event', now, rules)] };
}

/** Something happened to a transfer. Where the payment ended unpaid without one, it contradicts the end. */
export function applyWake(part: PayoutPart, transferId: string | undefined, now: number): Transition {
  if (transferId === undefined || part.transferId === transferId || !isUnpaid(part.state))
    return { parts: [awake(part, now)] };
  return { parts: [moved(part)], notices: [noticeOf(part, 'CONTRADICTION', `${transferId} by event`, now)] };
}
