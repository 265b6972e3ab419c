import type { Page, PagePromise } from 'stablecoin-payments';
import { observe, type Surroundings } from '../observed-call.ts';
import type { SeenList } from '../seen.ts';

/**
 * Reads a list in one large page: how many records there are, and whether the last page has a cursor. An empty page after it
 * shows that it is the last one.
 */
export async function sampleList<T>(
  around: Surroundings,
  operation: SeenList['operation'],
  first: Page<T>,
  openLarge: () => PagePromise<T>,
): Promise<void> {
  const { data: large } = await observe(around, operation, openLarge);
  if (large === undefined || large.items.length === 0) return;
  const hasCursor = large.hasNextPage();
  const after = hasCursor ? await observe(around, operation, () => large.nextPage()) : undefined;
  const isLast = !hasCursor || after?.data?.items.length === 0;
  around.seen.lists.push({
    operation,
    first: first.items.length,
    isAll: isLast && first.items.length >= large.items.length,
    hasLastCursor: isLast ? hasCursor : undefined,
  });
}

/** Reads a page of one approval, and asks for more than a page may have: the description says that 100 is the most. */
export async function sampleApprovals(around: Surroundings): Promise<void> {
  const { client } = around;
  await observe(around, 'one approval', () => client.approvals.list({ limit: 1 }));
  await observe(around, 'a limit of 101', () =>
    client.request({ method: 'GET', path: '/v2/transfer-approvals', query: { limit: 101 } }),
  );
}
