type Identified = { id: string } | { eventId: string };

/** The id of a record; an event has another name for it. */
export const recordIdOf = (record: Identified): string => ('id' in record ? record.id : record.eventId);

/** Records by id, in order of creation. */
export class Collection<T extends Identified> {
  #records = new Map<string, T>();
  /** The ids of the records that were added, deleted, or handed out and so may have changed. */
  readonly touched = new Set<string>();

  get(id: string): T | undefined {
    const record = this.#records.get(id);
    if (record !== undefined) this.touched.add(id);
    return record;
  }

  /** A record to read only: changing it would go unnoticed. */
  peek(id: string): Readonly<T> | undefined {
    return this.#records.get(id);
  }

  add(record: T): T {
    this.#records.set(recordIdOf(record), record);
    this.touched.add(recordIdOf(record));
    return record;
  }

  delete(id: string): void {
    if (this.#records.delete(id)) this.touched.add(id);
  }

  /** The records, to read only. */
  list(): T[] {
    return [...this.#records.values()];
  }

  replaceWith(records: readonly T[]): void {
    this.#records = new Map(records.map((record) => [recordIdOf(record), record]));
    this.touched.clear();
  }
}
