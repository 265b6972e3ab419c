import { describe, expect, it } from 'vitest';
import { approvals, records, service } from './plain-service.ts';
import { levelsOf, type PlainResponse, plainServer, run, wordsOf } from './support.ts';

type Other = (url: URL) => PlainResponse | undefined;

async function examine(other: Other) {
  const plain = service();
  const server = await plainServer((url, request) =>
    request.headers.authorization === 'Bearer planted-token'
      ? (other(url) ?? plain(url, request))
      : plain(url, request),
  );
  const env = { PAYMENTS_BASE_URL: server.baseUrl, PAYMENTS_USER_ID: 'planted-user' };
  const result = await run({ args: ['--json'], env });
  expect(result.stdout).not.toMatch(/planted/i);
  const listOf = (name: string) => result.report.lists.find(({ operation }) => operation === name);
  return { ...result, listOf };
}

const accounts =
  (body: (page: typeof records) => unknown): Other =>
  (url) => {
    if (!url.pathname.endsWith('/accounts')) return undefined;
    const before = url.searchParams.get('createdBefore');
    const rest = records.filter(({ createdAt }) => before === null || createdAt < before);
    return { body: body(rest.slice(0, 2)) };
  };
const nextCursorOf = (page: typeof records) => page.at(-1)?.createdAt ?? null;

describe('a list by cursor', () => {
  it('is found inside another object', async () => {
    const { listOf, report, status } = await examine(
      accounts((banks) => ({ data: { banks, nextCursor: nextCursorOf(banks) }, count: 99 })),
    );
    expect(listOf('accounts.list')).toMatchObject({
      key: 'data.banks',
      count: 'other',
      cursor: 'time of the last record',
      parameters: { createdBefore: 'works' },
    });
    expect(wordsOf(report, 'accounts.list')).toContain('The list is at `data.banks`');
    expect(status).toBe(0);
  });

  it('that is the response itself is walked by the time of its records', async () => {
    const { listOf, report } = await examine(accounts((page) => page));
    expect(listOf('accounts.list')).toMatchObject({
      items: 2,
      key: '',
      count: 'missing',
      cursor: 'none',
      parameters: { createdBefore: 'works' },
    });
    expect(wordsOf(report, 'accounts.list')).toContain('The list is at `the top`');
  });

  it('of one record is not walked', async () => {
    const { listOf, report } = await examine(accounts((page) => ({ banks: page.slice(0, 1) })));
    expect(listOf('accounts.list')).toMatchObject({ key: 'banks', cursor: 'none', parameters: {} });
    expect(wordsOf(report, 'accounts.list')).toContain('no cursor was tried');
  });

  it.each([
    ['fails', 500, 'failed'],
    ['is refused', 403, 'refused'],
  ])('whose second page %s is a failure that names each parameter', async (_what, status, taken) => {
    const { listOf, report } = await examine((url) =>
      url.pathname.endsWith('/accounts') && url.search.match(/createdBefore|cursor/)
        ? { status, body: { error: 'SOME_NAME' } }
        : undefined,
    );
    expect(listOf('accounts.list')?.parameters).toEqual({ createdBefore: taken, cursor: taken });
    expect(report.findings).toContainEqual(
      expect.objectContaining({
        check: 'accounts.list',
        level: 'failure',
        details: [`createdBefore: ${taken}`, `cursor: ${taken}`],
      }),
    );
  });

  it('that does not take `limit` is walked without it', async () => {
    const { listOf } = await examine((url) =>
      url.pathname.endsWith('/accounts') && url.searchParams.has('limit')
        ? { status: 400, body: { error: 'SOME_NAME' } }
        : accounts((banks) => ({ banks, nextCursor: nextCursorOf(banks) }))(url),
    );
    expect(listOf('accounts.list')).toMatchObject({
      parameters: { createdBefore: 'works' },
      limit: 'refused',
    });
  });
});

describe('a list by offset', () => {
  const paged = (respond: (limit: number, offset: number) => PlainResponse): Other => {
    return ({ pathname, searchParams }) => {
      if (pathname !== '/v2/transfer-approvals') return undefined;
      const limit = Number(searchParams.get('limit') ?? 20);
      return limit < 1 ? undefined : respond(limit, Number(searchParams.get('offset') ?? 0));
    };
  };
  const page = (approvals: readonly object[]) => ({
    body: { success: true, count: approvals.length, approvals },
  });

  it.each([
    ['ignores the offset', paged((limit) => page(approvals.slice(0, limit))), 'failure', 'ignores `offset`'],
    [
      'ignores the limit',
      paged((_limit, offset) => page(approvals.slice(offset))),
      'warning',
      'ignores `limit`',
    ],
    ['has one item', paged(() => page(approvals.slice(0, 1))), 'note', 'too few items to try an offset'],
    [
      'refuses both',
      paged((limit) => (limit === 1 ? { status: 400, body: {} } : page(approvals))),
      'failure',
      'refuses `limit` and `offset`',
    ],
    [
      'fails',
      paged((limit) => (limit === 1 ? { status: 503, body: {} } : page(approvals))),
      'failure',
      'The call with `limit` and `offset` failed',
    ],
    [
      'is the response itself',
      paged((limit, offset) => ({ body: approvals.slice(offset, offset + limit) })),
      'ok',
      'The list is at `the top`; `limit` and `offset` work.',
    ],
  ])('that %s is reported as such', async (_what, other, level, words) => {
    const { report } = await examine(other);
    expect(levelsOf(report, 'approvals.list')).toContain(level);
    expect(wordsOf(report, 'approvals.list')).toContain(words);
  });
});
