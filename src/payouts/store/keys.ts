import { requestIdFrom } from '../../helpers/request-id.ts';

/** The business key of a payout or a batch in the payroll. */
export type PayoutKey =
  | {
      /** The month of the payroll, such as `2026-11`. */
      readonly month: string;
      /** Your id of the employee. */
      readonly employee: string;
    }
  | {
      /** The month of the payroll, such as `2026-11`. */
      readonly month: string;
      /** The name of the batch. */
      readonly batch: string;
    };

/**
 * Derives the idempotency key of a payout or a batch. The same business key always gives the same idempotency key, so
 * that a job that runs again makes no second payment. The month is part of the key, so that each month is a new
 * payment.
 *
 * @param key - The month with the employee, or with the name of the batch.
 * @example
 * ```ts
 * import { payoutRequestId } from 'stablecoin-payments/payouts';
 *
 * payoutRequestId({ month: '2026-11', employee: 'E1' });
 * ```
 */
export function payoutRequestId(key: PayoutKey): string {
  return 'batch' in key
    ? requestIdFrom('payroll', key.month, 'batch', key.batch)
    : requestIdFrom('payroll', key.month, key.employee);
}

/** The key of one half of a batch that was split. */
export const partRequestId = (requestId: string, part: number): string =>
  requestIdFrom('payout', requestId, 'part', part);

/** The key under which a payout is paid again. */
export const againRequestId = (requestId: string, again: number): string =>
  requestIdFrom('payout', requestId, 'again', again);
