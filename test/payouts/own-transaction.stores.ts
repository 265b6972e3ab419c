import { Socket } from 'node:net';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { createEmulator } from 'stablecoin-payments/emulator';
import { type PgBossPayouts, payoutsOnPgBoss, type Sql } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { clientOf } from '../client/support.ts';

/** An invoice and its payout in one transaction, whose connection is lost at each of its statements. */
vi.setConfig({ testTimeout: 120_000 });

const connectionString = `postgresql://${process.env.PGUSER}@localhost/postgres?host=${process.env.PGHOST}`;
const boss = new PgBoss({ connectionString, schedule: false });
const pool = new pg.Pool({ connectionString });
const emulator = createEmulator();
const payer = emulator.createUser({ rails: ['usd'] }).userId;
const payee = emulator.createUser().userId;
let payouts: PgBossPayouts;

beforeAll(async () => {
  await boss.start();
  payouts = payoutsOnPgBoss({
    boss,
    db: {
      query: (text, values) => pool.query(text, values),
      async transaction(work) {
        const client = await pool.connect();
        await client.query('begin');
        const result = await work({ query: (text, values) => client.query(text, values) });
        await client.query('commit');
        client.release();
        return result;
      },
    },
    payments: clientOf((url, init) => emulator.fetch(url, init)),
  });
  await payouts.migrate();
  await pool.query('create table invoice (id text primary key)');
});
afterAll(async () => {
  await pool.query('drop table invoice');
  await boss.stop({ graceful: false });
  await pool.end();
});

/** Loses the connection at a statement: before it is sent, or with it. Returns the number of statements. */
async function attempt(id: string, isInvoiceFirst: boolean, lostAt: number, isSent: boolean) {
  const client = new pg.Client({ connectionString, application_name: 'killed' });
  client.on('error', () => {});
  await client.connect();
  const socket: unknown = Reflect.get(client, 'connection').stream;
  if (!(socket instanceof Socket)) throw new Error('no socket');
  let statements = 0;
  const sql: Sql = {
    query: (text, values) => {
      statements += 1;
      if (statements !== lostAt) return client.query(text, values);
      if (!isSent) socket.destroy();
      const answer = client.query(text, values);
      if (isSent) socket.destroySoon();
      return answer;
    },
  };
  const order = {
    id,
    payer,
    recipients: [{ userId: payee, amount: '1' }],
    currency: 'usdc',
    chain: 'POLYGON',
  };
  const steps = [
    () => sql.query('insert into invoice (id) values ($1)', [id]),
    () => payouts.enqueue([order], { sql }),
  ];
  try {
    await sql.query('begin');
    for (const step of isInvoiceFirst ? steps : steps.reverse()) await step();
    await sql.query('commit');
    await client.end();
  } catch {
    // The caller's process is gone.
  }
  return statements;
}

it('1,000 kills leave no invoice without its payout, and no payout without its invoice', async () => {
  const statements = await attempt('whole', true, 0, false);
  expect(statements).toBeGreaterThan(8);
  for (let kill = 0; kill < 1000; kill += 1) {
    const lostAt = 1 + (kill % statements);
    const round = Math.floor(kill / statements);
    await attempt(`kill-${kill}`, round % 2 === 0, lostAt, round % 4 < 2);
  }
  // What was sent last may still be carried out.
  const living = "select 1 as one from pg_stat_activity where application_name = 'killed'";
  await expect.poll(async () => (await pool.query(living)).rowCount, { timeout: 30_000 }).toBe(0);
  const ids = async (text: string) => (await pool.query<{ id: string }>(text)).rows.map(({ id }) => id);
  expect(await ids('select id from invoice except select id from payout')).toEqual([]);
  expect(await ids('select id from payout except select id from invoice')).toEqual([]);
  const withoutJob =
    'select id from payout where not exists (select 1 from pgboss.job where job.id = job_id)';
  expect(await ids(withoutJob)).toEqual([]);
  // Of the commits, those that were sent were carried out.
  const kept = (await ids('select id from invoice')).length;
  expect(kept).toBeGreaterThan(10);
  expect(kept).toBeLessThan(500);
});
