import { peek } from '../../shared/errors/foreign-values.ts';
import { fold, refuseInput, refuseState } from '../rules/checks.ts';
import { type CheckedOrder, checkPayouts, doubleOf, namesOf, type PayoutOrder } from '../rules/order.ts';
import { movedNothing, refuseDoubtful } from '../rules/rounds.ts';
import { beginPayout, type PayoutSituation, recipientsOf } from '../rules/situation.ts';
import { Again, inTurns } from './again.ts';
import { bringBack } from './archived-rows.ts';
import { planLooks, type Sql } from './engine.ts';
import { withKeptHalves } from './kept-records.ts';
import { select, write } from './query.ts';
import type { Store } from './row.ts';
import { keyRow, nowRow, ownerRow, roundRow, takenRow } from './rows.ts';

/**
 * Enqueues orders, whole or not at all. An order that is known changes nothing.
 *
 * @param own - The caller's transaction, in which it happens.
 */
export async function enqueueOrders(
  store: Store,
  given: readonly PayoutOrder[],
  own: Sql | undefined,
): Promise<{ added: number; known: number }> {
  const orders = checkPayouts(given);
  return inTurns(() =>
    own === undefined
      ? store.db.transaction((sql) => enqueueWithin(store, sql, orders))
      : withinTransaction(own, () => enqueueWithin(store, own, orders)),
  );
}

/** Work in the caller's transaction leaves nothing behind when it throws, even if the caller commits all the same. */
async function withinTransaction<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  try {
    await sql.query('savepoint payout_enqueue');
  } catch (error) {
    if (peek(error, 'code') !== NO_TRANSACTION) throw error;
    refuseInput(
      '`sql` of `enqueue` is not in a transaction. Give the connection on which your transaction has begun, or leave `sql` out. Nothing was enqueued.',
      'sql',
    );
  }
  try {
    const result = await work();
    await sql.query('release savepoint payout_enqueue');
    return result;
  } catch (error) {
    // Without its connection the transaction is over, and the first error says why.
    await sql.query('rollback to savepoint payout_enqueue').catch(() => undefined);
    throw error;
  }
}

/** The code of the SQL standard: no active transaction. */
const NO_TRANSACTION = '25P01';

const ENQUEUED =
  'Other processes enqueue or change the same payouts at this moment. Nothing was enqueued: enqueue them again.';

/** A round whose place a corrected order takes. */
interface Corrected {
  readonly key: string;
  readonly payer: string;
  readonly id: string;
  readonly version: number;
  readonly is_archived: boolean;
}

interface Round extends Corrected {
  readonly round: number;
  readonly order_text: string;
  readonly situation: PayoutSituation;
}

/** An order that is new, and its round. */
interface NewOrder {
  readonly order: CheckedOrder;
  readonly round: number;
}

/**
 * Orders that are read and inserted at once. What is made of an order is larger than the order: of a small piece it is gone
 * before the garbage collector moves it to where it stays.
 */
const PIECE = 100;

async function enqueueWithin(store: Store, sql: Sql, orders: readonly CheckedOrder[]) {
  const [clock] = await select(
    sql,
    nowRow,
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
  );
  const now = clock?.now ?? 0;
  // Every process goes through them in one order: two that insert the same rows in two orders would wait for each other.
  const sorted = orders.toSorted(byId);
  const fresh: NewOrder[] = [];
  const corrected: Corrected[] = [];
  for (const piece of piecesOf(sorted)) await findNew(sql, piece, fresh, corrected);
  const archived = corrected.filter(({ is_archived }) => is_archived);
  await bringBack(
    sql,
    archived.map(({ key }) => key),
  );
  await refuseUnread(sql, corrected);
  await releaseCorrected(sql, corrected);
  for (const piece of piecesOf(fresh)) {
    const situations = piece.map(({ order, round }) => beginPayout(order, { round, now }));
    await takeNames(sql, situations);
    await insertRounds(store, sql, situations.map(newRound));
  }
  return { added: fresh.length, known: orders.length - fresh.length };
}

function* piecesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += PIECE) yield all.slice(from, from + PIECE);
}

const byId = (one: CheckedOrder, other: CheckedOrder): number =>
  compare(one.payer, other.payer) || compare(one.id, other.id);

