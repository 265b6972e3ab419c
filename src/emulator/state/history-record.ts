/** A state that a record was in. */
export interface StateChange {
  /** The state. */
  status: string;
  /** When the record entered it, by the emulator's clock. */
  at: string;
}

/** The states of one transfer, onramp, account or approval, oldest first. */
export interface HistoryRecord {
  /** The id of the record. */
  id: string;
  /** The states, oldest first; the latest 200. */
  states: StateChange[];
}
