import { type CheckedRecipient, shortest } from '../rules/order.ts';
import type { PayoutEvidence, PayoutState } from '../rules/situation.ts';
import type { Sql } from './engine.ts';
import { LEAST_KEY, PAGE, select } from './query.ts';
import { countReview, listReview, type PayoutReview } from './review.ts';
import type { Store } from './row.ts';
import { brakeRow, listedPayoutRow, recipientRow, summaryRow } from './rows.ts';
import {
  checkFilter,
  checkListFilter,
  IN_SCOPE,
  type PayoutFilter,
  type PayoutListFilter,
  type PayoutScope,
  scopeValues,
} from './scope.ts';

/** One recipient of a payout: the latest round. */
export interface PayoutRow {
  /** The order, by your own name. */
  readonly id: string;
  /** The recipient, by your own name. */
  readonly recipient: string;
  /** Your own name of the set that it belongs to; null where it has none. */
  readonly group: string | null;
  /** The user who pays, by the service's id. */
  readonly payer: string;
  /** The idempotency key of the payment. */
  readonly requestId: string;
  /** The payer, as it is sent. */
  readonly source: {
    /** The user who pays, by the service's id. */
    readonly userId: string;
  };
  /** The payee, as it is sent; null where a later release has written the payout in another form. */
  readonly destination: CheckedRecipient['payee'] | null;
  /** Decimal text. */
  readonly amount: string;
  /** The currency in lower case. */
  readonly currency: string;
  /** The time of the last call; before the first one, that of the order. */
  readonly createdAt: Date;
  /** One of `PAYOUT_STATES`. */
  readonly state: PayoutState;
  /** The reason of the state, a code; null where there is none. */
  readonly reason: string | null;
  /** The evidence for the state; null where there is none. */
  readonly evidence: PayoutEvidence | null;
  /** The transfer, where it is known. */
  readonly transferId: string | null;
  /** The time of the state. */
  readonly since: Date;
}

/** Where payouts stand. */
export interface PayoutSummary {
  /** Recipients and amounts by state, reason and currency. */
  readonly lines: readonly {
    /** One of `PAYOUT_STATES`. */
    readonly state: PayoutState;
    /** The reason of the state, a code; null where there is none. */
    readonly reason: string | null;
    /** The currency in lower case. */
    readonly currency: string;
    /** The recipients. */
    readonly recipients: number;
    /** Decimal text. */
    readonly amount: string;
    /** The time of the state, of the recipient who is in it for the longest time. */
    readonly oldest: Date;
  }[];
  /** What `review` lists: page somebody on the first. */
  readonly toReview: number;
  /** The same by kind. */
  readonly review: Readonly<Record<PayoutReview['kind'], number>>;
  /** The time since which the oldest queued recipient waits. */
  readonly oldestQueued: Date | null;
  /** Payers who are paused, and until when. */
  readonly pauses: readonly {
    /** The user who pays, by the service's id. */
    readonly payer: string;
    /** The reason of the state, a code; null where there is none. */
    readonly reason: string | null;
    /** The time at which a call is tried. */
    readonly until: Date;
  }[];
}

/** The reports of payouts. */
export interface PayoutReports {
  /**
   * Lists recipients by payer and order: those of the latest round or, in a range of time, of each. Archived ones are not listed.
   * It reads in pages.
   */
  list(filter?: PayoutListFilter): AsyncIterable<PayoutRow>;
  /** Counts recipients by state and reason, but for archived ones. With a `state` that is not final it stays fast, however many payouts are paid. */
  summary(filter?: PayoutFilter): Promise<PayoutSummary>;
  /**
   * Lists what a person must look at, each with what to do: holds, then undecided payments, notices and problems by payer and
   * order. It reads in pages.
   *
   * @throws InvalidRequestError that names the field of the filter, at the first item.
   * @example
   * ```ts
   * for await (const { kind, payer, id, whatToDo } of payouts.review()) console.log(kind, payer, id, whatToDo);
   * ```
   */
  review(filter?: PayoutScope): AsyncIterable<PayoutReview>;
}

const FILTER = `${IN_SCOPE} and ($4::text is null or state = $4) and ($5::text is null or reason = $5)`;

