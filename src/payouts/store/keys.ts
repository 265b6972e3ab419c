import { requestIdFrom } from '../../helpers/request-id.ts';

/** What a payout or a batch is called in the payroll. */
export type PayoutKey =
  | { readonly month: string; readonly employee: string }
  | { readonly month: string; readonly batch: string };

/**
 * Derives the idempotency key of a payout or a batch. It follows from the business key alone, and the month is part of
 * it, so a job that runs again is the same payment and next month's is another.
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
