import {
  approvalOf,
  canRefreshQuote,
  type PaymentsClient,
  quoteExpiresAt,
  type TransferApproval,
} from 'stablecoin-payments';
import { observe, type Surroundings } from '../observed-call.ts';
import { note, safeWord } from '../report.ts';
import { checkAccountWrites } from './account.ts';
import { checkListed, decideAgain, findStrays, pendingApprovals, rejectApproval } from './approvals.ts';
import { createAtOnce, createTwice, type Payment, type Sample, type Views } from './idempotency.ts';
import { judgeWrite } from './judge.ts';

/** The amount has all decimals of the currency, so that a service that cuts some off is seen. */
const small = { amount: 1.000001, currency: 'usdc', chain: 'POLYGON' } as const;
const batchAmounts = [small.amount, 2] as const;

type Approved = Parameters<typeof approvalOf>[0] & Payment;

/**
 * Creates samples in a sandbox. Each transfer waits for an approval, which is rejected at once. The first transfer that
 * the service pays without an approval stops all that could pay another one.
 */
export async function checkWrites(around: Surroundings): Promise<void> {
  const { client, report, userId } = around;
  const before = await pendingApprovals(client);
  const { amount, currency, chain } = small;
  const party = { userId };
  const ours = new Set<string>();
  const isClosed = async (
    sample: Sample,
    create: (by: PaymentsClient, requestId: string) => Promise<Approved>,
    isFirst = false,
  ) => {
    const made = await createTwice(around, sample, create);
    if (!(await closeAll(around, sample, made, ours, isFirst))) return false;
    if (!isFirst || made.length === 0) return true;
    return closeAll(around, sample, await createAtOnce(around, sample, create, made), ours);
  };

  const transfer = { ...small, source: party, destination: party, requireApproval: true };
  const batch = {
    currency,
    chain,
    source: party,
    destination: { batch: batchAmounts.map((each) => ({ userId, amount: String(each) })) },
    requireApproval: true,
  };
  const bridge = {
    amount,
    source: { userId, chain, currency },
    destination: { userId, chain: 'BASE', currency },
    requireApproval: true,
  };
  const people = { 'source.userId': userId, 'destination.userId': userId };
  const routes = {
    'source.chain': chain,
    'source.currency': currency,
    'destination.chain': 'BASE',
    'destination.currency': currency,
  };
  const pays = (what: string) => `${what} ${currency} on ${chain} from the user ${userId} to the same user`;
  const goesOn =
    (await isClosed(
      { operation: 'transfers.create', pays: pays(String(amount)), sent: { ...small, ...people } },
      (by, requestId) => by.transfers.create({ ...transfer, requestId }),
      true,
    )) &&
    (await isClosed(
      {
        operation: 'transfers.createBatch',
        pays: pays(batchAmounts.join(' and ')),
        sent: { amount: amount + 2, currency, chain, 'source.userId': userId },
        batch: { userId, amounts: batchAmounts },
      },
      (by, requestId) => by.transfers.createBatch({ ...batch, requestId }),
    )) &&
    (await isClosed(
      { operation: 'bridges.create', pays: pays(String(amount)), sent: { amount, ...people, ...routes } },
      (by, requestId) => by.bridges.create({ ...bridge, requestId }),
    ));
  if (!goesOn) note(report, 'writes', 'failure', 'Stopped: the doctor sends no further payment here.');
  await findStrays(around, before, ours);
  if (goesOn) await checkOnramp(around);
  note(
    report,
    'offramps.create',
    'note',
    'Not checked: an offramp needs an account of yours that receives the money.',
  );
  if (!report.findings.some(({ check }) => check === 'idempotency'))
    note(
      report,
      'idempotency',
      'warning',
      'Not checked, because the service made no payment. Give a user with a balance, and run the doctor again before you rely on retries.',
    );
  await checkAccountWrites(around);
}

/**
 * Rejects the approvals of all records that one create made.
 *
 * @returns False if a transfer was paid, or may still be paid.
 */
async function closeAll(
  around: Surroundings,
  sample: Sample,
  made: readonly Views<Approved>[],
  ours: Set<string>,
  again = false,
): Promise<boolean> {
  let isClosed = true;
  for (const views of made) {
    const approval = await approvalFor(around, sample, views);
    const last = views.at(-1) ?? views[0];
    const { id, status } = last.transferDetails;
    if (approval === undefined || approval.status === 'APPROVED') {
      notePaid(around, sample, id, status);
      isClosed = false;
      continue;
    }
    if (!isHeld(around, sample, views)) isClosed = false;
    ours.add(approval.id);
    if (approval.status === 'PENDING') await checkListed(around, approval.id);
    const isRejected = await rejectApproval(around, approval.id, id);
    if (isRejected && again && views === made[0] && !(await decideAgain(around, approval.id, id)))
      isClosed = false;
  }
  return isClosed && made.length < 2;
}

