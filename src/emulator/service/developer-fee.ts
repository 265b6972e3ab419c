import { type Micros, microsOf, numberOf } from '../state/money.ts';
import type { World } from '../state/world.ts';

/** The fee that an integrator asks for: fixed, or a percentage. */
export interface FeeRequest {
  type: 'FIX' | 'PERCENT';
  value: number | string;
}

/** The record of an integrator's fee. It is shown and not charged: the description does not say who pays it. */
export function developerFeeOf(
  world: World,
  transferId: string,
  fee: FeeRequest | null | undefined,
  amount: Micros,
): Record<string, unknown> | null {
  if (fee === null || fee === undefined) return null;
  const percent = fee.type === 'PERCENT';
  const value = Number(fee.value);
  const share = percent ? numberOf((amount * (microsOf(value) ?? 0n)) / 100_000_000n) : value;
  return {
    feeId: `fee-${world.ids.hex(`fee/${transferId}`, 16)}`,
    feeType: fee.type,
    feeAmount: share,
    feePercent: percent ? value : null,
    status: 'CREATED',
    transactionHash: null,
    failedReason: null,
  };
}
