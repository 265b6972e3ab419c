import { isExact, isRecord } from '../../shared/values.ts';

/** The `id` of a record, or the one of its `transferDetails`, as text. */
export const idOf = (item: unknown): string | undefined =>
  textIn(item, 'id') ?? (isRecord(item) ? textIn(item.transferDetails, 'id') : undefined);

/**
 * The name of an item that no other item of its list has: its id; or its account, approval or address together with the
 * time of its creation. Without a time these may be the name of something else, such as the wallet of a balance.
 */
export function identityOf(item: unknown): string | undefined {
  const id = idOf(item);
  if (id !== undefined) return `id ${id}`;
  const name = textIn(item, 'accountId') ?? textIn(item, 'approvalId') ?? textIn(item, 'address');
  const createdAt = textIn(item, 'createdAt');
  if (name === undefined || createdAt === undefined) return undefined;
  return `${name} ${textIn(item, 'chain') ?? ''} ${createdAt}`;
}

/** A field of a record as text; undefined where it is missing, empty, or no text or exact number. */
function textIn(record: unknown, field: string): string | undefined {
  const value = isRecord(record) && Object.hasOwn(record, field) ? record[field] : undefined;
  const isText = (typeof value === 'string' && value !== '') || isExact(value);
  return isText ? String(value) : undefined;
}
