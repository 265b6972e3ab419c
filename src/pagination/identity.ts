import { createdAtOf, detailsOf, ownText } from './item-times.ts';

/** The identity of an item in its list. */
export interface Identity {
  readonly key: string;
  /**
   * True if the key is the item's own: its id, or the id of its account, approval or wallet with its time. Without a time,
   * that may be the name of something else, such as the wallet of a balance.
   */
  readonly certain: boolean;
}

/** The identity of an item: its id, that of the transfer, account, approval or wallet that it shows, or its content. */
export function identityOf(item: unknown): Identity {
  const details = detailsOf(item);
  const id = ownText(item, 'id') ?? ownText(details, 'id');
  if (id !== undefined) return { key: `id:${id}`, certain: true };
  for (const field of ['accountId', 'approvalId', 'address']) {
    const name = ownText(item, field);
    if (name === undefined) continue;
    const time = createdAtOf(item);
    const key = `${field}:${name} ${ownText(item, 'chain') ?? ''} ${time ?? ''}`;
    return { key, certain: time !== undefined };
  }
  return contentOf(item);
}

const contentOf = (item: unknown): Identity => ({ key: JSON.stringify(item) ?? '', certain: false });

/** The identities of a page. A name that comes twice, other than an `id`, is of something else. */
export function identitiesOf(items: readonly unknown[]): readonly Identity[] {
  const identities = items.map(identityOf);
  const others = identities.filter(({ key }) => !key.startsWith('id:'));
  if (new Set(others.map(({ key }) => key)).size === others.length) return identities;
  return identities.map((identity, index) =>
    identity.key.startsWith('id:') ? identity : contentOf(items[index]),
  );
}
