import { DatabaseSync } from 'node:sqlite';
import { memoryDedupe, redisDedupe, sqliteDedupe } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { holdsToContract } from './dedupe-contract.ts';
import { codeOf } from './support.ts';

let time = 0;
const now = () => time;

describe.each([
  ['memoryDedupe', () => memoryDedupe()],
  ['sqliteDedupe', () => sqliteDedupe({ database: new DatabaseSync(':memory:') })],
])('%s', (_name, make) => holdsToContract(make));

describe('memoryDedupe', () => {
  it('lets a claim lapse after claimTtl and forgets an event after ttl', async () => {
    const store = memoryDedupe({ ttl: 3_600_000, claimTtl: 10_000, now });
    await store.claim('e1', 'a');
    time += 9_999;
    expect(await store.claim('e1', 'b')).toBe('in-progress');
    time += 1;
    expect(await store.claim('e1', 'b')).toBe('claimed');
    await store.commit('e1', 'b');
    time += 3_599_999;
    expect(await store.claim('e1', 'c')).toBe('committed');
    time += 1;
    expect(await store.claim('e1', 'c')).toBe('claimed');
  });

  it('stays within its bounds by forgetting the oldest handled event, never one that is being handled', async () => {
    const store = memoryDedupe({ maxEntries: 2 });
    await store.claim('busy', 'a');
    await store.claim('old', 'a');
    await store.commit('old', 'a');
    expect(await store.claim('new', 'a')).toBe('claimed');
    expect(await store.claim('busy', 'b')).toBe('in-progress');
    await expect(store.claim('another', 'a')).rejects.toThrow(/full/);
    await store.commit('busy', 'a');
    expect(await store.claim('another', 'a')).toBe('claimed');
  });
});

describe('sqliteDedupe', () => {
  const database = () => new DatabaseSync(':memory:');

  it('lets a claim lapse after claimTtl, unless it is renewed, and forgets an event after ttl', async () => {
    const store = sqliteDedupe({ database: database(), ttl: 3_600_000, claimTtl: 10_000, now });
    await store.claim('e1', 'a');
    time += 9_999;
    expect(await store.claim('e1', 'b')).toBe('in-progress');
    expect(await store.claim('e1', 'a')).toBe('claimed');
    time += 9_999;
    expect(await store.claim('e1', 'b')).toBe('in-progress');
    time += 1;
    expect(await store.claim('e1', 'b')).toBe('claimed');
    await expect(store.commit('e1', 'a')).rejects.toThrow(/claimTtl/);
    await store.commit('e1', 'b');
    time += 3_599_999;
    expect(await store.prune()).toBe(0);
    expect(await store.claim('e1', 'c')).toBe('committed');
    time += 1;
    expect(await store.prune()).toBe(1);
    expect(await store.claim('e1', 'c')).toBe('claimed');
  });

  it('remembers across restarts, in the same table', async () => {
    const shared = database();
    const before = sqliteDedupe({ database: shared, table: 'seen' });
    await before.claim("it's e1", 'a');
    await before.commit("it's e1", 'a');
    expect(await sqliteDedupe({ database: shared, table: 'seen' }).claim("it's e1", 'b')).toBe('committed');
    expect(await sqliteDedupe({ database: shared }).claim("it's e1", 'b')).toBe('claimed');
  });

  it('rejects where the database throws', async () => {
    const closed = database();
    const store = sqliteDedupe({ database: closed });
    closed.close();
    await expect(store.claim('e1', 'a')).rejects.toThrow();
    await expect(store.commit('e1', 'a')).rejects.toThrow();
  });

  it.each([
    ['no database', { database: undefined }],
    ['a path', { database: 'events.db' }],
    ['a table that needs quotes', { table: 'Events' }],
    ['a table that is SQL', { table: 'x; drop table y' }],
    ['no time', { ttl: 0 }],
  ])('cannot be made with %s', async (_name, change) => {
    expect(await codeOf(() => sqliteDedupe({ database: database(), ...change } as never))).toBe(
      'configuration',
    );
  });
});

describe('redisDedupe', () => {
  it('claims, commits and releases under its prefix, with times in milliseconds', async () => {
    const sent: string[][] = [];
    const replies: unknown[] = ['OK', 1, 1n, 0];
    const store = redisDedupe({
      command: async (...args) => {
        sent.push(args.filter((value) => !value.includes('redis.call')));
        return replies.shift();
      },
      prefix: 'events/',
      ttl: 3_600_000,
      claimTtl: 10_000,
    });
    expect(await store.claim('e1', 'a')).toBe('claimed');
    await store.commit('e1', 'a');
    await store.commit('e1', 'a');
    await store.release('e1', 'a');
    expect(sent).toEqual([
      ['EVAL', '1', 'events/e1', 'claimed a', '10000'],
      ['EVAL', '1', 'events/e1', 'claimed a', 'committed a', '3600000'],
      ['EVAL', '1', 'events/e1', 'claimed a', 'committed a', '3600000'],
      ['EVAL', '1', 'events/e1', 'claimed a'],
    ]);
  });

  it.each([
    ['OK', 'claimed'],
    ['claimed b', 'in-progress'],
    ['committed b', 'committed'],
  ])('whose script finds %j says %s to owner a', async (found, expected) => {
    const store = redisDedupe({ command: async () => found });
    expect(await store.claim('e1', 'a')).toBe(expected);
  });
});

describe('a SQLite database that another connection has locked', () => {
  it('is waited for, unless the connection says how long', () => {
    const timeoutOf = (database: DatabaseSync) =>
      Object(database.prepare('pragma busy_timeout').get()).timeout;
    const database = new DatabaseSync(':memory:');
    sqliteDedupe({ database });
    expect(timeoutOf(database)).toBe(2000);
    const patient = new DatabaseSync(':memory:');
    patient.exec('pragma busy_timeout = 9000');
    sqliteDedupe({ database: patient });
    expect(timeoutOf(patient)).toBe(9000);
  });
});
