import { digestOf } from '../evidence/key-memory.ts';
import type { Identity } from './identity.ts';

const slots = 4096;
/** So many items in a row that came before, with none between that is surely new, are no accident. */
const telling = 3;

/**
 * Notices items and cursors that come again, in constant memory, however many there are. Each has one slot in two tables:
 * `#latest` holds the last of the slot, which finds what came lately; `#least` holds the lowest digest that the slot ever
 * had. That is a sample of all, spread evenly, so a list that goes around in a circle of any length meets it again soon
 * after the first round. What would have been in the sample and is not is surely new.
 */
export class RepeatGuard {
  readonly #latest = new Float64Array(slots).fill(Number.POSITIVE_INFINITY);
  readonly #least = new Float64Array(slots).fill(Number.POSITIVE_INFINITY);
  #seenInARow = 0;

  /** Notes a text. Returns true if it came before, false if it surely did not, undefined if it may have. */
  note(key: string): boolean | undefined {
    const digest = digestOf(key);
    const slot = digest % slots;
    const least = this.#least[slot] ?? 0;
    if (this.#latest[slot] === digest || least === digest) return true;
    this.#latest[slot] = digest;
    if (digest > least) return undefined;
    this.#least[slot] = digest;
    return false;
  }

  /** Notes a page. Returns true if it contains only items that came before, whatever cursor it came under. */
  comesAgain(page: readonly Identity[]): boolean {
    const keys = new Set(page.map(({ key }) => key));
    let seen = 0;
    let isNew = false;
    for (const key of keys) {
      const sighting = this.note(key);
      if (sighting === true) seen += 1;
      isNew ||= sighting === false;
    }
    this.#seenInARow = isNew ? 0 : this.#seenInARow + seen;
    return seen > 0 && (seen === keys.size || this.#seenInARow >= telling);
  }
}
