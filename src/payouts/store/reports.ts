import { refuseUnknown } from '../../shared/option-names.ts';
import type { Sql } from '../database.ts';
import { checkMonth, checkState, refuse } from '../rules/checks.ts';
import { PAYOUT_STATES, type PayoutEvidence, type PayoutState } from '../rules/payment.ts';
import { HELD } from './selection.ts';

/** The payouts of a month in one state. */
export interface PayoutStateLine {
  /** One of `PAYOUT_STATES`. */
  readonly state: PayoutState;
  /** Their number, from 0. */
  readonly payouts: number;
  /** Their sum as exact decimal text. */
  readonly amount: string;
}

/** The progress of a payroll. */
export interface PayoutSummary {
  /** A line for every state, also for those without payouts. */
  readonly lines: readonly PayoutStateLine[];
  /** All payouts of the month. */
  readonly payouts: number;
  /** The sum of all payouts as exact decimal text. */
  readonly amount: string;
  /** Payouts by state and reason; a reason of queued payouts says why they wait. */
  readonly reasons: readonly {
    /** One of `PAYOUT_STATES`. */
    readonly state: PayoutState;
    /** A code, such as `INSUFFICIENT_BALANCE`. */
    readonly reason: string;
    /** The number of payouts, from 1. */
    readonly payouts: number;
  }[];
  /** The end of the last sweep; null before the first. */
  readonly sweptAt: Date | null;
  /** The failures of the last sweep. */
  readonly sweepProblems: readonly string[];
}

/** Counts and adds up in the database, without rounding. */
export async function summarize(db: Sql, payers: readonly string[], given: string): Promise<PayoutSummary> {
  // Another way to write a month would find nothing, and look like an empty payroll.
  const month = checkMonth(given);
  const { rows } = await db.query<{
    state: PayoutState | null;
    payouts: number;
    amount: string;
  }>(
    `select state, count(*)::int as payouts, coalesce(sum(amount), 0)::numeric(30, 6)::text as amount from payout
     where month = $1 and payer = any($2::text[]) group by grouping sets ((state), ())`,
    [month, payers],
  );
  const reasons = await db.query<PayoutSummary['reasons'][number]>(
    `select state, reason, count(*)::int as payouts from payout
     where month = $1 and payer = any($2::text[]) and reason is not null group by state, reason order by state, reason`,
    [month, payers],
  );
  const sweep = await db.query<{ finished_at: Date | null; problems: string[] }>(
    'select finished_at, problems from payout_sweep',
  );
  const all = rows.find(({ state }) => state === null);
  return {
    lines: PAYOUT_STATES.map((state) => {
      const { payouts = 0, amount = '0.000000' } = rows.find((row) => row.state === state) ?? {};
      return { state, payouts, amount };
    }),
    payouts: all?.payouts ?? 0,
    amount: all?.amount ?? '0.000000',
    reasons: reasons.rows,
    sweptAt: sweep.rows[0]?.finished_at ?? null,
    sweepProblems: sweep.rows[0]?.problems ?? [],
  };
}

/** A payout as `payouts.list` shows it. */
export interface ListedPayout {
  /** The month of the payroll, `YYYY-MM`. */
  readonly month: string;
  /** The payee, by your own name. */
  readonly employee: string;
  /** The user who is paid, by the service's id. */
  readonly payee: string;
  /** Units of the currency as decimal text. */
  readonly amount: string;
  /** The user who pays, by the service's id. */
  readonly payer: string;
  /** One of `PAYOUT_STATES`. */
  readonly state: PayoutState;
  /** The reason of this state, or the event that the payout waits for; null only for `paid`. */
  readonly reason: string | null;
  /** The evidence for the state; null while there is none. */
  readonly evidence: PayoutEvidence | null;
  /** The idempotency key of the payout's payment. */
  readonly requestId: string;
  /** The transfer, where it is known. */
  readonly transferId: string | null;
}

/** The payouts that `payouts.list` returns. */
export interface ListPayoutsOptions {
  /** The month of the payroll, `YYYY-MM`. */
  readonly month: string;
  /** Only payouts in this state. Default: all states. */
  readonly state?: PayoutState;
}

const PAGE = 1000;

