import type { PayoutOrder } from './enqueue.ts';

export interface Shares {
  /** How many of the payouts need an approval, from 0 to 1. */
  readonly approvals: number;
  /** How many go to somebody whom the service does not know, and are refused. */
  readonly refusals: number;
}

/** A made-up payroll: the same for the same numbers, with amounts to the last of six decimals. */
export function madeUpPayroll(count: number, payees: readonly string[], shares: Shares): PayoutOrder[] {
  return Array.from({ length: count }, (_, place) => {
    const unknown = share(place, 7919) < shares.refusals;
    return {
      employee: `E${String(place + 1).padStart(6, '0')}`,
      payee: unknown ? `nobody-${place}` : (payees[place % payees.length] ?? 'nobody'),
      amount: (100 + ((place * 7_654_321) % 900_000_000) / 1_000_000).toFixed(6),
      needsApproval: share(place, 104_729) < shares.approvals,
    };
  });
}

/** A number from 0 to 1 that looks random and follows from the place. */
const share = (place: number, prime: number): number => (((place + 1) * prime) % 10_007) / 10_007;
