import type { TransferReading } from './read-transfer.ts';
import type { PayoutRow, RowChange } from './row.ts';
import { contradicts, isAhead, isSettled } from './states.ts';

/** What a row becomes when the record of its transfer is seen. Undefined where it stays as it is. */
export function seeTransfer(
  row: PayoutRow,
  reading: TransferReading,
  evidence: 'response' | 'lookup',
): RowChange | undefined {
  const { transferId, state } = reading;
  if (row.transfer_id !== null && row.transfer_id !== transferId) return twoTransfers(row, transferId);
  if (row.reason === 'TWO_TRANSFERS') return undefined;
  if (isAhead(row.state, state)) return move(reading, evidence);
  // That the transfer exists is stronger than a refusal.
  if (row.state === 'rejected' && row.transfer_id === null && row.evidence !== 'person') {
    const notice = { kind: 'TRANSFER_AFTER_REJECTION', detail: transferId } as const;
    return { ...move(reading, evidence), notice };
  }
  if (contradicts(row.state, state)) {
    return { notice: { kind: 'CONTRADICTION', detail: `${transferId} ${state} by ${evidence}` } };
  }
  return row.transfer_id === null ? { transfer_id: transferId } : undefined;
}

function move(reading: TransferReading, evidence: 'response' | 'lookup'): RowChange {
  const { transferId, state, reason = null, approvalId, expiresAt } = reading;
  return {
    state,
    reason,
    evidence,
    doubts: 0,
    transfer_id: transferId,
    ...(approvalId !== undefined && { approval_id: approvalId }),
    ...(expiresAt !== undefined && { expires_at: expiresAt.toISOString() }),
  };
}

/** Two transfers for one payout: the service itself has paid twice under one key. */
function twoTransfers(row: PayoutRow, transferId: string): RowChange {
  const notice = { kind: 'TWO_TRANSFERS', detail: `${row.transfer_id} ${transferId}` } as const;
  if (isSettled(row.state)) return { notice };
  return { state: 'undecided', reason: 'TWO_TRANSFERS', undecided_for: 'operator', notice };
}

/** The reason of a payout that was refused while an earlier attempt was in doubt; the refusal follows. */
export const REFUSED_AFTER = 'REFUSED_AFTER_LOST_RESPONSE ';

/**
 * What a row becomes when a lookup finds no transfer. The lookup must come after a quiet time: a request that is still
 * on its way may arrive yet.
 */
export function seeNoTransfer(row: PayoutRow): RowChange | undefined {
  if (row.state === 'undecided' && row.transfer_id === null) {
    const { reason } = row;
    if (!reason?.startsWith(REFUSED_AFTER)) return undefined;
    // The refusal, and the lookup that shows no earlier attempt arrived, together prove that nothing was paid.
    return { state: 'rejected', reason: reason.slice(REFUSED_AFTER.length), evidence: 'lookup', doubts: 0 };
  }
  if (row.state === 'made' || row.state === 'accepted' || row.state === 'awaiting_approval') {
    return { state: 'undecided', reason: 'NOT_FOUND_BY_LOOKUP', undecided_for: 'operator' };
  }
  return undefined;
}
