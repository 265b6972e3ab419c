import { isRecord } from '../../shared/values.ts';
import { isKey, storableId } from '../rules/checks.ts';
import { plainId, recordIn, requestIdOf } from '../rules/evidence.ts';
import { detailsIn, type TransferRecord } from '../rules/record.ts';
import { isUnpaid, type PayoutPart, type PayoutSituation } from '../rules/situation.ts';
import { moved } from '../rules/transition.ts';
import { halvesUnder, keysOfPayment, readKept, type Told, type WentBack } from '../rules/went-back.ts';
import type { Sql } from './engine.ts';
import { select, write } from './query.ts';
import { anyRow, keptRow, requestRow, walkRow } from './rows.ts';

/** What the walk of a payer's transfers came to. */
export interface Walk {
  readonly is_over: boolean;
  readonly is_whole: boolean;
  /** False if each record has a row: then no payment has one but its own. */
  readonly has_unknown: boolean;
}

export const NO_WALK: Walk = { is_over: false, is_whole: false, has_unknown: true };

/** What the records that are kept say of a payment, without another walk. */
export const toldByKept = async (
  sql: Sql,
  command: WentBack,
  situation: PayoutSituation,
  part: PayoutPart,
): Promise<Told> => readTold(sql, situation, part, await readWalk(sql, situation.order.payer, command));

export async function readWalk(sql: Sql, payer: string, { number }: WentBack): Promise<Walk> {
  const [row] = await select(
    sql,
    walkRow,
    'select is_over, is_whole, has_unknown from payout_walk where payer = $1 and number = $2',
    [payer, number],
  );
  return row ?? NO_WALK;
}

/** Stores that a walk has ended, in a transaction. */
export async function endWalk(
  sql: Sql,
  payer: string,
  { number }: WentBack,
  isWhole: boolean,
): Promise<Walk> {
  // A record that is kept meanwhile marks the walk: the next statement sees it, or whoever keeps it waits.
  await select(sql, anyRow, 'select 1 as one from payout_walk where payer = $1 for update', [payer]);
  const [over] = await select(
    sql,
    walkRow,
    `update payout_walk set is_over = true, is_whole = $3, has_unknown = exists (select 1 from payout_record r
       where not exists (select 1 from payout_request q where q.request_id = r.request_id))
     where payer = $1 and number = $2 returning is_over, is_whole, has_unknown`,
    [payer, number, isWhole],
  );
  return over ?? NO_WALK;
}

export async function readTold(
  sql: Sql,
  situation: PayoutSituation,
  part: PayoutPart,
  { is_over, is_whole, has_unknown }: Walk,
): Promise<Told> {
  const isWhole = is_over && is_whole;
  if (!(await hasRecords(sql))) return { kind: isWhole ? 'absent' : 'unknown' };
  const isOwnAlone = is_over && !has_unknown;
  const keys = isOwnAlone ? { own: part.requestId, halves: [], later: [] } : keysOfPayment(situation, part);
  const rows = await select(
    sql,
    keptRow,
    'select transfer_id, request_id, record from payout_record where request_id = any($1::uuid[])',
    [[keys.own, ...keys.halves, ...keys.later]],
  );
  const kept = Map.groupBy(rows, ({ request_id }) => plainId(request_id));
  const records = new Map([...kept].map(([key, of]) => [key, of.map(({ record }) => record)]));
  return readKept(keys, records, isWhole);
}

/**
 * Returns rounds of a payout as the kept records show them: what ended unpaid may have moved money where a half of it has a
 * record, also one that failed.
 */
export async function withKeptHalves(
  sql: Sql,
  rounds: readonly PayoutSituation[],
): Promise<readonly PayoutSituation[]> {
  const unpaid = rounds.flatMap(({ parts }) => parts.filter(({ state }) => isUnpaid(state)));
  if (unpaid.length === 0 || !(await hasRecords(sql))) return rounds;
  const halves = new Map(unpaid.map((part) => [part, halvesUnder(part.requestId)]));
  const kept = await keptAmong(sql, [...halves.values()].flat());
  const isKept = (part: PayoutPart) => (halves.get(part) ?? []).some((key) => kept.has(plainId(key)));
  return rounds.map((round) => ({
    ...round,
    parts: round.parts.map((part) => (isKept(part) ? moved(part) : part)),
  }));
}

