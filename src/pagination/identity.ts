import { isRecord } from '../transport/kind.ts';

/** What tells one item of a list from another. */
export interface Identity {
  readonly key: string;
  /** Whether the item names itself. Items that are told apart by content alone may be equal and still be two. */
  readonly certain: boolean;
}

const idFields = ['id', 'accountId', 'approvalId'];

/** The identity of an item: its id, a wallet's address on its chain, or else its content. */
export function identityOf(item: unknown): Identity {
  if (isRecord(item)) {
    for (const field of idFields) {
      const id = textOf(item, field);
      if (id !== undefined) return { key: `${field}:${id}`, certain: true };
    }
    const address = textOf(item, 'address');
    if (address !== undefined)
      return { key: `address:${textOf(item, 'chain') ?? ''}:${address}`, certain: true };
  }
  return { key: JSON.stringify(item) ?? '', certain: false };
}

function textOf(item: Record<string, unknown>, field: string): string | undefined {
  const value = Object.hasOwn(item, field) ? item[field] : undefined;
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}