/** Adds the orders that are new, and the rounds whose place they take. */
async function findNew(
  sql: Sql,
  orders: readonly CheckedOrder[],
  fresh: NewOrder[],
  corrected: Corrected[],
): Promise<void> {
  const rounds = await roundsOf(sql, orders);
  for (const order of orders) {
    const earlier = rounds.get(JSON.stringify([order.payer, order.id])) ?? [];
    const text = JSON.stringify(order);
    if (earlier.some(({ order_text }) => order_text === text)) continue;
    refuseChanged(order, earlier);
    const shown = await withKeptHalves(
      sql,
      earlier.map(({ situation }) => situation),
    );
    const doubtful = shown.flatMap(({ parts }) => parts).find(({ mayHaveMoved }) => mayHaveMoved);
    if (doubtful !== undefined) refuseDoubtful(doubtful.requestId);
    for (const { key, payer, id, version, is_archived } of earlier)
      corrected.push({ key, payer, id, version, is_archived });
    fresh.push({ order, round: Math.max(0, ...earlier.map(({ round }) => round)) + 1 });
  }
}

async function roundsOf(sql: Sql, orders: readonly CheckedOrder[]): Promise<Map<string, Round[]>> {
  const rows = await select(
    sql,
    roundRow,
    `select p.key, p.payer, p.id, p.round, p.order_text, p.situation, p.version, p.is_archived
     from unnest($1::text[], $2::text[]) as o (payer, id) join (
       select key, payer, id, round, order_text, situation, version, false as is_archived from payout union all
       select key, payer, id, round, order_text, situation, version, true as is_archived from payout_archive
     ) p on p.payer = o.payer and p.id = o.id`,
    [orders.map(({ payer }) => payer), orders.map(({ id }) => id)],
  );
  return Map.groupBy(rows, ({ payer, id }) => JSON.stringify([payer, id]));
}

/** A changed order takes the place of one that certainly moved no money, and of no other. */
function refuseChanged(order: CheckedOrder, earlier: readonly Round[]): void {
  const moving = earlier.find(({ situation }) => !movedNothing(situation));
  if (moving === undefined) return;
  const known = moving.situation.order;
  const fields = Object.entries(order).flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(Object.entries(known).find(([field]) => field === name)?.[1])
      ? []
      : [name],
  );
  refuseState(
    `Payout ${JSON.stringify(order.id)}: ${fields.join(', ')} differs from the enqueued order. Use another id for another payout; to correct this one, cancel it before any of its payments may have moved money. Nothing was enqueued.`,
  );
}

/** A message that was stored may say that a payment moved money after all. */
async function refuseUnread(sql: Sql, rounds: readonly Corrected[]): Promise<void> {
  const [message] = await select(
    sql,
    keyRow,
    'select key from payout_message where key = any($1::uuid[]) and read_at is null limit 1',
    [rounds.map(({ key }) => key)],
  );
  const unread = rounds.find(({ key }) => key === message?.key);
  if (unread !== undefined)
    refuseState(
      `Payout ${JSON.stringify(unread.id)}: a message about it has not been read yet. A worker reads it: enqueue the corrected order after that. Nothing was enqueued.`,
    );
}

/** The rounds before a corrected order stay as they are, unless somebody has changed them since they were read. */
async function releaseCorrected(sql: Sql, rounds: readonly Corrected[]): Promise<void> {
  for (const { key, version, payer, id } of rounds.toSorted(byKey)) {
    const rows = await select(
      sql,
      keyRow,
      'update payout set version = version + 1 where key = $1 and version = $2 returning key',
      [key, version],
    );
    if (rows.length === 0) throw new Again(ENQUEUED);
    await write(sql, 'delete from payout_name where key = $1', [key]);
    await write(sql, 'update payout_recipient set is_latest = false where payer = $1 and id = $2', [
      payer,
      id,
    ]);
  }
}

