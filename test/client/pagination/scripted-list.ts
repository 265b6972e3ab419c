import type { ClientOptions, Page, PagePromise } from 'stablecoin-payments';
import { clientOf } from '../support.ts';

export interface Item {
  readonly id: string;
  readonly status: string;
  readonly text?: string;
}

/** Each letter is an item with that id; `(x)` is one whose id is empty. */
export const itemsOf = (letters: string): Item[] =>
  [...letters.matchAll(/\((?<text>\w+)\)|\w/g)].map(({ 0: id, groups }) =>
    groups?.text === undefined ? { id, status: 'PENDING' } : { id: '', status: 'PENDING', text: groups.text },
  );

export const lettersOf = (items: readonly unknown[]): string =>
  (items as readonly Item[]).map(({ id, text }) => id || `(${text})`).join('');

/** What a request gets: a page with its items, a status, or an error of the connection. */
export type Step =
  | { readonly items: readonly Item[]; readonly nextCursor?: unknown; readonly hasMore?: boolean }
  | { readonly status: number }
  | Error;

/** A client whose lists come in these pages, whatever is asked for, and the queries after the first one. */
export function scriptedLists(steps: readonly Step[], options: ClientOptions = {}) {
  const queries: Record<string, string>[] = [];
  const fetch = async (url: string) => {
    const { pathname, searchParams } = new URL(url);
    const step = steps[queries.length];
    queries.push(Object.fromEntries(searchParams));
    if (step === undefined) throw new Error('the script has no such page');
    if (step instanceof Error) throw step;
    if ('status' in step) return Response.json({}, { status: step.status });
    const { items, ...envelope } = step;
    const key = pathname.endsWith('/external') ? 'externalWallets' : 'approvals';
    return Response.json({ ...envelope, [key]: items });
  };
  const client = clientOf(fetch, { retries: 0, ...options });
  return { client, asked: () => queries.slice(1) };
}

/** Walks through a list to its end, or to its error. */
export async function walkThrough(list: PagePromise<unknown>): Promise<{ given: string[]; error?: unknown }> {
  const given: string[] = [];
  try {
    for await (const { items } of list.pages() as AsyncIterable<Page<unknown>>) given.push(lettersOf(items));
  } catch (error) {
    return { given, error };
  }
  return { given };
}

/** The items of a list, taken page after page by `nextPage`. */
export async function stepped<T>(list: PagePromise<T>): Promise<T[]> {
  let page = await list;
  const items = [...page.items];
  while (page.hasNextPage()) {
    page = await page.nextPage();
    items.push(...page.items);
  }
  return items;
}
