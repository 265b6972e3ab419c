import type * as z from 'zod/mini';
import { TimeoutError } from '../../shared/errors/index.ts';
import type { SuccessfulResponse } from '../call/api-promise.ts';
import { checkedParameters } from '../call/body.ts';
import type { RequestOptions } from '../call/call-options.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation, OperationInput } from '../call/types.ts';
import { Page, PagePromise } from './page.ts';
import type { ReceivedPage } from './page-body.ts';
import { cannotGoOn, type List, type LoadedPage, type PageQuery } from './strategy.ts';

/** Starts a list: its first page is fetched at once, the others as they are asked for, all under one deadline. */
export function list<T>(
  transport: Transport,
  operation: Operation<ReceivedPage<T>>,
  input: OperationInput,
  options: RequestOptions | undefined,
  paging: List<T>['paging'],
): PagePromise<T> {
  const startedAt = performance.now();
  const { name } = operation;
  const total = ownOption(options, 'deadline') ?? transport.deadline;
  const deadline = (): OperationInput['deadline'] => {
    if (total === undefined) return undefined;
    const remaining = total - (performance.now() - startedAt);
    if (remaining > 0) return { total, remaining };
    throw new TimeoutError(
      `${name}: the walk through the pages took longer than ${total} ms (\`deadline\`).`,
      'deadline',
      { operation: name, outcome: 'not-sent' },
    );
  };
  const read = async (
    response: SuccessfulResponse<ReceivedPage<T>>,
    query: PageQuery,
  ): Promise<LoadedPage<T>> => {
    const { items, received, body, unreadable } = await response.read();
    if (unreadable !== undefined) throw cannotGoOn(name, unreadable.why, unreadable.cause);
    return { items, newItems: items, received, body, query, headers: () => response.toResponse().headers };
  };
  const pages: List<T> = {
    operation: name,
    paging,
    load: async (query) => {
      const { response } = transport.start(operation, { ...input, query, deadline: deadline() }, options);
      return read(await response, query);
    },
  };
  const first = transport.start(operation, input, options);
  const firstQuery = startOf(input.query, options);
  const pageOf = (response: SuccessfulResponse<ReceivedPage<T>>): SuccessfulResponse<Page<T>> => ({
    attempts: response.attempts,
    toResponse: () => response.toResponse(),
    read: async () => new Page(await read(response, firstQuery), pages),
  });
  return new PagePromise<T>(first.call, first.response.then(pageOf));
}

/** The first page's query and the option `query`, which may set where the list begins, such as a cursor. */
function startOf(query: PageQuery = {}, options: RequestOptions | undefined): PageQuery {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return { ...query, ...ownOption(options, 'query'), ...Object.fromEntries(given) };
}

function ownOption<Name extends keyof RequestOptions>(
  options: RequestOptions | undefined,
  name: Name,
): RequestOptions[Name] | undefined {
  return typeof options === 'object' && options !== null && Object.hasOwn(options, name)
    ? options[name]
    : undefined;
}

/**
 * Reads the parameters of a list once and checks them. Never throws: the call fails with the `fault`, and `read` is then
 * empty.
 */
export function readParams<T extends object>(
  operation: string,
  params: T,
  schema: () => z.ZodMiniType,
): { readonly read: Partial<T>; readonly fault: unknown } {
  try {
    const body = checkedParameters(operation, schema(), params, 'query');
    // Without a prototype: a polluted one adds no parameter.
    return { read: Object.assign(Object.create(null), body), fault: undefined };
  } catch (fault) {
    return { read: Object.create(null), fault };
  }
}
