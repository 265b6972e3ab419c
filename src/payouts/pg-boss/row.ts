import { jsonIn } from '../../shared/values.ts';
import { applyTakenTransfer } from '../rules/apply-record.ts';
import { noBrake, type PayerBrake } from '../rules/brake.ts';
import { fold } from '../rules/checks.ts';
import { namesOf } from '../rules/order.ts';
import type { Rules } from '../rules/rules.ts';
import { finish, type PayoutSituation, recipientsOf, WHEN_WOKEN } from '../rules/situation.ts';
import { sinceCommand, type WentBack } from '../rules/went-back.ts';
import { commandIn, noteCommand } from './book.ts';
import { type NotedEffect, noteEffect, type StoredBrake } from './brakes.ts';
import { type Boss, type Database, planLooks, type Sql } from './engine.ts';
import { COMMAND_COLUMNS, COMMAND_JOIN, commandOf } from './last-command.ts';
import { select, write } from './query.ts';
import { reviewCounts } from './review.ts';
import { withoutSecondPayment } from './rounds.ts';
import { besideRow, keyRow, payoutRow, requestRow } from './rows.ts';
import { FOR_LONG, isAsleep, lockCause, wakeSoon, woken } from './waiting.ts';

/** The row of a payout, as it was read. */
export interface LoadedRow {
  readonly key: string;
  readonly situation: PayoutSituation;
  readonly version: number;
  readonly jobId: string;
  /** What wakes it, while it has no job. */
  readonly waitsFor: string | null;
  /** The last command `restored`; null where there is none. The situation knows it. */
  readonly wentBack: WentBack | null;
  /** The database's time when it was read, in milliseconds since 1970. */
  readonly now: number;
  /** The clock of this process at that moment, in milliseconds. */
  readonly readAt: number;
  /** What spoke against a call then. */
  readonly against: {
    readonly is_cancelled: boolean;
    readonly is_held: boolean;
    readonly hold_id: string | null;
    readonly brake: PayerBrake | null;
    readonly brake_version: number | null;
  };
  readonly messages: readonly { readonly id: string; readonly message: unknown; readonly at: number }[];
}

/** The database's time now, for all workers. */
export const timeOf = ({ now, readAt }: Pick<LoadedRow, 'now' | 'readAt'>): number =>
  now + (performance.now() - readAt);

/** What storing rows needs. */
export interface Store {
  readonly db: Database;
  readonly boss: Boss;
  readonly rules: Rules;
  /** False for a worker without `onChange`: nobody waits to be told of its steps. A command never knows. */
  readonly tells: boolean;
}

/** A hold is about a payout. */
const COVERS = `(h.payer is null or h.payer = p.payer)
  and (h.group_name is null or h.group_name = p.group_name) and (h.id is null or h.id = p.id)`;

/** What speaks against a call of the payout `p`. */
export const GATE_COLUMNS = `p.cancelled_by is not null as is_cancelled,
  exists (select 1 from payout_hold h where ${COVERS}) as is_held,
  (select h.hold_id from payout_hold h where ${COVERS} order by h.hold_id limit 1) as hold_id,
  b.brake, b.version as brake_version`;
export const GATE_JOINS = 'left join payout_payer b on b.payer = p.payer';

