import { isRecord, valueAt } from '../values.ts';
import { type Refusals, refusalsOf } from './names.ts';
import { isPaymentStatus } from './payment-status.ts';
import { absentIn } from './record.ts';
import { isErrorShape } from './refusal.ts';

/** Returns true for a webhook event: its `data` has the record of a payment, or the id of one. */
export const isEvent = (found: unknown): found is { readonly eventType: string; readonly data: object } =>
  typeof valueAt(found, 'eventType') === 'string' && isRecord(valueAt(found, 'data'));

const documented = /* @__PURE__ */ refusalsOf();

/**
 * Rows 8 to 11 (docs/guides/outcomes.md), wherever a record is read: returns the details of a payment's record, or undefined for anything else: an
 * error shape, a line of a log, a bare key. The details stand in `transferDetails`; in an event in `data`, or in its
 * `transferDetails`. Fields at the top are details only where the status is that of a payment: a line of a log and an error
 * have an `id` and a `status`, too.
 */
export function recordIn(
  found: unknown,
  refusals: Refusals = documented,
): Record<string, unknown> | undefined {
  if (isEvent(found)) {
    const { data } = found;
    return isRecord(valueAt(data, 'transferDetails'))
      ? nestedIn(data, refusals)
      : wholeOf(withTransferId(data));
  }
  if (!isRecord(found)) return undefined;
  return isRecord(valueAt(found, 'transferDetails')) ? nestedIn(found, refusals) : flatIn(found, refusals);
}

const nestedIn = (record: unknown, refusals: Refusals): Record<string, unknown> | undefined =>
  isErrorShape(record, refusals) ? undefined : wholeOf(valueAt(record, 'transferDetails'));

function flatIn(record: Record<string, unknown>, refusals: Refusals): Record<string, unknown> | undefined {
  const { status } = record;
  if (typeof status !== 'string' || !isPaymentStatus(status.toUpperCase())) return undefined;
  // `FAILED`, spelled as documented, is the status of a transfer. What else has an error shape is none.
  const others = status === 'FAILED' ? { ...record, status: undefined } : record;
  return isErrorShape(others, refusals) ? undefined : wholeOf(record);
}

const wholeOf = (details: unknown): Record<string, unknown> | undefined =>
  isRecord(details) && absentIn(details) === undefined ? details : undefined;

/** Events name a transfer by either name. */
const withTransferId = (data: object): object => ({
  ...data,
  id: valueAt(data, 'transferId') ?? valueAt(data, 'id'),
});
