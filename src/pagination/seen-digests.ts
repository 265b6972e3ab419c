import { digestOf } from '../transport/request/idempotency.ts';

/** What is known of an item: it came before, it surely did not, or there is no telling. */
export type Sighting = 'seen' | 'new' | 'unsure';

const slots = 4096;

/**
 * Remembers which items came by, in constant memory, however many there are. Each item has one slot in two tables:
 * `#latest` holds the last item of the slot, which finds what came lately; `#least` holds the item of the lowest digest
 * that the slot ever had. That is a sample of all items, spread evenly, so a list that goes around in a circle of any
 * length meets it again soon after the first round. What would have been in the sample and is not is surely new.
 */
export class SeenDigests {
  readonly #latest = new Float64Array(slots).fill(Number.POSITIVE_INFINITY);
  readonly #least = new Float64Array(slots).fill(Number.POSITIVE_INFINITY);

  /** Notes an item, and tells whether it came before. */
  note(key: string): Sighting {
    const digest = digestOf(key);
    const slot = digest % slots;
    const least = this.#least[slot] ?? 0;
    if (this.#latest[slot] === digest || least === digest) return 'seen';
    this.#latest[slot] = digest;
    if (digest > least) return 'unsure';
    this.#least[slot] = digest;
    return 'new';
  }
}
