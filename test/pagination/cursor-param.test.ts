import type { PaymentsClient } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../client/support.ts';
import { stepped } from './scripted-list.ts';

const start = Date.parse('2026-03-01T00:00:00Z');
type TimeForm = (instant: number) => string | number;
const isoZ: TimeForm = (instant) => new Date(instant).toISOString();
const timeForms: [string, TimeForm, TimeForm][] = [
  ['Z and Z', isoZ, isoZ],
  ['Z and an offset with six decimals', isoZ, (at) => isoZ(at).toString().replace('Z', '000+00:00')],
  ['an offset with six decimals and Z', (at) => isoZ(at).toString().replace('Z', '123+00:00'), isoZ],
  [
    'Z without decimals and another zone',
    (at) => isoZ(at).toString().replace('.000Z', 'Z'),
    (at) =>
      isoZ(at + 7_200_000)
        .toString()
        .replace('Z', '+02:00'),
  ],
  ['milliseconds and ISO', (at) => at, isoZ],
  ['ISO and milliseconds', isoZ, (at) => String(at)],
  ['milliseconds and text', (at) => at, (at) => String(at)],
  ['seconds and ISO', (at) => at / 1000, isoZ],
  ['the same words', (at) => `t${at}`, (at) => `t${at}`],
];

interface Options {
  count: number;
  limit?: number;
  key?: string;
  /** Which parameter it takes; any other is ignored, or refused where it is strict. */
  takes: 'createdBefore' | 'cursor' | 'after';
  strict?: boolean;
  inclusive?: boolean;
  cursorOnLastPage?: boolean;
  createdAt?: TimeForm;
  nextCursor?: TimeForm;
  total?: boolean;
}

