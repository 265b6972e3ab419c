import type { PayoutMessage } from './rules/hear.ts';
import type { CheckedOrder } from './rules/order.ts';
import { beginPayout, type PayoutSituation } from './rules/situation.ts';

/** What a payout needs of an engine. */
export interface PayoutEngine {
  /** Takes one step and keeps its result. */
  advance(situation: PayoutSituation, message?: PayoutMessage): Promise<PayoutSituation>;
  /** The next message to this payout; undefined after so many milliseconds. The wait outlives the process. */
  waitFor(milliseconds: number): Promise<PayoutMessage | undefined>;
}

/**
 * Drives a payout to its end. It decides nothing: as a workflow of a durable engine, it replays alike in every release.
 *
 * @param engine - The engine.
 * @param order - The order, from `checkPayouts`.
 * @returns The last situation: every payment is final.
 * @example
 * ```ts
 * import { drivePayout } from 'stablecoin-payments/payouts';
 *
 * const situation = await drivePayout({ advance, waitFor }, order);
 * ```
 */
export async function drivePayout(engine: PayoutEngine, order: CheckedOrder): Promise<PayoutSituation> {
  let message: PayoutMessage | undefined;
  let situation = beginPayout(order);
  while (!situation.done) {
    situation = await engine.advance(situation, message);
    message = situation.done || situation.wait === 0 ? undefined : await engine.waitFor(situation.wait);
  }
  return situation;
}
