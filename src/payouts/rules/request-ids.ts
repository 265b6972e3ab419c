import { requestIdFrom } from '../../helpers/request-id.ts';
import { canonical, checkMonth } from './checks.ts';

/** The business key of a payout or a batch in the payroll. */
export type PayoutKey = {
  /** The user who pays, by the service's id. */
  readonly payer: string;
  /** The month of the payroll, such as `2026-11`. */
  readonly month: string;
} & (
  | {
      /** The payee, by your own name, as in the payroll. */
      readonly employee: string;
    }
  | {
      /** The number of the batch, as text. */
      readonly batch: string;
    }
);

/**
 * Derives the idempotency key of a payout or a batch. The same business key always gives the same idempotency key, so
 * that a job that runs again makes no second payment. The payer and the month are part of the key: two companies may
 * use the same employee ids, and each month is a new payment.
 *
 * @param key - The payer and the month, with the employee or the batch.
 * @throws RangeError when a part is empty, or the month is not written as `2026-11`.
 * @example
 * ```ts
 * import { payoutRequestId } from 'stablecoin-payments/payouts';
 *
 * payoutRequestId({ payer: userId, month: '2026-11', employee: 'E1' });
 * ```
 */
export function payoutRequestId(key: PayoutKey): string {
  const [kind, name] = 'batch' in key ? ['batch', key.batch] : ['employee', key.employee];
  return requestIdFrom(
    'payouts',
    canonical('payer', key.payer),
    checkMonth(key.month),
    kind,
    canonical(kind, name),
  );
}

/**
 * Returns the key under which payouts of a payment are paid next: a part of a batch that was split, payouts that are paid
 * again, or one that is corrected. Nobody leaves a payment twice, so `which` makes each key a new one.
 */
export const nextRequestId = (
  requestId: string,
  how: 'part' | 'again' | 'corrected',
  ...which: (string | number)[]
) => requestIdFrom('payout', requestId, how, ...which);

/** Returns what is left of a name without its format: names that share it are suspected to be one employee. */
export const fold = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Cf}\p{Cc}]/gu, '');
