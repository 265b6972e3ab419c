import type { PayoutRow, RowChange } from './row.ts';
import { contradicts, isAhead, type TransferState } from './states.ts';

/** The decision on an approval, as events announce it. */
export type ApprovalDecisionKind = 'APPROVED' | 'REJECTED' | 'EXPIRED';

const SEEN: Readonly<Record<ApprovalDecisionKind, { state: TransferState; reason: string | null }>> = {
  // An approved transfer executes; that it is completed is another piece of evidence.
  APPROVED: { state: 'accepted', reason: null },
  REJECTED: { state: 'rejected', reason: 'APPROVAL_REJECTED' },
  EXPIRED: { state: 'expired', reason: 'APPROVAL_EXPIRED' },
};

/** What a row becomes when the decision on its transfer is heard. Undefined where it stays as it is. */
export function seeDecision(
  row: PayoutRow,
  decision: ApprovalDecisionKind,
  contradicted: boolean,
): RowChange | undefined {
  if (row.reason === 'TWO_TRANSFERS') return undefined;
  const detail = contradicted ? 'APPROVED and REJECTED' : decision;
  if (row.evidence === 'person') return { notice: { kind: 'EVENT_AFTER_PERSON', detail } };
  const { state, reason } = SEEN[decision];
  const opposed = row.state === 'accepted' && state !== 'accepted';
  if (contradicted || opposed) {
    if (row.reason === 'CONTRADICTORY_DECISIONS') return undefined;
    if (!restsOnEvents(row)) return { notice: { kind: 'CONTRADICTION', detail } };
    return {
      state: 'undecided',
      reason: 'CONTRADICTORY_DECISIONS',
      evidence: 'event',
      undecided_for: 'approvers',
    };
  }
  if (isAhead(row.state, state)) return { state, reason, evidence: 'event', doubts: 0 };
  return contradicts(row.state, state) ? { notice: { kind: 'CONTRADICTION', detail } } : undefined;
}

/** Whether nothing better than events says where the payout stands. */
const restsOnEvents = ({ state, evidence }: PayoutRow): boolean =>
  evidence === 'event' || state === 'awaiting_approval' || state === 'made' || state === 'accepted';
