/** The latest records of a kind, oldest first, up to a limit. */
export class Latest<T> {
  protected readonly limit: number;
  #records: T[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Copies of the records: changing one changes nothing. */
  list(): T[] {
    return structuredClone(this.#records.slice(-this.limit));
  }

  /** The number of records that are kept. */
  get size(): number {
    return Math.min(this.#records.length, this.limit);
  }

  /** The newest ones, newest first; the very records, not to be changed. */
  newest(count: number): T[] {
    return this.#records.slice(-Math.min(count, this.limit)).reverse();
  }

  /** The first record that passes a check; the very record, not to be changed. */
  find(passes: (record: T) => boolean): T | undefined {
    return this.#records.find(passes);
  }

  replaceWith(records: readonly T[]): void {
    this.#records = [...records];
  }

  protected push(record: T): void {
    this.#records.push(record);
    // Trimmed in bulk, so that a full list does not shift on each record.
    if (this.#records.length >= this.limit * 1.25) this.#records.splice(0, this.#records.length - this.limit);
  }
}
