import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { PagePromise, PaymentsClient } from 'stablecoin-payments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read, root } from '../../docs/documents.ts';
import { clientOf } from '../support.ts';

// The recipes of the guide, as they stand there.
const code = [...read('docs/guides/pagination.md').matchAll(/^```ts recipe[^\n]*\n([\s\S]*?)^```$/gm)]
  .map(([, text]) => text)
  .join('\n');
const folder = `${root}.snippets-recipes`;
const names = [...code.matchAll(/^export const (\w+)/gm)].map(([, name]) => name ?? '');

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/recipes.ts`, code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const count = 25;
const size = 10;
const records = Array.from({ length: count }, (_none, index) => ({ id: `i${index}` }));

interface Page {
  readonly rows: readonly object[];
  /** The index of the first record of the next page; undefined on the last page. */
  readonly after: number | undefined;
}
const pageFrom = (from: number): Page => ({
  rows: records.slice(from, from + size),
  after: from + size < count ? from + size : undefined,
});

type Service = (query: URLSearchParams) => { body: unknown; headers?: Record<string, string> };
const linkTo = (query: string) => `https://service.example/v2/invoices?${query}`;
const fromCursor = (query: URLSearchParams, name: string) => pageFrom(Number(query.get(name)?.slice(1) ?? 0));
const cursorOf = ({ after }: Page) => (after === undefined ? null : `c${after}`);
const numbered = (query: URLSearchParams, first: number) =>
  pageFrom((Number(query.get('page') ?? first) - first) * size);

/** One service for each recipe. It takes one parameter, and ignores all others. */
const services: Record<string, Service> = {
  cursor: (query) => {
    const page = fromCursor(query, 'cursor');
    return { body: { data: page.rows, nextCursor: cursorOf(page) } };
  },
  pagesFromOne: (query) => ({ body: { data: numbered(query, 1).rows } }),
  pagesFromZero: (query) => ({ body: numbered(query, 0).rows }),
  pageable: (query) => {
    const number = Number(query.get('page') ?? 0);
    return {
      body: { content: numbered(query, 0).rows, pageable: { number }, totalPages: Math.ceil(count / size) },
    };
  },
  offset: (query) => ({ body: { data: pageFrom(Number(query.get('offset') ?? 0)).rows, total: count } }),
  metaCursors: (query) => {
    const page = fromCursor(query, 'after');
    return { body: { data: page.rows, meta: { cursors: { after: cursorOf(page) } } } };
  },
  afterHeader: (query) => {
    const page = fromCursor(query, 'after');
    const cursor = cursorOf(page);
    return { body: page.rows, headers: cursor === null ? {} : { 'X-After-Cursor': cursor } };
  },
  linkHeader: (query) => {
    const number = Number(query.get('page') ?? 1);
    const { rows, after } = numbered(query, 1);
    const last = `<${linkTo('page=3')}>; rel="last"`;
    const link = after === undefined ? last : `<${linkTo(`page=${number + 1}`)}>; rel="next", ${last}`;
    return { body: rows, headers: { link } };
  },
  nextLink: (query) => {
    const { rows, after } = pageFrom(Number(query.get('skip') ?? 0));
    return { body: { value: rows, ...(after !== undefined && { nextLink: linkTo(`skip=${after}`) }) } };
  },
};

type Recipe = (payments: PaymentsClient) => PagePromise<{ readonly id: string }>;
interface Recipes {
  readonly untilNothingNew: (
    list: () => AsyncIterable<{ readonly id: string }>,
  ) => AsyncIterable<{ readonly id: string }>;
  readonly payOpenInvoices: (
    payments: PaymentsClient,
    pay: (invoice: { readonly id: string }) => Promise<void>,
  ) => Promise<void>;
}
const recipes = async (): Promise<Recipes & Readonly<Record<string, Recipe>>> =>
  import(/* @vite-ignore */ `${folder}/recipes.ts`);

/** A list that others change: its services page through what it has at each request. */
function changing(count: number, size: number) {
  const open = Array.from({ length: count }, (_none, index) => ({ id: `i${index}` }));
  const from = (start: number) => ({ rows: open.slice(start, start + size), after: start + size });
  const link = (name: string, value: number) => linkTo(`${name}=${value}`);
  const isMore = (after: number) => after < open.length;
  const services: Record<string, Service> = {
    pagesFromOne: (query) => ({ body: { data: from((Number(query.get('page') ?? 1) - 1) * size).rows } }),
    pagesFromZero: (query) => ({ body: from(Number(query.get('page') ?? 0) * size).rows }),
    pageable: (query) => {
      const number = Number(query.get('page') ?? 0);
      const totalPages = Math.ceil(open.length / size);
      return { body: { content: from(number * size).rows, pageable: { number }, totalPages } };
    },
    offset: (query) => ({ body: { data: from(Number(query.get('offset') ?? 0)).rows } }),
    linkHeader: (query) => {
      const number = Number(query.get('page') ?? 1);
      const { rows, after } = from((number - 1) * size);
      const next = `<${link('page', number + 1)}>; rel="next"`;
      return { body: rows, headers: isMore(after) ? { link: next } : {} };
    },
    nextLink: (query) => {
      const { rows, after } = from(Number(query.get('skip') ?? 0));
      return { body: { value: rows, ...(isMore(after) && { nextLink: link('skip', after) }) } };
    },
  };
  const client = (name: string, before: (request: number) => void = () => undefined) => {
    let requests = 0;
    return clientOf(async (url) => {
      before(requests);
      requests += 1;
      const { body, headers } = services[name]?.(new URL(url).searchParams) ?? { body: [] };
      return Response.json(body, { headers: headers ?? {} });
    });
  };
  const pay = (id: string) => {
    const place = open.findIndex((one) => one.id === id);
    if (place >= 0) open.splice(place, 1);
  };
  return { open, client, pay };
}
const counting = ['pagesFromOne', 'pagesFromZero', 'pageable', 'offset', 'linkHeader', 'nextLink'];

