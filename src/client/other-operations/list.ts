import * as z from 'zod/mini';
import { InvalidRequestError, type ResponseIssue } from '../../shared/errors/index.ts';
import { checkedElsewhere, functionOf } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { isDroppedPromise, isPlainObject, kindOf } from '../../shared/values.ts';
import type { QueryValue, RequestOptions } from '../call/call-options.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation, OperationInput } from '../call/types.ts';
import { checkFreePath, publicTemplate } from '../call/url.ts';
import { list } from '../pagination/list.ts';
import type { PagePromise } from '../pagination/page.ts';
import { arraysIn, type ReceivedPage } from '../pagination/page-body.ts';
import { pagingByQuery } from '../pagination/query-walk.ts';
import { type LoadedPage, notSent, type PageQuery } from '../pagination/strategy.ts';
import { checkDescription, ownDescription, query, standardSchema } from './description.ts';
import { fieldErrorIn } from './field-error.ts';
import { checkedBy, type StandardSchema, unchecked } from './standard-schema.ts';

/** A list for which the client has no method. `T` is an item, `Body` the body of a response. */
export interface CustomList<T, Body = unknown> {
  /** Path relative to the base URL, such as `/v2/virtual-accounts`, without a query. */
  path: string;
  /** Query parameters of the first page, such as filters, `limit`, or where to start. */
  query?: Record<string, QueryValue> | undefined;
  /**
   * Returns the query of the page after a page, or undefined after the last one. It gets the body as received, the headers
   * of the response, the items, and the query of the page.
   */
  next(page: {
    /** The whole response as received. The client does not check its type. */
    body: Body;
    /** The headers of the response, such as `link`. */
    headers: Headers;
    /** The items of the page. */
    items: readonly T[];
    /** The query that brought the page. */
    query: Readonly<Record<string, QueryValue>>;
  }): Record<string, QueryValue> | undefined;
  /** Returns the list in a response that has more than one array. Default: the only array. */
  items?(body: Body): readonly unknown[];
  /** Validates each item and sets its type: any Standard Schema. */
  schema?: StandardSchema<T> | undefined;
}

const listSchema = /* @__PURE__ */ lazy(() =>
  matching<CustomList<unknown>>()(
    strictObject({
      path: checkedElsewhere<string>(),
      query: query(),
      next: functionOf<CustomList<unknown>['next']>(),
      items: z.optional(functionOf<NonNullable<CustomList<unknown>['items']>>()),
      schema: standardSchema<unknown>(),
    }),
  ),
);

const name = 'paginate';

/** Walks a list that the caller describes. Never throws: an error in the description rejects the promise. */
export function startList<T, Body>(
  transport: Transport,
  given: CustomList<T, Body>,
  options: RequestOptions | undefined,
): PagePromise<T> {
  const wrong = fieldErrorIn(name);
  let own: CustomList<T, Body> = { path: '/', next: () => undefined };
  let fault: OperationInput['fault'];
  try {
    // The caller's type arguments are the only word on what the response is.
    const checked = checkDescription(listSchema(), given, { operation: name, place: 'list' }) as CustomList<
      T,
      Body
    >;
    checked.path = checkFreePath(checked.path, name);
    own = checked;
  } catch (thrown) {
    fault = thrown instanceof InvalidRequestError ? thrown : wrong('list', 'cannot be read');
  }
  const { path, query = {} } = own;
  const operation: Operation<ReceivedPage<T>> = {
    name,
    method: 'GET',
    path,
    template: publicTemplate(path),
    retrySafety: 'read',
    check: listCheck(own),
  };
  const paging = pagingByQuery<T>((page) => nextQuery(own, page), 'Check what `next` returns.');
  return list(transport, operation, { query, fault }, options, paging);
}

/** Asks the caller's function for the next query. */
function nextQuery<T>(own: CustomList<T>, page: LoadedPage<T>): PageQuery | undefined {
  const { items, body, query } = page;
  let next: unknown;
  try {
    next = own.next({ body, headers: page.headers(), items, query });
  } catch (thrown) {
    throw notSent(name, '`next` threw an error, see `originalError`.', thrown);
  }
  if (next === undefined) return undefined;
  // Its values are checked where the URL is built.
  if (isPlainObject(next)) return ownDescription(next) as PageQuery;
  throw notSent(
    name,
    `\`next\` must return an object of query parameters, or undefined after the last page, but returned ${kindOfReturned(next)}.`,
  );
}

const kindOfReturned = (value: unknown): string => (isDroppedPromise(value) ? 'a promise' : kindOf(value));

/** Finds the list of a response, and checks its items by the caller's schema. */
function listCheck<T>(own: CustomList<T>): Operation<ReceivedPage<T>>['check'] {
  const check = own.schema === undefined ? undefined : checkedBy(own.schema);
  return async (body, mode) => {
    const found = findList(own, body);
    if ('why' in found)
      return { value: { items: [], received: [], body, unreadable: found }, fatal: [], minor: [] };
    const items: T[] = [];
    const fatal: ResponseIssue[] = [];
    const minor: ResponseIssue[] = [];
    for (const [index, item] of found.entries()) {
      const checked = check === undefined ? unchecked<T>(item) : await check(item, mode, []);
      items.push(checked.value);
      // One by one: an item may have more issues than a call can have arguments.
      for (const issue of checked.fatal) fatal.push(below(index, issue));
      for (const issue of checked.minor) minor.push(below(index, issue));
    }
    return { value: { items, received: found, body }, fatal, minor };
  };
}

/** Returns the list of a response, or the reason why it cannot be told. */
function findList(
  own: CustomList<unknown>,
  body: unknown,
): readonly unknown[] | NonNullable<ReceivedPage<unknown>['unreadable']> {
  if (own.items === undefined) {
    const [found, ...others] = arraysIn(body);
    if (found === undefined) return { why: 'the response contains no list.' };
    if (others.length === 0) return found;
    return {
      why: 'the response contains more than one array. Pass `items: (body) => …` to say which is the list.',
    };
  }
  let given: unknown;
  try {
    given = own.items(body);
  } catch (thrown) {
    return { why: '`items` threw an error, see `originalError`.', cause: thrown };
  }
  return Array.isArray(given)
    ? given
    : { why: `\`items\` must return an array, but returned ${kindOfReturned(given)}.` };
}

const below = (index: number, { path, code }: ResponseIssue): ResponseIssue => ({
  path: path === '' ? `${index}` : `${index}.${path}`,
  code,
});
