import { whatToDoAbout } from '../rules/advice.ts';
import { REASONS } from '../rules/reasons.ts';
import { type PayoutSituation, quietFrom } from '../rules/situation.ts';
import { keysFollowing, sinceCommand } from '../rules/went-back.ts';
import type { Sql } from './engine.ts';
import { COMMAND_COLUMNS, COMMAND_JOIN, commandOf } from './last-command.ts';
import { inPages, PAGE, select } from './query.ts';
import { holdRow, reviewCountRow, reviewRow } from './rows.ts';
import {
  type CheckedScope,
  checkScope,
  IN_SCOPE,
  MAY_BE_ABOUT,
  type PayoutScope,
  scopeValues,
} from './scope.ts';

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

/** Counts what `review` lists of a payout, but for its problem: it is stored in the row. */
export const reviewCounts = ({ parts, notices }: PayoutSituation) => ({
  undecided: parts.filter(({ state }) => state === 'undecided').length,
  notices: notices.length,
});

/** Counts what `review` lists. */
export async function countReview(
  sql: Sql,
  scope: CheckedScope,
): Promise<Readonly<Record<PayoutReview['kind'], number>>> {
  const [counted] = await select(
    sql,
    reviewCountRow,
    `select coalesce(sum(undecided), 0)::int as undecided, coalesce(sum(notices), 0)::int as notice, count(problem)::int as problem,
       (select count(*) from payout_hold where ${MAY_BE_ABOUT})::int as hold
     from payout where needs_review and ${IN_SCOPE}`,
    scopeValues(scope),
  );
  const { undecided = 0, notice = 0, problem = 0, hold = 0 } = counted ?? {};
  return { undecided, notice, problem, hold };
}

export async function* listReview(
  sql: Sql,
  filter: PayoutScope | undefined,
  quiet: number,
): AsyncGenerator<PayoutReview> {
  const scope = scopeValues(checkScope(filter ?? {}));
  const holds = inPages(
    sql,
    holdRow,
    `select hold_id, payer, group_name, id, held_by, reason, (extract(epoch from at) * 1000)::float8 as at from payout_hold
     where ${MAY_BE_ABOUT} and ($4::float8 is null or (at, hold_id) > (to_timestamp($4::float8 / 1000), $5::uuid))
     order by at, hold_id limit ${PAGE}`,
    (last) => [...scope, last?.at ?? null, last?.hold_id ?? null],
  );
  for await (const { payer, group_name: group, id, held_by: by, reason, at } of holds) {
    const whatToDo =
      by === 'maxRefusals'
        ? 'The file may be wrong: look at the rejected payouts. Then resume the payer, or cancel.'
        : 'Resume the scope once the reason is gone.';
    yield { kind: 'hold', payer, group, id, by, reason, at: new Date(at), whatToDo };
  }
  const rows = inPages(
    sql,
    reviewRow,
    `select payer, id, round, situation, problem, restored, ${COMMAND_COLUMNS} from payout ${COMMAND_JOIN}
     where needs_review and ${IN_SCOPE} and (payer, id, round) > ($4::text, $5::text, $6::int)
     order by payer, id, round limit ${PAGE}`,
    (last) => [...scope, last?.payer ?? '', last?.id ?? '', last?.round ?? 0],
  );
  // A row does not know of a command before its next step, and a person may be first.
  for await (const { situation, problem, restored, ...command } of rows)
    yield* reviewOf({ situation: sinceCommand(situation, restored, commandOf(command)), problem }, quiet);
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
      const following = part.wentBack === undefined ? [] : keysFollowing(row.situation, part);
      // Whatever the reason is, unpaid is said of all keys that follow.
      const isAlso = part.wentBack !== undefined && reason !== REASONS.wentBack;
      const also = isAlso ? [whatToDoAbout(REASONS.wentBack)] : [];
      const whatToDo = [whatToDoAbout(reason ?? '', refusal), ...also].join(' ');
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
