import { isRecord } from '../shared/values.ts';
import { createdAtOf, innerRecord, ownText } from './item-times.ts';

/** The identity of an item in its list. */
export interface Identity {
  readonly key: string;
  /** True if the item names itself. Items that only differ by their content may be equal and still be two. */
  readonly certain: boolean;
}

/**
 * The identity of an item: its id; a wallet's address on its chain, or the id of its account, its approval or the record
 * inside, with its time; or its content.
 */
export function identityOf(item: unknown): Identity {
  if (!isRecord(item)) return contentOf(item);
  const id = ownText(item, 'id');
  if (id !== undefined) return { key: `id:${id}`, certain: true };
  const name = nameOf(item);
  return name === undefined ? contentOf(item) : { key: `${name} ${createdAtOf(item) ?? ''}`, certain: true };
}

function nameOf(item: Record<string, unknown>): string | undefined {
  for (const field of ['accountId', 'approvalId', 'address']) {
    const name = ownText(item, field);
    if (name !== undefined) return `${field}:${name} ${ownText(item, 'chain') ?? ''}`;
  }
  const inner = ownText(innerRecord(item) ?? {}, 'id');
  return inner === undefined ? undefined : `inner:${inner}`;
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
