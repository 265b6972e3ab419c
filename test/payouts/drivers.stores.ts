import { PgBoss } from 'pg-boss';
import postgres, { type Options } from 'postgres';
import { createEmulator } from 'stablecoin-payments/emulator';
import { type Database, payoutsOnPgBoss, type Sql } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { clientOf } from '../client/support.ts';

/** postgres.js in the settings that people have, on a server: pg and PGlite are those of the other tests. */
vi.setConfig({ testTimeout: 60_000 });

const server = {
  host: process.env.PGHOST ?? '',
  username: process.env.PGUSER ?? '',
  database: 'postgres',
};
const boss = new PgBoss({
  connectionString: `postgresql://${server.username}@localhost/postgres?host=${process.env.PGHOST}`,
  schedule: false,
});
beforeAll(() => boss.start());
afterAll(() => boss.stop({ graceful: false }));

function openPostgresJs(options: Options<never>) {
  const client = postgres({ ...server, onnotice: () => {}, ...options });
  const over = (sql: { unsafe: typeof client.unsafe }): Sql => ({
    query: async (text, values) => ({ rows: (await sql.unsafe(text, values as never)) as never }),
  });
  const db: Database = {
    ...over(client),
    transaction: async (work) => {
      let result: unknown;
      await client.begin(async (sql) => {
        result = await work(over(sql));
      });
      return result as never;
    },
  };
  return { db, close: () => client.end() };
}

const payoutsOn = (db: Database) => {
  const emulator = createEmulator({ settlementStep: 0 });
  const payments = clientOf((url, init) => emulator.fetch(url, init));
  const order = {
    id: crypto.randomUUID(),
    payer: emulator.createUser({ rails: ['usd'] }).userId,
    recipients: [{ userId: emulator.createUser().userId, amount: '1.5' }],
    currency: 'usdc',
    chain: 'POLYGON',
  };
  return { emulator, order, payouts: payoutsOnPgBoss({ boss, db, payments, onError: () => {} }) };
};

it('postgres.js pays', async () => {
  const { db, close } = openPostgresJs({});
  const { emulator, order, payouts } = payoutsOn(db);
  await payouts.migrate();
  await payouts.migrate();
  await payouts.enqueue([order]);
  const worker = await payouts.work();
  await vi.waitFor(() => expect(emulator.state().transfers).toHaveLength(1), { timeout: 30_000 });
  await worker.stop();
  const { lines } = await payouts.summary({ id: order.id, payer: order.payer });
  expect(lines).toMatchObject([{ recipients: 1, amount: '1.5' }]);
  await close();
});

it.each<[string, Options<never>, string]>([
  ['camel', { transform: postgres.camel }, '`is_held` is missing, and `isHeld` came'],
  ['pascal', { transform: postgres.pascal }, '`is_held` is missing, and `IsHeld` came'],
  [
    'toCamel alone',
    { transform: { column: { from: postgres.toCamel } } } as never,
    '`is_held` is missing, and `isHeld` came',
  ],
  ['kebab', { transform: postgres.kebab }, '`is_held` is missing, and `is-held` came'],
  ['no types of arrays', { fetch_types: false }, 'cannot send a list as the value of a placeholder'],
  [
    'nothing in place of null',
    { transform: { undefined: null, value: (value: unknown) => value ?? undefined } } as never,
    '`group_name`',
  ],
])('postgres.js with a transform is named: %s', async (_name, options, message) => {
  const { db, close } = openPostgresJs(options);
  const { payouts } = payoutsOn(db);
  await expect(payouts.migrate()).rejects.toThrow(message);
  await expect(payouts.work()).rejects.toThrow(message);
  await close();
});
