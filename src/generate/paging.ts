import { cursorNames, usualKeys } from '../pagination/read-list.ts';
import { plainName } from '../shared/option-names.ts';
import { words } from '../shared/word-lists.ts';
import { arrayOf, type DescribedOperation, type Description, type Json } from './description.ts';

/** The paging of a list. */
export interface DescribedList {
  readonly paginate: 'cursor' | 'offset' | 'page';
  /** The path of the list in the response; empty if the response is the list. */
  readonly keys: readonly string[];
  readonly cursorParam?: string;
}

const cursorParams = words('cursor createdBefore after startingAfter starting_after pageToken page_token');

/** Finds out if an operation is a list that the client can walk, and how. A list with no way on is a plain response. */
export function describedPaging(
  description: Description,
  operation: DescribedOperation,
): DescribedList | undefined {
  const { method, schema, query } = operation;
  if (method !== 'GET' || schema === undefined) return undefined;
  const keys = listKeysOf(description, schema);
  if (keys === undefined) return undefined;
  if (query.includes('offset')) return { paginate: 'offset', keys };
  const around = [...description.propertiesOf(schema).values()].flatMap((inner) => [
    ...description.propertiesOf(inner).keys(),
  ]);
  const fields = [...description.propertiesOf(schema).keys(), ...around].map(plainName);
  const param = cursorParams.find((name) => query.includes(name));
  if (
    param === 'createdBefore' ||
    (param !== undefined && cursorNames.some((name) => fields.includes(name)))
  ) {
    const isUsual = param === 'cursor' || param === 'createdBefore';
    return { paginate: 'cursor', keys, ...(!isUsual && { cursorParam: param }) };
  }
  return query.includes('page') ? { paginate: 'page', keys } : undefined;
}

/** The path of the only list of records in a response, at the top or one level down. */
function listKeysOf(description: Description, schema: Json): readonly string[] | undefined {
  if (isArray(schema)) return [];
  const top = recordLists(description, schema);
  const nested = [...description.propertiesOf(schema)].flatMap(([name, inner]) =>
    recordLists(description, description.follow(inner)).map((key) => [name, ...key]),
  );
  for (const lists of [top, nested]) {
    const usual = lists.find((keys) => usualKeys.includes(keys.at(-1) ?? ''));
    if (lists.length > 0) return lists.length === 1 ? lists[0] : usual;
  }
  return undefined;
}

function recordLists(description: Description, schema: Json): string[][] {
  return [...description.propertiesOf(schema)].flatMap(([name, inner]) => {
    const resolved = description.follow(inner);
    return isArray(resolved) && description.propertiesOf(resolved.items).size > 0 ? [[name]] : [];
  });
}

const isArray = ({ type, items }: Json): boolean =>
  type === 'array' || arrayOf(type).includes('array') || (type === undefined && items !== undefined);
