import { requestIdFrom } from 'stablecoin-payments';

/** All that a job carries: which payout it is, or which batch of them. */
export type PayoutKey =
  | { readonly month: string; readonly employee: string }
  | { readonly month: string; readonly batch: number };

/** The idempotency id. It follows from the business key alone, so a repeated job is the same payment. */
export function requestIdOf(key: PayoutKey): string {
  return 'batch' in key
    ? requestIdFrom('payroll', key.month, 'batch', key.batch)
    : requestIdFrom('payroll', key.month, key.employee);
}

/** Jobs come from a database that others can write to, so they are checked. */
export function readKey(data: unknown): PayoutKey {
  if (typeof data === 'object' && data !== null && 'month' in data && typeof data.month === 'string') {
    const { month } = data;
    if ('employee' in data && typeof data.employee === 'string') return { month, employee: data.employee };
    if ('batch' in data && typeof data.batch === 'number') return { month, batch: data.batch };
  }
  throw new TypeError('A job must carry { month, employee } or { month, batch }.');
}
