/** A status that a record was in. */
export interface StateChange {
  /** The status. */
  status: string;
  /** The time at which the record entered it, by the emulator's clock. */
  at: string;
}

/** The statuses of one transfer, onramp, account or approval. */
export interface HistoryRecord {
  /** The id of the record. */
  id: string;
  /** The latest 200 statuses, oldest first. */
  states: StateChange[];
}
