import { PaginationError, PaymentsClient } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { cases } from '../cases.ts';

const start = Date.parse('2026-03-01T00:00:00Z');

/** How a service writes a time, given in microseconds. */
type Form = (micros: number) => string | number;
const parts = (micros: number, digits: number) => {
  const whole = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  return digits === 0
    ? whole
    : `${whole}.${String(micros % 1e6)
        .padStart(6, '0')
        .slice(0, digits)}`;
};
const forms = {
  'milliseconds and Z': { form: (at) => `${parts(at, 3)}Z`, unit: 1e3 },
  'milliseconds and +00:00': { form: (at) => `${parts(at, 3)}+00:00`, unit: 1e3 },
  'microseconds and +00:00': { form: (at) => `${parts(at, 6)}+00:00`, unit: 1 },
  'whole seconds': { form: (at) => `${parts(at, 0)}Z`, unit: 1e6 },
  'seconds since 1970': { form: (at) => at / 1e6, unit: 1e6 },
  'milliseconds since 1970': { form: (at) => at / 1e3, unit: 1e3 },
} satisfies Record<string, { form: Form; unit: number }>;

const micros = (text: string): number => {
  if (/^\d{10}$/.test(text)) return Number(text) * 1e6;
  if (/^\d{13}$/.test(text)) return Number(text) * 1e3;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const whole = Date.parse(text.length === 10 ? text : text.replace(/\.\d+/, '')) * 1e3;
  return whole + Number(fraction.padEnd(6, '0').slice(0, 6));
};

it('gives every record of ids beyond 2^53, which JSON.parse rounds to those of others', async () => {
  const records = Array.from({ length: 50 }, (_, index) => {
    const at = new Date(start - Math.floor(index / 3) * 1000).toISOString();
    return {
      at,
      text: `{"id":${1234567890123456000n + BigInt(index * 130)},"createdAt":"${at}","n":${index}}`,
    };
  });
  const payments = new PaymentsClient({
    baseUrl: 'http://localhost',
    accessToken: 'token',
    fetch: async (url: string) => {
      const before = new URL(url).searchParams.get('createdBefore') ?? '9999';
      const page = records.filter(({ at }) => at < before).slice(0, 10);
      const nextCursor = JSON.stringify(page.at(-1)?.at ?? null);
      return new Response(`{"banks":[${page.map(({ text }) => text).join()}],"nextCursor":${nextCursor}}`);
    },
  });
  const accounts = await payments.accounts.list('user').toArray({ limit: 100 });
  expect(accounts.map((account) => Reflect.get(account, 'n'))).toEqual(records.map((_, index) => index));
});

interface Service {
  /** The times of the records, in units before the start; each stands as often as records share it. */
  readonly times: readonly number[];
  readonly unit: number;
  readonly form: Form;
  readonly inclusive?: boolean;
  readonly ascending?: boolean;
  /** Reads times as milliseconds, whatever their precision. */
  readonly readsMilliseconds?: boolean;
  readonly pageSize?: number;
  readonly ignoresLimit?: boolean;
  readonly refusesLimit?: boolean;
  readonly cursorOnLastPage?: boolean;
  readonly nested?: boolean;
  /** Takes the time under this name, and refuses any other. */
  readonly takes?: string;
  readonly cursorForm?: Form;
  /** The body around the list; a bare array where it gives the list itself. */
  readonly envelope?: (list: readonly object[], nextCursor: unknown) => unknown;
  /** Called before each response with the number of the request. */
  readonly meanwhile?: (records: { id: string; at: number }[], request: number) => void;
}

