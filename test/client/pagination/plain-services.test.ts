import { PaginationError } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support.ts';
import { stepped } from './scripted-list.ts';

interface Row {
  readonly id: string;
  readonly createdAt: string;
}

const count = 1_000;
const start = Date.parse('2026-03-01T00:00:00Z');
/** Records, the newest first, one every 90 minutes. */
const rows: readonly Row[] = Array.from({ length: count }, (_item, index) => ({
  id: `r${index}`,
  createdAt: new Date(start - index * 5_400_000).toISOString(),
}));

/** Finds the records after a cursor, or all of them; undefined for a cursor that the service never gave. */
type After = (cursor: string) => readonly Row[] | undefined;

interface Service {
  readonly takes: string;
  readonly after: After;
  readonly cursorOf: (last: Row, page: readonly Row[]) => string;
  readonly all?: readonly Row[];
  /** True if the last page has a cursor, too. */
  readonly always?: boolean;
  readonly moreOf?: (rest: number) => object;
  /** The option of the client. Default: what the service takes. */
  readonly cursorParam?: string;
}

/** Walks through a service in pages of 20, by `for await` and by `nextPage`. */
async function walk(service: Service) {
  const { takes, after, cursorOf, all = rows, always = false, moreOf, cursorParam = takes } = service;
  const sent: (string | null)[] = [];
  const payments = clientOf(
    async (url) => {
      const cursor = new URL(url).searchParams.get(takes);
      sent.push(cursor);
      const found = cursor === null ? all : after(cursor);
      if (found === undefined) return Response.json({ error: 'FIELD_VALIDATION_ERROR' }, { status: 400 });
      const page = found.slice(0, 20);
      const last = page.at(-1);
      const isLast = found.length <= 20 && !always;
      const nextCursor = last === undefined || isLast ? null : cursorOf(last, page);
      return Response.json({ banks: page, nextCursor, ...moreOf?.(found.length - page.length) });
    },
    { retries: 0, cursorParam },
  );
  const ids: string[] = [];
  for await (const { id } of payments.accounts.list('u')) ids.push(String(id));
  const steps = (await stepped(payments.accounts.list('u'))).map(({ id }) => String(id));
  expect(steps).toEqual(ids);
  return { ids, sent };
}

const below = (cursor: string) => rows.filter(({ createdAt }) => createdAt < cursor);
const following = (index: number) => (index < 0 ? undefined : rows.slice(index + 1));
const idsOf = (all: readonly Row[]) => all.map(({ id }) => id);

describe('a plain service gives all of 1,000 records', () => {
  const opaque = (row: Row) => `opaque:${row.id}`;
  const id = (row: Row) => row.id;
  const time = (row: Row) => row.createdAt;
  const decimals = (row: Row) => row.createdAt.replace('Z', '000+00:00');
  /** Compares cursors exactly. */
  const exactly = (takes: string, cursorOf: (row: Row) => string): Service => ({
    takes,
    cursorOf,
    after: (cursor) => following(rows.findIndex((row) => cursorOf(row) === cursor)),
  });
  const before: Service = { takes: 'createdBefore', cursorOf: time, after: below };
  it.each<[string, Service]>([
    ['an opaque cursor', exactly('cursor', opaque)],
    ['an id as cursor', exactly('cursor', id)],
    ['a time that is compared exactly, as `createdBefore`', exactly('createdBefore', time)],
    ['a time in a form of its own, as `createdBefore`', exactly('createdBefore', decimals)],
    ['a time that is compared exactly, as `cursor`', exactly('cursor', time)],
    ['an exclusive `createdBefore`', before],
    ['an exclusive `createdBefore`, with a cursor on the last page', { ...before, always: true }],
  ])('%s', async (_what, service) => {
    const { ids, sent } = await walk(service);
    expect(ids).toEqual(idsOf(rows));
    expect(sent).not.toContain('');
  });

  it('and gets each cursor exactly as it came', async () => {
    const given: string[] = [];
    const { sent } = await walk({
      takes: 'createdBefore',
      after: below,
      cursorOf: ({ createdAt }) => {
        given.push(createdAt);
        return createdAt;
      },
    });
    expect(sent.filter((cursor) => cursor !== null)).toEqual(given);
  });

  it('as one array of all records, without a cursor', async () => {
    const payments = clientOf(async () => Response.json(rows));
    expect((await payments.accounts.list('u').toArray()).map(({ id }) => id)).toEqual(idsOf(rows));
  });
});

describe('a list that cannot be walked is an error, never a quiet end', () => {
  const time = ({ createdAt }: Row) => createdAt;
  const day = (text: string) => text.slice(0, 10);
  const sameDay = rows.map((row, index) => ({ ...row, createdAt: new Date(start - index).toISOString() }));
  const oldestFirst = rows.toReversed();
  let turn = 0;
  it.each<[string, Service]>([
    [
      'more records of one day than fit on a page, before a day that includes itself',
      {
        takes: 'createdBefore',
        all: sameDay,
        cursorOf: time,
        after: (cursor) => sameDay.filter(({ createdAt }) => day(createdAt) <= day(cursor)),
      },
    ],
    [
      'the oldest first, before a time',
      {
        takes: 'createdBefore',
        all: oldestFirst,
        cursorOf: time,
        after: (cursor) => oldestFirst.filter(({ createdAt }) => createdAt < cursor),
      },
    ],
    [
      'a parameter that the client is not told of',
      { takes: 'startAfter', cursorParam: 'createdBefore', cursorOf: time, after: below },
    ],
    [
      'a time that includes its record',
      {
        takes: 'createdBefore',
        cursorOf: time,
        after: (cursor) => rows.filter((row) => row.createdAt <= cursor),
        always: true,
      },
    ],
    [
      'the first page under each cursor',
      {
        takes: 'cursor',
        after: () => rows,
        cursorOf: () => {
          turn += 1;
          return `opaque:${turn}`;
        },
      },
    ],
    [
      '`hasMore` on the last page',
      { takes: 'createdBefore', cursorOf: time, after: below, moreOf: () => ({ hasMore: true }) },
    ],
    [
      '`hasMore` without a cursor, and pages that nobody numbers',
      {
        takes: 'startAfter',
        all: rows.slice(0, 85),
        after: below,
        cursorOf: () => '',
        moreOf: (rest) => ({ hasMore: rest > 0 }),
      },
    ],
  ])('%s', async (_what, service) => {
    await expect(walk(service)).rejects.toThrow(PaginationError);
  });
});
