/** A map of the entries that were set last. */
export class LatestMap<Value> extends Map<string, Value> {
  readonly #most: number;
  /** Kept: a new iterator would pass all entries that were forgotten before. */
  readonly #oldest = this.keys();

  /** @param most - The number of entries that are kept, at least 1. */
  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const oldest = this.size > this.#most ? this.#oldest.next().value : undefined;
    if (oldest !== undefined) this.delete(oldest);
    return this;
  }
}
