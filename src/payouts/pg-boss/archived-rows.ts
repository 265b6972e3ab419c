import { Again } from './again.ts';
import type { Database, Sql } from './engine.ts';
import { PAGE, select, write } from './query.ts';
import { keyRow } from './rows.ts';
import { tables } from './tables.ts';

// The archive has the rows of payouts and of their recipients as they were. Names, keys and transfers stay where they are: by them
// an archived order is known.

const ROUNDS = /* @__PURE__ */ columnsOf('payout');
const RECIPIENTS = /* @__PURE__ */ columnsOf('payout_recipient');

function columnsOf(table: string): string {
  return Object.keys(tables[table]?.columns ?? {}).join(', ');
}

/** A row in the version in which it was read. */
interface Round {
  readonly key: string;
  readonly version: number;
}

/**
 * Moves rounds to the archive.
 *
 * @throws Again when a step or a command has changed one since it was read: it is read again.
 */
export async function moveRounds(sql: Sql, rounds: readonly Round[]): Promise<void> {
  if (rounds.length === 0) return;
  const keys = rounds.map(({ key }) => key);
  const moved = await select(
    sql,
    keyRow,
    `with gone as (delete from payout p using unnest($1::uuid[], $2::int[]) as r (key, version)
       where p.key = r.key and p.version = r.version returning ${prefixed(ROUNDS)})
     insert into payout_archive (${ROUNDS}) select ${ROUNDS} from gone returning key`,
    [keys, rounds.map(({ version }) => version)],
  );
  if (moved.length !== rounds.length) throw new Again('A payout changed while it was archived.');
  await write(
    sql,
    `with gone as (delete from payout_recipient where key = any($1::uuid[]) returning ${RECIPIENTS})
     insert into payout_recipient_archive (${RECIPIENTS}) select ${RECIPIENTS} from gone`,
    [keys],
  );
}

const prefixed = (columns: string): string => columns.replaceAll(/\w+/g, 'p.$&');

/** Brings archived orders back, with all of their rounds. Of two that bring the same back, one finds nothing left to do. */
export async function bringBack(sql: Sql, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const rounds = await select(
    sql,
    keyRow,
    `with gone as (delete from payout_archive
       where (payer, id) in (select payer, id from payout_archive where key = any($1::uuid[])) returning ${ROUNDS})
     insert into payout (${ROUNDS}) select ${ROUNDS} from gone returning key`,
    [keys],
  );
  await write(
    sql,
    `with gone as (delete from payout_recipient_archive where key = any($1::uuid[]) returning ${RECIPIENTS})
     insert into payout_recipient (${RECIPIENTS}) select ${RECIPIENTS} from gone`,
    [rounds.map(({ key }) => key)],
  );
}

/** Brings back the orders about which a message came after they were archived, or while they were. */
export async function bringBackUnheard(db: Database): Promise<void> {
  for (let found = PAGE; found === PAGE; ) {
    const unheard = await select(
      db,
      keyRow,
      `select distinct a.key from payout_message m join payout_archive a on a.key = m.key where m.read_at is null limit ${PAGE}`,
    );
    const keys = unheard.map(({ key }) => key);
    await db.transaction((sql) => bringBack(sql, keys));
    found = keys.length;
  }
}