/** Takes the names of orders and recipients, each of which one payout alone may have. */
async function takeNames(sql: Sql, fresh: readonly PayoutSituation[]): Promise<void> {
  const names = fresh.flatMap((situation) =>
    namesOf(situation.order).map((one) => ({
      ...one,
      folded: fold(one.name),
      key: keyOfOrder(situation),
      order: situation.order,
    })),
  );
  const sorted = names.toSorted(byName);
  const scopes = sorted.map(({ scope }) => scope);
  const folded = sorted.map((one) => one.folded);
  const rows = await select(
    sql,
    takenRow,
    `insert into payout_name (scope, folded, name, key)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::uuid[])
     on conflict (scope, folded) do nothing returning scope, folded`,
    [scopes, folded, sorted.map(({ name }) => name), sorted.map(({ key }) => key)],
  );
  if (rows.length === names.length) return;
  const taken = new Set(rows.map((one) => JSON.stringify([one.scope, one.folded])));
  const known = await select(
    sql,
    ownerRow,
    `select n.scope, n.folded, n.name, p.payer from payout_name n
     join unnest($1::text[], $2::text[]) as w (scope, folded) on n.scope = w.scope and n.folded = w.folded
     left join payout p on p.key = n.key`,
    [scopes, folded],
  );
  const owners = new Map(known.map((one) => [JSON.stringify([one.scope, one.folded]), one]));
  for (const one of names) {
    const place = JSON.stringify([one.scope, one.folded]);
    if (taken.has(place)) continue;
    const stored = owners.get(place);
    const owner = stored && { name: stored.name, payer: stored.payer ?? one.payer };
    const isSameOrder = one.kind === 'id' && owner?.name === one.name && owner.payer === one.payer;
    // A name that was given back meanwhile is free in the next turn, and the same order that another process enqueued is known.
    if (owner === undefined || isSameOrder) throw new Again(ENQUEUED);
    refuseState(`Payout ${JSON.stringify(one.order.id)}: ${doubleOf(one, owner)} Nothing was enqueued.`);
  }
}

const keyOfOrder = ({ parts }: PayoutSituation): string => parts[0]?.requestId ?? '';

/** A round that is inserted, with its row's first job. */
export interface NewRound {
  readonly key: string;
  readonly payer: string;
  readonly jobId: string;
  readonly situation: PayoutSituation;
}

const byName = (
  one: { readonly scope: string; readonly folded: string },
  other: { readonly scope: string; readonly folded: string },
): number => compare(one.scope, other.scope) || compare(one.folded, other.folded);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const byKey = (one: { readonly key: string }, other: { readonly key: string }): number =>
  compare(one.key, other.key);

export const newRound = (situation: PayoutSituation): NewRound => ({
  key: keyOfOrder(situation),
  payer: situation.order.payer,
  jobId: crypto.randomUUID(),
  situation,
});

/** Inserts the rows of new rounds, with their recipients, their keys and their jobs. */
export async function insertRounds({ boss }: Store, sql: Sql, rounds: readonly NewRound[]): Promise<void> {
  await insertSome(sql, rounds.toSorted(byKey));
  await planLooks(
    boss,
    sql,
    rounds.map(({ key, payer, jobId }) => ({ key, payer, jobId, wait: 0 })),
  );
}

async function insertSome(sql: Sql, inserted: readonly NewRound[]): Promise<void> {
  const rounds = inserted.map(({ situation }) => situation);
  const keys = inserted.map(({ key }) => key);
  const rows = await select(
    sql,
    keyRow,
    `insert into payout (key, payer, id, group_name, round, order_text, situation, job_id, next_at)
     select r.*, clock_timestamp()
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::uuid[]) as r
     on conflict do nothing returning key`,
    [
      keys,
      rounds.map(({ order }) => order.payer),
      rounds.map(({ order }) => order.id),
      rounds.map(({ order }) => order.group),
      rounds.map(({ round }) => round),
      rounds.map(({ order }) => JSON.stringify(order)),
      rounds.map((situation) => JSON.stringify(situation)),
      inserted.map(({ jobId }) => jobId),
    ],
  );
  if (rows.length !== rounds.length) throw new Again(ENQUEUED);
  await write(
    sql,
    `insert into payout_request (request_id, key) select k, k from unnest($1::uuid[]) as u (k) on conflict (request_id) do nothing`,
    [keys],
  );
  const recipients = rounds.flatMap((situation) =>
    recipientsOf(situation).map(({ place }) => ({
      situation,
      place,
      recipient: situation.order.recipients[place],
    })),
  );
  await write(
    sql,
    `insert into payout_recipient (key, request_id, place, payer, id, group_name, recipient, amount, currency, state, since)
     select r.key, r.key, r.place, r.payer, r.id, r.group_name, r.recipient, r.amount, r.currency, 'queued', clock_timestamp()
     from unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
       as r (key, place, payer, id, group_name, recipient, amount, currency)`,
    [
      recipients.map(({ situation }) => keyOfOrder(situation)),
      recipients.map(({ place }) => place),
      recipients.map(({ situation }) => situation.order.payer),
      recipients.map(({ situation }) => situation.order.id),
      recipients.map(({ situation }) => situation.order.group),
      recipients.map(({ recipient }) => recipient?.id ?? ''),
      recipients.map(({ recipient }) => recipient?.amount ?? ''),
      recipients.map(({ situation }) => situation.order.currency),
    ],
  );
}
