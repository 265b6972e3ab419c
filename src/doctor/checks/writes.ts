import { approvalOf, type TransferApproval } from 'stablecoin-payments';
import { isRecord } from '../../shared/values.ts';
import type { Surroundings } from '../observed-call.ts';
import { note, safeWord } from '../report.ts';
import { checkAccountWrites } from './account.ts';
import {
  checkListed,
  decideAgain,
  findApproval,
  findStrays,
  pendingApprovals,
  rejectApproval,
} from './approvals.ts';
import { type Create, checkKeys } from './idempotency.ts';
import { checkOnramp } from './onramp.ts';
import type { Payment, Sample, Views } from './sample.ts';

/** The amount has all decimals of the currency, so that a service that cuts some off is seen. */
const small = { amount: 1.000001, currency: 'usdc', chain: 'POLYGON' } as const;
const second = 2;

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
  const isClosed = async (sample: Sample, create: Create<Approved>) => {
    const views = await checkKeys(around, sample, create, (made, isFirst) =>
      closeAll(around, sample, made, isFirst),
    );
    return views !== undefined && isHeld(around, sample, views, 'rejected');
  };

  const transfer = { ...small, source: party, destination: party, requireApproval: true };
  const batch = (first: number) => ({
    currency,
    chain,
    source: party,
    destination: { batch: [first, second].map((each) => ({ userId, amount: String(each) })) },
    requireApproval: true,
  });
  const bridge = {
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
      { operation: 'transfers.create', amount, pays: pays(String(amount)), sent: { ...small, ...people } },
      (by, requestId, of) => by.transfers.create({ ...transfer, amount: of, requestId }),
    )) &&
    (await isClosed(
      {
        operation: 'transfers.createBatch',
        amount,
        pays: pays(`${amount} and ${second}`),
        sent: { amount: amount + second, currency, chain, 'source.userId': userId },
        batch: { userId, amounts: [amount, second] },
      },
      (by, requestId, of) => by.transfers.createBatch({ ...batch(of), requestId }),
    )) &&
    (await isClosed(
      {
        operation: 'bridges.create',
        amount,
        pays: pays(String(amount)),
        sent: { amount, ...people, ...routes },
      },
      (by, requestId, of) => by.bridges.create({ ...bridge, amount: of, requestId }),
    ));
  if (!goesOn) note(report, 'writes', 'failure', 'Stopped: the doctor sends no further payment here.');
  await findStrays(around, before);
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
  again: boolean,
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
    if (!isHeld(around, sample, views, 'pending')) isClosed = false;
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
  const shown = views.map((view) => approvalOf(view)).filter((approval) => isRecord(approval));
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

/** Returns false if a payment executes although its approval is pending or rejected. */
function isHeld(
  { report }: Surroundings,
  { operation, pays }: Sample,
  views: readonly Approved[],
  decision: 'pending' | 'rejected',
): boolean {
  const isCreated = (view: Approved | undefined) => view?.transferDetails.status === 'CREATED';
  const isApproved = decision === 'rejected' && !isCreated(views[0]);
  const running = views.find(
    (view) => executes.test(view.transferDetails.status) || (isApproved && isCreated(view)),
  );
  if (running !== undefined) {
    const { id, status } = running.transferDetails;
    report.open.push(`transfer ${id}: executes while its approval is ${decision} (${status}): ${pays}`);
    const message = `The service does not follow the approval: the approval is ${decision}, and the transfer is ${status}.`;
    note(report, operation, 'failure', message, [`transfer ${id} pays ${pays}`]);
    return false;
  }
  if (decision === 'pending' && views.some(isCreated))
    note(
      report,
      operation,
      'warning',
      'A transfer that waits for its approval is CREATED, which the spec says of a transfer that was approved. Read `approvalOf` to tell the two apart.',
    );
  return true;
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
