import { isRecord, valueAt } from '../shared/values.ts';
import { isKey, storableId } from './rules/checks.ts';
import { approvalIn, recipientsIn, recordIn } from './rules/evidence.ts';
import type { PayoutMessage } from './rules/hear.ts';
import type { TransferRecord } from './rules/record.ts';

/** A message with the payment that it is about: by its idempotency key, its transfer, or both. */
export interface AddressedMessage {
  /** The idempotency key, where the event shows it. */
  readonly requestId: string | undefined;
  /** The transfer, where the event shows it. */
  readonly transferId: string | undefined;
  /** The message. */
  readonly message: PayoutMessage;
}

const DECISION_OF_EVENT: Readonly<Record<string, 'APPROVED' | 'REJECTED' | 'EXPIRED'>> = {
  'TRANSFER.APPROVAL.APPROVED': 'APPROVED',
  'TRANSFER.APPROVAL.REJECTED': 'REJECTED',
  'TRANSFER.APPROVAL.EXPIRED': 'EXPIRED',
};

/**
 * Returns what a webhook event says to a payout; undefined for an event that is about none. A pure function. An event that
 * does not carry the record only wakes the lookup up.
 *
 * @param event - The event, verified.
 * @example
 * ```ts
 * import { payoutMessageOf } from 'stablecoin-payments/payouts';
 *
 * const heard = payoutMessageOf(event);
 * if (heard) await engine.send(heard.requestId ?? heard.transferId, heard.message);
 * ```
 */
export function payoutMessageOf(event: unknown): AddressedMessage | undefined {
  const eventType = valueAt(event, 'eventType');
  const data = valueAt(event, 'data');
  if (typeof eventType !== 'string' || !isRecord(data)) return undefined;
  const isApproval = eventType.startsWith('TRANSFER.APPROVAL.');
  if (!isApproval && !eventType.startsWith('WALLET.TRANSFER.')) return undefined;
  const record = keptOf(data);
  const transferId = storableId(valueAt(record, 'transferDetails.id'));
  const shown = valueAt(record, 'transferDetails.requestId');
  const requestId = isKey(shown) ? shown : undefined;
  if (transferId === undefined && requestId === undefined) return undefined;
  const address = {
    ...(requestId !== undefined && { requestId }),
    ...(transferId !== undefined && { transferId }),
  };
  const decision = DECISION_OF_EVENT[eventType];
  if (decision !== undefined)
    return { requestId, transferId, message: { type: 'decision', decision, ...address } };
  const isRecorded = transferId !== undefined && recordIn(event) !== undefined;
  if (isApproval || !isRecorded) return { requestId, transferId, message: { type: 'wake', ...address } };
  return { requestId, transferId, message: { type: 'record', record } };
}

/**
 * An event carries the whole record, or the fields of its details, with the id under one of two names. Kept is what is read
 * and compared: other fields may contain names and addresses.
 */
function keptOf(data: Record<string, unknown>): TransferRecord {
  const inner = isRecord(data.transferDetails) ? data.transferDetails : {};
  const shown: Record<string, unknown> = { ...data, id: data.transferId ?? data.id, ...inner };
  const { id, requestId, status, amount, currency, failedReason } = shown;
  return {
    transferDetails: {
      id,
      requestId,
      status,
      amount,
      currency,
      source: partyIn(shown.source),
      destination: partyIn(shown.destination),
      recipients: recipientsIn(shown).map((one) => ({
        ...partyIn(one),
        amount: valueAt(one, 'amount'),
        status: hasFailed(valueAt(one, 'failedReason')) ? 'FAILED' : valueAt(one, 'status'),
      })),
      approval: { status: valueAt(approvalIn(shown), 'status') },
      ...(hasFailed(failedReason) && { failedReason: 'given' }),
    },
  };
}

const hasFailed = (reason: unknown): boolean => typeof reason === 'string' && reason !== '';

const partyIn = (party: unknown): object => ({
  userId: valueAt(party, 'userId'),
  walletAddress: valueAt(party, 'walletAddress'),
});