/** Lists the payouts of a month by employee, in pages, so that a payroll of any size fits into memory. */
export async function* listPayouts(
  db: Sql,
  payers: readonly string[],
  options: ListPayoutsOptions,
): AsyncGenerator<ListedPayout, void> {
  refuseUnknown(options, { month: true, state: true }, refuse);
  const month = checkMonth(options.month);
  const state = options.state === undefined ? null : checkState(options.state);
  let after: readonly [string, string] = ['', ''];
  for (;;) {
    const { rows } = await db.query<ListedPayout>(
      `select p.month, p.employee, p.payee, p.amount::text as amount, p.payer, p.state, p.evidence,
         p.request_id as "requestId", p.transfer_id as "transferId",
         case when p.state = 'queued' and ${HELD} then 'HELD'
           else coalesce(p.reason, case when p.state = 'queued' and b.pauses > 0 then b.reason end,
             case p.state when 'queued' then 'WAITS_FOR_A_WORKER' when 'awaiting_approval' then 'WAITS_FOR_APPROVAL'
               when 'accepted' then 'WAITS_FOR_COMPLETION' end)
         end as reason
       from payout p left join payout_payer b on b.payer = p.payer
       where p.month = $1 and p.payer = any($2::text[]) and ($3::text is null or p.state = $3)
         and (p.payer, p.employee) > ($4, $5)
       order by p.payer, p.employee limit ${PAGE}`,
      [month, payers, state, ...after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = [last.payer, last.employee];
  }
}

/** A payout that a person must review. */
export interface PayoutToReview {
  /** The month of the payroll, `YYYY-MM`. */
  readonly month: string;
  /** The payee, by your own name. */
  readonly employee: string;
  /** The user who pays, by the service's id. */
  readonly payer: string;
  /** The batch, where the payout is part of one. */
  readonly batch: string | null;
  /** The idempotency key to ask the service about. */
  readonly requestId: string;
  /** The transfer, where it is known. */
  readonly transferId: string | null;
  /** Decimal text. */
  readonly amount: string;
  /** `undecided`, or any other state if there are unseen notices. */
  readonly state: string;
  /** The reason why a person must review it. */
  readonly reason: string | null;
  /** The time since which it is undecided, or else the time of its first unseen notice. */
  readonly since: Date;
  /** The people who can decide it: `operator` asks the service, `approvers` remember their decision. */
  readonly for: string;
  /** Facts that do not change the state, such as an event after a person's decision. */
  readonly notices: readonly string[];
  /** The refusals that leave it in doubt, by name. */
  readonly doubts: readonly PayoutDoubt[];
}

/** A refusal that proves nothing until `refusals` of the client lists its name. */
export interface PayoutDoubt {
  /** The HTTP status of the refusal. */
  readonly status: number;
  /** The name of the refusal, as the service gives it. */
  readonly name: string;
  /** The option to set, once you know what the name means. */
  readonly remedy: string;
}

const remedyFor = (name: string, doubtful: boolean): string =>
  doubtful
    ? `its words may speak of an earlier request: add '${name}' to refusals.known of the client if the service has the request, or look the payment up`
    : `add '${name}' to refusals.sure of the client if the service made nothing, or to refusals.known if it has the request; the next sweep judges it again`;

/** Lists undecided payouts and those with unseen notices: those with the same doubt together, oldest first. */
export async function listForReview(
  db: Sql,
  payers: readonly string[],
  month?: string,
): Promise<PayoutToReview[]> {
  const { rows } = await db.query<Omit<PayoutToReview, 'doubts'> & { names: string }>(
    `with open as (
       select o.payer, o.month, o.employee from payout_order o where o.payer = any($1::text[]) and o.state = 'undecided'
       union select o.payer, o.month, o.employee from payout_payment p join payout_order o using (request_id)
         where p.payer = any($1::text[]) and p.state = 'undecided' and o.state is null
       union select payer, month, employee from payout_notice where seen_at is null and payer = any($1::text[]))
     select p.month, p.employee, p.payer, p.batch, p.request_id as "requestId", p.transfer_id as "transferId",
       p.amount::text as amount, p.state, p.reason, case when p.state = 'undecided' then p.state_at else n.at end as since,
       case when p.reason in ('DECISION_NOT_HEARD', 'APPROVAL_NOT_KNOWN', 'CONTRADICTORY_DECISIONS') then 'approvers' else 'operator' end as "for", coalesce(n.notices, '{}') as notices, d.names
     from open join payout p using (payer, month, employee)
     cross join lateral (select array_agg(kind || ' ' || detail order by id) as notices, min(at) as at
       from payout_notice n where n.payer = p.payer and n.month = p.month and n.employee = p.employee
         and n.seen_at is null) as n
     cross join lateral (select coalesce(json_agg(distinct jsonb_build_object('status', status, 'name', name, 'doubtful', doubtful)), '[]')::text as names
       from payout_attempt a where a.request_id = p.request_id and a.finding = 'open' and a.name is not null
         and p.in_doubt) as d
     where $2::text is null or p.month = $2
     order by d.names, since, p.month, p.employee`,
    [payers, month === undefined ? null : checkMonth(month)],
  );
  return rows.map(({ names, ...row }) => {
    const doubts: readonly { status: number; name: string; doubtful: boolean }[] = JSON.parse(names);
    return {
      ...row,
      doubts: doubts.map(({ status, name, doubtful }) => ({
        status,
        name,
        remedy: remedyFor(name, doubtful),
      })),
    };
  });
}