// Issue 60: "Open invoices, walked by the guide's recipes and paid in the loop: 10 of 20 are skipped without an error."
describe('a list that shrinks because its records are paid in the loop', () => {
  it.each(counting)('loses records by itself, as the guide says: %s', async (name) => {
    const { open, client, pay } = changing(20, 5);
    const list = (await recipes())[name]?.(client(name));
    for await (const { id } of list ?? []) pay(id);
    expect(open).toHaveLength(10);
  });

  it.each(counting.flatMap((name) => [1, 3, 5, 10, 20, 30].map((size) => ({ name, size }))))(
    'is paid whole, each record once, by the recipe of the guide: $name, $size a page',
    async ({ name, size }) => {
      const { untilNothingNew, [name]: recipe } = await recipes();
      const { open, client, pay } = changing(20, size);
      const payments = client(name);
      const paid: string[] = [];
      for await (const { id } of untilNothingNew(() => recipe?.(payments) ?? emptyList())) {
        paid.push(id);
        // One fails, and stays.
        if (id !== 'i7') pay(id);
      }
      expect(new Set(paid).size).toBe(20);
      expect(paid).toHaveLength(20);
      expect(open).toEqual([{ id: 'i7' }]);
    },
  );

  it('is paid whole by the function of the guide', async () => {
    const { open, client, pay } = changing(20, 5);
    await (await recipes()).payOpenInvoices(client('pagesFromOne'), async ({ id }) => pay(id));
    expect(open).toEqual([]);
  });
});

async function* emptyList(): AsyncGenerator<never> {}

describe('a list to which as many records arrive as a page holds', () => {
  it.each(counting)('is read to its end: %s', async (name) => {
    const { open, client } = changing(25, 10);
    const arrive = (request: number) => {
      if (request === 1)
        open.unshift(...Array.from({ length: 10 }, (_none, index) => ({ id: `new${index}` })));
    };
    const { [name]: recipe } = await recipes();
    const ids = ((await recipe?.(client(name, arrive)).toArray()) ?? []).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 25 }, (_none, index) => `i${index}`));
  });

  it.each(counting)('is an error that says both causes where it never stops growing: %s', async (name) => {
    const { open, client } = changing(25, 10);
    const arrive = (request: number) =>
      void open.unshift(...Array.from({ length: 10 }, (_none, index) => ({ id: `new${request}.${index}` })));
    const { [name]: recipe } = await recipes();
    await expect(recipe?.(client(name, arrive)).toArray()).rejects.toMatchObject({
      name: 'PaginationError',
      message: expect.stringMatching(
        /Check what `next` returns\. Or records arrived as fast as the list was read/,
      ),
    });
  });
});

describe('the recipes of the guide for lists', () => {
  it('are these', () => {
    expect(names.sort()).toEqual(Object.keys(services).sort());
  });

  it.each(Object.entries(services))(`give ${count} of ${count} records: %s`, async (name, service) => {
    const { [name]: recipe }: Record<string, (payments: PaymentsClient) => PagePromise<unknown>> =
      await import(/* @vite-ignore */ `${folder}/recipes.ts`);
    let requests = 0;
    const payments = clientOf(async (url) => {
      requests += 1;
      const { pathname, searchParams } = new URL(url);
      expect(pathname).toBe('/v2/invoices');
      const { body, headers } = service(searchParams);
      return Response.json(body, { headers: headers ?? {} });
    });
    expect(await recipe?.(payments).toArray()).toEqual(records);
    expect(requests).toBeLessThanOrEqual(4);
  });

  it.each(Object.keys(services))(
    'never give a part of a list that ignores the parameter: %s',
    async (name) => {
      const { [name]: recipe }: Record<string, (payments: PaymentsClient) => PagePromise<unknown>> =
        await import(/* @vite-ignore */ `${folder}/recipes.ts`);
      let requests = 0;
      const payments = clientOf(async () => {
        requests += 1;
        // The cursor differs each time, as it would where it holds a time.
        const cursor = `c${requests}`;
        const body = {
          data: records.slice(0, size),
          nextCursor: cursor,
          nextLink: linkTo(`skip=${requests}`),
          pageable: { number: requests - 1 },
          totalPages: 3,
          meta: { cursors: { after: cursor } },
        };
        const headers = { 'x-after-cursor': cursor, link: `<${linkTo(`page=${requests}`)}>; rel="next"` };
        return Response.json(body, { headers });
      });
      await expect(recipe?.(payments).toArray()).rejects.toMatchObject({ name: 'PaginationError' });
      // Issue 60: a page that came before is gone past once.
      expect(requests).toBe(3);
    },
  );
});