/** A time in any form; -1 for what is none, which brings nothing. */
function timeOf(text: string): number {
  if (/^\d{10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{13}$/.test(text)) return Number(text);
  const at = Date.parse(text.replace(/(\.\d{3})\d+/, '$1'));
  return Number.isNaN(at) ? -1 : at;
}

/** Accounts, newest first, one a second, paged by a cursor that is the time of the last record. */
function timeService(options: Options) {
  const { count, takes, key = 'banks', createdAt = isoZ, nextCursor = isoZ, limit = 10 } = options;
  const records = Array.from({ length: count }, (_item, index) => start - index * 1000);
  const queries: string[] = [];
  const fetch = async (url: string): Promise<Response> => {
    const { search, searchParams } = new URL(url);
    queries.push(search);
    const unknown = [...searchParams.keys()].filter((name) => ![takes, 'limit', 'rail'].includes(name));
    if (options.strict === true && unknown.length > 0)
      return Response.json(
        { code: 100001, error: 'FIELD_VALIDATION_ERROR', errorDetails: 'x' },
        { status: 400 },
      );
    const cursor = searchParams.get(takes);
    const from =
      cursor === null
        ? Number.POSITIVE_INFINITY
        : (records.find((at) => String(nextCursor(at)) === cursor) ?? timeOf(cursor));
    const rest = records.filter((at) => (options.inclusive === true ? at <= from : at < from));
    const page = rest.slice(0, Number(searchParams.get('limit') ?? limit));
    const last = page.at(-1);
    const more = options.cursorOnLastPage === true || rest.length > page.length;
    const list = page.map((at) => ({
      id: `a${(start - at) / 1000}`,
      status: 'ACTIVE',
      createdAt: createdAt(at),
    }));
    return Response.json({
      count: options.total === true ? count : page.length,
      [key]: list,
      nextCursor: more && last !== undefined ? nextCursor(last) : null,
    });
  };
  const payments = clientOf(fetch);
  return { payments, queries };
}

const idsOf = (count: number) => Array.from({ length: count }, (_item, index) => `a${index}`);
const walk = async (payments: PaymentsClient) =>
  (await payments.accounts.list('u').toArray()).map(({ id }) => id);
const manualWalk = async (payments: PaymentsClient) =>
  (await stepped(payments.accounts.list('u'))).map(({ id }) => id);
const walks = [
  ['for await', walk],
  ['nextPage', manualWalk],
] as const;

describe('the name of the cursor by default', () => {
  it.each(timeForms)(
    'is createdBefore for the time of the last record: %s',
    async (_form, createdAt, nextCursor) => {
      const { payments, queries } = timeService({ count: 25, takes: 'createdBefore', createdAt, nextCursor });
      expect(await walk(payments)).toEqual(idsOf(25));
      // One more where the service reads the time less precisely than it writes it.
      expect(queries.length).toBeLessThanOrEqual(4);
      expect(new URLSearchParams(queries[1]).has('createdBefore')).toBe(true);
    },
  );

  it('is corrected where the records hold times that are none', async () => {
    const { payments } = timeService({
      count: 25,
      takes: 'createdBefore',
      createdAt: () => '2026-99-99T00:00:00Z',
    });
    expect(await walk(payments)).toEqual(idsOf(25));
  });

  it('is cursor beside a time that the caller filters by', async () => {
    const { payments, queries } = timeService({ count: 25, takes: 'cursor', nextCursor: (at) => `c${at}` });
    const createdBefore = '2026-04-01T00:00:00Z';
    const items = await payments.accounts.list('u', { createdBefore }).toArray();
    expect(items.map(({ id }) => id)).toEqual(idsOf(25));
    const sent = queries.map((query) => [...new URLSearchParams(query).keys()].join());
    expect(sent).toEqual(['createdBefore', 'createdBefore,cursor', 'createdBefore,cursor']);
  });

  it.each(walks)(
    'a cursor on the last page leads to an empty page, which ends the walk, %s',
    async (_way, go) => {
      for (const count of [1, 10, 20, 25]) {
        const { payments } = timeService({ count, takes: 'createdBefore', cursorOnLastPage: true });
        expect(await go(payments)).toEqual(idsOf(count));
      }
    },
  );
});

describe('a cursor that includes the record it was taken from', () => {
  const cases = walks.flatMap(([way, go]) =>
    [2, 9, 10, 11, 19, 20, 28, 35].flatMap((count) =>
      [false, true].map((cursorOnLastPage) => ({ way, go, count, cursorOnLastPage })),
    ),
  );
  it.each(cases)(
    'delivers each of $count once, $way, cursor on the last page: $cursorOnLastPage',
    async ({ go, count, cursorOnLastPage }) => {
      for (const takes of ['createdBefore', 'cursor'] as const) {
        const { payments } = timeService({ count, takes, inclusive: true, cursorOnLastPage });
        expect(await go(payments)).toEqual(idsOf(count));
      }
    },
  );
});

describe('a cursor of the caller', () => {
  const wallets = (takes: string, strict = false) => {
    const queries: string[] = [];
    const payments = clientOf(async (url) => {
      const { search, searchParams } = new URL(url);
      queries.push(search);
      if (strict && [...searchParams.keys()].some((name) => name !== takes))
        return Response.json({ error: 'FIELD_VALIDATION_ERROR' }, { status: 400 });
      const cursor = searchParams.get(takes);
      const from = cursor === null ? Number.POSITIVE_INFINITY : Date.parse(cursor);
      const all = Array.from({ length: 25 }, (_item, index) => start - index * 1000).filter(
        (at) => at < from,
      );
      const page = all.slice(0, 10);
      const last = page.at(-1);
      return Response.json({
        externalWallets: page.map((at) => ({ address: `0x${at}`, chain: 'BASE', createdAt: isoZ(at) })),
        nextCursor: last === undefined ? null : isoZ(last),
      });
    });
    return { payments, queries };
  };

  it.each([
    ['createdBefore', false],
    ['cursor', false],
    ['cursor', true],
  ] as const)(
    'goes on where an earlier walk ended, with a service of %s, strict: %s',
    async (takes, strict) => {
      const { payments } = wallets(takes, strict);
      const page = await payments.externalWallets.list('u');
      const { nextCursor } = page.body as { nextCursor: string };
      expect(await payments.externalWallets.list('u', { cursor: nextCursor }).toArray()).toHaveLength(15);
      const second = await page.nextPage();
      const rest = await payments.externalWallets.list('u', {}, { query: { ...second.nextQuery } }).toArray();
      expect(rest).toHaveLength(5);
    },
  );

  it('that is no time goes under `cursor`', async () => {
    const { payments, queries } = wallets('cursor');
    await payments.externalWallets.list('u', { cursor: 'opaque' }).catch(() => undefined);
    expect(queries).toEqual(['?cursor=opaque']);
  });

  it('that is ignored is not sent under another name than the configured one', async () => {
    const { payments, queries } = wallets('createdBefore');
    const configured = payments.withOptions({ cursorParam: 'cursor' });
    await configured.externalWallets.list('u', { cursor: isoZ(start - 20_000).toString() });
    expect(queries).toHaveLength(1);
    expect(queries[0]).toMatch(/^\?cursor=/);
  });
});
