import type { Finding } from './finding.ts';
import { type Pauses, pauseSeconds } from './pause.ts';
import { type Change, change, type Payment, type Resolution, undecided } from './payment.ts';
import { CANCELLED, REFUSED_AFTER, seeReading } from './see-record.ts';

/** The settings of the rules for an attempt. */
export interface AttemptRules {
  readonly pauses: Pauses;
  /** Failures that count, after which a payment is undecided. */
  readonly maxFailures: number;
  readonly random?: number;
}

/**
 * Decides what the result of an attempt means for its payment. The payment is locked, and each attempt is seen once:
 * a result that is delivered again never reaches this function.
 *
 * @param payment - The payment, with this attempt still among its doubts.
 * @param attempt - The number under which the attempt began.
 */
export function seeAttempt(
  payment: Payment,
  attempt: number,
  finding: Finding,
  rules: AttemptRules,
): Resolution {
  if (payment.state === 'replaced') return change(lateResult(payment, finding));
  if (finding.finding === 'made') return change(seeMade(payment, finding));
  // Another attempt has begun since, or a person has decided: this result proves only what became of itself.
  const decides = attempt === payment.attempts && attempt > payment.fence;
  if (finding.finding === 'open') {
    return change(payment.state === 'queued' && decides ? retryLater(payment, finding, rules) : {});
  }
  const doubts = closed(payment);
  if (finding.finding === 'known') {
    return change(
      payment.state === 'queued' && attempt > payment.fence ? known(payment, finding.reason) : { doubts },
    );
  }
  const refused = payment.refused || finding.finding === 'refused';
  const facts = { doubts, refused };
  if (payment.state === 'undecided') return seeLateRefusal(payment, facts);
  if (payment.state !== 'queued' || !decides) return change(facts);
  const { reason } = finding;
  if (finding.finding === 'not-reached' || finding.about === 'payer') {
    const retryAfter = finding.finding === 'not-reached' ? finding.retryAfter : undefined;
    return change({ ...facts, ...pausedChange(payment, reason, rules, retryAfter) });
  }
  if (doubts > 0) return change({ ...facts, ...undecided(REFUSED_AFTER + reason) });
  return rejectOrSplit(payment, reason, 'response', facts);
}

/** The end of a payment that surely did nothing: a batch is tried in halves, a single payout is rejected. */
function rejectOrSplit(
  { size }: Payment,
  reason: string,
  evidence: 'response' | 'lookup',
  facts: Change = {},
): Resolution {
  if (size > 1) return { action: 'split', reason };
  return change({ ...facts, state: 'rejected', reason, evidence });
}

const closed = ({ doubts }: Payment): number => Math.max(0, doubts - 1);

function seeMade(payment: Payment, { reading, differs = [] }: Extract<Finding, { finding: 'made' }>): Change {
  const doubts = closed(payment);
  if (differs.length > 0) {
    const notice = { kind: 'RECORD_OF_ANOTHER_PAYMENT', detail: differs.join(', ') } as const;
    const isSettled = !['queued', 'undecided', 'made'].includes(payment.state);
    return isSettled ? { doubts, notice } : { ...undecided('RECORD_OF_ANOTHER_PAYMENT'), doubts, notice };
  }
  if (reading !== undefined) return { doubts, ...seeReading(payment, reading, 'response') };
  const open = payment.state === 'queued' || payment.state === 'undecided';
  return { doubts, ...(open && madeUnseen('RESPONSE_WITHOUT_TRANSFER_ID')) };
}

/** The service may refuse the key because it remembers its own refusal. Then this proves no transfer. */
function known(payment: Payment, reason: string): Change {
  return payment.refused
    ? { ...undecided('KEY_KNOWN_AFTER_REFUSAL'), doubts: closed(payment) }
    : madeUnseen(reason);
}

const madeUnseen = (reason: string): Change => ({ state: 'made', reason, evidence: 'response', doubts: 0 });

/** A payment that waits for the proof that its other attempts did nothing. */
function seeLateRefusal(payment: Payment, facts: Change): Resolution {
  const { reason, fence, attempts } = payment;
  if (facts.doubts !== 0 || fence >= attempts || reason === null) return change(facts);
  if (reason.startsWith(REFUSED_AFTER)) {
    return rejectOrSplit(payment, reason.slice(REFUSED_AFTER.length), 'response', facts);
  }
  if (reason !== CANCELLED.inDoubt) return change(facts);
  return change({ ...facts, state: 'rejected', reason: CANCELLED.done, evidence: 'person' });
}

function lateResult(payment: Payment, finding: Finding): Change {
  const doubts = closed(payment);
  if (finding.finding === 'open') return {};
  if (finding.finding === 'made' || finding.finding === 'known') {
    const detail = finding.finding === 'known' ? finding.reason : (finding.reading?.transferId ?? 'no id');
    return { doubts, notice: { kind: 'LATE_RESULT', detail: `${payment.request_id} ${detail}` } };
  }
  return { doubts };
}

function retryLater(
  payment: Payment,
  { reason, retryAfter, counts, review = false }: Extract<Finding, { finding: 'open' }>,
  rules: AttemptRules,
): Change {
  if (review) return undecided(reason);
  const failures = payment.failures + (counts ? 1 : 0);
  if (failures >= rules.maxFailures) return { ...undecided('RETRIES_USED_UP'), failures };
  return { failures, ...pausedChange(payment, reason, rules, retryAfter) };
}

function pausedChange(
  { pauses: earlier }: Payment,
  reason: string,
  { pauses, random }: AttemptRules,
  retryAfter?: number,
): Change {
  return { reason, pauses: earlier + 1, due_in: pauseSeconds(pauses, earlier, retryAfter, random) };
}