/** Returns a key that follows from a payment and has a record; undefined where there is none. */
export async function keptAfter(
  sql: Sql,
  situation: PayoutSituation,
  part: PayoutPart,
): Promise<string | undefined> {
  if (!(await hasRecords(sql))) return undefined;
  const { halves, later } = keysOfPayment(situation, part);
  const keys = [...halves, ...later];
  const kept = await keptAmong(sql, keys);
  return keys.find((key) => kept.has(plainId(key)));
}

async function hasRecords(sql: Sql): Promise<boolean> {
  const rows = await select(sql, anyRow, 'select 1 as one from payout_record limit 1');
  return rows.length > 0;
}

/** The keys that have a record, plain. */
async function keptAmong(sql: Sql, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await select(
    sql,
    requestRow,
    'select request_id from payout_record where request_id = any($1::uuid[])',
    [keys],
  );
  return new Set(rows.map(({ request_id }) => plainId(request_id)));
}

/** A record as it is kept. */
export interface Kept {
  readonly transferId: string;
  readonly requestId: string;
  readonly record: TransferRecord;
}

/** Undefined for what is no record, or has no key. */
export function keptFrom(found: unknown): Kept | undefined {
  const requestId = requestIdOf(found);
  const details = recordIn(found);
  const transferId = storableId(details?.id);
  return requestId === undefined || transferId === undefined
    ? undefined
    : { transferId, requestId, record: { transferDetails: { requestId, ...details } } };
}

/**
 * Keeps records, in a transaction. What a record of a transfer has shown stays where a later one does not show it: an event
 * shows less than a list.
 */
export async function insertRecords(sql: Sql, shown: readonly Kept[]): Promise<void> {
  // A list may show a transfer twice; a statement changes a row once.
  const kept = [...new Map(shown.map((one) => [one.transferId, one])).values()];
  const ids = kept.map(({ transferId }) => transferId);
  // Rows first: of two that show a transfer at once, the second waits here, and then sees what the first has kept.
  await write(
    sql,
    `insert into payout_record (transfer_id, request_id, record)
     select * from unnest($1::text[], $2::uuid[], $3::text[]) order by 1 on conflict (transfer_id) do nothing`,
    [ids, kept.map(({ requestId }) => requestId), kept.map(({ record }) => JSON.stringify(record))],
  );
  const rows = await select(
    sql,
    keptRow,
    `select transfer_id, request_id, record from payout_record
     where transfer_id = any($1::text[]) order by transfer_id for update`,
    [ids],
  );
  const known = new Map(rows.map((row) => [row.transfer_id, detailsIn(row.record)]));
  await write(
    sql,
    `update payout_record set record = shown.record
     from unnest($1::text[], $2::text[]) as shown (id, record) where transfer_id = shown.id`,
    [
      ids,
      kept.map(({ transferId, record }) =>
        JSON.stringify({ transferDetails: { ...known.get(transferId), ...whatIsShown(detailsIn(record)) } }),
      ),
    ],
  );
}

/** Returns the fields that show something, as they are stored. */
function whatIsShown(details: object = {}): object {
  const stored: object = JSON.parse(JSON.stringify(details));
  const shown = Object.entries(stored).filter(
    ([, value]) => value !== null && (typeof value !== 'object' || Object.keys(value).length > 0),
  );
  return Object.fromEntries(shown);
}

/**
 * Keeps the record of a message whose payment no row knows: after a command it may be that of a lost payment. An event shows
 * it, or a person who looked the keys up that follow from a payment.
 *
 * @param known - The key of the payment to which the message was given, where a row knows it.
 */
export async function keepUnknownRecord(
  sql: Sql,
  message: unknown,
  known: string | undefined,
): Promise<void> {
  const kept = isRecord(message) && message.type === 'record' ? keptFrom(message.record) : undefined;
  if (kept === undefined || !isKey(kept.requestId)) return;
  if (known !== undefined && plainId(known) === plainId(kept.requestId)) return;
  const rows = await select(
    sql,
    anyRow,
    `select 1 as one from payout_restored where number > 0
       and not exists (select 1 from payout_request where request_id = $1) limit 1`,
    [kept.requestId],
  );
  if (rows.length === 0) return;
  await insertRecords(sql, [kept]);
  await write(sql, 'update payout_walk set has_unknown = true');
}
