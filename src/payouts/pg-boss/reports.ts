import { whatToDoAbout } from '../rules/advice.ts';
import { type CheckedRecipient, shortest } from '../rules/order.ts';
import {
  type PayoutEvidence,
  type PayoutSituation,
  type PayoutState,
  quietFrom,
} from '../rules/situation.ts';
import { keysFollowing } from '../rules/went-back.ts';
import type { Sql } from './engine.ts';
import { PAGE, select } from './query.ts';
import type { Store } from './row.ts';
import { brakeRow, countRow, holdRow, listedPayoutRow, recipientRow, reviewRow, summaryRow } from './rows.ts';
import {
  checkFilter,
  checkListFilter,
  checkScope,
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
  }[];
  /** Payouts that `review` shows. */
  readonly toReview: number;
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

/** Something that a person must look at. */
export type PayoutReview =
  | {
      /** An undecided payment. */
      readonly kind: 'undecided';
      /** The order, by your own name. */
      readonly id: string;
      /** Your own name of the set that it belongs to; null where it has none. */
      readonly group: string | null;
      /** The user who pays, by the service's id. */
      readonly payer: string;
      /** The idempotency key of the payment. */
      readonly requestId: string;
      /**
       * After `restored`: the keys that follow from it, of its halves and of ten later rounds. One of them may have been paid, and
       * unpaid is said of all. Otherwise none.
       */
      readonly following: readonly string[];
      /** The reason of the state, a code; null where there is none. */
      readonly reason: string | null;
      /** The transfer, where it is known. */
      readonly transferId: string | null;
      /** The recipients. */
      readonly recipients: readonly {
        /** The recipient, by your own name. */
        readonly id: string;
        /** Decimal text. */
        readonly amount: string;
      }[];
      /** The time of the state. */
      readonly since: Date;
      /** The time after which `settle` may call it unpaid. */
      readonly lookFrom: Date;
      /** What a person does about it. */
      readonly whatToDo: string;
    }
  | {
      /** A fact that does not change the state. */
      readonly kind: 'notice';
      /** The order, by your own name. */
      readonly id: string;
      /** Your own name of the set that it belongs to; null where it has none. */
      readonly group: string | null;
      /** The user who pays, by the service's id. */
      readonly payer: string;
      /** The idempotency key of the payment. */
      readonly requestId: string;
      /** The kind of the notice, a code. */
      readonly notice: string;
      /** The names and ids that it is about. */
      readonly detail: string;
      /** The time. */
      readonly at: Date;
      /** What a person does about it. */
      readonly whatToDo: string;
    }
  | {
      /** `onChange` throws: nobody was told of the last move. */
      readonly kind: 'problem';
      /** The order, by your own name. */
      readonly id: string;
      /** Your own name of the set that it belongs to; null where it has none. */
      readonly group: string | null;
      /** The user who pays, by the service's id. */
      readonly payer: string;
      /** What failed, by its name. */
      readonly problem: string;
      /** What a person does about it. */
      readonly whatToDo: string;
    }
  | {
      /** A hold, by a person or by `maxRefusals`. */
      readonly kind: 'hold';
      /** The user who pays, by the service's id. */
      readonly payer: string | null;
      /** Your own name of the set that it belongs to; null where it has none. */
      readonly group: string | null;
      /** The order, by your own name. */
      readonly id: string | null;
      /** Who decided. */
      readonly by: string;
      /** The reason of the state, a code; null where there is none. */
      readonly reason: string;
      /** The time. */
      readonly at: Date;
      /** What a person does about it. */
      readonly whatToDo: string;
    };

/** The reports of payouts. */
export interface PayoutReports {
  /** Lists recipients by payer and order: those of the latest round or, in a range of time, of each. It reads in pages. */
  list(filter?: PayoutListFilter): AsyncIterable<PayoutRow>;
  /** Counts recipients by state and reason. */
  summary(filter?: PayoutFilter): Promise<PayoutSummary>;
  /** Lists what a person must look at, each with what to do: undecided payments, notices, problems and holds. */
  review(filter?: PayoutScope): Promise<PayoutReview[]>;
}

const FILTER = `${IN_SCOPE} and ($4::text is null or state = $4) and ($5::text is null or reason = $5)`;

export const reportsOf = ({ db, rules }: Store): PayoutReports => ({
  list: (filter) => listRows(db, filter),
  summary: (filter) => summarize(db, filter),
  review: (filter = {}) => listReview(db, filter, rules.quiet),
});

