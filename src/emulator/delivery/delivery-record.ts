import type { EmulatorEvent } from '../service/records/index.ts';
import type { EmulatorDelivery } from './delivery-attempt.ts';

/** A delivery with its event and the start of its current round of retries. */
export interface DeliveryRecord extends EmulatorDelivery {
  /** The event that is sent. It outlives the event log, which may drop it. */
  event: EmulatorEvent;
  /** How many attempts came before the present round; a redelivery begins a new one. */
  earlier: number;
  /** When the present round began, in milliseconds since 1970. */
  startedAt: number;
}

/** The delivery as `GET /_emulator/deliveries` shows it. */
export function deliveryState({
  event: _,
  earlier: __,
  startedAt: ___,
  ...shown
}: DeliveryRecord): EmulatorDelivery {
  return shown;
}
