import type { ResponseIssue } from '../../errors/index.ts';
import { cursorPaging } from '../../pagination/cursor.ts';
import type { ListOptions } from '../../pagination/list.ts';
import { list } from '../../pagination/list.ts';
import { listResponse } from '../../pagination/list-response.ts';
import { offsetPaging } from '../../pagination/offset.ts';
import type { PagePromise } from '../../pagination/page.ts';
import type { ReceivedPage } from '../../pagination/read-list.ts';
import type { PagingStrategy } from '../../pagination/strategy.ts';
import * as z from '../../schemas/zod.ts';
import { shape } from '../../schemas/zod.ts';
import { isRecord } from '../../shared/values.ts';
import type { Operation, QueryValue, ResponseCheck, Transport } from '../../transport/types.ts';
import { checkFreePath, publicTemplate } from '../../transport/url.ts';
import { optional, requiredText } from '../checks/rules.ts';
import { among, type FieldRules, noRule, paths, readDescription } from './description.ts';
import { checkedBy, type StandardSchema, schemaRule, unchecked } from './standard-schema.ts';

/** The service's way to page a list: by a cursor, by an offset, or by numbered pages. */
export type Paging = 'cursor' | 'offset' | 'page';

/** The names of the ways to page. */
export const pagings: readonly unknown[] = ['cursor', 'offset', 'page'] satisfies Paging[];

/** A list for which the client has no method. */
export interface CustomList<T> {
  /** Path relative to the base URL, such as `/v2/virtual-accounts`, without a query. */
  path: string;
  /**
   * `cursor`: each page says how to get the next one, by `nextCursor` and the like, `hasMore` or `totalPages`.
   * `offset`: `offset` and `limit` select the page. `page`: `page` numbers the pages, from 1.
   */
  strategy: Paging;
  /** Query parameters of the first page, such as filters, `limit`, or where to start. */
  query?: Record<string, QueryValue>;
  /** The key of the list in the response. Default: the client finds the list, if only one array is possible. */
  key?: string;
  /** The query parameter for the cursor or the page number. Default: the client's `cursorParam`, or `page`. */
  cursorParam?: string;
  /** Validates each item and sets its type: any Standard Schema. */
  schema?: StandardSchema<T>;
  /** Dotted paths of the fields of an item that you need, as in `request`. */
  essential?: readonly string[];
  /** The name in errors, hooks and logs. Default `paginate`. */
  operation?: string;
}

const listRules: FieldRules<CustomList<unknown>> = {
  path: noRule,
  strategy: /* @__PURE__ */ among(pagings),
  query: noRule,
  key: /* @__PURE__ */ optional(requiredText),
  cursorParam: /* @__PURE__ */ optional(requiredText),
  schema: schemaRule,
  essential: /* @__PURE__ */ optional(paths),
  operation: /* @__PURE__ */ optional(requiredText),
};

/** Walks a list that the caller describes in full. */
export function startList<T>(
  transport: Transport,
  given: CustomList<T>,
  options: ListOptions | undefined,
): PagePromise<T> {
  const {
    own,
    ready: path = '/',
    problem,
  } = readDescription('paginate', 'list', given, listRules, (own, name) => checkFreePath(own.path, name));
  const { operation: name = 'paginate', key = '', schema, essential, query = {} } = own;
  const operation: Operation<ReceivedPage<T>> = {
    name,
    method: 'GET',
    path,
    template: publicTemplate(path),
    retrySafety: 'read',
    response: listOf(key, schema, essential),
    moreOptions: { prefetch: true },
  };
  const strategy = pagingOf<T>(transport, name, own.strategy ?? 'cursor', own.cursorParam, options);
  return list(transport, operation, { query, problem }, options, strategy);
}

/** The strategy of a described list. */
export function pagingOf<T>(
  transport: Transport,
  operation: string,
  paging: Paging,
  cursorParam: string | undefined,
  options: ListOptions | undefined,
): PagingStrategy<T> {
  return paging === 'offset'
    ? offsetPaging<T>(operation)
    : cursorPaging<T>(cursorParam ?? (paging === 'page' ? 'page' : transport.cursorParam), operation, {
        prefetch: isRecord(options) && options.prefetch === true,
        isNumbered: paging === 'page',
      });
}

const anything = /* @__PURE__ */ shape<unknown>(() => z.unknown(), []);

/** Finds the list of a response and checks its items by a schema of the caller's. */
export function listOf<T>(
  key: string,
  schema: StandardSchema<T> | undefined,
  essential: readonly string[] | undefined,
): ResponseCheck<ReceivedPage<T>> {
  const find = listResponse<unknown>({ key, item: anything });
  const check = schema === undefined ? undefined : checkedBy(schema, essential);
  return async (body, mode) => {
    const found = await find(body, mode);
    const items: T[] = [];
    const fatal: ResponseIssue[] = [...found.fatal];
    const minor: ResponseIssue[] = [];
    for (const [index, item] of found.value.items.entries()) {
      const checked = check === undefined ? unchecked<T>(item) : await check(item, mode);
      items.push(checked.value);
      fatal.push(...checked.fatal.map((departure) => below(index, departure)));
      minor.push(...checked.minor.map((departure) => below(index, departure)));
    }
    return { value: { ...found.value, items }, fatal, minor };
  };
}

const below = (index: number, { path, code }: ResponseIssue): ResponseIssue => ({
  path: path === '' ? `${index}` : `${index}.${path}`,
  code,
});
