import { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { createEmulator } from 'stablecoin-payments/emulator';
import { type PayoutOrder, payoutsOnPgBoss, type Sql } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { endWalk, insertRecords, keepUnknownRecord } from '../../src/payouts/pg-boss/kept-records.ts';
import { clientOf } from '../client/support.ts';
import { poolDatabase } from './pool-database.ts';

/** Several processes on one server: what PGlite, with its one connection, cannot show. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const connection = {
  host: process.env.PGHOST ?? '',
  user: process.env.PGUSER ?? '',
  database: 'postgres',
};
const boss = new PgBoss({ ...connection, schedule: false, supervise: false });
const pools: Pool[] = [];
beforeAll(() => boss.start());
afterAll(async () => {
  await boss.stop({ graceful: false });
  for (const pool of pools) await pool.end();
});

/** A process with its own connections to the tables of a schema. */
async function openProcess(schema: string) {
  const pool = new Pool({ ...connection, max: 4, options: `-c search_path=${schema}` });
  pools.push(pool);
  await pool.query(`create schema if not exists ${schema}`);
  const db = poolDatabase(pool);
  const emulator = createEmulator({ settlementStep: 0 });
  const payments = clientOf((url, init) => emulator.fetch(url, init));
  const payer = emulator.createUser({ rails: ['usd'] }).userId;
  const payee = emulator.createUser().userId;
  const order = (id: string): PayoutOrder => ({
    id,
    payer,
    recipients: [{ userId: payee, amount: '1.5' }],
    currency: 'usdc',
    chain: 'POLYGON',
  });
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const payouts = payoutsOnPgBoss({ boss, db, payments, onError });
  return { payouts, pool, db, emulator, order, errors };
}

it('migrate may be called by several processes at once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const made = [];
    for (let place = 0; place < 3; place += 1) made.push(await openProcess(`migrate_${round}`));
    await Promise.all(made.map(({ payouts }) => payouts.migrate()));
    await Promise.all(made.map(({ payouts }) => payouts.migrate()));
    expect(await made[0]?.payouts.enqueue([made[0].order('a')])).toEqual({ added: 1, known: 0 });
  }
});

it('the same orders may be enqueued by two processes at once, each in its own order', async () => {
  const [one, two] = [await openProcess('orders'), await openProcess('orders')];
  await one.payouts.migrate();
  for (let round = 0; round < 6; round += 1) {
    const orders = Array.from({ length: 400 }, (_, place) => one.order(`r${round}-${place}`));
    const reports = await Promise.all([
      one.payouts.enqueue(orders),
      two.payouts.enqueue(orders.toReversed()),
    ]);
    expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(400);
  }
});

it('enqueues a large file in small statements, whole or not at all', async () => {
  const { payouts, pool, order } = await openProcess('pieces');
  await payouts.migrate();
  const Ann = (id: string) => ({
    ...order(id),
    group: 'g',
    recipients: [{ ...order(id).recipients[0], id: 'Ann' }],
  });
  await payouts.enqueue([Ann('known') as PayoutOrder]);
  const many = Array.from({ length: 1000 }, (_, place) => order(`o${place}`));
  const sizes: number[] = [];
  const count = async () => (await pool.query('select count(*)::int as count from payout')).rows[0].count;
  const enqueue = async (orders: PayoutOrder[]) => {
    const client = await pool.connect();
    await client.query('begin');
    const sql: Sql = {
      query: (text, values) => {
        sizes.push(JSON.stringify(values ?? []).length);
        return client.query(text, values);
      },
    };
    await payouts.enqueue(orders, { sql }).finally(async () => {
      await client.query('commit');
      client.release();
    });
  };
  // By its name it comes last: the others are stored when it is refused.
  await expect(enqueue([Ann('z') as PayoutOrder, ...many])).rejects.toThrow('"Ann" is already in the group');
  expect(await count()).toBe(1);
  await enqueue(many);
  expect(await count()).toBe(1001);
  expect(sizes.length).toBeGreaterThan(50);
  expect(Math.max(...sizes)).toBeLessThan(250_000);
});

