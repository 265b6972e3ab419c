import { refuseState } from '../rules/checks.ts';
import { finish, type PayoutPart } from '../rules/situation.ts';
import { awake } from '../rules/transition.ts';
import { isDecidedByRecords, isFreedByPerson, shownByRecords, type Told } from '../rules/went-back.ts';
import type { Sql } from './engine.ts';
import { toldByKept } from './kept-records.ts';
import { write } from './query.ts';
import { type LoadedRow, type Store, storeRow } from './row.ts';

/** The records come before a person who calls a payment unpaid: its next look, which is planned, ends it or splits it. */
export async function refuseShown(store: Store, row: LoadedRow, part: PayoutPart): Promise<void> {
  const { db, rules } = store;
  const { situation, wentBack, now } = row;
  if (wentBack === null) return;
  const told = await toldByKept(db, wentBack, situation, part);
  if (!isDecidedByRecords(situation.order, part, told, now, rules)) return;
  const parts = situation.parts.map((one) => (one === part ? awake(one, now) : one));
  // Where another step is stored first, it goes on with the payout.
  await storeRow(store, row, finish(situation, { ...situation, parts }, now));
  refuseState(shownByRecords(part));
}

/**
 * Frees the next round of a payout, where a person called unpaid whatever could have been paid since the backup, and no record
 * speaks against it. It counts for this command alone: the next one is not known to the row.
 */
export async function freeNextRound(sql: Sql, row: LoadedRow, nextKey: string): Promise<void> {
  const { situation, wentBack } = row;
  if (wentBack === null) return;
  const told: Told[] = [];
  for (const part of situation.parts)
    if (part.state !== 'paid' && part.wentBack !== undefined)
      told.push(await toldByKept(sql, wentBack, situation, part));
  if (!isFreedByPerson(situation, wentBack, told)) return;
  await write(sql, 'update payout set restored = $2 where key = $1', [nextKey, wentBack.number]);
}
