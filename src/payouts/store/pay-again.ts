import type { Sql } from '../database.ts';
import { isFinal, type Payment } from '../rules/payment.ts';
import { CANCELLED, NOT_FOUND } from '../rules/see-record.ts';
import type { FleetRules } from './attempts.ts';
import { type PaymentRow, rekey, takeOut } from './payments.ts';
import { lockSelected, type Recipient, recipientsOf, refuseMissing } from './selected.ts';
import type { Selection } from './selection.ts';
import { moving, type Store, type Tx } from './transaction.ts';

/** The key under which a payout is paid again. */
export type PayAgainKey = 'same' | 'derived';

/** A payment that the workers make again. */
export interface PaidAgain {
  /** The idempotency key in use now. */
  readonly requestId: string;
  /** The number of payouts under this key. */
  readonly payouts: number;
}

/** The payouts that a decision is for, and those that it is refused for. */
export interface PayAgainReport {
  /** The number of payments that the decision is for. */
  readonly payments: number;
  /** The number of payouts in these payments: a batch has several. */
  readonly payouts: number;
  /** The sum of the payouts as decimal text. */
  readonly amount: string;
  /** Payouts that fit the filter and were left as they are. */
  readonly refused: readonly {
    /** The idempotency key. */
    readonly requestId: string;
    /** The recipient, where the decision is refused for one of a batch. */
    readonly employee?: string;
    /** The reason why the decision is refused. */
    readonly why: string;
  }[];
}

/** The time for which the service surely keeps a key. */
type AgainRules = Pick<FleetRules, 'keyLifetime'>;

/** Gives one payment back to the workers by a deliberate act. */
export async function payOneAgain(
  store: Store,
  selection: Selection,
  key: PayAgainKey,
  rules: AgainRules,
): Promise<PaidAgain> {
  return moving(store, async (sql) => {
    await refuseMissing(sql, selection);
    const { fit, refused } = await plan(sql, selection, key, rules);
    const [first] = refused;
    if (first !== undefined || fit[0] === undefined)
      throw new Error(`The payout cannot be paid again: ${first?.why ?? ''} Nothing was changed.`);
    return { requestId: await payAgain(sql, fit[0], key), payouts: fit[0].recipients.length };
  });
}

/** Gives all of these payouts back to the workers for which that is safe. */
export async function payManyAgain(
  store: Store,
  selection: Selection,
  key: PayAgainKey,
  rules: AgainRules,
  preview: boolean,
): Promise<PayAgainReport> {
  return moving(store, async (sql) => {
    await refuseMissing(sql, selection);
    const { fit, refused } = await plan(sql, selection, key, rules);
    const { rows } = await sql.query<{ payouts: number; amount: string }>(
      `select count(*)::int as payouts, coalesce(sum(amount), 0)::numeric(30, 6)::text as amount from payout_order
         join jsonb_to_recordset($1::jsonb) as c (request_id uuid, place integer) using (request_id, place)`,
      [JSON.stringify(fit.flatMap(({ recipients }) => recipients))],
    );
    if (!preview) for (const one of fit) await payAgain(sql, one, key);
    const { payouts, amount } = rows[0] ?? { payouts: 0, amount: '0.000000' };
    return { payments: fit.length, payouts, amount, refused };
  });
}

/** A payment with those of its payouts that are paid again. */
interface Planned {
  readonly payment: PaymentRow;
  readonly recipients: readonly Recipient[];
  /** True if these are all payouts of the payment. */
  readonly isWhole: boolean;
}

type Refused = PayAgainReport['refused'][number];

