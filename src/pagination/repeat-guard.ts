import type { Identity } from './identity.ts';
import { SeenDigests } from './seen-digests.ts';

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

  /** Whether a page holds nothing but items of the page before; does not note it. */
  isPrevious(page: readonly Identity[]): boolean {
    return page.length > 0 && page.every(({ key }) => this.#previous.has(key));
  }

  /** Notes the next page and tells whether it holds nothing but what came before. */
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