/** A list by time as services keep it: it compares times, and leaves out what was created at the time that it is sent. */
function serviceOf(service: Service) {
  const { unit, form, ascending = false, cursorForm = form } = service;
  const begin = Math.floor((start * 1e3) / unit) * unit;
  const records = service.times.map((time, index) => ({ id: `r${index}`, at: begin - time * unit }));
  const queries: URLSearchParams[] = [];
  const fetch = async (url: string): Promise<Response> => {
    const { searchParams } = new URL(url);
    queries.push(searchParams);
    if (queries.length > 500) throw new Error('The walk does not end.');
    service.meanwhile?.(records, queries.length);
    const name = service.takes ?? (ascending ? 'createdAfter' : 'createdBefore');
    const unknown = [...searchParams.keys()].filter(
      (key) => key !== name && (key !== 'limit' || service.refusesLimit),
    );
    if (service.takes !== undefined && unknown.length > 0)
      return Response.json({ error: 'FIELD_VALIDATION_ERROR' }, { status: 400 });
    const sent = searchParams.get(name);
    const read = sent === null ? undefined : micros(sent);
    const border = service.readsMilliseconds && read !== undefined ? Math.floor(read / 1e3) * 1e3 : read;
    const isIn = ({ at }: { at: number }) => {
      if (border === undefined) return true;
      if (service.inclusive && at === border) return true;
      return ascending ? at > border : at < border;
    };
    const all = [...records].sort(
      (a, b) => (ascending ? a.at - b.at : b.at - a.at) || (a.id < b.id ? -1 : 1),
    );
    const rest = all.filter(isIn);
    const asked = service.ignoresLimit ? null : searchParams.get('limit');
    const page = rest.slice(0, Math.min(100, Number(asked ?? service.pageSize ?? 10)));
    const last = page.at(-1);
    const more = last !== undefined && (service.cursorOnLastPage === true || rest.length > page.length);
    const list = page.map(({ id, at }) =>
      service.nested
        ? { transferType: 'ONRAMP', transferDetails: { id, createdAt: form(at) } }
        : { id, status: 'ACTIVE', createdAt: form(at) },
    );
    const nextCursor = more ? cursorForm(last.at) : null;
    const envelope =
      service.envelope ?? ((banks, cursor) => ({ count: page.length, banks, nextCursor: cursor }));
    return Response.json(envelope(list, nextCursor));
  };
  const payments = new PaymentsClient({ baseUrl: 'http://localhost', accessToken: 'token', fetch });
  return { payments, queries };
}

type Item = { id?: unknown; transferDetails?: { id?: unknown } };
const idOf = (item: Item) => String(item.id ?? item.transferDetails?.id);
const idsOf = (count: number) => Array.from({ length: count }, (_item, index) => `r${index}`).sort();

const listOf = (payments: PaymentsClient, query: Record<string, number> = {}) =>
  payments.paginate<Item>({ path: '/v2/things', strategy: 'cursor', query });

const walks = [
  [
    'for await',
    async (payments: PaymentsClient, query?: Record<string, number>) => {
      const ids: string[] = [];
      for await (const item of listOf(payments, query)) ids.push(idOf(item));
      return ids;
    },
  ],
  [
    'prefetch',
    async (payments: PaymentsClient, query: Record<string, number> = {}) => {
      const description = { path: '/v2/things', strategy: 'cursor', query } as const;
      return (await payments.paginate<Item>(description, { prefetch: true }).toArray()).map(idOf);
    },
  ],
  [
    'nextPage',
    async (payments: PaymentsClient, query?: Record<string, number>) => {
      let page = await listOf(payments, query);
      const ids = page.items.map(idOf);
      while (page.hasNextPage()) {
        page = await page.nextPage();
        ids.push(...page.items.map(idOf));
      }
      return ids;
    },
  ],
] as const;

const ties = (count: number, each: number) =>
  Array.from({ length: count }, (_item, index) => Math.floor(index / each));
const named = Object.entries(forms).map(([name, form]) => ({ name, ...form }));

