import { approvalIn, endedWithoutMoney, statusOf } from '../../helpers/payment-record.ts';
import { differencesOf, recipientsIn } from '../../shared/outcome/comparison.ts';
import { isRecord, valueAt } from '../../shared/values.ts';
import type { PaymentBody } from './body.ts';
import type { RecordedState } from './payment.ts';
import { otherResults, type RecipientResult, resultOf } from './recipients.ts';

/** The record of a transfer: of a single transfer or of a batch, from a response or a lookup. */
export interface TransferRecord {
  /** The kind of transfer; it is not read. */
  readonly transferType?: unknown;
  /** The details, with `id`, `requestId`, `status` and, where there is one, the approval. */
  readonly transferDetails?: unknown;
}

/** The facts that a transfer's record proves. */
export interface Reading {
  readonly transferId: string;
  readonly state: RecordedState;
  /** The reason, for states that need one. */
  readonly reason?: string;
  /** True if the record shows only that its approval ended, and not that the transfer did. */
  readonly waits?: boolean;
  /** The recipients of a batch that the record gives another result than the batch. */
  readonly recipients?: readonly RecipientResult[];
}

const EXECUTING: readonly string[] = ['APPROVED', 'NOT_INITIATED', 'CREATED', 'INITIATED', 'PENDING'];

/**
 * Reads a transfer's record. `COMPLETED` alone means paid: a transfer that was only accepted is `accepted`. A status
 * that is not documented proves only that the transfer exists: `made`. Undefined where the record has no usable id.
 */
export function readRecord(record: TransferRecord, body?: PaymentBody): Reading | undefined {
  const reading = readTransfer(record);
  if (reading === undefined) return undefined;
  const recipients = otherResults(transferDetailsOf(record), body, reading.state);
  return recipients.length === 0 ? reading : { ...reading, recipients };
}

function readTransfer(record: TransferRecord): Reading | undefined {
  const details = transferDetailsOf(record);
  const transferId = storableId(details?.id);
  if (details === undefined || transferId === undefined) return undefined;
  const status = statusIn(details);
  if (status === 'COMPLETED') return { transferId, state: 'paid' };
  if (EXECUTING.includes(status)) return { transferId, state: 'accepted' };
  const approval = approvalIn(details);
  const isCancelled = /^CANCELL?ED$/.test(status);
  const decided = isCancelled ? statusOf(approval) : status;
  const waits = statusOf(details) === 'PENDING_APPROVAL' && { waits: true };
  if (decided === 'EXPIRED') return { transferId, state: 'expired', reason: 'APPROVAL_EXPIRED', ...waits };
  if (decided === 'REJECTED') return { transferId, state: 'rejected', reason: 'APPROVAL_REJECTED', ...waits };
  if (endedWithoutMoney.includes(status)) {
    const reason = isCancelled ? 'TRANSFER_CANCELLED' : 'TRANSFER_FAILED';
    return { transferId, state: 'rejected', reason, ...waits };
  }
  if (status !== 'PENDING_APPROVAL') return { transferId, state: 'made', reason: 'STATUS_NOT_DOCUMENTED' };
  return { transferId, state: 'awaiting_approval' };
}

/**
 * Compares a record with the payment: key, amount, currency, payee and payer, where the record shows them. Returns the
 * names of the fields that differ: `body` where the stored body cannot be read. A record of a lookup must show the key,
 * or the id of the transfer that the payment has.
 */
export function differences(
  record: TransferRecord,
  body: PaymentBody | undefined,
  transferId: string | null | undefined,
  from: 'response' | 'lookup',
): string[] {
  if (body === undefined) return ['body'];
  const details = transferDetailsOf(record) ?? {};
  const { requestId } = details;
  const shownKey = typeof requestId === 'string' && requestId !== '';
  const isNamed = shownKey || (typeof transferId === 'string' && details.id === transferId);
  return [
    from === 'lookup' && !isNamed && 'requestId',
    ...differencesOf(body, details).map(fieldName),
  ].filter((field) => typeof field === 'string');
}

/** The status of a transfer: that of its approval, where it waits for one that ended. */
function statusIn(details: object): string {
  const [status, decided] = [statusOf(details), statusOf(approvalIn(details))];
  return status === 'PENDING_APPROVAL' && endedWithoutMoney.includes(decided) ? decided : status;
}

const fieldNames: Readonly<Record<string, string>> = {
  'source.userId': 'payer',
  'destination.userId': 'payee',
  'destination.batch': 'recipients',
};

/** Returns the name under which the tables show what differs. */
export const fieldName = (path: string): string => {
  const plain = path.replace(/^transferDetails\./, '');
  return fieldNames[plain] ?? plain;
};

/** Returns a record with only the fields that are read and compared here. Others may contain names and addresses. */
export function withoutPersonalData(record: TransferRecord): TransferRecord {
  const details = transferDetailsOf(record) ?? {};
  const { id, requestId, status, amount, currency, source, destination } = details;
  const approval = approvalIn(details);
  return {
    transferDetails: {
      ...{ id, requestId, status, amount, currency },
      source: { userId: userOf(source) },
      destination: { userId: userOf(destination) },
      recipients: recipientsIn(details).map((one) => ({
        userId: userOf(one),
        amount: valueAt(one, 'amount'),
        status: statusShowing[resultOf(one) ?? 'none'],
      })),
      approval: approval && { status: approval.status },
    },
  };
}

const statusShowing = { paid: 'COMPLETED', 'not-paid': 'FAILED', 'under-way': 'PENDING', none: undefined };

/** An amount in whole millionths; undefined for anything else. */
export function micros(value: unknown): bigint | undefined {
  const text = typeof value === 'number' && Math.abs(value) < 1e15 ? value.toFixed(6) : value;
  if (typeof text !== 'string') return undefined;
  const [, whole, fraction = ''] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (whole === undefined || /[1-9]/.test(fraction.slice(6))) return undefined;
  return BigInt(whole + fraction.slice(0, 6).padEnd(6, '0'));
}

const userOf = (party: unknown): string | undefined =>
  isRecord(party) && typeof party.userId === 'string' && party.userId !== '' ? party.userId : undefined;

/** The id as the database can store it. An id that is too long or has a control character is refused. */
export const storableId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(value) ? value : undefined;

const transferDetailsOf = (record: TransferRecord | undefined): Record<string, unknown> | undefined => {
  // The client lets any record of a batch pass: its fields are not documented.
  const details = record?.transferDetails;
  return isRecord(details) ? details : undefined;
};
