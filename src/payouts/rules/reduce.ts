import type { PaymentBody } from './body.ts';
import { findingOfError, findingOfRecord } from './call-finding.ts';
import { change, isFinal, type KnownPayment, type Payment, type Resolution } from './payment.ts';
import { differences, readRecord, type TransferRecord } from './record.ts';
import { type Finding, type PauseOptions, pausesFrom, seeAttempt } from './see-attempt.ts';
import { type ApprovalDecisionKind, seeAbsence, seeDecision, seeRecord } from './see-record.ts';

/** What was seen of a payment. `body` holds the parameters of the request, as they were sent. */
export type PaymentSight =
  | {
      /** A call is about to be made. Store the result before the call. */
      readonly type: 'begin';
    }
  | {
      /** A call returned a record. */
      readonly type: 'response';
      /** `attempts` as it was after the `begin` of the call. */
      readonly attempt: number;
      /** The parameters that were sent. */
      readonly body: PaymentBody;
      /** The record that the call returned. */
      readonly record: TransferRecord;
    }
  | {
      /** A call threw an error. */
      readonly type: 'error';
      /** `attempts` as it was after the `begin` of the call. */
      readonly attempt: number;
      /** What the call threw. */
      readonly error: unknown;
    }
  | {
      /** A lookup, two minutes or more after the last call. */
      readonly type: 'lookup';
      /** The parameters that were sent. */
      readonly body: PaymentBody;
      /** The record; null if the service says that there is none. */
      readonly record: TransferRecord | null;
    }
  | {
      /** An event showed a record. */
      readonly type: 'event';
      /** The parameters that were sent. */
      readonly body: PaymentBody;
      /** The record of the event. */
      readonly record: TransferRecord;
    }
  | {
      /** An event announced the decision on the approval. */
      readonly type: 'decision';
      /** The decision. */
      readonly decision: ApprovalDecisionKind;
    }
  | {
      /** A person found out what became of the payment. */
      readonly type: 'person';
      /** The final state. */
      readonly state: 'paid' | 'rejected' | 'expired';
      /** The transfer, if the person found one. */
      readonly transferId?: string;
    };

/** What follows from a sight. */
export interface PaymentStep {
  /** What is known now. */
  readonly payment: KnownPayment;
  /** Milliseconds until the next attempt, for a payment that stays `queued`. */
  readonly retryIn?: number;
  /**
   * `split`: the batch surely did nothing; try its halves under keys of their own. `rekey`: nothing exists under the key,
   * and the service refuses it; try another key.
   */
  readonly next?: 'split' | 'rekey';
  /** A fact that a person must see although it does not change the state. */
  readonly notice?: {
    /** The kind of the notice, a code. */
    readonly kind: string;
    /** The fact, in a sentence. */
    readonly detail: string;
  };
}

/**
 * Returns a payment of which nothing is known yet.
 *
 * @param requestId - The idempotency key.
 * @param size - The number of recipients, from 1. Default 1.
 */
export const newPayment = (requestId: string, size = 1): KnownPayment => ({
  ...{
    requestId,
    size,
    state: 'queued',
    reason: null,
    evidence: null,
    attempts: 0,
    doubts: 0,
    refused: false,
  },
  ...{ fence: 0, failures: 0, pauses: 0, transferId: null, shown: false },
});

/**
 * Says what a call, a record, an event or a person means for a payment. A pure function: the rules of `createPayouts` for
 * those who keep the states elsewhere, such as in the steps of a workflow engine. Store the result of `begin` before each
 * call, and the result of each sight in one transaction with what follows from it.
 *
 * @param payment - What is known.
 * @param seen - What was seen.
 * @param options - The pauses, and the failures after which a payment is undecided (`maxFailures`, default 25).
 * @example
 * ```ts
 * import { newPayment, reducePayment } from 'stablecoin-payments/payouts';
 *
 * let { payment } = reducePayment(newPayment(body.requestId), { type: 'begin' });
 * await store(payment);
 * try {
 *   const record = await payments.transfers.create(body, { retries: 0 });
 *   ({ payment } = reducePayment(payment, { type: 'response', attempt: payment.attempts, body, record }));
 * } catch (error) {
 *   ({ payment } = reducePayment(payment, { type: 'error', attempt: payment.attempts, error }));
 * }
 * await store(payment);
 * ```
 */
export function reducePayment(
  payment: KnownPayment,
  seen: PaymentSight,
  options: { readonly pause?: PauseOptions; readonly maxFailures?: number } = {},
): PaymentStep {
  if (seen.type === 'begin') {
    const { attempts, doubts } = payment;
    return { payment: { ...payment, attempts: attempts + 1, doubts: doubts + 1 } };
  }
  if (seen.type === 'person') return { payment: settle(payment, seen.state, seen.transferId) };
  const { requestId, transferId, ...facts } = payment;
  const row: Payment = { ...facts, request_id: requestId, transfer_id: transferId };
  const rules = { pauses: pausesFrom(options.pause), maxFailures: options.maxFailures ?? 25 };
  if (seen.type === 'response' || seen.type === 'error') {
    const finding: Finding =
      seen.type === 'error' ? findingOfError(seen.error) : findingOfRecord(seen.record, seen.body);
    return stepOf(payment, seeAttempt(row, seen.attempt, finding, rules));
  }
  if (seen.type === 'decision') return stepOf(payment, change(seeDecision(row, seen.decision, false) ?? {}));
  if (seen.record === null) return stepOf(payment, seeAbsence(row));
  const reading = readRecord(seen.record, seen.body);
  const differs = differences(seen.record, seen.body, transferId, 'lookup');
  // A record without an id says nothing of any transfer.
  return reading === undefined ? { payment } : stepOf(payment, seeRecord(row, reading, differs, seen.type));
}

function settle(
  payment: KnownPayment,
  state: 'paid' | 'rejected' | 'expired',
  transferId: string | undefined,
): KnownPayment {
  // A record is stronger than a person who says that nothing was paid.
  if (isFinal(payment.state) || (payment.shown && state !== 'paid')) return payment;
  return {
    ...payment,
    ...{ state, reason: 'SETTLED_BY_HAND', evidence: 'person', doubts: 0, fence: payment.attempts },
    transferId: transferId ?? payment.transferId,
  };
}

function stepOf(payment: KnownPayment, resolution: Resolution): PaymentStep {
  if (resolution.action !== 'change')
    return { payment: { ...payment, reason: resolution.reason }, next: resolution.action };
  const { due_in, notice, transfer_id, recipients, ...facts } = resolution.change;
  return {
    payment: { ...payment, ...facts, transferId: transfer_id ?? payment.transferId },
    ...(due_in !== undefined && { retryIn: due_in }),
    ...(notice !== undefined && { notice }),
  };
}