describe('a walk by time', () => {
  const services = named.flatMap(({ name, form, unit }) =>
    [1, 2, 3, 7, 9].flatMap((each) =>
      [false, true].flatMap((inclusive) =>
        [false, true].map((ascending) => ({ name, form, unit, each, inclusive, ascending })),
      ),
    ),
  );

  // Each way to walk meets each value of each property with each value of every other; in CI, all of them at once.
  const waysOf = cases(1, walks.length);
  it.each(services.map((service, index) => ({ ...service, index })))(
    'gives each of 95 records once, $each of one time, $name, inclusive: $inclusive, ascending: $ascending',
    async ({ form, unit, each, inclusive, ascending, index }) => {
      const queries = [undefined, { limit: 20 }];
      const runs = queries.flatMap((query) =>
        [false, true].map((cursorOnLastPage) => ({ query, cursorOnLastPage })),
      );
      for (const [place, { query, cursorOnLastPage }] of runs.entries()) {
        for (let way = 0; way < waysOf; way += 1) {
          const [, walk] = walks[(index + place + way) % walks.length] ?? walks[0];
          const options = { times: ties(95, each), form, unit, inclusive, ascending, cursorOnLastPage };
          expect((await walk(serviceOf(options).payments, query)).sort()).toEqual(idsOf(95));
        }
      }
    },
  );

  it('loses nothing where the service reads milliseconds of times that it writes in microseconds', async () => {
    const { form } = forms['microseconds and +00:00'];
    for (const [, walk] of walks) {
      // Up to 30 records are of one millisecond.
      const times = ties(95, 3);
      const service = serviceOf({ times, form, unit: 100, readsMilliseconds: true, pageSize: 50 });
      expect((await walk(service.payments)).sort()).toEqual(idsOf(95));
    }
  });

  it.each([1, 3, 10, 11, 25])('takes pages of any size: %i', async (limit) => {
    const { form, unit } = forms['milliseconds and Z'];
    for (const each of [1, Math.min(2, limit), limit]) {
      for (const inclusive of [false, true]) {
        const service = serviceOf({ times: ties(40, each), form, unit, inclusive, cursorOnLastPage: true });
        expect((await walks[0][1](service.payments, { limit })).sort()).toEqual(idsOf(40));
      }
    }
  });

  it.each(walks)('finds the order of a list whose pages are of one time each, %s', async (_way, walk) => {
    const { form, unit } = forms['milliseconds and Z'];
    for (const ascending of [false, true]) {
      for (const takes of [ascending ? 'createdAfter' : 'createdBefore', 'cursor']) {
        for (const limit of [1, 5]) {
          const times = ties(30, limit).map((time) => time * 5);
          const service = serviceOf({ times, form, unit, ascending, takes, cursorOnLastPage: true });
          expect((await walk(service.payments, { limit })).sort()).toEqual(idsOf(30));
        }
      }
    }
  });

  it.each(walks)(
    'asks for larger pages where a page holds records of one time only, %s',
    async (_way, walk) => {
      for (const { form, unit } of named) {
        for (const [count, each] of [
          [40, 11],
          [40, 15],
          [15, 15],
          [95, 90],
        ] as const) {
          const service = serviceOf({ times: ties(count, each), form, unit, cursorOnLastPage: true });
          expect((await walk(service.payments)).sort()).toEqual(idsOf(count));
        }
      }
    },
  );

  it.each(walks)(
    'loses none where a service with small pages has a page of records of one time, %s',
    async (_way, walk) => {
      for (const { form, unit } of named) {
        for (const [pageSize, count, each] of [
          [5, 40, 5],
          [5, 40, 7],
          [3, 6, 6],
          [2, 9, 3],
          [5, 3, 3],
        ] as const) {
          for (const inclusive of [false, true]) {
            const options = { form, unit, inclusive, pageSize, cursorOnLastPage: true };
            const service = serviceOf({ ...options, times: ties(count, each) });
            expect((await walk(service.payments)).sort()).toEqual(idsOf(count));
          }
        }
        const deaf = serviceOf({ times: ties(10, 5), form, unit, pageSize: 5, ignoresLimit: true });
        await expect(walk(deaf.payments, { limit: 10 })).rejects.toThrow(PaginationError);
      }
    },
  );

  it('takes a small page of one time as the end where the service refuses a limit', async () => {
    const { form, unit } = forms['milliseconds and Z'];
    const service = serviceOf({
      times: ties(3, 3),
      form,
      unit,
      takes: 'createdBefore',
      refusesLimit: true,
      cursorOnLastPage: true,
    });
    expect((await walks[0][1](service.payments)).sort()).toEqual(idsOf(3));
  });

  it.each(walks)(
    'is an error where more records are of one time than fit on the largest page, %s',
    async (_way, walk) => {
      for (const { form, unit } of named) {
        for (const query of [{}, { limit: 100 }]) {
          const service = serviceOf({ times: ties(250, 200), form, unit, cursorOnLastPage: true });
          await expect(walk(service.payments, query)).rejects.toThrow('were created at the same time');
        }
        const unlimited = serviceOf({ times: ties(40, 15), form, unit, ignoresLimit: true });
        await expect(walk(unlimited.payments)).rejects.toThrow(PaginationError);
        const last = serviceOf({
          times: ties(15, 15),
          form,
          unit,
          ignoresLimit: true,
          cursorOnLastPage: true,
        });
        await expect(walk(last.payments)).rejects.toThrow(PaginationError);
      }
    },
  );

  it.each(walks)('does not see what arrives meanwhile, and misses nothing, %s', async (_way, walk) => {
    const { form, unit } = forms['milliseconds and Z'];
    for (const nested of [false, true]) {
      const service = serviceOf({
        times: ties(95, 3),
        form,
        unit,
        nested,
        meanwhile: (records, request) => {
          if (request > 1) records.push({ id: `new${request}`, at: start * 1e3 + request * 1e6 });
        },
      });
      expect((await walk(service.payments)).sort()).toEqual(idsOf(95));
    }
  });

  it.each(walks)('goes on where the last record of a page is deleted, %s', async (_way, walk) => {
    const { form, unit } = forms['milliseconds and Z'];
    const service = serviceOf({
      times: ties(30, 1),
      form,
      unit,
      meanwhile: (records, request) => {
        if (request === 2) records.splice(9, 1);
      },
    });
    expect((await walk(service.payments)).sort()).toEqual(idsOf(30));
  });

  it('gives the query of the next page in the form of the cursor', async () => {
    const { form, unit } = forms['microseconds and +00:00'];
    const { payments } = serviceOf({ times: ties(20, 1), form, unit });
    const page = await listOf(payments);
    expect(page.nextQuery).toEqual({ createdBefore: '2026-03-01T00:00:00.000991+00:00' });
  });
});

