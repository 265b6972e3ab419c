/** What became of one attempt to deliver an event. */
export interface DeliveryAttempt {
  /** Its id, the same at every delivery. */
  eventId: string;
  /** What happened. */
  eventType: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** The receiver's status; `null` where it did not answer. */
  status: number | null;
  /** Whether the event was accepted, will be tried again, or was given up. */
  outcome: 'delivered' | 'retrying' | 'given-up';
}
