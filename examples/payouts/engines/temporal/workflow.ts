import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import {
  type CheckedOrder,
  callLost,
  drivePayout,
  type PayoutMessage,
  type PayoutSituation,
} from 'stablecoin-payments/payouts';
import type { activities } from './activities.ts';

/**
 * One attempt: Temporal gives the step to one process once. Its failure means that nobody knows what became of the call. The
 * time is longer than a call may take, with the minute in which it may be sent.
 */
const { step } = proxyActivities<typeof activities>({
  startToCloseTimeout: '3 minutes',
  retry: { maximumAttempts: 1 },
});

export const message = defineSignal<[PayoutMessage]>('message');

export async function payout(order: CheckedOrder): Promise<PayoutSituation> {
  const messages: PayoutMessage[] = [];
  setHandler(message, (one) => void messages.push(one));
  return drivePayout(
    {
      advance: (situation, heard) => step(situation, heard).catch(() => callLost(situation)),
      waitFor: async (milliseconds) => {
        await condition(() => messages.length > 0, milliseconds);
        return messages.shift();
      },
    },
    order,
  );
}
