import { refuseUnknown } from '../../shared/option-names.ts';
import { refuse } from './checks.ts';
import { type Change, change, type Payment, type Resolution, undecided } from './payment.ts';
import type { Reading } from './record.ts';
import {
  endOfDoubt,
  endsByAbsence,
  KEY_KNOWN,
  NOT_FOUND,
  REFUSED_AFTER,
  rejectOrSplit,
  seeReading,
} from './see-record.ts';

/** The result of one call: what it proves of its key. */
export type Finding =
  /** The service made the transfer. `reading` is undefined where its record has no usable id. */
  | {
      readonly finding: 'made';
      readonly reading: Reading | undefined;
      /** The fields in which the record differs from the request. */
      readonly differs?: readonly string[];
    }
  /** The service has a request under this key already, and will pay nothing more under it. */
  | { readonly finding: 'known'; readonly reason: string }
  /** The service refused the request. No money moved. */
  | {
      readonly finding: 'refused';
      readonly reason: string;
      /** `payer`: a retry may succeed once the payer's account or balance is in order. */
      readonly about: 'payment' | 'payer';
    }
  /** The request did not reach the service, or the service deferred it. No money moved. */
  | {
      readonly finding: 'not-reached';
      readonly reason: string;
      /** Milliseconds. */
      readonly retryAfter?: number;
      /** True if a command stopped the call before it was sent: it is due again at once. */
      readonly isStopped?: boolean;
    }
  /** The service may have made the transfer. */
  | {
      readonly finding: 'open';
      readonly reason: string;
      /** Milliseconds. */
      readonly retryAfter?: number;
      /** True if the failure counts towards `maxFailures`. */
      readonly counts: boolean;
      /** The status and the name of a refusal that proves nothing until `refusals` lists the name. */
      readonly refusal?: NamedRefusal;
    };

/** A refusal that proves nothing until `refusals` of the client lists its name. */
export interface NamedRefusal {
  readonly status: number;
  readonly name: string;
  /** True if the body may speak of an earlier request: then it closes nothing, whatever the name. */
  readonly doubtful: boolean;
}

/** The pauses between the attempts of a payout. */
export interface PauseOptions {
  /** Milliseconds of the first pause, from 1. Default 1,000. */
  readonly first?: number;
  /** The longest pause that grows by itself, in milliseconds, up to a day. Default 60,000. */
  readonly most?: number;
  /** The longest Retry-After that is followed, in milliseconds, up to a day. Default 900,000. */
  readonly mostRetryAfter?: number;
}

/** The pause options with their defaults. */
export type Pauses = Required<PauseOptions>;

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
  const { state, transfer_id, fence } = payment;
  // A person's decision counted the earlier attempts: a late result must not close the doubt of one that began since.
  const doubts = attempt > fence ? Math.max(0, payment.doubts - 1) : payment.doubts;
  const isUnpaid = (state === 'rejected' || state === 'expired') && transfer_id === null;
  const isUnseen = finding.finding !== 'made' || finding.reading === undefined;
  if (state === 'replaced' || (isUnpaid && isUnseen)) return change(lateResult(payment, finding, doubts));
  if (finding.finding === 'made') return change(seeMade(payment, finding, doubts));
  // Another attempt has begun since, or a person has decided: this result proves only what became of itself.
  const decides = attempt === payment.attempts && attempt > fence;
  if (finding.finding === 'open') {
    return change(state === 'queued' && decides ? retryLater(payment, finding, rules) : {});
  }
  if (finding.finding === 'known') {
    // Where a lookup that finds nothing would prove that nothing was paid, this comes first.
    const isOpen =
      state === 'queued'
        ? attempt > fence
        : payment.reason === NOT_FOUND || (!payment.refused && endsByAbsence(payment));
    // The service has a request under the key: no attempt in doubt is proved to have done nothing.
    if (!payment.refused) return change(isOpen ? madeUnseen(payment, finding.reason) : {});
    // The service may refuse the key because it remembers its own refusal. Then this proves no transfer.
    return change({ doubts, ...(isOpen && undecided(KEY_KNOWN)) });
  }
  const refused = payment.refused || finding.finding === 'refused';
  const facts = { doubts, refused };
  if (state === 'undecided')
    return seeLateRefusal(payment, facts, finding.finding === 'refused' ? finding.reason : undefined);
  if (state !== 'queued' || !decides) return change(facts);
  const { reason } = finding;
  if (finding.finding === 'not-reached' && finding.isStopped) return change({ ...facts, due_in: 0 });
  if (finding.finding === 'not-reached' || finding.about === 'payer') {
    const retryAfter = finding.finding === 'not-reached' ? finding.retryAfter : undefined;
    return change({ ...facts, ...pausedChange(payment, reason, rules, retryAfter) });
  }
  if (doubts > 0) return change({ ...facts, ...undecided(REFUSED_AFTER + reason) });
  return rejectOrSplit(payment, reason, { ...facts, evidence: 'response' });
}