/** The columns of a row with its unread messages, in the order in which they came, and the clock of the database. */
const COLUMNS = `p.key, p.situation, p.version, p.job_id, p.waits_for, p.restored, ${GATE_COLUMNS},
  (select json_agg(json_build_array(m.id, m.message, extract(epoch from m.at) * 1000) order by m.at, m.id)::text from (
    select id, message, at from payout_message where key = p.key and read_at is null order by at, id limit 20) m) as unread,
  ${COMMAND_COLUMNS},
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;

/** Reads a row, and all that the next step needs. */
export async function readRow(sql: Sql, key: string): Promise<LoadedRow | undefined> {
  const [row] = await select(
    sql,
    payoutRow,
    `select ${COLUMNS} from payout p ${GATE_JOINS} ${COMMAND_JOIN} where p.key = $1`,
    [key],
  );
  if (row === undefined) return undefined;
  const wentBack = commandOf(row);
  const situation = row.waits_for === null ? woken(row.situation, row.now) : row.situation;
  return {
    key,
    situation: sinceCommand(situation, row.restored, wentBack),
    wentBack,
    version: row.version,
    jobId: row.job_id,
    waitsFor: row.waits_for,
    now: row.now,
    readAt: performance.now(),
    against: row,
    // What is no JSON is read like any other message that cannot be heard.
    messages: (row.unread ?? []).map(([id, message, at]) => ({ id, message: jsonIn(message) ?? null, at })),
  };
}

/** Returns the key of the row to which an idempotency key leads: of a payment, a half, or an earlier round. */
export async function keyOfPayout(sql: Sql, requestId: string): Promise<string | undefined> {
  const [row] = await select(sql, keyRow, 'select key from payout_request where request_id = $1', [
    requestId,
  ]);
  return row?.key;
}

/** A step whose row was changed by somebody else meanwhile: the first to store wins, and this one is forgotten. */
class AnotherWasFirst extends Error {}

/** What is stored together with a situation. */
export interface Also {
  /** The message that was heard. */
  readonly messageId?: string;
  /** What a call meant for the payer. */
  readonly noted?: NotedEffect | undefined;
  /** The job that goes on with the row at once; without it a new one is planned. */
  readonly goesOn?: string;
  /** What the row waits for from now on, where it may not be called for. */
  readonly waitsFor?: string | undefined;
  /** Written in the same transaction. */
  readonly write?: (sql: Sql, stored: PayoutSituation) => Promise<void>;
}

/**
 * Stores what a step made of a row, with all that follows from it, in one transaction: its transfers, its recipients, the
 * payer's brake, and the job that looks at it next. Returns the row without what came meanwhile; undefined if another step was stored first.
 */
export async function storeRow(
  store: Store,
  row: LoadedRow,
  situation: PayoutSituation,
  also: Also = {},
): Promise<LoadedRow | undefined> {
  try {
    return await store.db.transaction((sql) => storeWithin(store, sql, row, situation, also));
  } catch (error) {
    if (error instanceof AnotherWasFirst) return undefined;
    throw error;
  }
}

async function storeWithin(
  store: Store,
  sql: Sql,
  row: LoadedRow,
  found: PayoutSituation,
  { messageId, noted, goesOn, waitsFor, write: alsoWrite }: Also,
): Promise<LoadedRow> {
  const { boss, tells, rules } = store;
  const claimed = await claimTransfers(store, sql, row, found);
  const { isUnread, stored } = await readBeside(sql, row, claimed, messageId);
  const allowed = await withoutSecondPayment(sql, row, claimed, isUnread, rules);
  const after = tells ? allowed : { ...allowed, news: [] };
  const { order } = after;
  // Not done, or somebody is to be told, or something is to be heard: then the row needs a job.
  const wait = after.news.length > 0 || isUnread ? 0 : after.wait;
  const cause = after.parts.some(({ due }) => due >= WHEN_WOKEN) ? (waitsFor ?? row.waitsFor) : null;
  const sleeps = cause !== null && !isUnread && isAsleep(after);
  const isOver = after.done && after.news.length === 0 && !isUnread;
  const jobId = goesOn ?? crypto.randomUUID();
  const { undecided, notices } = reviewCounts(after);
  const rows = await select(
    sql,
    keyRow,
    `update payout set situation = $3, version = version + 1, is_done = $4, needs_review = $5, job_id = $6, problem = null,
       next_at = clock_timestamp() + $7 * interval '1 millisecond', undecided = $8, notices = $9, restored = $10,
       waits_for = $11, called_at = greatest(called_at, to_timestamp($12::float8 / 1000))
     where key = $1 and version = $2 returning key`,
    [
      row.key,
      row.version,
      JSON.stringify(after),
      isOver,
      undecided + notices > 0,
      jobId,
      sleeps ? FOR_LONG : wait,
      undecided,
      notices,
      row.wentBack?.number ?? 0,
      cause,
      noted === undefined ? null : callOf(row.situation),
    ],
  );
  if (rows.length === 0) throw new AnotherWasFirst();
  await writeKeys(sql, row, after);
  await writeRecipients(sql, row, after);
  const { payer } = order;
  if (noted !== undefined && (await noteEffect(rules, sql, payer, noted, stored, row.now)))
    await wakeSoon(store, sql, payer);
  const heard = row.messages.find(({ id }) => id === messageId);
  const command = heard && commandIn(heard.message, row.situation, after);
  if (command !== undefined) await noteCommand(sql, command);
  await alsoWrite?.(sql, after);
  // While the row waited for the same before, whoever wakes it would have changed its version.
  const isNew = cause !== null && cause !== row.waitsFor;
  const isInVain = isNew && !(await lockCause(store, sql, payer, cause));
  if (isInVain)
    await write(sql, 'update payout set waits_for = null, next_at = clock_timestamp() where key = $1', [
      row.key,
    ]);
  if (!isOver && goesOn === undefined && (isInVain || !sleeps))
    await planLooks(boss, sql, [
      { key: row.key, payer, jobId, wait: isInVain ? 0 : wait, isLookup: isForLookup(after, isUnread) },
    ]);
  const waiting = isInVain ? null : cause;
  return { ...row, situation: after, version: row.version + 1, jobId, waitsFor: waiting, messages: [] };
}

/** Returns true where nothing is to be called or heard, and nobody to be told. */
export const isForLookup = ({ parts, news }: PayoutSituation, isUnread: boolean): boolean =>
  !isUnread && news.length === 0 && parts.every(({ phase }) => phase === 'look' || phase === 'done');

/** What the transaction of a step finds beside the row. */
interface Beside {
  /** True if something is to be heard after this. */
  readonly isUnread: boolean;
  readonly stored: StoredBrake;
}

/** Marks the message that was heard, and asks for others, also those that came before their payment was known. */
async function readBeside(
  sql: Sql,
  { key, situation: before }: LoadedRow,
  after: PayoutSituation,
  messageId: string | undefined,
): Promise<Beside> {
  if (messageId !== undefined)
    await write(sql, 'update payout_message set read_at = clock_timestamp() where id = $1', [messageId]);
  const known = new Set(before.parts.map(({ transferId }) => transferId));
  const fresh = after.parts.flatMap(({ transferId }) =>
    transferId === null || known.has(transferId) ? [] : [transferId],
  );
  const [row] = await select(
    sql,
    besideRow,
    `select exists (select 1 from payout_message where key = $1 and read_at is null) as is_unread,
       exists (select 1 from payout_message where transfer_id = any($2::text[]) and key is null) as is_early,
       b.brake, b.version as brake_version
     from (select 1 as one) o left join payout_payer b on b.payer = $3`,
    [key, fresh, after.order.payer],
  );
  const isEarly = row?.is_early ?? false;
  if (isEarly)
    await write(
      sql,
      'update payout_message set key = $1 where transfer_id = any($2::text[]) and key is null',
      [key, fresh],
    );
  return {
    isUnread: isEarly || (row?.is_unread ?? false),
    stored: { brake: row?.brake ?? noBrake, version: row?.brake_version ?? 0 },
  };
}

/**
 * The time of the call that a step made. An attempt that was stored and not called is none: it may have been stored after the
 * database went back, and the call noticed it.
 */
const callOf = ({ parts }: PayoutSituation): number | null =>
  parts.find(({ phase }) => phase === 'call')?.begun ?? null;

/** A transfer settles one payment. The first that shows it keeps it, by a unique index. */
async function claimTransfers(
  { rules }: Store,
  sql: Sql,
  { situation: before, now }: LoadedRow,
  after: PayoutSituation,
): Promise<PayoutSituation> {
  let situation = after;
  for (const part of after.parts) {
    const { transferId, requestId } = part;
    const old = before.parts.find((one) => one.requestId === requestId);
    if (transferId === null || old === undefined || old.transferId === transferId) continue;
    const isFirst = await select(
      sql,
      requestRow,
      `insert into payout_transfer (transfer_id, request_id) values ($1, $2) on conflict (transfer_id) do nothing
       returning request_id`,
      [transferId, requestId],
    );
    if (isFirst.length > 0) continue;
    const [owner] = await select(
      sql,
      requestRow,
      'select request_id from payout_transfer where transfer_id = $1',
      [transferId],
    );
    if (owner?.request_id === requestId) continue;
    const transition = applyTakenTransfer(old, transferId, now, rules);
    const parts = situation.parts.flatMap((one) => (one.requestId === requestId ? transition.parts : [one]));
    const notices = [...before.notices, ...(transition.notices ?? [])];
    situation = finish(before, { ...situation, parts, notices, news: before.news }, now);
  }
  return situation;
}

/** Writes the keys of payments that are new: the halves of a batch. */
async function writeKeys(
  sql: Sql,
  { key, situation: before }: LoadedRow,
  after: PayoutSituation,
): Promise<void> {
  const known = new Set(before.parts.map(({ requestId }) => requestId));
  for (const { requestId } of after.parts) {
    if (known.has(requestId)) continue;
    await write(
      sql,
      'insert into payout_request (request_id, key) values ($1, $2) on conflict (request_id) do nothing',
      [requestId, key],
    );
  }
}

/** Writes the recipients who moved. One whom a record calls unpaid may be paid by an order of its own. */
async function writeRecipients(
  sql: Sql,
  { key, situation: before }: LoadedRow,
  after: PayoutSituation,
): Promise<void> {
  const old = new Map(recipientsOf(before).map((one) => [one.place, one]));
  const moved = recipientsOf(after).filter((one) => {
    const was = old.get(one.place);
    return was === undefined || JSON.stringify(was) !== JSON.stringify(one);
  });
  if (moved.length === 0) return;
  await write(
    sql,
    `update payout_recipient r set request_id = u.request_id, state = u.state, reason = u.reason, evidence = u.evidence,
       transfer_id = u.transfer_id, since = to_timestamp(u.since / 1000)
     from unnest($2::int[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[])
       as u (place, request_id, state, reason, evidence, transfer_id, since)
     where r.key = $1 and r.place = u.place`,
    [
      key,
      moved.map(({ place }) => place),
      moved.map(({ requestId }) => requestId),
      moved.map(({ state }) => state),
      moved.map(({ reason }) => reason),
      moved.map(({ evidence }) => evidence),
      moved.map(({ transferId }) => transferId),
      moved.map(({ since }) => since),
    ],
  );
  for (const { place, reason } of moved) {
    if (reason !== 'RECIPIENT_NOT_PAID') continue;
    const name = after.order.recipients[place]?.id;
    const { payer, id } = after.order;
    for (const one of namesOf(after.order)) {
      if (one.name !== name || one.kind === 'id') continue;
      // The name is that of the round in which it was enqueued.
      await write(
        sql,
        `delete from payout_name where scope = $1 and folded = $2
           and key in (select key from payout where payer = $3 and id = $4)`,
        [one.scope, fold(one.name), payer, id],
      );
    }
  }
}
