import * as z from 'zod/mini';
import { validDate } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { checkedInput, personName, refuseInput } from '../rules/checks.ts';
import { SEND_LIMIT } from '../rules/situation.ts';
import { sinceWhen } from '../rules/went-back.ts';
import { Again, inTurns } from './again.ts';
import { noteCommand } from './book.ts';
import { type DatabaseIdentity, type IdentityAsker, isAnother } from './database-identity.ts';
import { planLooks, type Sql } from './engine.ts';
import { LEAST_KEY, select, write } from './query.ts';
import type { Store } from './row.ts';
import { countRow, keyOfPayerRow, keyRow, momentRow, restoredRow } from './rows.ts';

/** Who says that the database went back, and since when. */
export interface RestoredDatabase {
  /** The person. */
  readonly by: string;
  /**
   * The time of the backup, or the last moment of which the database surely knows. It counts where it is earlier than the newest
   * call that the database has stored, which is the default. Give it where a worker has run since the restore: that worker's
   * calls are newer than what was lost.
   */
  readonly since?: Date;
}

const restoredSchema = /* @__PURE__ */ lazy(() =>
  matching<RestoredDatabase>()(strictObject({ by: personName(), since: z.optional(validDate()) })),
);

/** What the command did. */
export interface RestoreReport {
  /** The records count from here: never later than the newest call that the database has stored, less an hour for clocks. */
  readonly since: Date;
  /** Payments of which the records are asked before anything is called. */
  readonly payments: number;
}

/** The command for a database that went back. */
export interface PayoutRestore {
  /**
   * Says that the database went back: a restored backup, or a failover with a lost tail. Give it before any worker starts, once
   * the workers of the lost database are ended and no process can reach a replaced primary. After it, enqueue again every
   * order since `since` but those that you cancelled, and repeat your commands.
   *
   * No call begins for three minutes. Then each payment asks the records of its payer before its call, by `transfers`: what was
   * paid is not paid again. Without `transfers`, and where the list may lack one, it is `undecided` (`DATABASE_WENT_BACK`), and
   * `review` names its keys. A second command adds: the earliest `since` counts. Nothing is retried.
   *
   * @param how - `by`: who says so. `since`: the time of the backup. Default: the newest call that the database has stored.
   * @returns The time from which records count, and the payments in question.
   * @throws InvalidRequestError when a field is not valid, or `since` is in the future. Then nothing is changed.
   * @example
   * ```ts
   * const { since } = await payouts.restored({ by: 'Ada', since: new Date('2026-11-20T03:00:00Z') });
   * await payouts.enqueue(ordersSince(since));
   * const worker = await payouts.work();
   * ```
   */
  restored(how: RestoredDatabase): Promise<RestoreReport>;
}

/** Rows that are changed at once. */
const PAGE = 1000;

/** Makes the command for persons. */
export const restoredBy =
  (store: Store, identity: IdentityAsker): PayoutRestore['restored'] =>
  async (how) => {
    const words = { subject: 'The command', end: ' Nothing was changed.' };
    const { by, since } = checkedInput(restoredSchema(), how, words);
    if (since !== undefined && since.getTime() > Date.now())
      refuseInput('`since` is in the future. Give the time of the backup. Nothing was changed.', 'since');
    const seen = await identity.ask(store.db);
    return inTurns(() => store.db.transaction((sql) => restoreWithin(store, sql, by, seen, since)));
  };

