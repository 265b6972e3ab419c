/** Records by id, in order of creation, of which the oldest are forgotten past a limit so that memory stays flat. */
export class Collection<T extends { id: string }> {
  readonly #limit: number;
  readonly #onForget: (record: T) => void;
  #records = new Map<string, T>();

  constructor(limit: number, onForget: (record: T) => void = () => {}) {
    this.#limit = limit;
    this.#onForget = onForget;
  }

  get size(): number {
    return this.#records.size;
  }

  get(id: string): T | undefined {
    return this.#records.get(id);
  }

  add(record: T): T {
    this.#records.set(record.id, record);
    for (const oldest of this.#records.values()) {
      if (this.#records.size <= this.#limit) break;
      this.delete(oldest.id);
    }
    return record;
  }

  delete(id: string): boolean {
    const record = this.#records.get(id);
    if (record === undefined) return false;
    this.#records.delete(id);
    this.#onForget(record);
    return true;
  }

  values(): IterableIterator<T> {
    return this.#records.values();
  }

  list(): T[] {
    return [...this.#records.values()];
  }

  replaceWith(records: readonly T[]): void {
    this.#records = new Map(records.map((record) => [record.id, record]));
  }
}
