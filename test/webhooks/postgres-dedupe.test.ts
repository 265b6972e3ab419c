import {
  type PostgresDedupeOptions,
  postgresDedupe,
  postgresDedupeTable,
} from 'stablecoin-payments/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenDatabase, openDatabase } from '../payouts/open-database.ts';
import { holdsToContract } from './dedupe-contract.ts';

// A database in WebAssembly is slow on a busy machine.

type Query = PostgresDedupeOptions['query'];

let db: OpenDatabase;
const query: Query = (text, values) => db.query(text, values);

beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.query('drop table if exists webhook_event');
  await db.query(postgresDedupeTable());
});

const lapse = (eventId: string) =>
  query(`update webhook_event set lapses_at = clock_timestamp() - interval '1 s' where id = $1`, [eventId]);

describe('postgresDedupe', () => holdsToContract(() => postgresDedupe({ query })));

it('lets a claim lapse, and forgets what was committed when ttl ends', async () => {
  const store = postgresDedupe({ query });
  await store.claim('e1', 'slow');
  await lapse('e1');
  expect(await store.claim('e1', 'b')).toBe('claimed');
  await store.commit('e1', 'b');
  await lapse('e1');
  expect(await store.claim('e1', 'c')).toBe('claimed');
});

it('deletes what is no longer remembered, and counts it', async () => {
  const store = postgresDedupe({ query });
  for (const id of ['e1', 'e2', 'e3']) await store.claim(id, 'a');
  await lapse('e1');
  await lapse('e2');
  expect(await store.prune()).toBe(2);
  expect(await store.prune()).toBe(0);
  expect(await store.claim('e3', 'b')).toBe('in-progress');
});

it('works with a client that resolves with the rows themselves, in a table of a schema, with times of its own', async () => {
  await db.query('drop schema if exists app cascade');
  await db.query('create schema app');
  await db.query(postgresDedupeTable('app.seen'));
  const rows: Query = async (text, values) => (await db.query(text, values)).rows;
  const store = postgresDedupe({ query: rows, table: 'app.seen', ttl: 3_600_000, claimTtl: 60_000 });
  const remaining = async () => {
    const left =
      'select round(extract(epoch from lapses_at - clock_timestamp()) / 10)::int as left from app.seen';
    return Object(await rows(left, [])).at(0).left * 10;
  };
  expect(await store.claim('e1', 'a')).toBe('claimed');
  expect(await remaining()).toBe(60);
  await store.commit('e1', 'a');
  expect(await remaining()).toBe(3600);
  expect(await store.claim('e1', 'b')).toBe('committed');
});

it("recognizes what was committed with a client that leaves booleans as PostgreSQL's text", async () => {
  const texts = new Map<unknown, string>([
    [true, 't'],
    [false, 'f'],
  ]);
  const asText: Query = async (text, values) => {
    const { rows } = await db.query(text, values);
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(Object(row)).map(([name, value]) => [name, texts.get(value) ?? String(value)]),
      ),
    );
  };
  const store = postgresDedupe({ query: asText });
  await store.claim('e1', 'a');
  expect(await store.claim('e1', 'b')).toBe('in-progress');
  await store.commit('e1', 'a');
  expect(await store.claim('e1', 'b')).toBe('committed');
});

it('waits where the claim of another is gone before it can be read', async () => {
  const store = postgresDedupe({ query: async () => ({ rows: [] }) });
  expect(await store.claim('e1', 'a')).toBe('in-progress');
});

it('rejects where the database does', async () => {
  const store = postgresDedupe({ query, table: 'no_such_table' });
  await expect(store.claim('e1', 'a')).rejects.toThrow('no_such_table');
  await expect(store.prune()).rejects.toThrow('no_such_table');
});
