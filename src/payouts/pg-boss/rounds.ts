import { takeBackAttempt } from '../rules/attempt.ts';
import { applyOtherRound, type PaymentInTheWay, paymentInTheWay } from '../rules/rounds.ts';
import type { Rules } from '../rules/rules.ts';
import { finish, type PayoutPart, type PayoutSituation } from '../rules/situation.ts';
import type { Transition } from '../rules/transition.ts';
import type { Sql } from './engine.ts';
import { keptAfter, withKeptHalves } from './kept-records.ts';
import { select } from './query.ts';
import { otherRoundRow } from './rows.ts';

/** What the other rounds of a payout say about a payment of it. */
interface OtherRounds {
  readonly inTheWay: PaymentInTheWay | undefined;
  /** True while a message about one of them waits: it may be evidence. */
  readonly isUnread: boolean;
}

/** Asks the other rounds whether a payment may be called. While a first round is open there are no others. */
export async function askRounds(
  sql: Sql,
  key: string,
  situation: PayoutSituation,
  part: PayoutPart,
): Promise<OtherRounds> {
  const { order, round } = situation;
  if (round === 1) return { inTheWay: undefined, isUnread: false };
  const rows = await select(
    sql,
    otherRoundRow,
    `select situation,
       exists (select 1 from payout_message m where m.key = p.key and m.read_at is null) as is_unread
     from payout p where payer = $1 and id = $2 and key <> $3 order by round`,
    [order.payer, order.id, key],
  );
  const situations = rows.map((one) => one.situation);
  const others = await withKeptHalves(sql, situations);
  return {
    inTheWay: paymentInTheWay(situation, part, others),
    isUnread: rows.some((one) => one.is_unread),
  };
}

/**
 * Asks once more before a call. A round that a person freed does not ask the records: what was kept after that counts here.
 */
export async function askBeforeCall(
  sql: Sql,
  key: string,
  situation: PayoutSituation,
  part: PayoutPart,
): Promise<OtherRounds> {
  const rounds = await askRounds(sql, key, situation, part);
  if (situation.round === 1 || rounds.inTheWay !== undefined) return rounds;
  const requestId = await keptAfter(sql, situation, part);
  return requestId === undefined ? rounds : { ...rounds, inTheWay: { requestId, state: 'accepted' } };
}

/** While a message about another round waits, a payment waits so long, in milliseconds. */
const UNREAD = 1000;

/** The row before the step. */
interface RowBefore {
  readonly key: string;
  readonly situation: PayoutSituation;
  readonly now: number;
}

/**
 * Takes an attempt back that must not be made, in the transaction that would store it: evidence that was stored before it
 * counts. Without one, the situation is returned as it is.
 *
 * @param isUnread - True while a message to this row waits: it is heard first.
 */
export async function withoutSecondPayment(
  sql: Sql,
  { key, situation: before, now }: RowBefore,
  after: PayoutSituation,
  isUnread: boolean,
  rules: Rules,
): Promise<PayoutSituation> {
  const part = before.parts.find(
    ({ requestId, phase }) =>
      phase === 'begin' && after.parts.some((one) => one.requestId === requestId && one.phase === 'call'),
  );
  if (part === undefined) return after;
  const others = await askBeforeCall(sql, key, before, part);
  const { inTheWay } = others;
  if (inTheWay === undefined && !isUnread && !others.isUnread) return after;
  const { parts: stopped, notices = [] }: Transition =
    inTheWay === undefined
      ? { parts: [takeBackAttempt(part, now + UNREAD)] }
      : applyOtherRound(part, inTheWay, now, rules);
  const parts = before.parts.flatMap((one) => (one === part ? stopped : [one]));
  return finish(before, { ...before, parts, notices: [...before.notices, ...notices], news: [] }, now);
}
