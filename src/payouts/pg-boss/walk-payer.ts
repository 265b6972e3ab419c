import type { TransferList } from '../../client/index.ts';
import { isPaymentsError } from '../../shared/errors/index.ts';
import { isKey } from '../rules/checks.ts';
import { plainId } from '../rules/evidence.ts';
import { hear } from '../rules/hear.ts';
import type { TransferRecord } from '../rules/record.ts';
import type { PayoutPart, PayoutSituation } from '../rules/situation.ts';
import { markWentBack, type Told, type WentBack } from '../rules/went-back.ts';
import type { Sql } from './engine.ts';
import {
  endWalk,
  insertRecords,
  type Kept,
  keptFrom,
  NO_WALK,
  readTold,
  readWalk,
  type Walk,
} from './kept-records.ts';
import { storeMessage } from './messages.ts';
import { inPages, LEAST_KEY, PAGE, select, write } from './query.ts';
import type { Store } from './row.ts';
import { anyRow, knownPaymentRow, situationRow } from './rows.ts';

/** What asking the records needs. */
interface Asked extends Store {
  readonly transfers: TransferList<TransferRecord> | undefined;
  readonly onError: (error: unknown) => void;
}

/** Asks the records of payers after a command `restored`. Each payer's list is walked once, by one step of the process. */
export function recordAsker(asked: Asked) {
  const walking = new Map<string, Promise<Walk>>();
  const walkOf = async (payer: string, command: WentBack): Promise<Walk> => {
    const stored = await readWalk(asked.db, payer, command);
    if (stored.is_over || asked.transfers === undefined) return stored;
    const name = `${command.number} ${payer}`;
    const running =
      walking.get(name) ?? walk(asked, asked.transfers, payer, command).finally(() => walking.delete(name));
    walking.set(name, running);
    return running;
  };
  return async (
    command: WentBack,
    situation: PayoutSituation,
    part: PayoutPart,
    now: () => number,
  ): Promise<Told | { readonly until: number }> => {
    const { payer } = situation.order;
    const found = await walkOf(payer, command);
    // The list failed: it is read again before anything is decided.
    if (!found.is_over && asked.transfers !== undefined) return { until: now() + LATER };
    return readTold(asked.db, situation, part, found);
  };
}

/** A list that failed is read again after this, in milliseconds. */
const LATER = 60_000;

/** A list that fails for so long shows nothing. */
const PATIENCE = 3_600_000;

/** Records that are stored at once. */
const RECORDS = 500;

/**
 * Walks the transfers of a payer, back to the command's `since` and to the first call of any of its open payments. Keeps each
 * record, and hears those of known payments like events.
 */
async function walk(
  asked: Asked,
  transfers: TransferList<TransferRecord>,
  payer: string,
  command: WentBack,
): Promise<Walk> {
  const { db, onError } = asked;
  await write(
    db,
    `insert into payout_walk (payer, number) values ($1, $2) on conflict (payer) do update set number = $2,
       begun_at = clock_timestamp(), is_over = false, is_whole = false, has_unknown = true
     where payout_walk.number < $2`,
    [payer, command.number],
  );
  const since = Math.max(0, Math.min(command.since, await firstCall(db, payer)));
  let isWhole = true;
  let page: Kept[] = [];
  const keep = async () => {
    await keepRecords(asked, command, page);
    page = [];
  };
  try {
    for await (const found of transfers.between({ payers: [payer], since: new Date(since) })) {
      const kept = keptFrom(found);
      // It may be that of any payment.
      if (kept === undefined) isWhole = false;
      // A key of another form is none of ours.
      else if (isKey(kept.requestId)) page.push(kept);
      if (page.length === RECORDS) await keep();
    }
    await keep();
  } catch (error) {
    onError(error);
    await keep();
    if (!(isPaymentsError(error) && error.code === 'list_not_whole') && !(await isGivenUp(db, payer)))
      return NO_WALK;
    isWhole = false;
  }
  return db.transaction((sql) => endWalk(sql, payer, command, isWhole));
}

async function isGivenUp(sql: Sql, payer: string): Promise<boolean> {
  const rows = await select(
    sql,
    anyRow,
    `select 1 as one from payout_walk where payer = $1 and begun_at < clock_timestamp() - $2 * interval '1 millisecond'`,
    [payer, PATIENCE],
  );
  return rows.length > 0;
}

/** The time of the first call of an open payment of a payer, less an hour for clocks. */
async function firstCall(sql: Sql, payer: string): Promise<number> {
  const rows = inPages(
    sql,
    situationRow,
    `select key, situation from payout where payer = $1 and not is_done and key > $2::uuid order by key limit ${PAGE}`,
    (last) => [payer, last?.key ?? LEAST_KEY],
  );
  let first = Number.POSITIVE_INFINITY;
  for await (const { situation } of rows)
    for (const { phase, firstBegun } of situation.parts)
      if (phase !== 'done') first = Math.min(first, firstBegun ?? first);
  return first - 3_600_000;
}

/** Keeps records, and hears those of known payments. */
async function keepRecords(asked: Asked, command: WentBack, page: readonly Kept[]): Promise<void> {
  if (page.length === 0) return;
  const { db, rules } = asked;
  await db.transaction((sql) => insertRecords(sql, page));
  const known = await select(
    db,
    knownPaymentRow,
    `select r.request_id, p.situation, (extract(epoch from clock_timestamp()) * 1000)::float8 as now
     from payout_request r join (select key, situation from payout union all select key, situation from payout_archive) p
       on p.key = r.key where r.request_id = any($1::uuid[])`,
    [page.map(({ requestId }) => requestId)],
  );
  const rows = new Map(known.map((row) => [plainId(row.request_id), row]));
  for (const { transferId, requestId, record } of page) {
    const row = rows.get(plainId(requestId));
    if (row === undefined) continue;
    const message = { type: 'record', record } as const;
    const before = markWentBack(row.situation, command);
    const after = hear(before, message, row.now, rules);
    // It tells what is known.
    if (JSON.stringify(after) === JSON.stringify(before)) continue;
    await storeMessage(asked, `restored:${command.number}:${transferId}`, {
      requestId,
      transferId,
      message,
    });
  }
}
