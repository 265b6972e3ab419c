import { isExact, kindOf } from '../../shared/values.ts';
import { fieldOfEnvelope } from './page-body.ts';
import { type NextQuery, pagingByQuery } from './query-walk.ts';
import { type List, notSent } from './strategy.ts';

/** Pages by the `nextCursor` of each page, which goes back exactly as it came, under one name. */
export function cursorPaging<T>(operation: string, param: string): List<T>['paging'] {
  const next: NextQuery<T> = ({ items, body, query }) => {
    const hasMore = fieldOfEnvelope(body, 'hasMore');
    const cursor = fieldOfEnvelope(body, 'nextCursor');
    if (items.length === 0 && hasMore === false) return undefined;
    if (typeof cursor === 'string' || isExact(cursor)) return { ...query, [param]: String(cursor) };
    if (cursor !== undefined)
      throw notSent(operation, `\`nextCursor\` must be a string, but is ${kindOf(cursor)}.`);
    if (hasMore === true)
      throw notSent(
        operation,
        'the page says that there are more (`hasMore`), but contains no `nextCursor`.',
      );
    return undefined;
  };
  const remedy = `The cursor was sent as \`${param}\`. If the service takes it under another name, set \`cursorParam\`.`;
  return pagingByQuery(next, remedy);
}