/** In a range, each round is listed. A payout that is final was called before that; any other one may be called now. */
const LISTED = `(is_latest or $6::boolean) and ($7::float8 is null or since >= to_timestamp($7::float8 / 1000)
  or state not in ('paid', 'rejected', 'expired', 'cancelled'))`;

async function* listRows(sql: Sql, filter?: PayoutListFilter): AsyncGenerator<PayoutRow> {
  const { state, reason, since, until, ...scope } = checkListFilter(filter);
  const isRange = since !== null || until !== null;
  let after: readonly (string | number)[] = ['', '', '00000000-0000-0000-0000-000000000000', -1];
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
  const [review] = await select(
    sql,
    countRow,
    `select count(*)::int as count from payout where needs_review and ${IN_SCOPE}`,
    scopeValues(scope),
  );
  const payers = await select(
    sql,
    brakeRow,
    `select payer, brake, version, (extract(epoch from clock_timestamp()) * 1000)::float8 as now
     from payout_payer where ($1::text is null or payer = $1) order by payer`,
    [scope.payer],
  );
  const queued = lines.filter((one) => one.state === 'queued').map(({ oldest }) => oldest);
  return {
    lines: lines.map(({ oldest, ...line }) => ({
      ...line,
      amount: shortest(line.amount),
    })),
    toReview: review?.count ?? 0,
    oldestQueued: queued.length === 0 ? null : new Date(Math.min(...queued)),
    pauses: payers.flatMap(({ payer, brake, now }) => {
      const { pausedUntil, reason: why } = brake;
      return pausedUntil > now ? [{ payer, reason: why, until: new Date(pausedUntil) }] : [];
    }),
  };
}

async function listReview(sql: Sql, filter: PayoutScope, quiet: number): Promise<PayoutReview[]> {
  const scope = checkScope(filter);
  const rows = await select(
    sql,
    reviewRow,
    `select situation, problem from payout where needs_review and ${IN_SCOPE} order by payer, id, round`,
    scopeValues(scope),
  );
  const holds = await select(
    sql,
    holdRow,
    `select payer, group_name, id, held_by, reason, (extract(epoch from at) * 1000)::float8 as at from payout_hold
     where ($1::text is null or payer is null or payer = $1) and ($2::text is null or group_name is null or group_name = $2)
       and ($3::text is null or id is null or id = $3)
     order by at`,
    scopeValues(scope),
  );
  return [
    ...holds.map(({ payer, group_name, id, held_by, reason, at }): PayoutReview => {
      const whatToDo =
        held_by === 'maxRefusals'
          ? 'The file may be wrong: look at the rejected payouts. Then resume the payer, or cancel.'
          : 'Resume the scope once the reason is gone.';
      return {
        kind: 'hold',
        payer,
        group: group_name,
        id,
        by: held_by,
        reason,
        at: new Date(at),
        whatToDo,
      };
    }),
    ...rows.flatMap((row) => reviewOf(row, quiet)),
  ];
}

function reviewOf(
  row: { readonly situation: PayoutSituation; readonly problem: string | null },
  quiet: number,
): PayoutReview[] {
  const { order, parts, notices } = row.situation;
  const { id, group, payer } = order;
  const { problem } = row;
  const whose = { id, group, payer };
  const undecided = parts.filter(({ state }) => state === 'undecided');
  return [
    ...(problem === null
      ? []
      : [
          {
            kind: 'problem' as const,
            ...whose,
            problem,
            whatToDo: 'Mend onChange: it is tried again every 30 seconds.',
          },
        ]),
    ...undecided.map((part): PayoutReview => {
      const { requestId, reason, transferId, refusal, since } = part;
      const recipients = part.places.flatMap((place) => {
        const one = order.recipients[place];
        return one === undefined ? [] : [{ id: one.id, amount: one.amount }];
      });
      const times = { since: new Date(since), lookFrom: new Date(quietFrom(part, quiet)) };
      const whatToDo = whatToDoAbout(reason ?? '', refusal);
      const following = part.wentBack === undefined ? [] : keysFollowing(row.situation, part);
      return {
        kind: 'undecided',
        ...whose,
        requestId,
        following,
        reason,
        transferId,
        recipients,
        ...times,
        whatToDo,
      };
    }),
    ...notices.map(({ requestId, kind, detail, at }): PayoutReview => {
      const whatToDo = whatToDoAbout(kind);
      return { kind: 'notice', ...whose, requestId, notice: kind, detail, at: new Date(at), whatToDo };
    }),
  ];
}
