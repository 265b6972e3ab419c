import { type Identity, mayBeBorrowed } from './identity.ts';
import { createdAtOf, stampOf } from './item-times.ts';

interface KnownItem {
  readonly count: number;
  readonly at: number | undefined;
}

/** The items before the border of two pages, which the next page may bring again. */
export class KnownItems {
  #known = new Map<string, KnownItem>();

  /**
   * Takes a page whose end is the next border. In a walk by time, items of earlier pages stay known while they are within
   * `reach` microseconds of it.
   */
  turn(items: readonly unknown[], identities: readonly Identity[], reach: number | undefined): void {
    const times = reach === undefined ? [] : items.map((item) => stampOf(createdAtOf(item))?.at);
    const border = times.at(-1);
    const known = new Map<string, KnownItem>();
    if (border !== undefined && reach !== undefined) {
      for (const [key, item] of this.#known) {
        if (item.at !== undefined && Math.abs(item.at - border) <= reach) known.set(key, item);
      }
    }
    const counts = new Map<string, number>();
    for (const [index, identity] of identities.entries()) {
      for (const key of keysOf(items[index], identity)) {
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        known.set(key, { count: Math.max(count, known.get(key)?.count ?? 0), at: times[index] });
      }
    }
    this.#known = known;
  }

  /**
   * Returns the items of a page that are not known. Where the page overlaps with the one before, also items without an
   * identity are dropped, as many of each as are known.
   */
  freshOf<T>(items: readonly T[], identities: readonly Identity[], overlaps: boolean): readonly T[] {
    if (this.#known.size === 0) return items;
    const dropped = new Map<string, number>();
    return items.filter((item, index) => {
      const identity = identities[index];
      if (identity === undefined) return true;
      const key = keyOf(item, identity, overlaps);
      const known = this.#known.get(key);
      if (known === undefined) return true;
      if (identity.certain) return false;
      const before = dropped.get(key) ?? 0;
      dropped.set(key, before + 1);
      return !overlaps || before >= known.count;
    });
  }
}

/** The keys under which an item is found by the page after it, whether that overlaps or not. */
const keysOf = (item: unknown, identity: Identity): readonly string[] =>
  mayBeBorrowed(identity) ? [keyOf(item, identity, false), keyOf(item, identity, true)] : [identity.key];

/**
 * The key under which an item is known. A name that may be borrowed counts with the item's content, and in a walk by time
 * with its time: an item whose content changes would come again in each page that overlaps, without end.
 */
function keyOf(item: unknown, identity: Identity, overlaps: boolean): string {
  if (!mayBeBorrowed(identity)) return identity.key;
  return `${identity.key} ${overlaps ? createdAtOf(item) : JSON.stringify(item)}`;
}
