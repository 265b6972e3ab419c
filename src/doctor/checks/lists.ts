import {
  APIError,
  isPaymentsError,
  type Page,
  type PagePromise,
  PaginationError,
  type PaymentsClient,
} from 'stablecoin-payments';
import { isRecord } from '../../values.ts';
import { briefly, type Surroundings } from '../probe.ts';
import { type ListReport, note } from '../report.ts';
import { safeName } from '../shapes.ts';
import { failureOf } from './judge.ts';

type OpenList<T> = (client: PaymentsClient, query: Record<string, number>) => PagePromise<T>;
type Taken = ListReport['parameters'][string];

/** Finds the key of a list, the style of its cursor and the parameter that takes it. */
export async function checkCursorList<T>(
  around: Surroundings,
  operation: string,
  first: Page<T>,
  open: OpenList<T>,
): Promise<void> {
  const { client, report } = around;
  const cursor = cursorOf(first);
  const parameters: Record<string, Taken> = {};
  if (cursor !== 'none' || first.items.length > 1) {
    for (const name of ['createdBefore', 'cursor'] as const) {
      const taken = await takes(client.withOptions({ cursorParam: name }), open);
      if (taken !== undefined) parameters[name] = taken;
    }
  }
  const list: ListReport = { operation, ...partsOf(first), cursor, parameters };
  report.lists.push(list);
  const results = Object.values(parameters);
  const works = Object.entries(parameters).flatMap(([name, taken]) => (taken === 'works' ? [name] : []));
  if (results.length === 0) {
    note(
      report,
      operation,
      'note',
      `The list is at \`${listKeyOf(first) || 'the top'}\`. It names no next page, so no cursor was tried.`,
    );
  } else if (works.length === 0) {
    const tried = Object.entries(parameters).map(([name, taken]) => `${name}: ${taken}`);
    note(
      report,
      operation,
      'failure',
      'The second page cannot be reached. Find the name of the cursor’s parameter and set `cursorParam`.',
      tried,
    );
  } else {
    note(
      report,
      operation,
      'ok',
      `The list is at \`${listKeyOf(first) || 'the top'}\`; ${cursor === 'none' ? 'the time of the last record' : `its cursor (${cursor})`} goes under ${works.map((name) => `\`${name}\``).join(' or ')}.`,
    );
    const [name = 'auto'] = works;
    await checkPages(around, list, client.withOptions({ cursorParam: name }), open);
  }
}

/** Records that are walked twice: enough for ties, and few enough for a slow service. */
const walked = 12;

/** Walks a list in large and in small pages, and compares what came. */
async function checkPages<T>(
  { report }: Surroundings,
  list: ListReport,
  client: PaymentsClient,
  open: OpenList<T>,
): Promise<void> {
  const { operation } = list;
  try {
    const small = await open(client, { limit: 2 });
    if (small.items.length > 2) {
      list.limit = 'ignored';
      note(
        report,
        operation,
        'warning',
        'The service ignores `limit`: the pages have the size that it chooses.',
      );
      return;
    }
    list.limit = 'works';
    const keys = (items: readonly T[]) => items.map((item) => JSON.stringify(idOf(item)));
    const all = await open(client, { limit: 100 }).toArray({ limit: walked });
    const found = new Set(keys(await small.toArray({ limit: walked })));
    const missing = keys(all).filter((key) => !found.has(key));
    const times = new Set(all.map((item) => timeOf(item)));
    const ties = times.has(undefined) ? 0 : all.length - times.size;
    const message = `Pages of 2 lose ${missing.length} of ${all.length} records, so a walk through the list is not complete.`;
    if (missing.length > 0)
      note(report, operation, 'failure', message, [`records that share their time with another: ${ties}`]);
    else
      note(
        report,
        operation,
        'ok',
        `Pages of 2 give the same ${all.length} records; ${ties} share their time with another.`,
      );
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    if (list.limit === undefined && isRefusal(error)) {
      list.limit = 'refused';
      note(report, operation, 'warning', `The service refuses \`limit\`: ${briefly(error)}.`);
      return;
    }
    note(report, operation, 'failure', `A walk in pages of 2 failed: ${failureOf(error)}`);
  }
}

