import { lazy, matching, strictObject, textLike } from '../../shared/schema/schema.ts';
import {
  checkedInput,
  type InputWords,
  isKey,
  personName,
  refuseInput,
  refuseState,
} from '../rules/checks.ts';
import { plainId } from '../rules/evidence.ts';
import { cancelPayments, type Settlement, settle, withoutNotices } from '../rules/person.ts';
import { namesPayment, nextRound, refuseDoubtful } from '../rules/rounds.ts';
import {
  finish,
  isFinal,
  isUnpaid,
  type PayoutPart,
  type PayoutSituation,
  SITUATION_VERSION,
} from '../rules/situation.ts';
import { Again, inTurns } from './again.ts';
import { bringBack } from './archived-rows.ts';
import { noteCommand } from './book.ts';
import type { Sql } from './engine.ts';
import { insertRounds, type NewRound, newRound } from './enqueue.ts';
import { freeNextRound, refuseShown } from './person-after-restore.ts';
import { select, write } from './query.ts';
import { askRounds } from './rounds.ts';
import { keyOfPayout, type LoadedRow, readRow, type Store, storeRow } from './row.ts';
import { countRow, holdIdRow, keyRow, orderRow, requestRow } from './rows.ts';
import {
  checkScope,
  IN_SCOPE,
  type PayoutScope,
  refuseEmpty,
  refuseUnknownPayment,
  scopeValues,
} from './scope.ts';
import { wakeHeld } from './waiting.ts';

/** Who decides, and why. */
export interface Decision {
  /** The person. */
  readonly by: string;
  /** Why. */
  readonly reason: string;
}

const decisionSchema = /* @__PURE__ */ lazy(() =>
  matching<Decision>()(strictObject({ by: personName(), reason: textLike(/\S/, 'must say why') })),
);

const deciderSchema = /* @__PURE__ */ lazy(() =>
  matching<Pick<Decision, 'by'>>()(strictObject({ by: personName() })),
);

const deciderWords: InputWords = { subject: 'The decision', end: ' Nothing was changed.' };

function decisionFrom(given: Decision): Decision {
  const { by, reason } = checkedInput(decisionSchema(), given, deciderWords);
  return { by: by.trim(), reason: reason.trim() };
}

/** What became of the payouts of a scope that was cancelled. */
export interface CancelReport {
  /** They are cancelled: no money moved. */
  readonly cancelled: number;
  /** They are `undecided`, also from before: a call may have been carried out. A lookup or a person finds out. */
  readonly inDoubt: number;
  /** A call for them is under way, or a later release has their rows: they are cancelled after it, unless it pays. */
  readonly inCall: number;
  /** The service has them already, or a part of them: on what it has the command has no effect. */
  readonly tooLate: number;
}

/** The commands of payouts. Each names who decides. What a command cannot find is an error that names the nearest. */
export interface PayoutCommands {
  /**
   * Stores what a person found out of one payment. Unpaid is said only of an `undecided` payment, and not before the quiet time
   * that `review` shows. Said of a final payment, its own state confirms it: its notices are seen.
   *
   * @param requestId - The payment, as `review` names it.
   * @throws InvalidRequestError that says why it is refused. Then nothing is changed.
   */
  settle(requestId: string, settlement: Settlement): Promise<void>;
  /**
   * Pays what certainly moved no money again, as a new round under a new key. It is for the latest round, once each of its
   * payments is final. Twice is once.
   *
   * @param requestId - The payment that it follows.
   * @returns The key of the new round.
   * @throws InvalidRequestError that says why it is refused. Then nothing is changed.
   */
  payAgain(
    requestId: string,
    who: {
      /** The person. */
      readonly by: string;
    },
  ): Promise<{
    /** The key of the new round. */
    readonly requestId: string;
  }>;
  /** Stops the calls of a scope: none begins after this returns, and those begun end within two minutes. */
  hold(
    scope: PayoutScope,
    decision: Decision,
  ): Promise<{
    /** Payouts of the scope that are not final. */
    readonly payouts: number;
  }>;
  /** Ends the holds within a scope. Payouts go on at once. */
  resume(
    scope: PayoutScope,
    who: {
      /** The person. */
      readonly by: string;
    },
  ): Promise<{
    /** Holds that ended. */
    readonly holds: number;
  }>;
  /**
   * Cancels the payouts of a scope, of the rounds that exist. It has no effect on what the service has already. To cancel
   * everything, pass `{}`.
   */
  cancel(scope: PayoutScope, decision: Decision): Promise<CancelReport>;
}

