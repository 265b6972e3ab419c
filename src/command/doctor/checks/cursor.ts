import {
  APIError,
  isPaymentsError,
  type Page,
  type PagePromise,
  PaginationError,
  type PaymentsClient,
} from 'stablecoin-payments';
import type { Surroundings } from '../observed-call.ts';
import { isRefusal, levelOf } from './judge.ts';

type OpenList<T> = (client: PaymentsClient, query: Record<string, number>) => PagePromise<T>;

/** Tries the parameters that may take the cursor of a list. */
export async function checkCursor<T>(
  around: Surroundings,
  operation: string,
  first: Page<T>,
  open: OpenList<T>,
): Promise<void> {
  const say = around.on(operation);
  const tried: string[] = [];
  const works: string[] = [];
  if (first.items.length > 1 || first.hasNextPage()) {
    for (const name of ['createdBefore', 'cursor']) {
      const effect = await effectOfCursor(around, around.client.withOptions({ cursorParam: name }), open);
      if (effect !== undefined) tried.push(`${name}: ${effect}`);
      if (effect === 'works') works.push(name);
    }
  }
  const [only] = works;
  // A failure shows neither that a parameter is taken nor that it is not.
  if (works.length > 0 && !tried.some((one) => one.endsWith(': failed'))) around.seen.cursors.push(works);
  if (only !== undefined && works.length === 1) around.wire.cursorParams.add(only);
  if (works.length > 0) say.ok(`The cursor goes under ${works.map((name) => `\`${name}\``).join(' or ')}.`);
  else if (tried.length === 0) say.note('The list names no next page, so no cursor was tried.');
  else
    say[levelOf(around)](
      'The second page cannot be reached. Find the name of the cursor’s parameter and set `cursorParam`.',
      tried,
    );
}

/** Tries to reach a second page. Two records a page are enough to tell a page from the one before. */
async function effectOfCursor<T>(
  { wire }: Surroundings,
  client: PaymentsClient,
  open: OpenList<T>,
): Promise<'works' | 'ignored' | 'refused' | 'failed' | undefined> {
  try {
    wire.stop.throwIfAborted();
    // Some services refuse `limit`.
    const page = await open(client, { limit: 2 }).catch((error: unknown) => {
      if (!(error instanceof APIError)) throw error;
      return open(client, {});
    });
    if (!page.hasNextPage()) return undefined;
    let next = await page.nextPage();
    // A page that came before, and an empty one, is gone past once.
    while (next.items.length === 0 && next.hasNextPage()) next = await next.nextPage();
    return 'works';
  } catch (error) {
    wire.stop.throwIfAborted();
    if (error instanceof PaginationError) return 'ignored';
    if (isRefusal(error)) return 'refused';
    if (!isPaymentsError(error)) throw error;
    return 'failed';
  }
}
