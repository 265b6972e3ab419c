import { isRecord } from '../shared/values.ts';
import { innerRecord, ownText } from './item-times.ts';

/** The identity of an item in its list. */
export interface Identity {
  readonly key: string;
  /** True if the item names itself. Items that only differ by their content may be equal and still be two. */
  readonly certain: boolean;
}

const idFields = ['id', 'accountId', 'approvalId'];

/** The identity of an item: its id, a wallet's address on its chain, the id of the record inside, or its content. */
export function identityOf(item: unknown): Identity {
  if (!isRecord(item)) return contentOf(item);
  for (const field of idFields) {
    const id = ownText(item, field);
    if (id !== undefined) return { key: `${field}:${id}`, certain: true };
  }
  const address = ownText(item, 'address');
  if (address !== undefined)
    return { key: `address:${ownText(item, 'chain') ?? ''}:${address}`, certain: true };
  const inner = ownText(innerRecord(item) ?? {}, 'id');
  return inner === undefined ? contentOf(item) : { key: `inner:${inner}`, certain: true };
}

const contentOf = (item: unknown): Identity => ({ key: JSON.stringify(item) ?? '', certain: false });

/**
 * Checks whether an item is named by anything but its own `id`. That may be the name of something else, such as the wallet
 * of a balance, the approval of a vote or the owner of each item, so it alone does not show that an item came before.
 */
export const mayBeBorrowed = ({ key, certain }: Identity): boolean => certain && !key.startsWith('id:');

/** The identities of a page. A name that comes twice, other than an `id`, is of something else. */
export function identitiesOf(items: readonly unknown[]): readonly Identity[] {
  const identities = items.map(identityOf);
  const others = identities.filter(mayBeBorrowed);
  if (new Set(others.map(({ key }) => key)).size === others.length) return identities;
  return identities.map((identity, index) => (mayBeBorrowed(identity) ? contentOf(items[index]) : identity));
}

/** A page that begins the page before anew, with what arrived in the meantime in front of it. */
export function goesBack(page: readonly Identity[], before: readonly Identity[]): boolean {
  const [first] = before;
  return before.length > 1 && first?.certain === true && page.some(({ key }) => key === first.key);
}
