/** The limit of a history, and the callback for records beyond it. */
export interface History<T> {
  /** Default: none. */
  limit?: number;
  /** Called with a record that is forgotten or deleted. */
  onForget?: (record: T) => void;
  /** Returns true if a record has its final state. Such records are forgotten first. Default: all are. */
  isSettled?: (record: T) => boolean;
}

type Identified = { id: string } | { eventId: string };

/** The id of a record; an event has another name for it. */
export const idOf = (record: Identified): string => ('id' in record ? record.id : record.eventId);

/**
 * Records by id, in order of creation. Past the limit of a history the oldest settled ones are forgotten, so that memory
 * stays flat; what is still in progress is forgotten only where everything is.
 */
export class Collection<T extends Identified> {
  readonly #history: Required<History<T>>;
  #records = new Map<string, T>();
  readonly #watches: Set<string>[] = [];

  constructor(history: History<T> = {}) {
    this.#history = {
      limit: Number.POSITIVE_INFINITY,
      onForget: () => {},
      isSettled: () => true,
      ...history,
    };
  }

  get(id: string): T | undefined {
    const record = this.#records.get(id);
    if (record !== undefined) this.#touch(id);
    return record;
  }

  /** A record to read only: changing it would go unnoticed. */
  peek(id: string): Readonly<T> | undefined {
    return this.#records.get(id);
  }

  /** A set that from now on gets the id of each record that is added, deleted, or handed out and so may change. */
  watch(): Set<string> {
    const touched = new Set<string>();
    this.#watches.push(touched);
    return touched;
  }

  add(record: T): T {
    this.#records.set(idOf(record), record);
    this.#touch(idOf(record));
    while (this.#records.size > this.#history.limit) this.#forgetOne();
    return record;
  }

  #forgetOne(): void {
    let oldest: T | undefined;
    for (const record of this.#records.values()) {
      oldest ??= record;
      if (!this.#history.isSettled(record)) continue;
      oldest = record;
      break;
    }
    if (oldest !== undefined) this.delete(idOf(oldest));
  }

  delete(id: string): boolean {
    const record = this.#records.get(id);
    if (record === undefined) return false;
    this.#records.delete(id);
    this.#touch(id);
    this.#history.onForget(record);
    return true;
  }

  /** The records, to read only. */
  list(): T[] {
    return [...this.#records.values()];
  }

  replaceWith(records: readonly T[]): void {
    this.#records = new Map(records.map((record) => [idOf(record), record]));
    for (const touched of this.#watches) touched.clear();
  }

  #touch(id: string): void {
    for (const touched of this.#watches) touched.add(id);
  }
}