export function commandsOf(store: Store): PayoutCommands {
  const { db } = store;
  return {
    async settle(requestId, settlement) {
      const row = await db.transaction((sql) => rowOf(sql, requestId));
      refuseUnread(row);
      const { situation, now } = row;
      const place = situation.parts.findIndex((part) => plainId(part.requestId) === plainId(requestId));
      const part = situation.parts[place];
      if (part === undefined)
        refuseState(
          `Payment ${requestId} was split: settle its halves, ${situation.parts.map((one) => one.requestId).join(', ')}. Nothing was changed.`,
        );
      if (part.phase === 'call')
        refuseState(`Payment ${requestId} is in a call. Try again in two minutes. Nothing was changed.`);
      const transition = settle(part, settlement, now, store.rules);
      if (settlement.state !== 'paid') await refuseShown(store, row, part);
      const paidBy = transition.parts[0]?.transferId ?? null;
      if (paidBy !== null && paidBy !== part.transferId) await refuseTaken(db, paidBy, part.requestId);
      const settled = { ...situation, parts: situation.parts.toSpliced(place, 1, ...transition.parts) };
      const after = isFinal(part.state) ? withoutNotices(settled, requestId) : settled;
      const isSeen = after.notices.length < situation.notices.length;
      const note = async (sql: Sql, { parts }: PayoutSituation) => {
        const found = parts[place];
        // Where another payment took the transfer meanwhile, the settlement is refused.
        if (found?.state !== settlement.state || (found.state === part.state && !isSeen)) return;
        const { payer, group, id } = situation.order;
        const { state, transferId } = found;
        await noteCommand(sql, {
          kind: 'settle',
          by: settlement.by,
          payer,
          group,
          id,
          requestId: part.requestId,
          state,
          transferId,
        });
      };
      const stored = await storeRow(store, row, finish(situation, after, now), { write: note });
      if (stored === undefined) refuseState(CHANGED);
      if (stored.situation.parts[place]?.state !== settlement.state)
        refuseState(
          `Transfer ${paidBy} settles another payment already: payment ${part.requestId} is undecided.`,
        );
    },

    async payAgain(requestId, who) {
      const { by } = checkedInput(deciderSchema(), who, deciderWords);
      const again = async (sql: Sql) => {
        const row = await rowOf(sql, requestId);
        const { order, round } = row.situation;
        const rows = await select(
          sql,
          orderRow,
          'select key, order_text from payout where payer = $1 and id = $2 and round > $3 order by round',
          [order.payer, order.id, round],
        );
        const [following, ...later] = rows;
        // Twice is once. The round of a corrected order is none that pays this one again.
        const isSame = following?.order_text === JSON.stringify(order);
        if (following !== undefined && isSame && later.length === 0) return { requestId: following.key };
        if (following !== undefined)
          refuseState(
            `Payment ${requestId} is not of the latest round of payout ${JSON.stringify(order.id)}. Nothing was changed.`,
          );
        refuseUnread(row);
        const next = newRound(nextRound(row.situation, requestId, row.now));
        await refuseRounds(sql, next);
        const kept = await select(
          sql,
          keyRow,
          'update payout set version = version + 1 where key = $1 and version = $2 returning key',
          [row.key, row.version],
        );
        if (kept.length === 0) throw new Again(CHANGED);
        await write(
          sql,
          'update payout_recipient set is_latest = false where payer = $1 and id = $2 and place = any($3::int[])',
          [order.payer, order.id, next.situation.parts.flatMap(({ places }) => places)],
        );
        await insertRounds(store, sql, [next]);
        const { payer, group, id } = order;
        await noteCommand(sql, { kind: 'payAgain', by, payer, group, id, requestId, newRequestId: next.key });
        await freeNextRound(sql, row, next.key);
        return { requestId: next.key };
      };
      return inTurns(() => db.transaction(again));
    },

    async hold(scope, decision) {
      const checked = checkScope(scope);
      const { by, reason } = decisionFrom(decision);
      await refuseEmpty(db, checked);
      const make = async (sql: Sql) => {
        await write(
          sql,
          'insert into payout_hold (hold_id, payer, group_name, id, held_by, reason) values ($1, $2, $3, $4, $5, $6)',
          [crypto.randomUUID(), checked.payer, checked.group, checked.id, by, reason],
        );
        await noteCommand(sql, { kind: 'hold', by, reason, ...checked });
      };
      await db.transaction(make);
      const [row] = await select(
        db,
        countRow,
        `select count(*)::int as count from payout where not is_done and ${IN_SCOPE}`,
        scopeValues(checked),
      );
      return { payouts: row?.count ?? 0 };
    },

    async resume(scope, who) {
      const checked = checkScope(scope);
      const { by } = checkedInput(deciderSchema(), who, deciderWords);
      await refuseEmpty(db, checked);
      const end = async (sql: Sql) => {
        const rows = await select(
          sql,
          holdIdRow,
          `delete from payout_hold where ${IN_SCOPE} returning hold_id`,
          scopeValues(checked),
        );
        if (rows.length > 0) await noteCommand(sql, { kind: 'resume', by, ...checked });
        return rows.map((one) => one.hold_id);
      };
      const ended = await db.transaction(end);
      await wakeHeld(store, ended);
      return { holds: ended.length };
    },

    async cancel(scope, decision) {
      const checked = checkScope(scope);
      const { by, reason } = decisionFrom(decision);
      await refuseEmpty(db, checked);
      const mark = async (sql: Sql) => {
        // From now on, every step that asks whether it may call is told to cancel.
        const marked = await select(
          sql,
          keyRow,
          `update payout set cancelled_by = $4 where not is_done and cancelled_by is null and ${IN_SCOPE} returning key`,
          [...scopeValues(checked), by],
        );
        if (marked.length > 0) await noteCommand(sql, { kind: 'cancel', by, reason, ...checked });
        return select(
          sql,
          keyRow,
          `select key from payout where not is_done and cancelled_by is not null and ${IN_SCOPE}`,
          scopeValues(checked),
        );
      };
      const rows = await db.transaction(mark);
      const report = { cancelled: 0, inDoubt: 0, inCall: 0, tooLate: 0 };
      for (const { key } of rows) report[await cancelOne(store, key)] += 1;
      return report;
    },
  };
}