const field = (item: unknown, name: string): unknown => (isRecord(item) ? item[name] : undefined);
const timeOf = (item: unknown): unknown => field(item, 'createdAt');

/** The identity of a record: its id, or all of it. */
const idOf = (item: unknown): unknown =>
  ['id', 'accountId', 'address'].map((name) => field(item, name)).find((id) => id !== undefined) ?? item;

/** Tries to reach a second page. Two records a page are enough to tell a page from the one before. */
async function takes<T>(client: PaymentsClient, open: OpenList<T>): Promise<Taken | undefined> {
  try {
    let page: Page<T>;
    try {
      page = await open(client, { limit: 2 });
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      page = await open(client, {});
    }
    if (!page.hasNextPage()) return undefined;
    await page.nextPage();
    return 'works';
  } catch (error) {
    if (error instanceof PaginationError) return 'ignored';
    if (isRefusal(error)) return 'refused';
    if (!isPaymentsError(error)) throw error;
    return 'failed';
  }
}

/** Finds the key of a list by offset, and checks that the offset selects other items. */
export async function checkOffsetList<T>(
  around: Surroundings,
  operation: string,
  first: Page<T>,
): Promise<void> {
  const { client, report } = around;
  report.lists.push({ operation, ...partsOf(first), cursor: 'none', parameters: {} });
  const key = listKeyOf(first) || 'the top';
  if (first.items.length < 2) {
    note(report, operation, 'note', `The list is at \`${key}\`. It has too few items to try an offset.`);
    return;
  }
  try {
    const one = await client.approvals.list({ limit: 1 });
    const next = await client.approvals.list({ limit: 1, offset: 1 });
    const isSame = one.items[0] !== undefined && one.items[0].id === next.items[0]?.id;
    if (isSame)
      note(report, operation, 'failure', 'The service ignores `offset`, so only the first page can be read.');
    else if (one.items.length > 1)
      note(report, operation, 'warning', `The list is at \`${key}\`. The service ignores \`limit\`.`);
    else note(report, operation, 'ok', `The list is at \`${key}\`; \`limit\` and \`offset\` work.`);
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    const what = isRefusal(error)
      ? 'The service refuses `limit` and `offset`'
      : 'The call with `limit` and `offset` failed';
    note(report, operation, 'failure', `${what}: ${briefly(error)}.`);
  }
}

const partsOf = <T>(page: Page<T>) => ({
  items: page.items.length,
  key: listKeyOf(page),
  count: countOf(page),
});

/** The path of a list in its response, without anything that may be a value. */
function listKeyOf<T>({ body, items }: Page<T>): string {
  const isList = (value: unknown) =>
    Array.isArray(value) &&
    value.length === items.length &&
    value.every((item, index) => item === items[index]);
  if (isList(body)) return '';
  for (const [name, value] of isRecord(body) ? Object.entries(body) : []) {
    if (isList(value)) return safeName(name);
    for (const [inner, list] of isRecord(value) ? Object.entries(value) : []) {
      if (isList(list)) return `${safeName(name)}.${safeName(inner)}`;
    }
  }
  return '*';
}

function countOf<T>({ body, items }: Page<T>): ListReport['count'] {
  const count = isRecord(body) ? body.count : undefined;
  if (count === undefined || count === null) return 'missing';
  return count === items.length ? 'page' : 'other';
}

function cursorOf<T>({ body, items }: Page<T>): ListReport['cursor'] {
  const places = isRecord(body) ? [body, ...Object.values(body).filter(isRecord)] : [];
  const cursor = places
    .map(({ nextCursor }) => nextCursor)
    .find((value) => value !== undefined && value !== null && value !== '');
  if (cursor === undefined) return 'none';
  const last: unknown = items.at(-1);
  const created = isRecord(last) ? last.createdAt : undefined;
  const isTime = created === cursor || Date.parse(String(created)) === Date.parse(String(cursor));
  return isTime ? 'time of the last record' : 'opaque';
}

const isRefusal = (error: unknown): boolean =>
  error instanceof APIError && error.status >= 400 && error.status < 500;
