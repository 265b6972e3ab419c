import { approvalExpiresAt, type PaymentsClient, type Transfer } from 'stablecoin-payments';
import type { Database } from './data/database.ts';
import { type PayoutKey, requestIdOf } from './key.ts';
import { pauseFleet, untilPauseEnds } from './pause.ts';
import { type Accepted, accept, type Begun, begin, certainlyNotDone, end } from './payouts.ts';
import { judge } from './verdict.ts';

export interface Payer {
  readonly db: Database;
  /** With `retries: 0`: every repeat is the queue's, so that it is durable and a pause holds for all. */
  readonly payments: PaymentsClient;
  /** Who pays. */
  readonly userId: string;
}

/** The queue is to try again. The message is the reason's code. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
}

/** Pays what a job names, or finds it settled. Ends with the row settled, or throws `TryAgain`. */
export async function pay(payer: Payer, key: PayoutKey, signal: AbortSignal): Promise<void> {
  const { db } = payer;
  const requestId = requestIdOf(key);
  for (;;) {
    signal.throwIfAborted();
    const begun = await begin(db, requestId);
    if (begun === undefined) {
      if (await isSettled(db, requestId)) return;
      await untilPauseEnds(db, signal);
      continue;
    }
    let transfer: Transfer;
    try {
      transfer = await ask(payer, key, requestId, begun);
    } catch (error) {
      const verdict = judge(error, begun.inDoubt);
      if (verdict.action === 'reject') return end(db, requestId, 'rejected', verdict.reason);
      if (verdict.action === 'look') return end(db, requestId, 'unknown', verdict.reason);
      if (!verdict.sent) await certainlyNotDone(db, requestId, begun);
      if (verdict.action === 'retry') throw new TryAgain(verdict.reason);
      await pauseFleet(db, verdict.seconds, verdict.reason);
      continue;
    }
    const accepted = read(transfer);
    if (accepted !== undefined) return accept(db, requestId, accepted);
    return end(db, requestId, 'unknown', 'ANSWER_WITHOUT_TRANSFER_ID');
  }
}

async function isSettled(db: Database, requestId: string): Promise<boolean> {
  const { rows } = await db.query(`select from payout where request_id = $1 and state = 'queued' limit 1`, [
    requestId,
  ]);
  return rows.length === 0;
}

/** A payout of its own is a single transfer; those of a batch are one transfer together. */
function ask(
  { payments, userId }: Payer,
  key: PayoutKey,
  requestId: string,
  { recipients }: Begun,
): Promise<Transfer> {
  const [first] = recipients;
  if (first === undefined) throw new Error('There is nobody to pay.');
  const { currency, chain, needs_approval: requireApproval } = first;
  const common = { requestId, source: { userId }, currency, chain, requireApproval };
  const batch = recipients.map(({ payee, amount }) => ({ userId: payee, amount: Number(amount) }));
  return 'batch' in key
    ? payments.transfers.createBatch({ ...common, destination: { batch } })
    : payments.transfers.create({
        ...common,
        destination: { userId: first.payee },
        amount: Number(first.amount),
      });
}

const EXECUTING: readonly string[] = ['APPROVED', 'CREATED', 'INITIATED', 'PENDING', 'COMPLETED'];

/** What the service's answer means for the row. A status that nobody has heard of is for a person. */
function read({ transferDetails: details }: Transfer): Accepted | undefined {
  // The record of a batch is not documented, so the client lets any pass.
  if (typeof details?.id !== 'string') return undefined;
  const { id: transferId, status } = details;
  if (EXECUTING.includes(status)) return { transferId, state: 'paid' };
  if (status === 'REJECTED') return { transferId, state: 'rejected', reason: 'TRANSFER_REJECTED' };
  const approval = details.receipt?.approval;
  if (status !== 'PENDING_APPROVAL' || !approval) {
    return { transferId, state: 'unknown', reason: 'STATUS_NOT_UNDERSTOOD' };
  }
  const expiresAt = approvalExpiresAt(approval);
  return {
    transferId,
    state: 'awaiting_approval',
    approvalId: approval.id,
    ...(expiresAt === null ? {} : { expiresAt }),
  };
}
