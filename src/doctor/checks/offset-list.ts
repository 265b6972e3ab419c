import { isPaymentsError, type Page, type PaymentsClient } from 'stablecoin-payments';
import { briefly, type Surroundings } from '../observed-call.ts';
import { note } from '../report.ts';
import { type Named, partsOf } from './cursor-list.ts';
import { isRefusal, levelOf } from './judge.ts';

/** Finds the key of a list by offset, and checks that the offset selects other items. */
export async function checkOffsetList<T>(
  around: Surroundings,
  { operation, key: documented }: Named,
  first: Page<T>,
): Promise<void> {
  const { client, report } = around;
  const parts = partsOf(first, documented);
  report.lists.push({ operation, ...parts, cursor: 'none', parameters: {} });
  const key = parts.key || 'the top';
  if (first.items.length < 2) {
    note(report, operation, 'note', `The list is at \`${key}\`. It has too few items to try an offset.`);
    return;
  }
  try {
    // An approval that comes or goes between the two requests shifts the list, so a difference is looked at again.
    let seen = await twoPages(client);
    if (seen.verdict !== 'works') seen = await twoPages(client);
    if (seen.verdict === 'ignored')
      note(report, operation, 'failure', 'The service ignores `offset`, so only the first page can be read.');
    else if (seen.verdict === 'other')
      note(
        report,
        operation,
        'failure',
        '`offset: 1` does not skip one approval, so a walk through the list is not complete.',
      );
    else if (seen.isUnlimited)
      note(report, operation, 'warning', `The list is at \`${key}\`. The service ignores \`limit\`.`);
    else note(report, operation, 'ok', `The list is at \`${key}\`; \`limit\` and \`offset\` work.`);
  } catch (error) {
    if (!isPaymentsError(error)) throw error;
    const what = isRefusal(error)
      ? 'The service refuses `limit` and `offset`'
      : 'The call with `limit` and `offset` failed';
    note(report, operation, levelOf(around), `${what}: ${briefly(error)}.`);
  }
}

/** Compares the first approval with those after it, in pages of two sizes: some services take an offset as a page number. */
async function twoPages(
  client: PaymentsClient,
): Promise<{ verdict: 'works' | 'ignored' | 'other'; isUnlimited: boolean }> {
  const ids = async (query: { limit: number; offset?: number }) =>
    (await client.approvals.list(query)).items.map(({ id }) => id);
  const one = await ids({ limit: 1 });
  const next = await ids({ limit: 1, offset: 1 });
  const pair = await ids({ limit: 2, offset: 1 });
  const verdict = one[0] === next[0] ? 'ignored' : pair[0] === next[0] ? 'works' : 'other';
  return { verdict, isUnlimited: one.length > 1 };
}
