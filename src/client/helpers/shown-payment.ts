import { isEvent, recordIn } from '../../shared/outcome/read-record.ts';
import { requestIdOf } from '../../shared/outcome/record.ts';
import { isShown, plainId, valueAt } from '../../shared/values.ts';

/** A payment as a record shows it, or an event that names its transfer. */
export interface ShownPayment {
  /** The details of the record; undefined for an event that only names the transfer. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The idempotency key, in the form in which ids are compared. */
  readonly key: string | undefined;
  /** The transfer, in the same form. */
  readonly id: string;
}

/** Reads a record, or an event that names a transfer; undefined for anything else. */
export function shownPaymentIn(found: unknown): ShownPayment | undefined {
  const details = recordIn(withDecision(found));
  const id = details?.id ?? (isEvent(found) ? valueAt(found, 'data.transferId') : undefined);
  if (!isShown(id)) return undefined;
  const key = details && requestIdOf({ requestId: valueAt(found, 'requestId'), transferDetails: details });
  return { details, key: key === undefined ? undefined : plainId(key), id: plainId(String(id)) };
}

/** The event of a rejection says only in its name that the transfer never executes. */
const withDecision = (found: unknown): unknown =>
  isEvent(found) && found.eventType === 'TRANSFER.APPROVAL.REJECTED'
    ? { ...found, data: { status: 'REJECTED', ...found.data } }
    : found;

/** Returns the time at which a payment was made, as it came. */
export const timeOfPayment = (found: unknown): unknown =>
  valueAt(shownPaymentIn(found)?.details, 'createdAt') ?? valueAt(found, 'createdAt');