function seeMade(
  payment: Payment,
  { reading, differs = [] }: Extract<Finding, { finding: 'made' }>,
  doubts: number,
): Change {
  if (differs.length > 0) {
    // The attempt may have made the transfer of this payment all the same: it stays in doubt.
    const notice = { kind: 'RECORD_OF_ANOTHER_PAYMENT', detail: differs.join(', ') } as const;
    const isSettled = !['queued', 'undecided', 'made'].includes(payment.state);
    return isSettled ? { notice } : { ...undecided('RECORD_OF_ANOTHER_PAYMENT'), notice };
  }
  if (reading !== undefined) return { doubts, ...seeReading(payment, reading, 'response') };
  const open = payment.state === 'queued' || payment.state === 'undecided';
  return open ? madeUnseen(payment, 'RESPONSE_WITHOUT_TRANSFER_ID') : { doubts };
}

/** Nobody has seen the transfer, so the attempts stay in doubt: a refusal, or a key that is forgotten, proves nothing. */
const madeUnseen = ({ doubts }: Payment, reason: string): Change => ({
  ...{ state: 'made', reason, evidence: 'response' },
  // A lookup that found nothing had ended the doubt.
  ...(doubts === 0 && { doubts: 1 }),
});

/** A payment that waits for the proof that its other attempts did nothing. */
function seeLateRefusal(payment: Payment, facts: Change, refusal?: string): Resolution {
  const isProved = facts.doubts === 0 && payment.fence < payment.attempts;
  return (isProved ? endOfDoubt(payment, facts, 'response', refusal) : undefined) ?? change(facts);
}

function lateResult({ request_id }: Payment, finding: Finding, doubts: number): Change {
  if (finding.finding === 'open') return {};
  if (finding.finding === 'made' || finding.finding === 'known') {
    const detail = finding.finding === 'known' ? finding.reason : (finding.reading?.transferId ?? 'no id');
    return { doubts, notice: { kind: 'LATE_RESULT', detail: `${request_id} ${detail}` } };
  }
  return { doubts };
}

function retryLater(
  payment: Payment,
  { reason, retryAfter, counts }: Extract<Finding, { finding: 'open' }>,
  rules: AttemptRules,
): Change {
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
  return { reason, pauses: earlier + 1, due_in: pauseOf(pauses, earlier, retryAfter, random) };
}

/**
 * Milliseconds to wait after the given number of earlier pauses. Each pause doubles, whatever the service asks: a
 * `Retry-After: 0` must not make a worker call without rest.
 */
export function pauseOf(
  { first, most, mostRetryAfter }: Pauses,
  earlier: number,
  retryAfter = 0,
  random = Math.random(),
): number {
  const grown = Math.min(most, first * 2 ** Math.min(earlier, 30));
  // Payments that paused together must not all come back at the same instant.
  return Math.max(grown, Math.min(retryAfter, mostRetryAfter)) * (1 + random * 0.25);
}

/** Checks the options once, where they are given. */
export function pausesFrom(options: PauseOptions = {}): Pauses {
  const { first = 1000, most = 60_000, mostRetryAfter = 900_000 } = options;
  const names = { first: true, most: true, mostRetryAfter: true } as const;
  refuseUnknown(options, names, (problem) => refuse(`pause: ${problem}`));
  for (const [name, value] of Object.entries({ first, most, mostRetryAfter })) {
    if (!(value >= 1 && value <= 86_400_000)) {
      refuse(`pause.${name} must be a number of milliseconds from 1 to 86,400,000, a day.`);
    }
  }
  return { first, most, mostRetryAfter };
}
