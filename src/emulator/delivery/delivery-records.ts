import type { EmulatorEvent } from '../service/records/metrics-and-events.ts';

/** One attempt to deliver an event to the webhook, and its outcome. */
export interface DeliveryAttempt {
  /** The `id` of the `EmulatorDelivery`. */
  deliveryId: string;
  /** The id of the event, the same in every delivery of it. */
  eventId: string;
  /** Such as `TRANSFER.APPROVAL.PENDING`. */
  eventType: string;
  /** Its number, from 1. */
  attempt: number;
  /** The time at which the attempt was due, by the emulator's clock. */
  at: string;
  /** The status of the response; `null` where no response arrived. */
  status: number | null;
  /** The result: the event was accepted, will be sent again, or will not. */
  outcome: 'delivered' | 'retrying' | 'given-up';
  /** The reason why no response arrived, such as `ECONNREFUSED`; `null` if one arrived. */
  error: string | null;
  /** The headers that were sent, the signature included. */
  requestHeaders: [string, string][];
  /** The exact text that was signed and sent. */
  requestBody: string;
  /** The Retry-After header of the response, if it had one. */
  retryAfter: string | null;
  /** The start of the response's body, at most 2,000 characters; `null` where no response arrived. */
  responseBody: string | null;
  /** The time of the next attempt, by the emulator's clock; `null` if there will be none. */
  nextAttemptAt: string | null;
  /** The duration of the attempt, in real milliseconds. */
  duration: number;
}

/** The delivery of one event to the webhook: all attempts, and when the next one is due. */
export interface EmulatorDelivery {
  /** The id of the delivery. An event that is released in several copies has several. */
  id: string;
  /** The id of the event, the same in every delivery of it. */
  eventId: string;
  /** Such as `TRANSFER.APPROVAL.PENDING`. */
  eventType: string;
  /** The address that the event is sent to. */
  url: string;
  /** `pending` before the first attempt, `retrying` between attempts. */
  status: 'pending' | 'retrying' | 'delivered' | 'given-up';
  /** The time of creation, by the emulator's clock. */
  createdAt: string;
  /** The time of the next attempt, by the emulator's clock; `null` if there will be none. */
  nextAttemptAt: string | null;
  /** All attempts, oldest first. */
  attempts: DeliveryAttempt[];
}

/** The deliveries to the webhook, and a function to send one again. */
export interface EmulatorDeliveries {
  /** The latest deliveries, oldest first. */
  list(): EmulatorDelivery[];
  /**
   * Sends a delivery again now, whatever its status. It is one more attempt.
   *
   * @param deliveryId - The id of the delivery.
   * @returns The delivery, before the attempt.
   * @throws An error where the id is unknown, or there is no webhook.
   *
   * @example
   * ```ts
   * const [delivery] = emulator.deliveries.list();
   * if (delivery !== undefined) emulator.deliveries.redeliver(delivery.id);
   * ```
   */
  redeliver(deliveryId: string): EmulatorDelivery;
}

/** A delivery with its event. */
export interface DeliveryRecord extends EmulatorDelivery {
  /** The event that is sent. It outlives the event log, which may drop it. */
  event: EmulatorEvent;
}

/** The delivery as `GET /_emulator/deliveries` shows it. */
export function deliveryState({ event: _, ...shown }: DeliveryRecord): EmulatorDelivery {
  return shown;
}
