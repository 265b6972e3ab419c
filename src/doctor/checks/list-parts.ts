import { APIError, type Page } from 'stablecoin-payments';
import { findItems } from '../../pagination/find-items.ts';
import { readPaging } from '../../pagination/read-paging.ts';
import { isTimeOf } from '../../pagination/stamp.ts';
import { isRecord } from '../../values.ts';
import type { ListReport } from '../report.ts';
import { safeName } from '../shapes.ts';

/** The name of a list for people, and the key that the spec gives it. */
export interface Named {
  readonly operation: string;
  readonly key: string;
}

/** The parts of a report that the first page shows, read as the client reads them. */
export const partsOf = <T>(page: Page<T>, key: string) => ({
  items: page.items.length,
  key: pathOf(page, key),
  count: countOf(page),
});

/** The path of a list in its response, without anything that may be a value. */
const pathOf = <T>({ body }: Page<T>, key: string): string =>
  (findItems(body, key)?.path ?? '*')
    .split('.')
    .map((name) => (name === '' ? '' : safeName(name)))
    .join('.');

function countOf<T>({ body, items }: Page<T>): ListReport['count'] {
  const count = isRecord(body) ? body.count : undefined;
  if (count === undefined || count === null) return 'missing';
  return count === items.length ? 'page' : 'other';
}

/** The form of the cursor of a page. */
export function cursorOf<T>({ body, items }: Page<T>): ListReport['cursor'] {
  const { nextCursor } = readPaging(body);
  if (nextCursor === undefined) return 'none';
  return isTimeOf(items.at(-1), nextCursor) ? 'time of the last record' : 'opaque';
}

/** Checks whether the service refused a request. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof APIError && error.status >= 400 && error.status < 500;
