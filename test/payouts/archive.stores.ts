import { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { createEmulator } from 'stablecoin-payments/emulator';
import { type Database, type PayoutOrder, payoutsOnPgBoss, type Sql } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { clientOf } from '../client/support.ts';
import { poolDatabase } from './pool-database.ts';

/** Archiving while others enqueue, pay again and hear events: what PGlite, with its one connection, cannot show. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const connection = {
  host: process.env.PGHOST ?? '',
  user: process.env.PGUSER ?? '',
  database: 'postgres',
};
const boss = new PgBoss({ ...connection, schedule: false, supervise: false });
const pool = new Pool({ ...connection, max: 12, options: '-c search_path=archiving' });
beforeAll(async () => {
  await boss.start();
  await pool.query('create schema archiving');
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await pool.end();
});

/** Runs something at most once, before a statement of a transaction that contains a text. */
function openDatabase(before?: { readonly text: string; readonly run: () => Promise<unknown> }): Database {
  let isOver = false;
  const watched = (sql: Sql): Sql => ({
    async query(text, values) {
      if (!isOver && before !== undefined && text.includes(before.text)) {
        isOver = true;
        await before.run();
      }
      return sql.query(text, values);
    },
  });
  return poolDatabase(pool, watched);
}

const emulator = createEmulator({ settlementStep: 0 });
const payer = emulator.createUser({ rails: ['usd'] }).userId;
const payments = clientOf((url, init) => emulator.fetch(url, init));
const payoutsOn = (db = openDatabase()) =>
  payoutsOnPgBoss({ boss, db, payments, maxRefusals: 1_000_000, onError: () => {} });
const order = (id: string, group: string): PayoutOrder => ({
  id,
  group,
  payer,
  recipients: [{ userId: 'nobody', amount: '1.5' }],
  currency: 'usdc',
  chain: 'POLYGON',
});
const numberOf = async (text: string) =>
  Number((await pool.query(`select count(*) as n from ${text}`)).rows[0].n);
const soon = () => new Date(Date.now() + 60_000);

/** Pays until nothing is open or unheard. */
async function settleAll() {
  await pool.query("update payout set next_at = next_at - interval '10 minutes'");
  await pool.query("update payout_archive set next_at = next_at - interval '10 minutes'");
  // The repair that the last worker planned is a minute away: this one begins at once.
  await boss.deleteAllJobs('payouts-repair.archiving');
  const worker = await payoutsOn().work({ concurrency: 4 });
  const open = () =>
    numberOf(
      `(select key from payout where not is_done union all select key from payout_message where read_at is null and key is not null) o`,
    );
  await vi.waitUntil(async () => (await open()) === 0, { timeout: 90_000, interval: 100 });
  await worker.stop();
}

it('a payout that changes while it is archived stays', async () => {
  await payoutsOn().migrate();
  await payoutsOn().enqueue([order('one', 'h')]);
  await settleAll();
  const requestId = (await pool.query('select key from payout')).rows[0].key;
  const payAgain = () => payoutsOn().payAgain(requestId, { by: 'Ada' });
  const archiving = payoutsOn(openDatabase({ text: 'with gone', run: payAgain }));
  expect(await archiving.archive({ before: soon() })).toEqual({ payouts: 0 });
  expect([await numberOf('payout'), await numberOf('payout_archive')]).toEqual([2, 0]);
  await settleAll();
  expect(await archiving.archive({ before: soon() })).toEqual({ payouts: 2 });
});

it('nothing is lost while others enqueue, pay again, and hear events', async () => {
  const orders = Array.from({ length: 600 }, (_, place) => order(`o-${place}`, `g-${place % 120}`));
  await payoutsOn().enqueue(orders);
  await settleAll();
  const { rows } = await pool.query("select key from payout where group_name like 'g-%' order by key");
  const keys = rows.map(({ key }) => String(key));
  const again = keys.filter((_key, place) => place % 20 === 0);
  const heard = keys.filter((_key, place) => place % 20 === 1);
  const tell = async (key: string, place: number) => {
    const details = { id: `t-${place}`, requestId: key, status: 'COMPLETED' };
    await payoutsOn().message(key, `m-${key}`, { type: 'record', record: { transferDetails: details } });
  };
  const [reports] = await Promise.all([
    Promise.all([payoutsOn(), payoutsOn()].map((one) => one.archive({ before: soon() }))),
    Promise.all(again.map((key) => payoutsOn().payAgain(key, { by: 'Ada' }))),
    Promise.all(heard.map(tell)),
    payoutsOn()
      .enqueue(orders)
      .then((report) => expect(report).toEqual({ added: 0, known: 600 })),
  ]);
  expect(reports.reduce((sum, { payouts }) => sum + payouts, 0)).toBeGreaterThan(0);
  await settleAll();
  const all = '(select key from payout union all select key from payout_archive) k';
  const recipients =
    '(select key from payout_recipient union all select key from payout_recipient_archive) k';
  const rounds = 602 + again.length;
  expect([await numberOf(all), await numberOf(recipients)]).toEqual([rounds, rounds]);
  // All rounds of an order are in one place.
  expect(
    await numberOf('(select payer, id from payout intersect select payer, id from payout_archive) o'),
  ).toBe(0);
  const told: string[] = [];
  for await (const one of payoutsOn().review()) if (one.kind === 'notice') told.push(one.requestId);
  expect(told.toSorted()).toEqual(heard);
  expect(await payoutsOn().enqueue(orders)).toEqual({ added: 0, known: 600 });
});
