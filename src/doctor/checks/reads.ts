import { type Account, APIError, accountIdOf, type Page, PermissionDeniedError } from 'stablecoin-payments';
import { briefly, type Observation, observe, type Surroundings } from '../probe.ts';
import { note } from '../report.ts';
import { checkCursorList, checkOffsetList } from './lists.ts';

/** Every operation that reads, with its drift. */
export async function checkReads(around: Surroundings, metricId: string | undefined): Promise<void> {
  const { client, report, userId } = around;
  judge(around, 'kyc.retrieve', await observe(around, 'kyc.retrieve', () => client.kyc.retrieve(userId)));

  const accounts = await observe(around, 'accounts.list', () => client.accounts.list(userId));
  if (judge(around, 'accounts.list', accounts) && accounts.data !== undefined) {
    await checkCursorList(around, 'accounts.list', accounts.data, (derived, query) =>
      derived.accounts.list(userId, {}, { query }),
    );
    await checkAccount(around, accounts.data);
  }

  const wallets = await observe(around, 'externalWallets.list', () => client.externalWallets.list(userId));
  if (judge(around, 'externalWallets.list', wallets) && wallets.data !== undefined) {
    await checkCursorList(around, 'externalWallets.list', wallets.data, (derived, query) =>
      derived.externalWallets.list(userId, {}, { query }),
    );
  }

  const approvals = await observe(around, 'approvals.list', () => client.approvals.list());
  if (judge(around, 'approvals.list', approvals) && approvals.data !== undefined)
    await checkOffsetList(around, 'approvals.list', approvals.data);

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

async function checkAccount(around: Surroundings, { items: [first] }: Page<Account>): Promise<void> {
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
  judge(
    around,
    operation,
    await observe(around, operation, () => client.accounts.retrieve(userId, accountId)),
  );
}

/** Notes what a call means for the client, and tells whether its data can be used. */
export function judge(
  { report }: Surroundings,
  operation: string,
  { error, status }: Observation<unknown>,
): boolean {
  const drift = report.operations.findLast((one) => one.operation === operation)?.drift ?? [];
  const details = drift.map(({ path, code }) => `${path === '' ? 'the body itself' : path}: ${code}`);
  if (error === undefined) {
    if (drift.length === 0) note(report, operation, 'ok', 'The response is as expected.');
    else
      note(
        report,
        operation,
        'warning',
        'The response departs from what is expected. The client passes it on as received.',
        details,
      );
    return true;
  }
  if ('issues' in error) {
    note(report, operation, 'failure', 'The client cannot use the response.', details);
  } else if (error instanceof PermissionDeniedError) {
    note(report, operation, 'warning', 'The token may not call this operation (HTTP 403).');
  } else if (status === 404) {
    note(
      report,
      operation,
      'failure',
      'The service does not find it (HTTP 404). Check the id that you gave, and that the base address is complete.',
    );
  } else {
    const why = error instanceof APIError ? `HTTP ${error.status}` : briefly(error);
    note(report, operation, 'failure', `The call failed: ${why}.`);
  }
  return false;
}
