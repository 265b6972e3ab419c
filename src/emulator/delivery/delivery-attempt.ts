/** One attempt to deliver an event to the webhook, and its outcome. */
export interface DeliveryAttempt {
  /** The id of the delivery that the attempt belongs to. */
  deliveryId: string;
  /** The id of the event, the same in every delivery of it. */
  eventId: string;
  /** The kind of the event. */
  eventType: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** When the attempt was due, by the emulator's clock. */
  at: string;
  /** The status of the response; `null` where no response arrived. */
  status: number | null;
  /** Whether the event was accepted, will be sent again, or will not. */
  outcome: 'delivered' | 'retrying' | 'given-up';
  /** Why no response arrived, such as `ECONNREFUSED`; `null` where one did. */
  error: string | null;
  /** The headers that were sent, the signature included. */
  requestHeaders: [string, string][];
  /** The body that was sent. */
  requestBody: string;
  /** The Retry-After header of the response, if it had one. */
  retryAfter: string | null;
  /** The start of the response's body, at most 2,000 characters; `null` where no response arrived. */
  responseBody: string | null;
  /** When the next attempt is due, by the emulator's clock; `null` where there will be none. */
  nextAttemptAt: string | null;
  /** How long the attempt took, in real milliseconds. */
  duration: number;
}

/** The delivery of one event to the webhook: all attempts, and when the next one is due. */
export interface EmulatorDelivery {
  /** The id of the delivery. An event that is sent again on request has several deliveries. */
  id: string;
  /** The id of the event, the same in every delivery of it. */
  eventId: string;
  /** The kind of the event. */
  eventType: string;
  /** Where the event is sent to. */
  url: string;
  /** `pending` before the first attempt, `retrying` between attempts. */
  status: 'pending' | 'retrying' | 'delivered' | 'given-up';
  /** When the delivery was created, by the emulator's clock. */
  createdAt: string;
  /** When the next attempt is due, by the emulator's clock; `null` where there will be none. */
  nextAttemptAt: string | null;
  /** All attempts, oldest first. */
  attempts: DeliveryAttempt[];
}

/** The deliveries to the webhook. */
export interface EmulatorDeliveries {
  /** The latest deliveries, oldest first. */
  list(): EmulatorDelivery[];
  /**
   * Sends a delivery again now, whatever its status. Retries start over.
   *
   * @param deliveryId - The id of the delivery.
   * @returns The delivery, before the attempt.
   * @throws An error where the id is unknown, an attempt is in progress, or there is no webhook.
   */
  redeliver(deliveryId: string): EmulatorDelivery;
}