export const reportsOf = ({ db, rules }: Store): PayoutReports => ({
  list: (filter) => listRows(db, filter),
  summary: (filter) => summarize(db, filter),
  review: (filter) => listReview(db, filter, rules.quiet),
});

/** In a range, each round is listed. A payout that is final was called before that; any other one may be called now. */
const LISTED = `(is_latest or $6::boolean) and ($7::float8 is null or since >= to_timestamp($7::float8 / 1000)
  or state not in ('paid', 'rejected', 'expired', 'cancelled'))`;

async function* listRows(sql: Sql, filter?: PayoutListFilter): AsyncGenerator<PayoutRow> {
  const { state, reason, since, until, ...scope } = checkListFilter(filter);
  const isRange = since !== null || until !== null;
  let after: readonly (string | number)[] = ['', '', LEAST_KEY, -1];
  for (;;) {
    const rows = await select(
      sql,
      recipientRow,
      `select key, place, payer, id, group_name, recipient, request_id, amount, currency, state, reason, evidence, transfer_id,
         (extract(epoch from since) * 1000)::float8 as since
       from payout_recipient where ${FILTER} and ${LISTED}
         and (payer, id, key, place) > ($8::text, $9::text, $10::uuid, $11::int)
       order by payer, id, key, place limit ${PAGE}`,
      [...scopeValues(scope), state, reason, isRange, since, ...after],
    );
    const payouts = await payoutsOf(sql, rows);
    for (const row of rows) {
      const { key, place, id, recipient, payer, amount, currency, evidence } = row;
      const payout = payouts.get(key);
      const part = payout?.situation.parts.find(({ requestId }) => requestId === row.request_id);
      const ordered = payout?.created_at ?? row.since;
      const last = part?.begun ?? ordered;
      if ((since !== null && last < since) || (until !== null && (part?.firstBegun ?? ordered) >= until))
        continue;
      yield {
        id,
        recipient,
        group: row.group_name,
        payer,
        requestId: row.request_id,
        source: { userId: payer },
        destination: payout?.situation.order.recipients?.[place]?.payee ?? null,
        amount,
        currency,
        createdAt: new Date(last),
        state: row.state,
        reason: row.reason,
        evidence,
        transferId: row.transfer_id,
        since: new Date(row.since),
      };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = [last.payer, last.id, last.key, last.place];
  }
}

/** The payouts of recipients, by their keys: a batch has many recipients. */
async function payoutsOf(sql: Sql, rows: readonly { readonly key: string }[]) {
  const keys = [...new Set(rows.map(({ key }) => key))];
  const payouts = await select(
    sql,
    listedPayoutRow,
    `select key, situation, (extract(epoch from created_at) * 1000)::float8 as created_at
     from payout where key = any($1::uuid[])`,
    [keys],
  );
  return new Map(payouts.map((payout) => [payout.key, payout]));
}

async function summarize(sql: Sql, filter?: PayoutFilter): Promise<PayoutSummary> {
  const { state, reason, ...scope } = checkFilter(filter);
  const lines = await select(
    sql,
    summaryRow,
    `select state, reason, currency, count(*)::int as recipients, sum(amount::numeric)::text as amount,
       (extract(epoch from min(since)) * 1000)::float8 as oldest
     from payout_recipient where is_latest and ${FILTER} group by state, reason, currency order by state, reason, currency`,
    [...scopeValues(scope), state, reason],
  );
  const review = await countReview(sql, scope);
  const payers = await select(
    sql,
    brakeRow,
    `select payer, brake, version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now
     from payout_payer where ($1::text is null or payer = $1) order by payer`,
    [scope.payer],
  );
  const queued = lines.filter((one) => one.state === 'queued').map(({ oldest }) => oldest);
  return {
    lines: lines.map(({ state, reason, currency, recipients, amount, oldest }) => ({
      state,
      reason,
      currency,
      recipients,
      amount: shortest(amount),
      oldest: new Date(oldest),
    })),
    toReview: Object.values(review).reduce((sum, count) => sum + count, 0),
    review,
    oldestQueued: queued.length === 0 ? null : new Date(Math.min(...queued)),
    pauses: payers.flatMap(({ payer, brake, now }) => {
      const { pausedUntil, reason: why } = brake;
      return pausedUntil > now ? [{ payer, reason: why, until: new Date(pausedUntil) }] : [];
    }),
  };
}