/** The approval of a payment, in its record or in the list. An approval of another transfer is left alone. */
async function approvalFor(
  around: Surroundings,
  { operation }: Sample,
  views: Views<Approved>,
): Promise<TransferApproval | undefined> {
  const { id } = views[0].transferDetails;
  const shown = views.flatMap((view) => approvalOf(view) ?? []);
  const own = shown.filter(({ transferId = id }) => transferId === id);
  if (own.length < shown.length)
    note(around.report, operation, 'failure', 'The record shows the approval of another transfer.', [
      `transfer ${id}`,
    ]);
  return own[0] ?? (await findApproval(around, id));
}

/** Statuses that the spec gives to transfers that execute. */
const executes =
  /^(?:INITIATED|PENDING|PROCESSING|COMPLETED|APPROVED|(?:SOURCE|DESTINATION|CRYPTO|FIAT)_\w+)$/;

/** Returns false if a payment executes although its approval is pending. */
function isHeld({ report }: Surroundings, { operation, pays }: Sample, views: Views<Approved>): boolean {
  const statuses = views.map(({ transferDetails }) => transferDetails.status);
  const running = statuses.find((status) => executes.test(status));
  const { id } = views[0].transferDetails;
  if (running !== undefined) {
    report.open.push(`transfer ${id}: executes while its approval is pending (${running}): ${pays}`);
    const message = `The service does not wait for the approval: the approval is pending, and the transfer is ${running}.`;
    note(report, operation, 'failure', message, [`transfer ${id} pays ${pays}`]);
    return false;
  }
  if (statuses.includes('CREATED'))
    note(
      report,
      operation,
      'warning',
      'A transfer that waits for its approval is CREATED, which the spec says of a transfer that was approved. Read `approvalOf` to tell the two apart.',
    );
  return true;
}

async function findApproval(
  { client }: Surroundings,
  transferId: string,
): Promise<TransferApproval | undefined> {
  return (await pendingApprovals(client))?.find((approval) => approval.transferId === transferId);
}

function notePaid({ report }: Surroundings, { operation, pays }: Sample, id: string, status: string): void {
  const shown = safeWord(status) ?? 'an unknown status';
  if (status === 'PENDING_APPROVAL') {
    report.open.push(`transfer ${id}: waits for an approval that the service does not show`);
    const message = `The service holds the transfer (${shown}), but neither the record nor the list shows its approval. Reject it in the dashboard.`;
    note(report, operation, 'failure', message, [`transfer ${id}`]);
    return;
  }
  report.open.push(`transfer ${id}: made without an approval (${shown}): ${pays}`);
  note(
    report,
    operation,
    'failure',
    `The service ignores \`requireApproval\`: it made the transfer without an approval, and its status is ${shown}.`,
    [`transfer ${id} pays ${pays}`],
  );
}

async function checkOnramp(around: Surroundings): Promise<void> {
  const { client, report, userId } = around;
  const { chain } = small;
  const sample: Sample = {
    operation: 'onramps.create',
    pays: '10.25 usd',
    sent: {
      'source.userId': userId,
      'source.amount': 10.25,
      'source.currency': 'usd',
      'destination.userId': userId,
      'destination.currency': 'usdc',
      'destination.chain': chain,
    },
  };
  const made = await createTwice(around, sample, (by, requestId) =>
    by.onramps.create({
      requestId,
      source: { userId, currency: 'usd', amount: 10.25, transferType: 'ach' },
      destination: { userId, currency: 'usdc', chain },
    }),
  );
  for (const [{ transferDetails }] of made)
    report.open.push(`onramp ${transferDetails.id}: waits for a deposit, which nobody makes`);
  const onramp = made[0]?.[0];
  if (onramp === undefined || !canRefreshQuote(onramp)) return;
  const refreshed = await observe(around, 'onramps.refreshQuote', () =>
    client.onramps.refreshQuote(onramp.transferDetails.id),
  );
  if (!judgeWrite(around, 'onramps.refreshQuote', refreshed) || refreshed.data === undefined) return;
  const expires = quoteExpiresAt(refreshed.data);
  if (expires !== null && expires.getTime() <= around.now())
    note(report, 'onramps.refreshQuote', 'failure', 'The refreshed quote has expired already.');
}
