import { isRecord } from '../../shared/values.ts';
import type { PaymentBody } from './body.ts';
import { storableId } from './checks.ts';
import { approvalIn, endedWithoutMoney, mismatchesOf, requestIdOf, statusOf } from './evidence.ts';
import { otherResults } from './recipients.ts';
import type { RecipientState } from './situation.ts';

/** The record of a transfer: of a single transfer or of a batch, from a response, a lookup or an event. */
export interface TransferRecord {
  /** The kind of transfer; it is not read. */
  readonly transferType?: unknown;
  /** The details, with `id`, `requestId`, `status` and, where there is one, the approval. */
  readonly transferDetails?: unknown;
}

/** A state that the service's record of a transfer shows. */
export type RecordedState = 'awaiting_approval' | 'accepted' | 'paid' | 'rejected' | 'expired';

/** The facts that a transfer's record proves. */
export interface RecordReading {
  readonly transferId: string;
  readonly state: RecordedState;
  readonly reason: string | null;
  /** The recipients of a batch that ended to which the record gives another result. */
  readonly others: readonly RecipientState[];
}

const EXECUTING: readonly string[] = ['APPROVED', 'NOT_INITIATED', 'CREATED', 'INITIATED', 'PENDING'];

/**
 * Reads a transfer's record. `COMPLETED` alone means paid. A status that is not documented proves only that the transfer
 * exists. Undefined where the record has no usable id.
 */
export function readRecord(
  record: TransferRecord,
  body: PaymentBody,
  places: readonly number[],
): RecordReading | undefined {
  const details = detailsIn(record);
  const transferId = storableId(details?.id);
  if (transferId === undefined) return undefined;
  const { state, reason } = stateIn(details);
  const ended =
    state === 'paid' ? 'paid' : state === 'rejected' || state === 'expired' ? 'not-paid' : undefined;
  const others = ended === undefined ? [] : otherResults(details, body, places, ended);
  return { transferId, state, reason, others };
}

function stateIn(details: unknown): { readonly state: RecordedState; readonly reason: string | null } {
  const shown = statusOf(details);
  const approval = statusOf(approvalIn(details));
  // A transfer that waits for an approval that ended has ended with it.
  const status = shown === 'PENDING_APPROVAL' && endedWithoutMoney.includes(approval) ? approval : shown;
  if (status === 'COMPLETED') return { state: 'paid', reason: null };
  if (EXECUTING.includes(status)) return { state: 'accepted', reason: null };
  const isCancelled = /^CANCELL?ED$/.test(status);
  const decided = isCancelled ? approval : status;
  if (decided === 'EXPIRED') return { state: 'expired', reason: 'APPROVAL_EXPIRED' };
  if (decided === 'REJECTED') return { state: 'rejected', reason: 'APPROVAL_REJECTED' };
  if (endedWithoutMoney.includes(status))
    return { state: 'rejected', reason: isCancelled ? 'TRANSFER_CANCELLED' : 'TRANSFER_FAILED' };
  return status === 'PENDING_APPROVAL'
    ? { state: 'awaiting_approval', reason: null }
    : { state: 'accepted', reason: 'STATUS_NOT_DOCUMENTED' };
}

const fieldNames: Readonly<Record<string, string>> = {
  'source.userId': 'payer',
  'destination.userId': 'payee',
  'destination.walletAddress': 'payee',
  'destination.batch': 'recipients',
};

/**
 * Compares a record with the payment: key, amount, currency, payee and payer, where the record shows them. Returns the names
 * of the fields that differ. A record of a lookup or an event must show the key, or the id of the transfer that the payment
 * has.
 */
export function differencesOfPayment(
  record: TransferRecord,
  body: PaymentBody,
  transferId: string | null,
  from: 'response' | 'lookup' | 'event',
): string[] {
  const details = detailsIn(record);
  const isNamed = requestIdOf(details) !== undefined || details?.id === transferId;
  const differing = mismatchesOf(body, details).map(fieldName);
  return from === 'response' || isNamed ? differing : ['requestId', ...differing];
}

/** Returns the name under which a notice shows a field that differs. */
export function fieldName(path: string): string {
  const plain = path.replace('transferDetails.', '');
  return fieldNames[plain] ?? plain;
}

/** Returns the details of a record; undefined where it has none. */
export const detailsIn = ({ transferDetails }: TransferRecord): Record<string, unknown> | undefined =>
  isRecord(transferDetails) ? transferDetails : undefined;
