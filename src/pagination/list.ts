import { TimeoutError } from '../errors/index.ts';
import type { Answer } from '../transport/api-promise.ts';
import { monotonicNow } from '../transport/limits.ts';
import { withRemaining } from '../transport/request-options.ts';
import type { Operation, OperationInput, RequestOptions, Transport } from '../transport/types.ts';
import { Page, type PageContext, PagePromise } from './page.ts';
import type { ReceivedPage } from './read-list.ts';
import type { PageQuery, PagingStrategy } from './strategy.ts';

/** Options of a list that is paged by cursor. */
export interface ListOptions extends RequestOptions {
  /** Fetches the next page while you process the current one. Default false. */
  prefetch?: boolean | undefined;
}

/** Starts a list: its first page is fetched at once, the others as they are asked for, all under one deadline. */
export function list<T>(
  transport: Transport,
  operation: Operation<ReceivedPage<T>>,
  input: OperationInput,
  options: RequestOptions | undefined,
  strategy: PagingStrategy<T>,
): PagePromise<T> {
  const startedAt = monotonicNow();
  const { name } = operation;
  const total = ownOption(options, 'deadline') ?? transport.deadline;
  const remainingOptions = (): RequestOptions | undefined => {
    if (total === undefined) return options;
    const remaining = total - (monotonicNow() - startedAt);
    if (remaining > 0) return withRemaining(options, remaining);
    throw new TimeoutError(
      `${name}: the walk through the pages took longer than ${total} ms (\`deadline\`).`,
      'deadline',
      { operation: name, outcome: 'not-sent' },
    );
  };
  const context: PageContext<T> = {
    operation: name,
    strategy,
    fetch: async (query) =>
      (await transport.start(operation, { ...input, query }, remainingOptions()).answer).read(),
  };
  const first = transport.start(operation, input, options);
  const firstQuery = startOf(input.query, options);
  const pageOf = (page: ReceivedPage<T>, query: PageQuery) =>
    new Page({ page, items: page.items, query }, context);
  const answerOf = (answer: Answer<ReceivedPage<T>>, query: PageQuery): Answer<Page<T>> => ({
    attempts: answer.attempts,
    toResponse: () => answer.toResponse(),
    read: async () => {
      const page = await answer.read();
      const other = strategy.correctStart?.(page, query);
      return other === undefined ? pageOf(page, query) : pageOf(await context.fetch(other), other);
    },
  });
  return new PagePromise<T>({
    operation: name,
    requestId: undefined,
    answer: first.answer.then((answer) => answerOf(answer, firstQuery)),
    takeRaw: first.takeRaw,
  });
}

/** The first page's query with what the caller added to it, so that the walk goes on from where it began. */
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
