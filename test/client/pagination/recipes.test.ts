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
      expect(requests).toBe(2);
    },
  );
});
