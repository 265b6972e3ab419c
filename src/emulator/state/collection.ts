/** The limit of a history, and the callback for records beyond it. */
export interface History<T> {
  /** Default: none. */
  limit?: number;
  /** Called with a record that is forgotten or deleted. */
  onForget?: (record: T) => void;
  /** Returns true if a record has its final state. Such records are forgotten first. Default: all are. */
  isSettled?: (record: T) => boolean;
}

/**
 * Records by id, in order of creation. Past the limit of a history the oldest settled ones are forgotten, so that memory
 * stays flat; what is still in progress is forgotten only where everything is.
 */
export class Collection<T extends { id: string }> {
  readonly #limit: number;
  readonly #onForget: (record: T) => void;
  readonly #isSettled: (record: T) => boolean;
  #records = new Map<string, T>();
  readonly #watches: Set<string>[] = [];

  constructor({
    limit = Number.POSITIVE_INFINITY,
    onForget = () => {},
    isSettled = () => true,
  }: History<T> = {}) {
    this.#limit = limit;
    this.#onForget = onForget;
    this.#isSettled = isSettled;
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
    this.#records.set(record.id, record);
    this.#touch(record.id);
    while (this.#records.size > this.#limit) this.#forgetOne();
    return record;
  }

  #forgetOne(): void {
    for (const record of this.#records.values()) {
      if (this.#isSettled(record)) {
        this.delete(record.id);
        return;
      }
    }
    const [oldest] = this.#records.keys();
    if (oldest !== undefined) this.delete(oldest);
  }

  delete(id: string): boolean {
    const record = this.#records.get(id);
    if (record === undefined) return false;
    this.#records.delete(id);
    this.#touch(id);
    this.#onForget(record);
    return true;
  }

  /** The records, to read only. */
  values(): IterableIterator<T> {
    return this.#records.values();
  }

  /** The records, to read only. */
  list(): T[] {
    return [...this.#records.values()];
  }

  replaceWith(records: readonly T[]): void {
    this.#records = new Map(records.map((record) => [record.id, record]));
    for (const touched of this.#watches) touched.clear();
  }

  #touch(id: string): void {
    for (const touched of this.#watches) touched.add(id);
  }
}

/** The latest records of a kind, oldest first, up to a limit. */
export class Latest<T> {
  protected readonly limit: number;
  #records: T[] = [];

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Copies of the records: changing one changes nothing. */
  list(): T[] {
    return structuredClone(this.all());
  }

  /** The very records, not to be changed. */
  all(): T[] {
    return this.#records.slice(-this.limit);
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
