import type * as z from 'zod/mini';
import type { ResponseIssue } from '../../shared/errors/index.ts';
import { isExact, isRecord } from '../../shared/values.ts';
import { issuesOf, sortedIssues } from '../call/read-response.ts';
import type { Operation } from '../call/types.ts';

/** The response of a list: its items, and the whole body with its envelope. */
export interface ReceivedPage<T> {
  readonly items: readonly T[];
  /** The items before a schema of the caller's changed them: pages are told apart by them. */
  readonly received: readonly unknown[];
  readonly body: unknown;
  /** The reason why the items of the response cannot be told. */
  readonly unreadable?: { readonly why: string; readonly cause?: unknown };
}

/**
 * Checks the response of a list, whose items may be under any key.
 *
 * @param list - Its documented key, its items with the dotted paths of the fields without which one is useless, and the rest
 * of its envelope where that is known.
 */
/* @__NO_SIDE_EFFECTS__ */
export function listResponse<T>({
  key,
  item,
  essential = [],
  envelope,
}: {
  readonly key: string;
  readonly item: () => z.ZodMiniType<T>;
  readonly essential?: readonly string[];
  readonly envelope?: () => z.ZodMiniType;
}): Operation<ReceivedPage<T>>['check'] {
  return (body, mode) => {
    const found = findItems(body, key);
    if (found === undefined) {
      // A response without content (204) has no items.
      const unproven = body === undefined ? undefined : { path: key, code: 'list_not_found' };
      const items: readonly T[] = [];
      return { value: { items, received: items, body }, fatal: [], minor: [], unproven };
    }
    const fatal: ResponseIssue[] = [];
    const minor: ResponseIssue[] = [];
    if (envelope !== undefined) {
      const checked = issuesOf(envelope(), body, mode, []);
      const renamed = found.path === key ? [] : [{ path: key, code: 'renamed_list' }];
      (mode === 'strict' ? fatal : minor).push(...checked.fatal, ...checked.minor, ...renamed);
    }
    const listPath = found.path === '' ? [] : found.path.split('.');
    const schema = item();
    for (const [index, received] of found.items.entries()) {
      const { error } = schema.safeParse(received);
      if (error === undefined) continue;
      const issues = sortedIssues(error.issues, mode, essential, [...listPath, index]);
      // One by one: an item may have more issues than a call can have arguments.
      for (const issue of issues.fatal) fatal.push(issue);
      for (const issue of issues.minor) minor.push(issue);
    }
    // The items handed on are those received, so the schema's verdict on them is all that gives them their type.
    return { value: { items: found.items as readonly T[], received: found.items, body }, fatal, minor };
  };
}

/** The usual names of a list in a response. */
const usualKeys = ['data', 'items', 'results', 'records', 'list'];

/** The names of lists that stand next to the list of a documented key. */
const otherKeys = /^(?:errors|warnings)$/;

/**
 * Finds the list in a response, and its path, under any key: the response itself, the documented key, a usual name, or the
 * only array of records; each at the top level first, then one level down. Undefined if there is no list, or if two arrays
 * are possible. Looks for each name at both levels first, and then for other arrays: an empty list of warnings at the top
 * is not the list. If the documented key has null, an empty array counts only under the documented key or a usual name.
 */
export function findItems(
  body: unknown,
  documentedKey: string,
): { readonly items: readonly unknown[]; readonly path: string } | undefined {
  if (Array.isArray(body)) return { items: body, path: '' };
  if (!isRecord(body)) return undefined;
  const listsIn = (record: object, prefix: string) =>
    Object.entries(record).flatMap(([key, items]: [string, unknown]) =>
      Array.isArray(items) && !otherKeys.test(key) ? [{ items, path: prefix + key, key }] : [],
    );
  const inner = Object.entries(body).flatMap(([key, value]) =>
    isRecord(value) ? listsIn(value, `${key}.`) : [],
  );
  const levels = [listsIn(body, ''), inner];
  const named = [[documentedKey], usualKeys]
    .flatMap((names) =>
      levels.flatMap((lists) => names.map((name) => lists.filter(({ key }) => key === name))),
    )
    .find(({ length }) => length === 1);
  if (named !== undefined) return named[0];
  const ofRecords = levels
    .map((lists) => lists.filter(({ items }) => items.some(isRecord)))
    .find(({ length }) => length > 0);
  if (ofRecords !== undefined) return ofRecords.length === 1 ? ofRecords[0] : undefined;
  if ([body, ...Object.values(body)].some((place) => isRecord(place) && place[documentedKey] === null))
    return undefined;
  // Of several empty lists it does not matter which is meant.
  const all = levels.flat();
  return all.length === 1 || all.every(({ items }) => items.length === 0) ? all[0] : undefined;
}

/** The arrays of a response, where no key of the list is known: the response itself, or those at its top, or those below. */
export function arraysIn(body: unknown): readonly (readonly unknown[])[] {
  if (Array.isArray(body)) return [body];
  if (!isRecord(body)) return [];
  const values = Object.values(body);
  const top = values.filter((value) => Array.isArray(value));
  if (top.length > 0) return top;
  return values
    .filter(isRecord)
    .flatMap((record) => Object.values(record).filter((value) => Array.isArray(value)));
}

/** A field beside the list: at the top of the response, or in an object at its top. One that is empty is missing. */
export function fieldOfEnvelope(body: unknown, name: string): unknown {
  if (!isRecord(body)) return undefined;
  const records = [body, ...Object.values(body).filter(isRecord)];
  const values = records.map((record) => (Object.hasOwn(record, name) ? record[name] : undefined));
  return values.find((value) => value !== undefined && value !== null && value !== '');
}

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
