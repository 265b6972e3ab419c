import { loseAttempt } from './rules/attempt.ts';
import { afterCall, mayCallFor, noBrake, type PayerBrake } from './rules/brake.ts';
import type { PayoutMessage } from './rules/hear.ts';
import type { PayoutSituation } from './rules/situation.ts';
import { type StepContext, stepperFrom, waiting } from './step.ts';
import { checkedStepOptions, type PayoutOptions } from './step-options.ts';

/** Takes a payout a step further. */
export type PayoutStep = (situation: PayoutSituation, message?: PayoutMessage) => Promise<PayoutSituation>;

/**
 * Makes the function that takes a payout a step further. All rules are inside, and nothing but this function calls the
 * service. Store each result before you call it again. Pauses and counts of payers are those of this process:
 * a payer that `maxRefusals` stops waits until it ends. `payoutsOnPgBoss` keeps them in the database.
 *
 * @param options - The client, the lookup and the limits.
 * @throws ConfigurationError when an option is out of its limits.
 * @example
 * ```ts
 * import { drivePayout, payoutSteps } from 'stablecoin-payments/payouts';
 *
 * const step = payoutSteps({ payments, lookup });
 * await drivePayout({ advance: (situation, message) => engine.run(() => step(situation, message)), waitFor }, order);
 * ```
 */
export function payoutSteps(options: PayoutOptions): PayoutStep {
  const checked = checkedStepOptions(options);
  const stepper = stepperFrom(checked);
  const { mayCall } = checked;
  const brakes = new Map<string, PayerBrake>();
  const held = new Set<string>();
  const world: StepContext = {
    now: Date.now,
    gate: async ({ order }, part, isCall) => {
      const may = (await mayCall?.(order, part.requestId)) ?? 'pay';
      const now = Date.now();
      if (may !== 'pay') return { may, now };
      if (held.has(order.payer)) return { may: 'wait', now, reason: 'TOO_MANY_REFUSALS' };
      const brake = brakes.get(order.payer) ?? noBrake;
      const verdict = mayCallFor(brake, now);
      const seen = brake.since;
      if (verdict === 'pay') return { may, now, seen };
      if ('waitUntil' in verdict) return waiting(brake, now, verdict.waitUntil);
      if (isCall) brakes.set(order.payer, verdict.take);
      return { may, now, seen };
    },
    note: async (payer, effect, seen) => {
      const brakeBefore = brakes.get(payer) ?? noBrake;
      const { brake, isHeld } = afterCall(brakeBefore, effect, seen, Date.now(), stepper.rules);
      brakes.set(payer, brake);
      if (isHeld) held.add(payer);
    },
  };
  return (situation, message) => stepper.step(world, situation, message);
}

/**
 * Returns the situation after a step that failed in an engine that gives it to one process once: nobody knows what became of
 * the call. A pure function.
 *
 * @param situation - The situation that the failed step was given.
 * @example
 * ```ts
 * import { callLost } from 'stablecoin-payments/payouts';
 *
 * const advance = (situation, message) => activity.step(situation, message).catch(() => callLost(situation));
 * ```
 */
export const callLost = (situation: PayoutSituation): PayoutSituation => ({
  ...situation,
  parts: situation.parts.map((part) =>
    part.phase === 'call' ? loseAttempt(part, part.begun ?? part.due) : part,
  ),
  // The step before has told them.
  news: [],
  wait: 0,
});
