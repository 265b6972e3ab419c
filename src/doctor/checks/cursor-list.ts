import {
  APIError,
  isPaymentsError,
  type Page,
  type PagePromise,
  PaginationError,
  type PaymentsClient,
} from 'stablecoin-payments';
import { identityOf } from '../../pagination/identity.ts';
import { createdAtOf, isTimeOf } from '../../pagination/item-times.ts';
import { findItems, readPaging } from '../../pagination/read-list.ts';
import { isRecord } from '../../shared/values.ts';
import { briefly, type Surroundings } from '../observed-call.ts';
import { type Level, type ListReport, note, safeName } from '../report.ts';
import { failureOf, isRefusal, levelOf } from './judge.ts';

type OpenList<T> = (client: PaymentsClient, query: Record<string, number>) => PagePromise<T>;
type Taken = ListReport['parameters'][string];

/** Finds the key of a list, the style of its cursor and the parameter that takes it. */
export async function checkCursorList<T>(
  around: Surroundings,
  { operation, key }: Named,
  first: Page<T>,
  open: OpenList<T>,
): Promise<void> {
  const { client, report } = around;
  const cursor = cursorStyleOf(first);
  const parameters: Record<string, Taken> = {};
  if (cursor !== 'none' || first.items.length > 1) {
    for (const name of namesFor(first)) {
      const taken = await effectOf(client.withOptions({ cursorParam: name }), open);
      if (taken !== undefined) parameters[name] = taken;
    }
  }
  const list: ListReport = { operation, ...partsOf(first, key), cursor, parameters };
  report.lists.push(list);
  const results = Object.values(parameters);
  const works = Object.entries(parameters).flatMap(([name, taken]) => (taken === 'works' ? [name] : []));
  if (results.length === 0) {
    if (hides(first)) return noteHidden(around, operation, first);
    note(
      report,
      operation,
      'note',
      `The list is at \`${list.key || 'the top'}\`. It names no next page, so no cursor was tried.`,
    );
  } else if (works.length === 0) {
    const tried = Object.entries(parameters).map(([name, taken]) => `${name}: ${taken}`);
    note(
      report,
      operation,
      levelOf(around),
      'The second page cannot be reached. Find the name of the cursor’s parameter and set `cursorParam`.',
      tried,
    );
  } else {
    note(
      report,
      operation,
      'ok',
      `The list is at \`${list.key || 'the top'}\`; ${cursor === 'none' ? cursorStandIn(works) : `its cursor (${cursor})`} goes under ${works.map((name) => `\`${name}\``).join(' or ')}.`,
    );
    const [name = 'auto'] = works;
    await checkPages(around, list, client.withOptions({ cursorParam: name }), open);
  }
}

/** Records that are walked twice: enough for ties, and few enough for a slow service. */
const walked = 12;

/** Walks a list in large and in small pages, and compares what came. */
async function checkPages<T>(
  around: Surroundings,
  list: ListReport,
  client: PaymentsClient,
  open: OpenList<T>,
): Promise<void> {
  const say = (level: Level, message: string, details?: string[]) =>
    note(around.report, list.operation, level, message, details);
  try {
    const small = await open(client, { limit: 2 });
    if (small.items.length > 2) {
      list.limit = 'ignored';
      say('warning', 'The service ignores `limit`: the pages have the size that it chooses.');
      return;
    }
    const keys = (items: readonly T[]) => items.map((item) => identityOf(item).key);
    const all = await open(client, { limit: 100 }).toArray({ limit: walked });
    if (all.length > 2) list.limit = 'works';
    const [large, pairs] = [keys(all), keys(await small.toArray({ limit: walked }))];
    const lost = large.filter((one) => !pairs.includes(one)).length;
    const hidden = pairs.filter((one) => !large.includes(one)).length;
    const times = new Set(all.map((item) => createdAtOf(item)));
    const ties = times.has(undefined) ? 0 : all.length - times.size;
    const tied = [`records that share their time with another: ${ties}`];
    const incomplete = 'so a walk through the list is not complete.';
    if (lost > 0) say('failure', `Pages of 2 lose ${lost} of ${all.length} records, ${incomplete}`, tied);
    else if (hidden > 0)
      say(
        'failure',
        `Large pages lose ${hidden} of ${pairs.length} records, ${incomplete} Ask for small pages with \`limit\`.`,
        tied,
      );
    else if (all.length <= 2) say('note', `The list has ${all.length} records, too few for two pages of 2.`);
    else say('ok', `Pages of 2 give the same ${all.length} records; ${ties} share their time with another.`);
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    if (list.limit === undefined && isRefusal(error)) {
      list.limit = 'refused';
      say('warning', `The service refuses \`limit\`: ${briefly(error)}.`);
      return;
    }
    say(levelOf(around), `A walk in pages of 2 failed: ${failureOf(error)}`);
  }
}

/** The value that the client sends if the response has no cursor. */
const cursorStandIn = (works: readonly string[]): string =>
  works.includes('page') ? 'the number of the page' : 'the time of the last record';

/** The parameters that may bring the next page: `page` only where the response numbers its pages. */
function namesFor<T>({ body }: Page<T>): string[] {
  const { isPageToken, pageNumber, totalPages } = readPaging(body);
  const isNumbered = isPageToken === true || pageNumber !== undefined || totalPages !== undefined;
  return ['createdBefore', 'cursor', ...(isNumbered ? ['page'] : [])];
}

/** Checks whether a response without a next page says that there are more records than it contains. */
const hides = <T>({ body, items }: Page<T>): boolean =>
  isRecord(body) && typeof body.count === 'number' && body.count > items.length;

function noteHidden<T>({ report }: Surroundings, operation: string, { body, items }: Page<T>): void {
  const count = isRecord(body) ? Number(body.count) : 0;
  const message = `The response says \`count: ${count}\`, contains ${items.length} records and names no next page, so the others cannot be reached.`;
  note(report, operation, 'failure', message);
}

/** Tries to reach a second page. Two records a page are enough to tell a page from the one before. */
async function effectOf<T>(client: PaymentsClient, open: OpenList<T>): Promise<Taken | undefined> {
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

/** The name of a list for people, and the key that the spec gives it. */
export interface Named {
  readonly operation: string;
  readonly key: string;
}

/** The parts of a report that the first page shows, read as the client reads them. */
export const partsOf = <T>(page: Page<T>, key: string) => ({
  items: page.items.length,
  key: listPathOf(page, key),
  count: countMeaning(page),
});

/** The path of a list in its response, without anything that may be a value. */
const listPathOf = <T>({ body }: Page<T>, key: string): string =>
  (findItems(body, key)?.path ?? '*')
    .split('.')
    .map((name) => (name === '' ? '' : safeName(name)))
    .join('.');

function countMeaning<T>({ body, items }: Page<T>): ListReport['count'] {
  const count = isRecord(body) ? body.count : undefined;
  if (count === undefined || count === null) return 'missing';
  return count === items.length ? 'page' : 'other';
}

function cursorStyleOf<T>({ body, items }: Page<T>): ListReport['cursor'] {
  const { nextCursor } = readPaging(body);
  if (nextCursor === undefined) return 'none';
  return isTimeOf(items.at(-1), nextCursor) ? 'time of the last record' : 'opaque';
}
