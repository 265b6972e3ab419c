import { type Identity, mayBeBorrowed } from './identity.ts';
import { createdAtOf, stampOf } from './item-times.ts';
import type { Behind } from './strategy.ts';

interface KnownItem {
  readonly count: number;
  readonly item: unknown;
}

/** The items before the border of two pages, which the next page may bring again. */
export class KnownItems {
  #known = new Map<string, KnownItem>();

  /** Takes a page whose end is the next border. In a walk by time, items of earlier pages stay known while they may come. */
  turn(items: readonly unknown[], identities: readonly Identity[], behind: Behind | undefined): void {
    const known = new Map<string, KnownItem>();
    if (behind !== undefined) {
      for (const [key, one] of this.#known) if (!isBeyond(one.item, behind)) known.set(key, one);
    }
    const counts = new Map<string, number>();
    for (const [index, identity] of identities.entries()) {
      const item = items[index];
      for (const key of new Set([identity.key, contentKey(item, identity)])) {
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        known.set(key, { count: Math.max(count, known.get(key)?.count ?? 0), item });
      }
    }
    this.#known = known;
  }

  /**
   * Returns the items of a page that are not known. Where the page overlaps with the one before, also items without an
   * identity are dropped, as many of each as are known. A name that may be borrowed counts with the item's content, and in
   * a walk by time with its time alone: an item whose content changes would come again in each page that overlaps.
   */
  freshOf<T>(items: readonly T[], identities: readonly Identity[], overlaps: boolean): readonly T[] {
    const dropped = new Map<string, number>();
    return items.filter((item, index) => {
      const identity = identities[index];
      if (identity === undefined) return true;
      const key = contentKey(item, identity);
      const { count = 0 } = (overlaps && this.#known.get(identity.key)) || (this.#known.get(key) ?? {});
      if (identity.certain) return count === 0;
      const before = dropped.get(key) ?? 0;
      dropped.set(key, before + 1);
      return !overlaps || before >= count;
    });
  }
}

const contentKey = (item: unknown, identity: Identity): string =>
  mayBeBorrowed(identity) ? JSON.stringify(item) : identity.key;

/** Checks whether an item was created later, or earlier in an ascending list, than the records that were asked for. */
export function isBeyond(item: unknown, { at, isAscending }: Behind): boolean {
  const created = stampOf(createdAtOf(item))?.at ?? at;
  return isAscending ? created < at : created > at;
}
