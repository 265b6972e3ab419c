import { ServiceProblem } from '../problem.ts';
import type { World } from '../state/world.ts';
import type { WebhookDelivery } from './delivery.ts';
import type { EmulatorDeliveries } from './delivery-attempt.ts';
import { deliveryState } from './delivery-record.ts';

/** The deliveries as a test sees them: copies, so that changing one changes nothing. */
export function deliveriesOf(world: World, webhook: WebhookDelivery | undefined): EmulatorDeliveries {
  return {
    list: () => structuredClone(world.deliveries.list().map(deliveryState)),
    redeliver: (id) => {
      if (webhook === undefined) {
        throw new ServiceProblem(
          409,
          'NO_WEBHOOK',
          'The emulator has no webhook to deliver to; start it with one',
        );
      }
      return structuredClone(deliveryState(webhook.redeliver(id)));
    },
  };
}
