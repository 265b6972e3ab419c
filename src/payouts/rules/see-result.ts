import type { Verdict } from './judge.ts';
import { type Pauses, pauseSeconds } from './pause.ts';
import type { TransferReading } from './read-transfer.ts';
import type { PayoutRow, RowChange } from './row.ts';
import { REFUSED_AFTER, seeTransfer } from './see-transfer.ts';

/** What came of one call. */
export type CallResult =
  /** The service gave the record of the transfer. */
  | { readonly reading: TransferReading }
  /** The service accepted the request, and its response shows no transfer. */
  | { readonly reading: undefined }
  /** The call failed. */
  | { readonly verdict: Verdict };

/** What becomes of the rows of one call. */
export type Resolution =
  | { readonly action: 'change'; readonly changes: readonly (RowChange | undefined)[] }
  /** The batch surely did nothing: its rows are tried apart. */
  | { readonly action: 'split' }
  /** The service keeps refused keys: the same payout is tried under a new key. */
  | { readonly action: 'rekey' };

/** What the rules of an attempt depend on beside the rows. */
export interface AttemptRules {
  readonly pauses: Pauses;
  /** Failures that count, after which a payout is undecided. */
  readonly maxFailures: number;
  readonly random?: number;
}

/**
 * Decides what one attempt means for the rows it was made for. The rows share a key and are locked; `attempt` is the
 * number under which the attempt began.
 */
export function seeResult(
  rows: readonly PayoutRow[],
  attempt: number,
  result: CallResult,
  rules: AttemptRules,
): Resolution {
  if ('verdict' in result) return seeFailure(rows, attempt, result.verdict, rules);
  const { reading } = result;
  if (reading !== undefined) return change(rows, (row) => seeTransfer(row, reading, 'response'));
  return change(rows, (row) => made(row, 'RESPONSE_WITHOUT_TRANSFER_ID'));
}

function seeFailure(
  rows: readonly PayoutRow[],
  attempt: number,
  verdict: Verdict,
  rules: AttemptRules,
): Resolution {
  // What a slow worker was told about an earlier time says nothing about now.
  const open = (row: PayoutRow) => row.state === 'queued' && attempt > row.fence;
  const certain = rows.every((row) => open(row) && row.attempts === attempt && row.doubts <= 1);
  if (verdict.action === 'made') {
    if (!rows.some((row) => row.refused_before))
      return change(rows, (row) => (open(row) ? made(row, verdict.reason) : undefined));
    // The service may refuse the key because it remembers its own refusal, so the refusal proves no transfer.
    if (certain) return { action: 'rekey' };
    return change(rows, (row) => (open(row) ? undecided('KEY_KNOWN_AFTER_REFUSAL') : undefined));
  }
  if (verdict.action === 'look') {
    return change(rows, (row) => (open(row) ? undecided(verdict.reason) : undefined));
  }
  if (verdict.action === 'retry') {
    return change(rows, (row) =>
      open(row) && row.attempts === attempt ? retry(row, verdict, rules) : undefined,
    );
  }
  if (verdict.action === 'reject' && certain && rows.length > 1) return { action: 'split' };
  return change(rows, (row) => {
    if (!open(row)) return undefined;
    const doubts = Math.max(0, row.doubts - 1);
    // Another attempt has begun since; it decides.
    if (row.attempts !== attempt) return { doubts };
    if (verdict.action === 'wait') return pause(row, verdict, doubts, rules);
    if (doubts > 0) return { ...undecided(REFUSED_AFTER + verdict.reason), doubts };
    return { state: 'rejected', reason: verdict.reason, evidence: 'response', doubts };
  });
}

function change(rows: readonly PayoutRow[], see: (row: PayoutRow) => RowChange | undefined): Resolution {
  return { action: 'change', changes: rows.map(see) };
}

function made(row: PayoutRow, reason: string): RowChange | undefined {
  if (row.state !== 'queued') return undefined;
  return { state: 'made', reason, evidence: 'response', doubts: 0 };
}

const undecided = (reason: string): RowChange => ({ state: 'undecided', reason, undecided_for: 'operator' });

function retry(
  row: PayoutRow,
  { reason, retryAfter, counts }: Extract<Verdict, { action: 'retry' }>,
  { pauses, maxFailures, random }: AttemptRules,
): RowChange {
  const failures = row.failures + (counts ? 1 : 0);
  if (failures >= maxFailures) return { ...undecided('RETRIES_USED_UP'), failures };
  const due_in = pauseSeconds(pauses, row.pauses, retryAfter, random);
  return { reason, failures, pauses: row.pauses + 1, due_in };
}

function pause(
  row: PayoutRow,
  { reason, retryAfter, refused = false }: Extract<Verdict, { action: 'wait' }>,
  doubts: number,
  { pauses, random }: AttemptRules,
): RowChange {
  const due_in = pauseSeconds(pauses, row.pauses, retryAfter, random);
  return {
    reason,
    doubts,
    pauses: row.pauses + 1,
    refused_before: row.refused_before || refused,
    due_in,
  };
}
