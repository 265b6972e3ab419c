import { refusePromise } from '../awaited.ts';
import { isRecord, valueAt } from '../values.ts';
import { recipientsIn } from './batch.ts';
import { endedWithoutMoney, isFailedOnTheWay } from './payment-status.ts';
import { recordIn } from './read-record.ts';

/**
 * The final result of a payment.
 *
 * - `paid`: the record says `COMPLETED`.
 * - `not-paid`: it ended without moving money.
 * - `check`: it failed on the way, the money came back, or not all recipients of a batch have the same result.
 */
export type PaymentResult = 'paid' | 'not-paid' | 'check';

/**
 * Returns the final result of a payment by its record, or undefined while the record shows none. A `create` that succeeds
 * has made a payment; only `paid` says that the money has arrived.
 *
 * - `paid`: `COMPLETED`.
 * - `not-paid`: no money moved: `FAILED`, `CANCELLED`, `REJECTED`, `EXPIRED`, `QUOTE_FAILED`, or a transfer that waits for an
 *   approval which was rejected or has expired. To pay, use a new `requestId`.
 * - `check`: a failure on the way, such as `FIAT_RETURNED` or `DESTINATION_FAILED`, or a batch that was paid in part. Find
 *   out where the money is before you pay again.
 * - `undefined`: any other status, also one that the service added. Wait for an event, or read the record later. Also for
 *   what is no record: an error response, or an object without an `id` and a `status`.
 *
 * Spec: Onramp status; Transfer approval flow.
 *
 * @param record - The record of an onramp, a transfer, a batch, a bridge or an offramp: from a response, a lookup, or the
 * `data` of a webhook event.
 * @throws InvalidRequestError for a promise: await it first.
 *
 * @example
 * ```ts
 * const result = paymentResult(await findTransfer(requestId));
 * if (result === 'not-paid') showAsUnpaid(invoice); // a new payment needs a new requestId
 * ```
 */
export function paymentResult<Found>(
  record: Found extends PromiseLike<unknown> ? never : Found,
): PaymentResult | undefined {
  refusePromise('paymentResult', record);
  return endOf(record)?.ended;
}

/**
 * Returns how the payment of a record ended, and the status that says so; undefined while it has not ended, and for what is
 * no record.
 */
export function endOf(
  record: unknown,
): { readonly ended: PaymentResult; readonly status: string } | undefined {
  return endIn(recordIn(record));
}

/** The same of the details of a record. */
export function endIn(
  details: unknown,
): { readonly ended: PaymentResult; readonly status: string } | undefined {
  const status = statusOf(details);
  // A transfer that waits for an approval that was refused never executes. One that executes may do so all the same.
  const decided = status === 'PENDING_APPROVAL' ? statusOf(approvalIn(details)) : status;
  const isMixed = recipientsIn(details).some((one) => hasOtherResult(one, decided));
  if (status === 'COMPLETED') return { ended: isMixed ? 'check' : 'paid', status };
  if (endedWithoutMoney.includes(decided)) return { ended: isMixed ? 'check' : 'not-paid', status: decided };
  return isFailedOnTheWay(status) ? { ended: 'check', status } : undefined;
}

/** Returns the approval that the details of a record show: services put it in one of two places. */
export const approvalIn = (details: unknown): Record<string, unknown> | undefined =>
  [valueAt(details, 'approval'), valueAt(details, 'receipt.approval')].find(isRecord);

/** Returns true if a recipient of a batch that ended with a status was paid, or not paid, against that status. */
function hasOtherResult(recipient: unknown, status: string): boolean {
  const own = statusOf(recipient);
  if (status !== 'COMPLETED') return endedWithoutMoney.includes(status) && own === 'COMPLETED';
  const failedReason = valueAt(recipient, 'failedReason');
  return (own !== '' && own !== status) || (typeof failedReason === 'string' && failedReason !== '');
}

/** Returns a status in upper case, or an empty text. */
export function statusOf(details: unknown): string {
  const status = valueAt(details, 'status');
  return typeof status === 'string' ? status.toUpperCase() : '';
}
