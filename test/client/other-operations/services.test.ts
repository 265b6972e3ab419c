import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/client/index.ts';
import { baseUrl, clientOf, failure, json, scripted } from '../support.ts';

interface NoParameters {
  query?: never;
  header?: never;
  path?: never;
  cookie?: never;
}

/** An operation in the form that openapi-typescript writes. */
interface Operation<Parameters> {
  parameters: Omit<NoParameters, keyof Parameters> & Parameters;
  requestBody?: never;
  responses: {
    200: { headers: { [name: string]: unknown }; content: { 'application/json': { id: string } } };
    default: { headers: { [name: string]: unknown }; content: { 'application/json': { message?: string } } };
  };
}

/** One with a body. */
type Write<Content> = Omit<Operation<object>, 'requestBody'> & { requestBody: { content: Content } };

/** A service of wallets: times and words in the query, a key of its own in the body. */
interface Wallets {
  '/v1/wallets': {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: Operation<{
      query?: { from?: string; pageSize?: number; includeAll?: boolean; blockchain?: ('A' | 'B')[] };
      header?: { 'X-Request-Id'?: string };
    }>;
    post: Write<{
      'application/json': { idempotencyKey: string; metadata?: { name?: string; refId?: string }[] };
    }>;
    put?: never;
    delete?: never;
  };
}

/** A service of a shop: almost everything may be null. */
interface Shop {
  '/v1/payments': {
    get: Operation<{
      query?: { begin_time?: string | null; cursor?: string | null; total?: number | null; limit?: number };
    }>;
    post: Write<{ 'application/json': { source_id: string; note?: string | null } }>;
  };
}

/** A service where every operation is a POST with a body, open to other fields. */
interface Links {
  '/v1/links/get': {
    post: Write<{
      'application/json': { client_id?: string; options?: { count?: number } | null } & {
        [key: string]: unknown;
      };
    }>;
  };
}

/** A service of ledgers: maps of the caller's own words in the query. */
interface Ledgers {
  '/v1/orders': {
    get: Operation<{
      query?: {
        after_cursor?: string | null;
        metadata?: { [key: string]: string | undefined };
        effective_at?: { gt?: string; lte?: string };
        status?: ('open' | 'closed') | null;
        ids?: string[];
      };
    }>;
  };
  '/v1/orders/{id}': {
    get: Operation<{ path: { id: string; version: string[] } }>;
    delete: Operation<{ path: { id: number }; header: { 'X-Reason': string | null } }>;
  };
}

/** A service of charges: ranges, lists within objects and objects within lists in the query, forms as bodies. */
interface Charges {
  '/v1/charges': {
    get: Operation<{
      query?: {
        created?: { gt?: number; gte?: number; lt?: number; lte?: number } | number;
        expand?: string[];
        filter?: { status?: string[]; customer?: { country?: string | null; id?: string } };
        items?: { price?: string; quantity?: number; tax?: ('a' | 'b')[] }[];
        pairs?: (string | null)[];
      };
    }>;
    post: Write<{ 'application/x-www-form-urlencoded': { amount: number; metadata?: '' | object } }>;
  };
}

type Send<Paths> = (api: Api<Paths>) => PromiseLike<unknown>;

/** The requests of a call, without the encoding of their queries. */
async function sentBy<Paths>(send: Send<Paths>): Promise<unknown[]> {
  const fetch = scripted(json({ id: 'x' }));
  await send(clientOf(fetch, { retries: 0 }).api<Paths>());
  return fetch.seen.map(({ method, url, body }) => [
    `${method} ${decodeURIComponent(url.slice(baseUrl.length))}`,
    ...(body === undefined ? [] : [body]),
  ]);
}