/** Stores the command, and changes each open row: a step that was begun before stores nothing. */
async function restoreWithin(
  { boss, rules }: Store,
  sql: Sql,
  by: string,
  seen: DatabaseIdentity,
  given?: Date,
): Promise<RestoreReport> {
  const [last] = await select(sql, restoredRow, LAST);
  const earlier = last === undefined || last.number === 0 ? undefined : last.since;
  const since = sinceWhen(await newestCall(sql), given?.getTime(), earlier);
  // Seconds since 2020, so that no command that was lost had this number: a step or a walk that began under that one must not
  // count for this one.
  const number = (last?.number ?? 0) + 1;
  const stored = await select(
    sql,
    momentRow,
    `insert into payout_restored (number, at, since, system_identifier, timeline)
     values (greatest($1::int, floor(extract(epoch from clock_timestamp()) - 1577836800)::int), clock_timestamp(),
       to_timestamp($2::float8 / 1000), $3, $4)
     on conflict (number) do nothing returning (extract(epoch from at) * 1000)::float8 as at`,
    // A role that may not ask who the database is erases nothing. A worker that sees another one gives the command once more.
    [
      number,
      since,
      seen.system_identifier ?? last?.system_identifier ?? null,
      seen.timeline ?? last?.timeline ?? null,
    ],
  );
  if (stored.length === 0) throw new Again('Another process says so at this moment. Nothing was changed.');
  await noteCommand(sql, { kind: 'restored', by });
  const wait = SEND_LIMIT + rules.quiet;
  for (let after = LEAST_KEY; ; ) {
    const rows = await select(
      sql,
      keyOfPayerRow,
      `select key, payer from payout where not is_done and key > $1 order by key limit ${PAGE}`,
      [after],
    );
    const looks = rows.map((row) => ({ ...row, jobId: crypto.randomUUID(), wait }));
    await select(
      sql,
      keyRow,
      `update payout set version = version + 1, job_id = u.job_id, waits_for = null,
         next_at = clock_timestamp() + $3 * interval '1 millisecond'
       from unnest($1::uuid[], $2::uuid[]) as u (key, job_id) where payout.key = u.key returning payout.key`,
      [looks.map(({ key }) => key), looks.map(({ jobId }) => jobId), wait],
    );
    await planLooks(boss, sql, looks);
    after = rows.at(-1)?.key ?? after;
    if (rows.length < PAGE) break;
  }
  const [payments] = await select(
    sql,
    countRow,
    `select count(distinct request_id)::int as count from payout_recipient where state in ('queued', 'undecided')`,
  );
  return { since: new Date(since), payments: payments?.count ?? 0 };
}

/** The last command, and what the database said of itself. */
const LAST = `select number, system_identifier, timeline, (extract(epoch from since) * 1000)::float8 as since
  from payout_restored order by number desc limit 1`;

/** The time of the newest call that is stored; 0 where there is none. */
async function newestCall(sql: Sql): Promise<number> {
  const [row] = await select(
    sql,
    momentRow,
    `select (extract(epoch from max(called_at)) * 1000)::float8 as at
     from (select called_at from payout union all select called_at from payout_archive) c`,
  );
  return row?.at ?? 0;
}

/**
 * Compares what the database says of itself with what is kept. Where it is another one it went back, unless it lost nothing:
 * the command is given, here or by another process meanwhile.
 *
 * @param by - Who notices.
 */
export async function noticeAnother(store: Store, identity: IdentityAsker, by = 'worker'): Promise<void> {
  const { db } = store;
  const seen = await identity.ask(db);
  const [kept] = await select(db, restoredRow, LAST);
  if (kept !== undefined && isSame(kept, seen)) return;
  await inTurns(() =>
    db.transaction(async (sql) => {
      const [last] = await select(sql, restoredRow, LAST);
      if (last !== undefined && isAnother(last, seen)) {
        await restoreWithin(store, sql, by, seen);
        return;
      }
      await write(
        sql,
        `insert into payout_restored as r (number, system_identifier, timeline) values ($1, $2, $3) on conflict (number) do update
           set system_identifier = coalesce(r.system_identifier, $2), timeline = coalesce(r.timeline, $3)`,
        [last?.number ?? 0, seen.system_identifier, seen.timeline],
      );
    }),
  );
}

/** What the database does not say, needs not be kept. */
const isSame = (kept: DatabaseIdentity, seen: DatabaseIdentity): boolean =>
  (seen.system_identifier ?? kept.system_identifier) === kept.system_identifier &&
  (seen.timeline ?? kept.timeline) === kept.timeline;