it('a deadlock of two transactions is tried again, and no caller sees it', async () => {
  const { payouts, pool, order } = await openProcess('deadlock');
  await payouts.migrate();
  await payouts.enqueue([order('a'), order('b')]);
  // Another program locks the second row, and then the first one: PostgreSQL ends one of the two.
  const other = await pool.connect();
  await other.query('set deadlock_timeout = 60000');
  await other.query('begin');
  await other.query("select 1 from payout where id = 'b' for update");
  const cancelled = payouts.cancel({}, { by: 'Ada', reason: 'test' });
  await vi.waitFor(async () => {
    const { rows } = await pool.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'");
    expect(rows).not.toEqual([]);
  });
  const locked = other.query("select 1 from payout where id = 'a' for update").catch(() => undefined);
  await locked;
  await other.query('rollback');
  other.release();
  expect(await cancelled).toMatchObject({ cancelled: 2 });
});

it('two systems on one pg-boss, each with tables of its own, pay their own payouts', async () => {
  const [one, two] = [await openProcess('system_one'), await openProcess('system_two')];
  await one.payouts.migrate();
  await two.payouts.migrate();
  for (const { payouts, order } of [one, two])
    await payouts.enqueue(Array.from({ length: 20 }, (_, place) => order(`o${place}`)));
  const workers = await Promise.all([one.payouts.work(), two.payouts.work()]);
  await vi.waitFor(
    () => expect([one, two].map(({ emulator }) => emulator.state().transfers.length)).toEqual([20, 20]),
    { timeout: 20_000 },
  );
  for (const worker of workers) await worker.stop();
});

it('migrate carries the options of the queues into those that an earlier release made', async () => {
  const { payouts } = await openProcess('queues');
  await payouts.migrate();
  const [queue] = (await boss.getQueues()).filter(({ name }) => /^payouts.*queues$/.test(name));
  const name = queue?.name ?? '';
  await boss.updateQueue(name, { expireInSeconds: 900, notify: false });
  await payouts.migrate();
  expect(await boss.getQueue(name)).toMatchObject({
    expireInSeconds: 180,
    heartbeatSeconds: 30,
    notify: true,
  });
});

it('an event that shows less than a list at once takes nothing from the record that is kept', async () => {
  const { payouts, db, pool } = await openProcess('records');
  await payouts.migrate();
  const requestId = 'b1c37ca4-48f2-572b-9cf4-2bec69eb3cf8';
  const shown = (details: object) => [
    { transferId: 't1', requestId, record: { transferDetails: { id: 't1', requestId, ...details } } },
  ];
  const { promise: isKept, resolve: kept } = Promise.withResolvers<void>();
  const list = db.transaction(async (sql) => {
    await insertRecords(sql, shown({ status: 'PENDING', amount: 1.5 }));
    kept();
    // Until the event waits for this transaction.
    const waits = 'select 1 from pg_locks where not granted';
    while ((await pool.query(waits)).rowCount === 0) await new Promise((resolve) => setImmediate(resolve));
  });
  await isKept;
  const event = db.transaction((sql) => insertRecords(sql, shown({ status: 'COMPLETED', amount: null })));
  await Promise.all([list, event]);
  const { rows } = await pool.query('select record from payout_record');
  expect(rows.map(({ record }) => JSON.parse(record).transferDetails)).toEqual([
    { id: 't1', requestId, status: 'COMPLETED', amount: 1.5 },
  ]);
});

it('a record that an event shows while a walk ends is known to whoever asks the records', async () => {
  const { payouts, db, pool } = await openProcess('walks');
  await payouts.migrate();
  await payouts.restored({ by: 'Ada' });
  const command = { number: 1, at: 0, since: 0 };
  await pool.query(`insert into payout_walk (payer, number) values ('payer', 1)`);
  const requestId = 'b1c37ca4-48f2-572b-9cf4-2bec69eb3cf8';
  const record = { transferDetails: { id: 't1', requestId, status: 'COMPLETED' } };
  const { promise: isKept, resolve: kept } = Promise.withResolvers<void>();
  const event = db.transaction(async (sql) => {
    await keepUnknownRecord(sql, { type: 'record', record }, undefined);
    kept();
    // Until the end of the walk waits for this transaction.
    const waits = 'select 1 from pg_locks where not granted';
    while ((await pool.query(waits)).rowCount === 0) await new Promise((resolve) => setImmediate(resolve));
  });
  await isKept;
  const ended = db.transaction((sql) => endWalk(sql, 'payer', command, true));
  await Promise.all([event, ended]);
  const { rows } = await pool.query('select is_over, has_unknown from payout_walk');
  expect(rows).toEqual([{ is_over: true, has_unknown: true }]);
});
