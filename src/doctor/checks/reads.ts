import { type Account, accountIdOf, type Page } from 'stablecoin-payments';
import { observe, type Surroundings } from '../observed-call.ts';
import { note } from '../report.ts';
import { checkVerdict } from './account.ts';
import { checkCursorList } from './cursor-list.ts';
import { judge } from './judge.ts';
import { checkOffsetList } from './offset-list.ts';

/** Calls every operation that reads, and adds how its response differs from the schema. */
export async function checkReads(around: Surroundings, metricId: string | undefined): Promise<void> {
  const { client, report, userId } = around;
  judge(around, 'kyc.retrieve', await observe(around, 'kyc.retrieve', () => client.kyc.retrieve(userId)));

  const accounts = await observe(around, 'accounts.list', () => client.accounts.list(userId));
  if (judge(around, 'accounts.list', accounts) && accounts.data !== undefined) {
    await checkCursorList(
      around,
      { operation: 'accounts.list', key: 'accounts' },
      accounts.data,
      (derived, query) => derived.accounts.list(userId, {}, { query }),
    );
    await checkFirstAccount(around, accounts.data);
  }

  const wallets = await observe(around, 'externalWallets.list', () => client.externalWallets.list(userId));
  if (judge(around, 'externalWallets.list', wallets) && wallets.data !== undefined) {
    await checkCursorList(
      around,
      { operation: 'externalWallets.list', key: 'externalWallets' },
      wallets.data,
      (derived, query) => derived.externalWallets.list(userId, {}, { query }),
    );
  }

  const approvals = await observe(around, 'approvals.list', () => client.approvals.list());
  if (judge(around, 'approvals.list', approvals) && approvals.data !== undefined)
    await checkOffsetList(around, { operation: 'approvals.list', key: 'approvals' }, approvals.data);

  if (metricId === undefined) {
    note(
      report,
      'reporting.retrieveResults',
      'note',
      'Not checked: give the id of a saved metric with --metric.',
    );
  } else {
    const results = await observe(around, 'reporting.retrieveResults', () =>
      client.reporting.retrieveResults(metricId),
    );
    judge(around, 'reporting.retrieveResults', results);
  }
}

async function checkFirstAccount(around: Surroundings, { items: [first] }: Page<Account>): Promise<void> {
  const { client, report, userId } = around;
  const operation = 'accounts.retrieve';
  if (first === undefined) {
    note(report, operation, 'note', 'Not checked: the user has no account.');
    return;
  }
  let accountId: string;
  try {
    accountId = accountIdOf(first);
  } catch {
    note(report, operation, 'failure', 'The account records of the list have neither `id` nor `accountId`.');
    return;
  }
  const retrieved = await observe(around, operation, () => client.accounts.retrieve(userId, accountId));
  if (judge(around, operation, retrieved) && retrieved.data !== undefined)
    checkVerdict(around, retrieved.data);
}