async function cancelOne(store: Store, key: string): Promise<keyof CancelReport> {
  for (;;) {
    const row = await readRow(store.db, key);
    if (row === undefined) return 'tooLate';
    const { situation, now } = row;
    if (situation.version > SITUATION_VERSION) return 'inCall';
    if (situation.parts.some(({ phase }) => phase === 'call')) return 'inCall';
    const after = { ...situation, parts: cancelPayments(situation.parts, now, store.rules) };
    const isSame = (part: PayoutPart, place: number) =>
      part.state === situation.parts[place]?.state && part.reason === situation.parts[place]?.reason;
    if (after.parts.every(isSame)) return afterCancel(situation);
    if ((await storeRow(store, row, finish(situation, after, now))) === undefined) continue;
    return afterCancel(after);
  }
}

const CHANGED = 'The payout changed at this moment. Nothing was changed: look at it again.';

function afterCancel({ parts }: PayoutSituation): keyof CancelReport {
  if (parts.some(({ state }) => state === 'undecided')) return 'inDoubt';
  const isCancelled =
    parts.some(({ state }) => state === 'cancelled') && parts.every((one) => isUnpaid(one.state));
  return isCancelled ? 'cancelled' : 'tooLate';
}

/** Returns the row to which an idempotency key leads. An archived one is brought back. */
async function rowOf(sql: Sql, requestId: string): Promise<LoadedRow> {
  if (typeof requestId !== 'string') refuseInput('`requestId` must be a string. Nothing was changed.');
  const key = isKey(requestId) ? await keyOfPayout(sql, requestId) : undefined;
  if (key !== undefined) await bringBack(sql, [key]);
  const row = key === undefined ? undefined : await readRow(sql, key);
  if (row === undefined || !namesPayment(row.situation, requestId))
    return refuseUnknownPayment(sql, requestId);
  const { version, order } = row.situation;
  if (version > SITUATION_VERSION)
    refuseState(
      `Payout ${JSON.stringify(order.id)} was stored by a later release: use that one. Nothing was changed.`,
    );
  return row;
}

/** Evidence that was stored comes before a person who calls a payment unpaid, or pays it again. */
function refuseUnread({ situation, messages }: LoadedRow): void {
  if (messages.length > 0) refuseMessage(situation);
}

const refuseMessage = ({ order }: PayoutSituation): never =>
  refuseState(
    `A message about payout ${JSON.stringify(order.id)} has not been read yet. A worker reads it: look at the payout after that. Nothing was changed.`,
  );

/** A new round is made only where no other one moved money, or may move it. */
async function refuseRounds(sql: Sql, { key, situation }: NewRound): Promise<void> {
  for (const part of situation.parts) {
    const { inTheWay, isUnread } = await askRounds(sql, key, situation, part);
    if (inTheWay !== undefined) refuseDoubtful(inTheWay.requestId);
    if (isUnread) refuseMessage(situation);
  }
}

/** A transfer settles one payment. */
async function refuseTaken(sql: Sql, transferId: string, requestId: string): Promise<void> {
  const rows = await select(
    sql,
    requestRow,
    'select request_id from payout_transfer where transfer_id = $1',
    [transferId],
  );
  const [owner] = rows;
  if (owner !== undefined && owner.request_id !== requestId)
    refuseState(`Transfer ${transferId} settles payment ${owner.request_id} already. Nothing was changed.`);
}
