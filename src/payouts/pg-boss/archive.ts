import { validDate } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject } from '../../shared/schema/schema.ts';
import { checkedInput } from '../rules/checks.ts';
import { inTurns } from './again.ts';
import { moveRounds } from './archived-rows.ts';
import type { Database, Sql } from './engine.ts';
import { PAGE, pagesOf, select } from './query.ts';
import { archivableRow, groupedOrderRow, groupRow, orderNameRow } from './rows.ts';

/** Which payouts are archived. */
export interface ArchiveOptions {
  /** The time since which nothing may have happened to any payout of a group. Choose one after which no event comes. */
  readonly before: Date;
}

/** The archive of payouts. */
export interface PayoutArchive {
  /**
   * Moves payouts that are final to tables of their own, so that lists and summaries stay fast: whole groups, in which each payout
   * is final, has nothing for `review`, and did not change since `before`; and payouts without a group, one by one. It moves them in
   * pieces, each in a transaction: one that is cut off has moved some, and another call goes on. It changes nothing else, and may
   * run while workers do.
   *
   * An archived order is still known: enqueued again it adds nothing, and a changed one is refused as before. An event about one
   * of its payments, `settle`, `payAgain` and an order that corrects it bring it back first.
   *
   * @returns How many payouts were moved, each round one.
   * @throws InvalidRequestError when `before` is missing or no Date. Then nothing is moved.
   * @example
   * ```ts
   * const { payouts: moved } = await payouts.archive({ before: new Date(Date.now() - 30 * 86_400_000) });
   * ```
   */
  archive(options: ArchiveOptions): Promise<{
    /** Payouts that were moved, each round one. */
    readonly payouts: number;
  }>;
}

const optionsSchema = /* @__PURE__ */ lazy(() =>
  matching<ArchiveOptions>()(strictObject({ before: validDate() })),
);

/** The name of an order. */
interface Order {
  readonly payer: string;
  readonly id: string;
}

/** An order in the group of its latest round. */
interface GroupedOrder extends Order {
  readonly group_name: string;
}

/** A final row may go: nobody must look at it, nothing is to be heard, and its last step was stored before $1. */
const MAY_GO = `p.is_done and not p.needs_review and p.next_at < to_timestamp($1::float8 / 1000)
  and not exists (select 1 from payout_message m where m.key = p.key and m.read_at is null)`;

export async function archivePayouts(db: Database, given: ArchiveOptions): Promise<{ payouts: number }> {
  const words = { subject: 'The archive', end: ' Nothing was moved.' };
  const before = checkedInput(optionsSchema(), given, words).before.getTime();
  let payouts = 0;
  for await (const orders of archivableOrders(db, before))
    payouts += await inTurns(() => db.transaction((sql) => archiveOrders(sql, orders, before)));
  return { payouts };
}

/** Gives the orders of groups that may go, in pieces; then those without a group. */
async function* archivableOrders(db: Database, before: number): AsyncGenerator<readonly Order[]> {
  yield* ordersOfGroups(db, before);
  yield* pagesOf(
    db,
    orderNameRow,
    `select distinct payer, id from payout_recipient where group_name is null and is_latest and (payer, id) > ($1, $2)
     order by payer, id limit ${PAGE}`,
    (last) => [last?.payer ?? '', last?.id ?? ''],
  );
}

async function* ordersOfGroups(db: Database, before: number): AsyncGenerator<readonly Order[]> {
  let last: GroupedOrder | undefined;
  let stays = false;
  do {
    // The rest of a group that stays is not read.
    const from: unknown[] = [last?.group_name ?? '', last?.payer ?? '', ...(stays ? [] : [last?.id ?? ''])];
    const orders: GroupedOrder[] = await select(
      db,
      groupedOrderRow,
      `select distinct group_name, payer, id from payout_recipient
       where is_latest and ${stays ? '(group_name, payer) > ($1, $2)' : '(group_name, payer, id) > ($1, $2, $3)'}
       order by group_name, payer, id limit ${PAGE}`,
      from,
    );
    // A group that is longer than a page is asked about once: what is left of it may go, too.
    const known = stays ? undefined : last && groupKey(last);
    const groups = new Map(orders.map((order) => [groupKey(order), order]));
    if (known !== undefined) groups.delete(known);
    const staying = await groupsThatStay(db, [...groups.values()], before);
    const going = orders.filter((order) => !staying.has(groupKey(order)));
    if (going.length > 0) yield going;
    last = orders.length < PAGE ? undefined : orders.at(-1);
    stays = last !== undefined && staying.has(groupKey(last));
  } while (last !== undefined);
}

const groupKey = ({ group_name, payer }: { readonly group_name: string; readonly payer: string }): string =>
  JSON.stringify([group_name, payer]);

/** Returns the groups in which an order, in any of its rounds, must stay. */
async function groupsThatStay(
  sql: Sql,
  groups: readonly GroupedOrder[],
  before: number,
): Promise<Set<string>> {
  if (groups.length === 0) return new Set();
  const rows = await select(
    sql,
    groupRow,
    `select g.group_name, g.payer from unnest($2::text[], $3::text[]) as g (group_name, payer)
     where exists (select 1 from payout_recipient r join payout p on p.payer = r.payer and p.id = r.id
       where r.group_name = g.group_name and r.payer = g.payer and r.is_latest and not (${MAY_GO}))`,
    [before, groups.map(({ group_name }) => group_name), groups.map(({ payer }) => payer)],
  );
  return new Set(rows.map(groupKey));
}

/** Moves orders with all of their rounds, but those that have changed meanwhile. */
async function archiveOrders(sql: Sql, orders: readonly Order[], before: number): Promise<number> {
  const rounds = await select(
    sql,
    archivableRow,
    `select p.key, p.version, p.payer, p.id, ${MAY_GO} as may_go
     from payout p join unnest($2::text[], $3::text[]) as o (payer, id) on p.payer = o.payer and p.id = o.id`,
    [before, orders.map(({ payer }) => payer), orders.map(({ id }) => id)],
  );
  const going = [...Map.groupBy(rounds, ({ payer, id }) => JSON.stringify([payer, id])).values()]
    .filter((of) => of.every(({ may_go }) => may_go))
    .flat();
  await moveRounds(sql, going);
  return going.length;
}
