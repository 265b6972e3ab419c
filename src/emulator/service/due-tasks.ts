import type { World } from '../state/world.ts';
import { validateInTime } from './accounts.ts';
import { expireOnramp, step } from './onramps/onramp-steps.ts';
import { expireApproval } from './transfers/approvals.ts';
import { expireQuote, stepTransfer } from './transfers/execution.ts';

/** Lets everything happen that has become due since the last look. */
export function catchUp(world: World): void {
  for (const { id, kind, at } of world.tasks.due(world.clock.millis())) {
    if (kind === 'account.validate') validateInTime(world, id, at);
    else if (kind === 'delivery.attempt') world.onDeliveryDue(id, at);
    else if (kind === 'onramp.step' || kind === 'onramp.expire') {
      const onramp = world.onramps.get(id);
      if (onramp !== undefined) (kind === 'onramp.step' ? step : expireOnramp)(world, onramp, at);
    } else {
      const transfer = world.transfers.get(id);
      if (transfer === undefined) continue;
      if (kind === 'transfer.step') stepTransfer(world, transfer, at);
      else (kind === 'quote.expire' ? expireQuote : expireApproval)(world, transfer, at);
    }
  }
}
