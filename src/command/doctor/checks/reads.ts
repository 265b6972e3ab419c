import { accountIdOf, type PagePromise, type PaymentsClient } from 'stablecoin-payments';
import { observe, type Surroundings } from '../observed-call.ts';
import type { SeenList } from '../seen.ts';
import { checkCursor } from './cursor.ts';
import { judge } from './judge.ts';
import { sampleApprovals, sampleList } from './samples.ts';

/** Calls every operation that reads: how its response differs from the schema, and whose records it shows. */
export async function checkReads(around: Surroundings): Promise<void> {
  const { client, on, options } = around;
  const { metricId } = options;
  await readOfUser(around, 'kyc.retrieve', async (user) => (await client.kyc.retrieve(user)).kycInfo);
  const accounts = await checkList(around, 'accounts.list', (by, user, query) =>
    by.accounts.list(user, {}, { query }),
  );
  const [first] = accounts;
  if (first === undefined) on('accounts.retrieve').note('Not checked: the user has no account.');
  else
    await readOfUser(around, 'accounts.retrieve', async (user) =>
      client.accounts.retrieve(user, accountIdOf(first)),
    );
  await checkList(around, 'externalWallets.list', (by, user, query) =>
    by.externalWallets.list(user, {}, { query }),
  );
  await readOnce(around, 'approvals.list', () => client.approvals.list());
  await sampleApprovals(around);
  if (metricId === undefined)
    on('reporting.retrieveResults').note('Not checked: give the id of a saved metric with --metric.');
  else await readOnce(around, 'reporting.retrieveResults', () => client.reporting.retrieveResults(metricId));
}

async function readOnce<T>(
  around: Surroundings,
  operation: string,
  call: () => Promise<T>,
): Promise<T | undefined> {
  const observation = await observe(around, operation, call);
  return judge(around, operation, observation) ? observation.data : undefined;
}

/** Reads a list of the user, and tries its cursor. Returns the items of the first page. */
async function checkList<T>(
  around: Surroundings,
  operation: SeenList['operation'],
  open: (client: PaymentsClient, userId: string, query: Record<string, number>) => PagePromise<T>,
): Promise<readonly T[]> {
  const { client, options } = around;
  const page = await readOnce(around, operation, () => open(client, options.userId, {}));
  if (page === undefined) return [];
  await checkCursor(around, operation, page, (by, query) => open(by, options.userId, query));
  await sampleList(around, operation, page, () => open(client, options.userId, { limit: 100 }));
  await checkStranger(around, operation, page.items, async (user) => (await open(client, user, {})).items);
  return page.items;
}

async function readOfUser<T extends object>(
  around: Surroundings,
  operation: string,
  call: (userId: string) => Promise<T>,
): Promise<void> {
  const own = await readOnce(around, operation, () => call(around.options.userId));
  if (own !== undefined) await checkStranger(around, operation, own, call);
}

/**
 * Reads the same for a user that does not exist. A service that shows the records of the real user there ignores the user
 * in the path, and may show the records of anybody.
 */
async function checkStranger<T extends object>(
  around: Surroundings,
  operation: string,
  own: T,
  call: (userId: string) => Promise<T>,
): Promise<void> {
  const shown = Object.values(own).filter((value) => value !== null);
  // A service may show a record with a type alone for everybody.
  const isTelling = shown.length > (Array.isArray(own) ? 0 : 1);
  const { data, error } = await observe(around, 'a user that does not exist', () =>
    call(crypto.randomUUID()),
  );
  if (error?.code === 'response_mismatch' || (isTelling && JSON.stringify(data) === JSON.stringify(own)))
    around
      .on(operation)
      .failure(
        'The service ignores the user in the path: it shows the records of the real user for one that does not exist.',
      );
}