describe('a cursor that is less precise than the records', () => {
  it.each(walks)('is a day only, %s', async (_way, walk) => {
    const day = (at: number) => parts(at, 0).slice(0, 10);
    const hours = { unit: 3_600e6, form: (at: number) => `${parts(at, 3)}Z` };
    const service = serviceOf({ times: ties(95, 2), ...hours, cursorForm: day, cursorOnLastPage: true });
    expect((await walk(service.payments)).sort()).toEqual(idsOf(95));
    const days = { unit: 86_400e6, form: day };
    const whole = serviceOf({ times: ties(95, 3), ...days, cursorOnLastPage: true });
    expect((await walk(whole.payments)).sort()).toEqual(idsOf(95));
  });

  it.each(walks)('is a second only, %s', async (_way, walk) => {
    const cursorForm = (at: number) => `${parts(at, 0)}Z`;
    const { form, unit } = forms['milliseconds and Z'];
    const service = serviceOf({ times: ties(95, 3), form, unit, cursorForm });
    expect((await walk(service.payments)).sort()).toEqual(idsOf(95));
  });
});

describe('a bare array', () => {
  const bare = (list: readonly object[]) => list;
  const { form, unit } = forms['milliseconds and Z'];

  it.each(walks)('is walked by the time of its records, %s', async (_way, walk) => {
    for (const count of [3, 10, 95]) {
      for (const nested of [false, true]) {
        const options = { times: ties(count, 3), form, unit, envelope: bare, nested };
        expect((await walk(serviceOf(options).payments)).sort()).toEqual(idsOf(count));
        expect((await walk(serviceOf(options).payments, { limit: 7 })).sort()).toEqual(idsOf(count));
      }
    }
  });

  const still = (length: number, status = 200) => {
    let requests = 0;
    const list = Array.from({ length }, (_item, index) => ({
      id: `r${index}`,
      createdAt: form(start * 1e3 - index * 1e6),
    }));
    const payments = new PaymentsClient({
      baseUrl: 'http://localhost',
      accessToken: 'token',
      fetch: async (url) => {
        requests += 1;
        const isAsked = new URL(url).searchParams.has('createdBefore');
        return isAsked && status !== 200 ? Response.json({ error: 'x' }, { status }) : Response.json(list);
      },
    });
    return { payments, requests: () => requests };
  };

  it.each(walks)('may be the whole list, %s', async (_way, walk) => {
    expect(await walk(still(30).payments)).toHaveLength(30);
    expect(await walk(still(30, 400).payments)).toHaveLength(30);
    const short = still(3);
    expect(await walk(short.payments)).toHaveLength(3);
    expect(short.requests()).toBe(1);
  });

  it.each(walks)(
    'that keeps to a limit and shows the same records again is an error, %s',
    async (_way, walk) => {
      await expect(walk(still(20).payments, { limit: 20 })).rejects.toThrow(PaginationError);
    },
  );
});