describe('what the types of a description take is sent', () => {
  it('wallets', async () => {
    const query = {
      from: '2026-11-01T00:00:00Z',
      pageSize: 5,
      includeAll: false,
      blockchain: ['A', 'B'],
    } as const;
    expect(
      await sentBy<Wallets>((api) =>
        api.GET('/v1/wallets', { params: { query: { ...query, blockchain: ['A', 'B'] } } }),
      ),
    ).toEqual([
      ['GET /v1/wallets?from=2026-11-01T00:00:00Z&pageSize=5&includeAll=false&blockchain=A&blockchain=B'],
    ]);
    const body = { idempotencyKey: 'k1', metadata: [{ name: 'a' }] };
    expect(await sentBy<Wallets>((api) => api.POST('/v1/wallets', { body }))).toEqual([
      ['POST /v1/wallets', '{"idempotencyKey":"k1","metadata":[{"name":"a"}]}'],
    ]);
  });

  it('a shop: null leaves a parameter out, and stays in a body', async () => {
    expect(
      await sentBy<Shop>((api) =>
        api.GET('/v1/payments', {
          params: { query: { begin_time: null, cursor: null, total: 0, limit: 1 } },
        }),
      ),
    ).toEqual([['GET /v1/payments?total=0&limit=1']]);
    expect(
      await sentBy<Shop>((api) => api.POST('/v1/payments', { body: { source_id: 's', note: null } })),
    ).toEqual([['POST /v1/payments', '{"source_id":"s","note":null}']]);
  });

  it('bodies that are open', async () => {
    expect(
      await sentBy<Links>((api) => api.POST('/v1/links/get', { body: { options: null, own: { a: [1] } } })),
    ).toEqual([['POST /v1/links/get', '{"options":null,"own":{"a":[1]}}']]);
  });

  it('ledgers: a map and a range are objects', async () => {
    const query = {
      after_cursor: null,
      metadata: { kind: 'a b', 'with[bracket': '1', none: undefined },
      effective_at: { gt: '2026-11-01', lte: '2026-11-30' },
      status: null,
      ids: [],
    };
    expect(await sentBy<Ledgers>((api) => api.GET('/v1/orders', { params: { query } }))).toEqual([
      [
        'GET /v1/orders?metadata[kind]=a+b&metadata[with[bracket]=1&effective_at[gt]=2026-11-01&effective_at[lte]=2026-11-30',
      ],
    ]);
  });

  it('charges: objects within objects, and lists within them', async () => {
    const query = {
      created: { gte: 1 },
      expand: ['a', 'b'],
      filter: { status: ['x', 'y'], customer: { country: null, id: 'c1' } },
      items: [{ price: 'p1', quantity: 2, tax: ['a' as const, 'b' as const] }, { price: 'p2' }],
      pairs: ['1', null, '2'],
    };
    expect(await sentBy<Charges>((api) => api.GET('/v1/charges', { params: { query } }))).toEqual([
      [
        'GET /v1/charges?created[gte]=1&expand=a&expand=b&filter[status]=x&filter[status]=y&filter[customer][id]=c1' +
          '&items[0][price]=p1&items[0][quantity]=2&items[0][tax]=a&items[0][tax]=b&items[1][price]=p2&pairs=1&pairs=2',
      ],
    ]);
    expect(
      await sentBy<Charges>((api) =>
        api.GET('/v1/charges', { params: { query: { created: 5, filter: {} } } }),
      ),
    ).toEqual([['GET /v1/charges?created=5']]);
    expect(
      await sentBy<Charges>((api) => api.POST('/v1/charges', { body: new URLSearchParams({ amount: '5' }) })),
    ).toEqual([['POST /v1/charges']]);
  });
});

describe('what cannot be sent', () => {
  it('does not compile', () => {
    const calls: readonly ((ledgers: Api<Ledgers>, charges: Api<Charges>) => unknown)[] = [
      // @ts-expect-error a list in the path
      (api) => api.GET('/v1/orders/{id}', { params: { path: { id: 'p', version: ['1'] } } }),
      // @ts-expect-error null in a header
      (api) => api.DELETE('/v1/orders/{id}', { params: { path: { id: 1 }, header: { 'X-Reason': null } } }),
      // @ts-expect-error JSON where the description has a form
      (_, api) => api.POST('/v1/charges', { body: { amount: 5 } }),
    ];
    expect(calls).toHaveLength(3);
  });

  it.each<[string, unknown, field: string]>([
    ['a time', { created: new Date(0) }, 'created'],
    ['a time within an object', { created: { gte: new Date(0) } }, 'created[gte]'],
    ['a Map', { created: new Map([['gte', 1]]) }, 'created'],
    ['no number', { created: { gte: Number.NaN } }, 'created[gte]'],
    ['undefined in a list', { expand: [undefined] }, 'expand'],
  ])('is refused before anything is sent: %s', async (_name, query, field) => {
    const fetch = scripted(json({}));
    const api =
      clientOf(fetch).api<
        Record<'/v1/charges', { get: { parameters: { query: unknown }; responses: object } }>
      >();
    const error = await failure(api.GET('/v1/charges', { params: { query } }));
    expect(error).toMatchObject({ name: 'InvalidRequestError', field, outcome: 'not-sent' });
    expect(fetch.seen).toEqual([]);
  });

  it('is refused where it goes into the path: no number', async () => {
    const fetch = scripted(json({}));
    const call = clientOf(fetch)
      .api<Ledgers>()
      .DELETE('/v1/orders/{id}', {
        params: { path: { id: Number.NaN }, header: { 'X-Reason': 'a' } },
      });
    expect(await failure(call)).toMatchObject({ name: 'InvalidRequestError', field: 'id' });
  });

  it('an object that refers to itself', async () => {
    const metadata: Record<string, unknown> = {};
    metadata.self = metadata;
    const api = clientOf(scripted(json({}))).api<
      Record<'/x', { get: { parameters: { query: unknown }; responses: object } }>
    >();
    expect(await failure(api.GET('/x', { params: { query: { metadata } } }))).toMatchObject({
      name: 'InvalidRequestError',
      outcome: 'not-sent',
    });
  });
});
