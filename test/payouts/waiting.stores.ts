import { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { createEmulator } from 'stablecoin-payments/emulator';
import { type PayoutOrder, payoutsOnPgBoss } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { clientOf } from '../client/support.ts';
import { poolDatabase } from './pool-database.ts';

/** What is held, and what waits for its payer, on a server with several connections: PGlite has one. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const connection = { host: process.env.PGHOST ?? '', user: process.env.PGUSER ?? '', database: 'postgres' };
const who = { by: 'Ada', reason: 'test' };
const boss = new PgBoss({ ...connection, schedule: false, supervise: false });
const pools: Pool[] = [];
beforeAll(() => boss.start());
afterAll(async () => {
  await boss.stop({ graceful: false });
  for (const pool of pools) await pool.end();
});

interface SystemOptions {
  /** Runs a statement of a transaction. */
  readonly around?: <T>(text: string, run: () => Promise<T>) => Promise<T>;
  /** The service's response; undefined where the emulated service gives it. */
  readonly answer?: () => Response | undefined;
}

/** Payouts with tables and queues of their own. */
async function openSystem(schema: string, { around, answer }: SystemOptions = {}) {
  const pool = new Pool({ ...connection, max: 12, options: `-c search_path=${schema}` });
  pools.push(pool);
  await pool.query(`create schema ${schema}`);
  const db = poolDatabase(pool, (sql) => ({
    query: (text, values) =>
      around === undefined ? sql.query(text, values) : around(text, () => sql.query(text, values)),
  }));
  const emulator = createEmulator({ settlementStep: 0 });
  const payments = clientOf(async (url, init) => answer?.() ?? (await emulator.fetch(url, init)));
  const payer = emulator.createUser({ rails: ['usd'] }).userId;
  const payee = emulator.createUser().userId;
  const errors: unknown[] = [];
  const payouts = payoutsOnPgBoss({
    boss,
    db,
    payments,
    look: 86_400_000,
    pause: { first: 500, most: 500 },
    onError: (error) => errors.push(error),
  });
  await payouts.migrate();
  const orders = (count: number): PayoutOrder[] =>
    Array.from({ length: count }, (_, place) => ({
      id: `o${place}`,
      payer,
      recipients: [{ userId: payee, amount: '1.5' }],
      currency: 'usdc',
      chain: 'POLYGON',
    }));
  const count = async (from: string) => {
    const { rows } = await pool.query(`select count(*)::int as count from ${from}`);
    return rows[0].count as number;
  };
  const queue = `payouts.${schema}`;
  return {
    payouts,
    payer,
    pool,
    emulator,
    errors,
    orders,
    jobs: () => count(`pgboss.job where name = '${queue}' and state in ('created', 'retry', 'active')`),
    asleep: () => count('payout where waits_for is not null'),
    reasons: (reason: string) => count(`payout_recipient where reason = '${reason}'`),
    paid: () => emulator.state().transfers.length,
    deleteJobs: () => boss.deleteAllJobs(queue),
  };
}

const soon = { timeout: 60_000, interval: 100 };

it('held payouts have no job, and are paid once they are resumed', async () => {
  const { payouts, orders, jobs, asleep, paid, errors } = await openSystem('held');
  await payouts.enqueue(orders(500));
  await payouts.hold({}, who);
  const worker = await payouts.work();
  await vi.waitFor(async () => expect([await asleep(), await jobs()]).toEqual([500, 0]), soon);
  expect(paid()).toBe(0);
  await payouts.resume({}, { by: 'Ada' });
  await vi.waitFor(() => expect(paid()).toBe(500), soon);
  expect(await asleep()).toBe(0);
  await worker.stop();
  expect(errors).toEqual([]);
});

it('payouts of a paused payer have one job, and are paid after the pause', async () => {
  let isPaused = true;
  const { payouts, orders, jobs, asleep, paid, pool, errors } = await openSystem('paused', {
    answer: () =>
      isPaused
        ? Response.json({ error: 'slow down' }, { status: 429, headers: { 'retry-after': '900' } })
        : undefined,
  });
  await payouts.enqueue(orders(500));
  const worker = await payouts.work();
  // Those that were called before the pause was stored have jobs of their own.
  await vi.waitFor(async () => {
    const left = await jobs();
    expect(left).toBeLessThan(60);
    expect((await asleep()) + left).toBe(501);
  }, soon);
  isPaused = false;
  await pool.query(
    `update payout_payer set brake = regexp_replace(brake, '"(pausedUntil|next)":[0-9.]+', '"\\1":0', 'g')`,
  );
  await pool.query("update pgboss.job set start_after = now() where name = 'payouts.paused'");
  await vi.waitFor(() => expect(paid()).toBeGreaterThan(450), soon);
  await worker.stop();
  expect(errors).toEqual([]);
});

it('a payer whose call is tried wakes the others as soon as it succeeds', async () => {
  let refused = 0;
  const { payouts, orders, paid, pool } = await openSystem('tried', {
    answer: () => {
      refused += 1;
      return refused === 1 ? Response.json({ error: 'INSUFFICIENT_BALANCE' }, { status: 400 }) : undefined;
    },
  });
  await payouts.enqueue(orders(60));
  const worker = await payouts.work({ concurrency: 1 });
  await vi.waitFor(() => expect(paid()).toBe(60), soon);
  await worker.stop();
  const { rows } = await pool.query('select job_id from payout_payer');
  expect(rows).toEqual([{ job_id: null }]);
});

it.each([
  ['before the row says so', 'update payout set situation'],
  ['after that', 'from payout_hold where hold_id'],
])(
  'a hold that ends while a payout begins to wait for it, %s, leaves nobody waiting',
  async (name, statement) => {
    let resumed: Promise<unknown> | undefined;
    const { payouts, orders, paid, asleep, errors } = await openSystem(`ends_${name.length}`, {
      async around(text, run) {
        if (resumed !== undefined || !text.includes(statement)) return run();
        const resume = () => payouts.resume({}, { by: 'Ada' });
        // After the hold is locked, `resume` waits for the row; before that it does not.
        if (statement.startsWith('update')) {
          resumed = Promise.resolve(await resume());
          return run();
        }
        const result = await run();
        resumed = resume();
        return result;
      },
    });
    await payouts.hold({}, who);
    await payouts.enqueue(orders(1));
    const worker = await payouts.work();
    await vi.waitFor(() => expect(resumed).toBeDefined(), soon);
    expect(await resumed).toEqual({ holds: 1 });
    await vi.waitFor(() => expect(paid()).toBe(1), { timeout: 10_000 });
    expect([await asleep(), errors]).toEqual([0, []]);
    await worker.stop();
  },
);

it('a payer whose pause ends while a payout begins to wait for it leaves nobody waiting', async () => {
  let ended = false;
  const { payouts, orders, pool, paid, asleep } = await openSystem('pause_ends', {
    async around(text, run) {
      if (!ended && text.includes('from payout_payer where payer') && text.includes('for update')) {
        ended = true;
        await pool.query(`update payout_payer set brake = '{}'`);
      }
      return run();
    },
  });
  await payouts.enqueue(orders(1));
  await pool.query(
    `insert into payout_payer (payer, brake) select payer, '{"pausedUntil":9e15,"reason":"PROFILE_FROZEN"}' from payout`,
  );
  const worker = await payouts.work();
  await vi.waitFor(() => expect(paid()).toBe(1), soon);
  expect([ended, await asleep()]).toEqual([true, 0]);
  await worker.stop();
});