/** Says which payouts of a selection are paid again, and why others are not. */
async function plan(
  sql: Tx,
  selection: Selection,
  key: PayAgainKey,
  rules: AgainRules,
): Promise<{ fit: Planned[]; refused: Refused[] }> {
  const payments = await lockSelected(sql, selection);
  const { rows } = await sql.query<{ request_id: string; doubt_age: number | null; moved: boolean }>(
    `select request_id, (extract(epoch from clock_timestamp() - doubt_since) * 1000)::float8 as doubt_age,
       exists (select from payout_past o where o.request_id = p.request_id) as moved
     from payout_payment p where request_id = any($1::uuid[])`,
    [payments.map(({ request_id }) => request_id)],
  );
  const facts = new Map(rows.map((row) => [row.request_id, row]));
  const recipients = await recipientsOf(sql, payments, selection);
  const refused: Refused[] = [];
  const fit = payments.flatMap((payment): Planned[] => {
    const requestId = payment.request_id;
    const all = recipients.get(requestId) ?? [];
    const meant = all.filter(({ isMeant }) => isMeant);
    const isWhole = meant.length === all.length && !all.some(({ isOwn }) => isOwn);
    const { moved = false, doubt_age: age } = facts.get(requestId) ?? {};
    const why =
      key === 'same' && (moved || !isWhole)
        ? 'the same key would pay the whole batch. Use a derived key.'
        : objection(payment, key, age ?? 0, rules, isWhole);
    if (why !== undefined) refused.push({ requestId, why });
    const allowed = meant.filter((one) => {
      const reason = why ?? recipientObjection(payment, one, key, selection.requestId !== null);
      if (reason === undefined) return true;
      if (why === undefined)
        refused.push({ requestId, ...(payment.size > 1 && { employee: one.employee }), why: reason });
      return false;
    });
    // A payment goes out whole or not at all, but for single recipients of a batch under a derived key.
    if (allowed.length === 0 || (isWhole && allowed.length < all.length && key === 'same')) return [];
    return [{ payment, recipients: allowed, isWhole: isWhole && allowed.length === all.length }];
  });
  return { fit, refused };
}

/** Says why one payout of a payment may not be paid again. */
function recipientObjection(
  payment: Payment,
  { state, reason, evidence, shown, isNoted }: Recipient,
  key: PayAgainKey,
  isNamed: boolean,
): string | undefined {
  if (shown) return 'a record shows that it was paid.';
  if (isNoted) return 'it has notices that nobody has acknowledged; money may have moved.';
  if (reason === CANCELLED.done && !isNamed)
    return 'it was cancelled: name its requestId to pay it all the same.';
  if (key === 'same') return undefined;
  // A lookup after a quiet time found nothing: that is the proof that a new key needs.
  const isAbsent =
    state === 'undecided' && reason === NOT_FOUND && evidence === 'lookup' && payment.transfer_id === null;
  if (state === 'rejected' || state === 'expired' || isAbsent) return undefined;
  return 'only rejected and expired payouts may be paid under another key.';
}

/**
 * Says why a payment may not be paid again under the same key. Nothing can be paid twice under it while the service keeps
 * the key. A derived key makes another transfer, so it needs the proof that no money moved, for each payout.
 */
function objection(
  { state, transfer_id, doubts }: Payment,
  key: PayAgainKey,
  doubtAge: number,
  { keyLifetime }: AgainRules,
  isWhole: boolean,
): string | undefined {
  if (key === 'derived' || !isWhole) return undefined;
  if (transfer_id !== null && isFinal(state) && state !== 'paid')
    return 'its transfer exists, and the same key would find that transfer again. Use a derived key.';
  if (transfer_id !== null || state === 'paid' || !(isFinal(state) || state === 'undecided'))
    return 'only rejected payouts, and undecided ones without a transfer, may be paid again.';
  return doubts > 0 && doubtAge >= keyLifetime
    ? `its key is older than the keyLifetime of ${keyLifetime} milliseconds, and the service may have forgotten it. Look the payout up first.`
    : undefined;
}

/** Gives payouts back to the workers. Returns the key that pays them now. */
async function payAgain(
  sql: Sql,
  { payment, recipients, isWhole }: Planned,
  key: PayAgainKey,
): Promise<string> {
  const { request_id } = payment;
  if (key === 'derived') {
    if (isWhole) return rekey(sql, payment, 'PAID_AGAIN');
    const places = recipients.map(({ place }) => place);
    return takeOut(sql, payment, places, 'PAID_AGAIN');
  }
  await sql.query(
    `update payout_payment set refused = refused or state in ('rejected', 'expired'), state = 'queued', reason = null,
       evidence = null, settled_by = null, fence = attempts, failures = 0, pauses = 0,
       state_at = clock_timestamp(), held = false, due_at = clock_timestamp() where request_id = $1`,
    [request_id],
  );
  return request_id;
}
