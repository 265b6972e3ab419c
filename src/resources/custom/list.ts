import { InvalidRequestError, type ResponseIssue } from '../../errors/index.ts';
import { cursorPaging } from '../../pagination/cursor.ts';
import { type ListOptions, list } from '../../pagination/list.ts';
import { listResponse } from '../../pagination/list-response.ts';
import { offsetPaging } from '../../pagination/offset.ts';
import type { PagePromise } from '../../pagination/page.ts';
import type { ReceivedPage } from '../../pagination/read-list.ts';
import { shape, unknown } from '../../schemas/zod.ts';
import { isRecord } from '../../shared/values.ts';
import type {
  Operation,
  OperationInput,
  QueryValue,
  ResponseCheck,
  Transport,
} from '../../transport/types.ts';
import { checkFreePath, publicTemplate } from '../../transport/url.ts';
import { checkDescription, type FieldRules, ownCopy, type Paging, rules } from './description.ts';
import { nameOf, type OwnRequest } from './request.ts';
import { checkedBy, type StandardSchema, unchecked } from './standard-schema.ts';
import { type Wrong, wrongIn } from './wrong.ts';

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
  query?: Record<string, QueryValue> | undefined;
  /** The key of the list in the response. Default: the client finds the list, if only one array is possible. */
  key?: string | undefined;
  /** The query parameter for the cursor or the page number. Default: the client's `cursorParam`, or `page`. */
  cursorParam?: string | undefined;
  /** Validates each item and sets its type: any Standard Schema. */
  schema?: StandardSchema<T> | undefined;
  /** Dotted paths of the fields of an item that you need, as in `request`. */
  essential?: readonly string[] | undefined;
  /** The name in errors, hooks and logs. Default `paginate`. */
  operation?: string | undefined;
}

const fields: FieldRules<CustomList<unknown>> = {
  path: rules.any,
  strategy: rules.paging,
  query: rules.query,
  key: rules.text,
  cursorParam: rules.text,
  schema: rules.schema,
  essential: rules.essential,
  operation: rules.operation,
};

/** Walks a list that the caller describes in full. */
export function startList<T>(
  transport: Transport,
  given: CustomList<T>,
  options: ListOptions | undefined,
): PagePromise<T> {
  const name = nameOf(given, 'paginate');
  return startOwnList<T>(transport, name, options, (wrong) => {
    const own = checkDescription(given, fields, 'list', wrong);
    const path = checkFreePath(own.path, name);
    return { ...own, path, template: publicTemplate(path) };
  });
}

/** A checked list. Its path may have placeholders, which `values` fill. */
type OwnList<T> = Omit<CustomList<T>, 'operation'> & Pick<OwnRequest<T>, 'template' | 'values'>;

/** Walks a list that the caller describes. Never throws: an error in the description rejects the promise. */
function startOwnList<T>(
  transport: Transport,
  name: string,
  options: ListOptions | undefined,
  describe: (wrong: Wrong) => OwnList<T>,
): PagePromise<T> {
  const wrong = wrongIn(name);
  let own: OwnList<T> = { path: '/', strategy: 'cursor' };
  let problem: OperationInput['problem'];
  try {
    own = ownCopy(describe(wrong));
  } catch (thrown) {
    problem = thrown instanceof InvalidRequestError ? thrown : wrong('list', 'cannot be read');
  }
  const { path, strategy, query = {}, key = '', cursorParam, schema, essential, template, values } = own;
  const operation: Operation<ReceivedPage<T>> = {
    ...{ name, method: 'GET', path, template, retrySafety: 'read' },
    response: listOf(key, schema, essential),
    moreOptions: { prefetch: true },
  };
  const paging =
    strategy === 'offset'
      ? offsetPaging<T>(name)
      : cursorPaging<T>(cursorParam ?? (strategy === 'page' ? 'page' : transport.cursorParam), name, {
          prefetch: isRecord(options) && options.prefetch === true,
          isNumbered: strategy === 'page',
        });
  return list(transport, operation, { query, path: values, problem }, options, paging);
}

const anything = /* @__PURE__ */ shape<unknown>(unknown, []);

/** Finds the list of a response and checks its items by a schema of the caller's. */
function listOf<T>(
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
