import { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import { createEmulator } from 'stablecoin-payments/emulator';
import { type Database, payoutsOnPgBoss, type Sql } from 'stablecoin-payments/payouts';
import { afterAll, expect, it, vi } from 'vitest';
import { clientOf } from '../client/support.ts';
import { poolDatabase } from './pool-database.ts';

/** What a payout costs the database. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const connection = { host: process.env.PGHOST ?? '', user: process.env.PGUSER ?? '', database: 'postgres' };
const pool = new Pool({ ...connection, max: 8, options: '-c search_path=statements' });
/** The statements of the payouts, those of their transactions in lines between `begin` and `commit`. */
const statements: string[] = [];
/** The statements of pg-boss itself. */
const ofBoss: string[] = [];
const boss = new PgBoss({
  schedule: false,
  supervise: false,
  db: {
    executeSql: (text: string, values: unknown[] = []) => {
      ofBoss.push(text.trim());
      return pool.query(text, values);
    },
  },
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await pool.end();
});

const counted = (of: Sql): Sql => ({
  query: (text, values) => {
    statements.push(text.trim());
    return of.query(text, values);
  },
});
const pooled = poolDatabase(pool, counted);
const db: Database = {
  ...counted(pooled),
  async transaction(work) {
    statements.push('begin');
    const result = await pooled.transaction(work);
    statements.push('commit');
    return result;
  },
};

it.each([
  ['COMPLETED', 0, 'paid'],
  ['PENDING', 1, 'accepted'],
])(
  'a single payout whose first call says %s takes ten statements and two transactions at most',
  async (status, looks, state) => {
    await pool.query('drop schema if exists statements cascade; create schema statements');
    if (looks === 0) await boss.start();
    const emulator = createEmulator({ settlementStep: 0 });
    const payments = clientOf(async (url, init) => {
      const record = await (await emulator.fetch(url, init)).json();
      return Response.json({ ...record, transferDetails: { ...record.transferDetails, status } });
    });
    const { userId: payer } = emulator.createUser({ rails: ['usd'] });
    const { userId } = emulator.createUser();
    const payouts = payoutsOnPgBoss({ boss, db, payments, look: 86_400_000 });
    await payouts.migrate();
    const order = (id: string) => ({
      id,
      payer,
      recipients: [{ userId, amount: '1' }],
      currency: 'usdc',
      chain: 'POLYGON',
    });
    const worker = await payouts.work({ concurrency: 1 });
    const states = async () =>
      (await payouts.summary()).lines.map((line) => `${line.state} ${line.recipients}`);
    // The first one also stores what a process learns once.
    await payouts.enqueue([order('first')]);
    await vi.waitFor(async () => expect(await states()).toEqual([`${state} 1`]), { timeout: 20_000 });
    await payouts.enqueue([order('counted')]);
    statements.length = 0;
    ofBoss.length = 0;
    await vi.waitFor(() => expect(emulator.state().transfers).toHaveLength(2), { timeout: 20_000 });
    await vi.waitFor(() => expect(statements.filter((text) => text === 'commit')).toHaveLength(2));
    // pg-boss itself takes the job and completes it: two statements more, of its own.
    const completes = () => ofBoss.filter((text) => text.includes("state = 'completed'"));
    await vi.waitFor(() => expect(completes()).toHaveLength(1));
    const own = statements.filter((text) => text !== 'begin' && text !== 'commit');
    const isOfBoss = (text: string) => text.includes('pgboss.');
    expect(own.filter(isOfBoss)).toHaveLength(looks);
    expect(own.length).toBeLessThanOrEqual(10);
    expect(statements.filter((text) => text === 'begin')).toHaveLength(2);
    await worker.stop();
    expect(await states()).toEqual([`${state} 2`]);
  },
);
