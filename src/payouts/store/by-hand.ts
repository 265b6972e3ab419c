import { refuseUnknown } from '../../shared/option-names.ts';
import { isFinal } from '../rules/payment.ts';
import { applyEvents } from './events.ts';
import { lockTransfers } from './payments.ts';
import { lockSelected, type Recipient, recipientsOf, refuseMissing } from './selected.ts';
import { refuseDecision, type Selection, succeeds, valuesOf, WITHIN } from './selection.ts';
import { moving, type Store, type Tx } from './transaction.ts';

/** The result of a person's review of a payout. */
export interface ReviewResult {
  /** The state that the person found. */
  readonly state: 'paid' | 'rejected' | 'expired';
  /** The id of the transfer; needed for `paid`. */
  readonly transferId?: string;
  /** The name of the person who found out. */
  readonly by: string;
}

/** Notes what a person found out. Payouts in a final state are left as they are. Returns the number of payouts. */
export async function settleByHand(
  store: Store,
  selection: Selection,
  finding: ReviewResult,
): Promise<number> {
  checkFinding(finding);
  const { state } = finding;
  // With the white space of a copy, it would be the id of another transfer.
  const transferId = finding.transferId?.trim();
  const transferIds = transferId === undefined ? [] : [transferId];
  return moving(store, async (sql) => {
    await refuseMissing(sql, selection);
    await lockTransfers(sql, transferIds);
    const payments = await lockSelected(sql, selection);
    const recipients = await recipientsOf(sql, payments, selection);
    const requestIds = payments.map(({ request_id }) => request_id);
    if (state === 'paid' && requestIds.length > 1)
      refuseDecision('A transfer pays one payment: give its requestId instead of a filter.');
    const meant = [...recipients.values()].flat().filter(isOpenToPerson);
    const shown = meant.find((one) => one.shown);
    if (state !== 'paid' && shown !== undefined) {
      throw new Error(
        `A record shows that the payout of ${JSON.stringify(shown.employee)} was paid: it cannot be ${state}. Nothing was changed.`,
      );
    }
    const open = [...new Set(meant.map(({ request_id }) => request_id))];
    await refuseObstacles(sql, open, requestIds, transferId, state);
    let settled = 0;
    for (const payment of payments) {
      const all = recipients.get(payment.request_id) ?? [];
      settled += await settleOne(sql, payment.request_id, all, { ...finding, transferId });
    }
    // What events told of the transfer before may contradict the person.
    await applyEvents(sql, transferIds);
    return settled;
  });
}

/** Returns true for a payout that a person may settle. */
const isOpenToPerson = ({ state, isMeant }: Recipient): boolean =>
  isMeant && ['undecided', 'made', 'accepted', 'awaiting_approval'].includes(state);

async function refuseObstacles(
  sql: Tx,
  open: readonly string[],
  requestIds: readonly string[],
  transferId: string | undefined,
  state: string,
): Promise<void> {
  // A transfer that was made under an earlier key pays the payment that took over the payouts of that key.
  await sql.query(
    `update payout_payment past_one set transfer_id = null
     where transfer_id = $1 and state = 'replaced' and exists (select from payout_payment p
       where request_id = any($2::uuid[]) and ${succeeds('past_one.request_id')})`,
    [transferId ?? null, open],
  );
  const { rows } = await sql.query<{ why: string }>(
    `select 'transferId is of the transfer that pays the payment ' || request_id || '.' as why
     from payout_payment where transfer_id = $2 and request_id <> all($4::uuid[])
     union all
     select 'A call for the payment ' || request_id || ' may still pay it: settle it two minutes after the call began.'
     from payout_attempt where request_id = any($1::uuid[]) and $3 <> 'paid'
       and (settled_at is null or finding = 'open') and began_at > clock_timestamp() - interval '2 minutes'`,
    [open, transferId ?? null, state, requestIds],
  );
  if (rows[0] !== undefined) throw new Error(`${rows[0].why} Nothing was changed.`);
}

/** Settles the payouts of one payment that are meant. A batch is final once each of its payouts is. */
async function settleOne(
  sql: Tx,
  requestId: string,
  all: readonly Recipient[],
  { state, by, transferId }: Omit<ReviewResult, 'transferId'> & { transferId: string | undefined },
): Promise<number> {
  const meant = all.filter(isOpenToPerson);
  if (meant.length === 0) return 0;
  const places = meant.map(({ place }) => place);
  const isWhole = all.every((one) => places.includes(one.place) || (one.isOwn && isFinal(one.state)));
  const follows = all.some(({ isOwn }) => !isOwn);
  if (!isWhole || !follows || meant.some(({ isOwn }) => isOwn)) {
    await sql.query(
      `update payout_order set state = $2, reason = 'SETTLED_BY_HAND', evidence = 'person', settled_by = $3,
         state_at = clock_timestamp() where request_id = $1 and place = any($4::integer[])`,
      [requestId, state, by, places],
    );
  }
  const states = all.map((one) => (places.includes(one.place) ? state : one.state));
  if (!states.every(isFinal) && transferId === undefined) return meant.length;
  const isOver = states.every(isFinal);
  await sql.query(
    `update payout_payment set transfer_id = coalesce($2, transfer_id) ${isOver ? SETTLED : ''}
     where request_id = $1 ${isOver ? OPEN : ''}`,
    [
      requestId,
      transferId ?? null,
      ...(isOver ? [states.includes('paid') ? 'paid' : (states[0] ?? state), by] : []),
    ],
  );
  return meant.length;
}

const SETTLED = `, state = $3, evidence = 'person', settled_by = $4, reason = 'SETTLED_BY_HAND', doubts = 0,
  doubt_since = null, fence = attempts, missing_since = null, state_at = clock_timestamp()`;
const OPEN = `and state in ('undecided', 'made', 'accepted', 'awaiting_approval')`;

function checkFinding(finding: ReviewResult): void {
  const { state, transferId, by } = finding;
  refuseUnknown(finding, { state: true, transferId: true, by: true }, refuseDecision, {}, 'a field');
  if (!['paid', 'rejected', 'expired'].includes(state))
    refuseDecision('state must be what a person can find: paid, rejected or expired.');
  if (!isFilled(by)) refuseDecision('by must name the person who settles the payout.');
  if (state === 'paid' ? !isFilled(transferId) : transferId !== undefined && !isFilled(transferId))
    refuseDecision('transferId must be the id of the transfer that paid the payout.');
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Marks the notices of payouts as seen. */
export async function acknowledge({ db }: Store, selection: Selection): Promise<number> {
  return db.transaction(async (sql) => {
    await refuseMissing(sql, selection);
    const { rows } = await sql.query(
      `update payout_notice n set seen_at = clock_timestamp()
       from payout_order m join payout_payment p using (request_id)
       where n.payer = m.payer and n.month = m.month and n.employee = m.employee and n.seen_at is null
         and ($3::text is null or m.employee = $3) and ${WITHIN} returning n.id`,
      valuesOf(selection),
    );
    return rows.length;
  });
}
