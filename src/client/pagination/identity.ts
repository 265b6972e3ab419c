import { isExact, isRecord } from '../../shared/values.ts';

/** The `id` of a record, or the one of its `transferDetails`, as text. */
export const idOfItem = (item: unknown): string | undefined =>
  textInItem(item, 'id') ?? (isRecord(item) ? textInItem(item.transferDetails, 'id') : undefined);

/**
 * The name of an item that no other item of its list has: its id; or its account, approval or address together with the
 * time of its creation. Without a time these may be the name of something else, such as the wallet of a balance.
 */
export function identityOf(item: unknown): string | undefined {
  const id = idOfItem(item);
  if (id !== undefined) return `id ${id}`;
  const name = textInItem(item, 'accountId') ?? textInItem(item, 'approvalId') ?? textInItem(item, 'address');
  const createdAt = textInItem(item, 'createdAt');
  if (name === undefined || createdAt === undefined) return undefined;
  return `${name} ${textInItem(item, 'chain') ?? ''} ${createdAt}`;
}

/** A field of a record as text; undefined where it is missing, empty, or no text or exact number. */
function textInItem(record: unknown, field: string): string | undefined {
  const value = isRecord(record) && Object.hasOwn(record, field) ? record[field] : undefined;
  const isText = (typeof value === 'string' && value !== '') || isExact(value);
  return isText ? String(value) : undefined;
}
