import { digestOf } from '../evidence/key-memory.ts';
import type { Identity } from './identity.ts';

/** An item came before (`seen`), certainly did not (`new`), or may have (`unsure`). */
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

/** So many items in a row that came before, with none between that is surely new, are no accident. */
const telling = 3;

/** Notices pages that come again: by their items, whatever cursor they come under, in constant memory. */
export class RepeatGuard {
  readonly #seen = new SeenDigests();
  readonly #first: ReadonlySet<string>;
  #previous: ReadonlySet<string>;
  #seenInARow = 0;

  constructor(first: readonly Identity[]) {
    this.#first = keysOf(first);
    this.#previous = this.#first;
    for (const { key } of first) this.#seen.note(key);
  }

  /** Returns true if a page contains only items of the page before. Does not note the page. */
  isPrevious(page: readonly Identity[]): boolean {
    return page.length > 0 && page.every(({ key }) => this.#previous.has(key));
  }

  /** Notes the next page. Returns true if it contains only items that came before. */
  comesAgain(page: readonly Identity[]): boolean {
    if (page.length === 0) return false;
    const keys = keysOf(page);
    const again = this.isPrevious(page) || page.every(({ key }) => this.#first.has(key));
    this.#previous = keys;
    return this.#noteAll(keys) || again;
  }

  #noteAll(keys: ReadonlySet<string>): boolean {
    let seen = 0;
    let fresh = 0;
    for (const key of keys) {
      const sighting = this.#seen.note(key);
      if (sighting === 'seen') seen += 1;
      else if (sighting === 'new') fresh += 1;
    }
    this.#seenInARow = fresh > 0 ? 0 : this.#seenInARow + seen;
    return seen > 0 && (seen === keys.size || this.#seenInARow >= telling);
  }
}

const keysOf = (identities: readonly Identity[]): ReadonlySet<string> =>
  new Set(identities.map(({ key }) => key));
