import { Keyv } from 'keyv';
import { Keyv as Keyv5 } from 'keyv5';
import { describe, expect, it } from 'vitest';
import type { DedupeStore } from '../../src/webhooks/deduplication/dedupe.ts';
import { type KeyvLike, keyvDedupe } from '../../src/webhooks/deduplication/keyv-dedupe.ts';
import { memoryDedupe } from '../../src/webhooks/deduplication/memory-dedupe.ts';
import { postgresDedupe, postgresDedupeTable } from '../../src/webhooks/deduplication/postgres-dedupe.ts';
import { redisDedupe } from '../../src/webhooks/deduplication/redis-dedupe.ts';
import { EmittingAdapter, RejectingAdapter } from './keyv-adapters.ts';
import { codeOf } from './support.ts';

let time = 0;
const now = () => time;

/** What every store must do, whatever it is made of. */
const contract: readonly [name: string, make: () => DedupeStore][] = [
  ['memoryDedupe', () => memoryDedupe()],
  ['keyvDedupe over Keyv 6', () => keyvDedupe(new Keyv())],
  ['keyvDedupe over Keyv 5', () => keyvDedupe(new Keyv5())],
  ['keyvDedupe over a Map', () => keyvDedupe(new Map<string, string>())],
  ['keyvDedupe over a store with setIfAbsent', () => keyvDedupe(atomicStore())],
];

function atomicStore(): KeyvLike {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => values.set(key, value),
    delete: (key) => values.delete(key),
    setIfAbsent(key, value) {
      if (values.has(key)) return false;
      values.set(key, value);
      return true;
    },
  };
}

describe.each(contract)('%s', (_name, make) => {
  it('lets one delivery claim an event, and the next only after a release', async () => {
    const store = make();
    expect(await store.claim('e1', 'a')).toBe('claimed');
    expect(await store.claim('e1', 'b')).toBe('in-progress');
    expect(await store.claim('e2', 'b')).toBe('claimed');
    await store.release('e1', 'a');
    expect(await store.claim('e1', 'b')).toBe('claimed');
  });

  it('remembers what was committed, also against a late release', async () => {
    const store = make();
    await store.claim('e1', 'a');
    await store.commit('e1', 'a');
    await store.release('e1', 'a');
    expect(await store.claim('e1', 'b')).toBe('committed');
  });

  it('does not let one delivery release the claim of another', async () => {
    const store = make();
    await store.claim('e1', 'a');
    await store.release('e1', 'b');
    await store.release('unknown', 'b');
    expect(await store.claim('e1', 'c')).toBe('in-progress');
  });

  it('does not let a delivery commit an event that another has claimed or handled since', async () => {
    const store = make();
    await store.claim('e1', 'slow');
    await store.release('e1', 'slow');
    await store.claim('e1', 'b');
    await expect(store.commit('e1', 'slow')).rejects.toThrow(/claimTtl/);
    expect(await store.claim('e1', 'c')).toBe('in-progress');
    await store.commit('e1', 'b');
    await expect(store.commit('e1', 'slow')).rejects.toThrow(/claimTtl/);
    expect(await store.claim('e1', 'c')).toBe('committed');
  });

  it('lets one of many simultaneous claims in a process win', async () => {
    const store = make();
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.claim('e1', `owner ${index}`)),
    );
    expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1);
  });
});

describe('memoryDedupe', () => {
  it('lets a claim lapse after claimTtl and forgets an event after ttl', async () => {
    const store = memoryDedupe({ ttl: 100, claimTtl: 10, now });
    await store.claim('e1', 'a');
    time += 9_999;
    expect(await store.claim('e1', 'b')).toBe('in-progress');
    time += 1;
    expect(await store.claim('e1', 'b')).toBe('claimed');
    await store.commit('e1', 'b');
    time += 99_999;
    expect(await store.claim('e1', 'c')).toBe('committed');
    time += 1;
    expect(await store.claim('e1', 'c')).toBe('claimed');
  });

  it('stays within its bounds by forgetting the oldest handled event, never one that is being handled', async () => {
    const store = memoryDedupe({ maximumEntries: 2 });
    await store.claim('busy', 'a');
    await store.claim('old', 'a');
    await store.commit('old', 'a');
    expect(await store.claim('new', 'a')).toBe('claimed');
    expect(await store.claim('busy', 'b')).toBe('in-progress');
    await expect(store.claim('another', 'a')).rejects.toThrow(/full/);
    await store.commit('busy', 'a');
    expect(await store.claim('another', 'a')).toBe('claimed');
  });

  it('makes room by forgetting claims that lapsed', async () => {
    const store = memoryDedupe({ maximumEntries: 1, claimTtl: 1, now });
    await store.claim('crashed', 'a');
    time += 1_000;
    expect(await store.claim('next', 'a')).toBe('claimed');
  });

  it.each([{ ttl: 0 }, { claimTtl: -1 }, { maximumEntries: Number.NaN }, { ttl: Number.POSITIVE_INFINITY }])(
    'cannot be made with %o',
    async (options) => {
      expect(await codeOf(() => memoryDedupe(options))).toBe('configuration');
    },
  );
});

describe('keyvDedupe', () => {
  it('gives claims and commits their times to live in milliseconds, under its prefix', async () => {
    const written: unknown[] = [];
    const values = new Map<string, string>();
    const store = keyvDedupe(
      {
        get: (key) => values.get(key),
        set(key, value, ttl) {
          written.push([key, ttl]);
          values.set(key, value);
        },
        delete: (key) => values.delete(key),
      },
      { ttl: 100, claimTtl: 10, prefix: 'events/' },
    );
    await store.claim('e1', 'a');
    await store.commit('e1', 'a');
    expect(written).toEqual([
      ['events/e1', 10_000],
      ['events/e1', 100_000],
    ]);
  });

  it('gives way to another process whose claim it reads back', async () => {
    const answers = [undefined, 'claimed by another'];
    const store = keyvDedupe({ get: () => answers.shift(), set: () => true, delete: () => true });
    expect(await store.claim('e1', 'a')).toBe('in-progress');
    const late = [undefined, 'committed'];
    const other = keyvDedupe({ get: () => late.shift(), set: () => true, delete: () => true });
    expect(await other.claim('e1', 'a')).toBe('committed');
  });

  it('waits where an atomic claim was lost and the winner is gone already', async () => {
    const store = keyvDedupe({
      get: () => undefined,
      set: () => true,
      delete: () => true,
      setIfAbsent: () => false,
    });
    expect(await store.claim('e1', 'a')).toBe('in-progress');
  });

  it('fails where the store does not keep what it is given, as Keyv does when it is unreachable', async () => {
    const store = keyvDedupe({ get: () => undefined, set: () => false, delete: () => false });
    await expect(store.claim('e1', 'a')).rejects.toThrow(/did not keep the claim/);
    await expect(store.commit('e1', 'a')).rejects.toThrow(/did not keep the event/);
  });

  const versions = {
    'Keyv 5': (store: RejectingAdapter) => new Keyv5({ store }),
    'Keyv 6': (store: RejectingAdapter) => new Keyv({ store: store as never }),
  } as const;
  const faults: readonly [name: string, make: (fail: () => boolean) => RejectingAdapter][] = [
    ['an adapter that rejects', (fail) => new RejectingAdapter(fail)],
    ['an adapter that emits its errors and finds nothing', (fail) => new EmittingAdapter(fail)],
  ];
  const cases = Object.keys(versions).flatMap((version) =>
    faults.flatMap(([adapter, make]) =>
      [true, false].map((listened) => ({
        version: version as keyof typeof versions,
        adapter,
        make,
        listened,
      })),
    ),
  );

  it.each(cases)(
    'does not take one failed read for an event that is new: $version, $adapter, listened to: $listened',
    async ({ version, make, listened }) => {
      let failing = false;
      const errors: unknown[] = [];
      const keyv = versions[version](make(() => failing));
      if (listened) keyv.on('error', (error: unknown) => errors.push(error));
      const store = keyvDedupe(keyv);
      await store.claim('e1', 'a');
      await store.commit('e1', 'a');
      failing = true;
      await expect(store.claim('e1', 'b')).rejects.toThrow('read failed');
      await expect(store.release('e1', 'a')).rejects.toThrow('read failed');
      await expect(store.commit('e1', 'b')).rejects.toThrow('read failed');
      failing = false;
      expect(await store.claim('e1', 'c')).toBe('committed');
      expect(await store.claim('e2', 'c')).toBe('claimed');
      if (!listened) return;
      // The application's own listener still works, and the instance still reports as its owner chose.
      errors.length = 0;
      failing = true;
      const asBefore: KeyvLike = keyv;
      expect(await asBefore.get('webhook:e1')).toBeUndefined();
      expect(version === 'Keyv 5' || errors.length > 0).toBe(true);
    },
  );

  it('does not ask the store twice at once about the same event', async () => {
    const gate = Promise.withResolvers<void>();
    const values = new Map<string, string>();
    const store = keyvDedupe({
      get: (key) => gate.promise.then(() => values.get(key)),
      set: (key, value) => values.set(key, value),
      delete: (key) => values.delete(key),
    });
    const first = store.claim('e1', 'a');
    expect(await store.claim('e1', 'b')).toBe('in-progress');
    gate.resolve();
    expect(await first).toBe('claimed');
  });

  it('can claim again after a claim that failed', async () => {
    const values = new Map<string, string>();
    let down = true;
    const store = keyvDedupe({
      get: (key) => (down ? Promise.reject(new Error('down')) : values.get(key)),
      set: (key, value) => values.set(key, value),
      delete: (key) => values.delete(key),
    });
    await expect(store.claim('e1', 'a')).rejects.toThrow('down');
    down = false;
    expect(await store.claim('e1', 'a')).toBe('claimed');
  });

  it('cannot be made with a time that is not positive', async () => {
    expect(await codeOf(() => keyvDedupe(new Map<string, string>(), { ttl: 0 }))).toBe('configuration');
  });
});

describe('postgresDedupe', () => {
  it.each([
    ['no query', { query: undefined }],
    ['a table that needs quotes', { table: 'Webhook Event' }],
    ['a table that is SQL', { table: 'x; drop table payout' }],
    ['three names', { table: 'a.b.c' }],
    ['no time', { claimTtl: 0 }],
  ])('cannot be made with %s', async (_name, change) => {
    const options = { query: async () => [], ...change };
    expect(await codeOf(() => postgresDedupe(options as never))).toBe('configuration');
  });

  it('writes the table for a schema of its own, and for no name that is SQL', async () => {
    expect(postgresDedupeTable('app.seen')).toContain('create table if not exists app.seen (');
    expect(postgresDedupeTable('app.seen')).toContain('seen_lapses_at on app.seen');
    expect(await codeOf(() => postgresDedupeTable('x (); drop table y'))).toBe('configuration');
  });

  it('fails where the query function keeps its result to itself', async () => {
    const store = postgresDedupe({ query: async () => undefined });
    await expect(store.claim('e1', 'a')).rejects.toThrow(/without rows/);
    await expect(store.commit('e1', 'a')).rejects.toThrow(/without rows/);
  });
});

describe('redisDedupe', () => {
  it('cannot be made without a command or with a time that is not positive', async () => {
    expect(await codeOf(() => redisDedupe({} as never))).toBe('configuration');
    expect(await codeOf(() => redisDedupe({ command: async () => null, ttl: -1 }))).toBe('configuration');
  });

  it.each([
    ['nothing', undefined],
    ['an error in place of a reply', new Error('LOADING')],
  ])('fails where the command function resolves with %s', async (_name, reply) => {
    const store = redisDedupe({ command: async () => reply });
    await expect(store.claim('e1', 'a')).rejects.toThrow();
    await expect(store.commit('e1', 'a')).rejects.toThrow();
  });

  it('reads replies that are bytes', async () => {
    const replies: unknown[] = [null, Buffer.from('committed a')];
    const store = redisDedupe({ command: async () => replies.shift() });
    expect(await store.claim('e1', 'b')).toBe('committed');
    const ok = redisDedupe({ command: async () => Buffer.from('OK') });
    expect(await ok.claim('e1', 'b')).toBe('claimed');
  });

  it('claims, commits and releases under its prefix, with times in milliseconds', async () => {
    const sent: string[][] = [];
    const replies: unknown[] = ['OK', 1, 1n, 0];
    const store = redisDedupe({
      command: async (...args) => {
        sent.push(args.filter((value) => !value.includes('redis.call')));
        return replies.shift();
      },
      prefix: 'events/',
      ttl: 100,
      claimTtl: 10,
    });
    expect(await store.claim('e1', 'a')).toBe('claimed');
    await store.commit('e1', 'a');
    await store.commit('e1', 'a');
    await store.release('e1', 'a');
    expect(sent).toEqual([
      ['SET', 'events/e1', 'claimed a', 'NX', 'PX', '10000'],
      ['EVAL', '1', 'events/e1', 'claimed a', 'committed a', '100000'],
      ['EVAL', '1', 'events/e1', 'claimed a', 'committed a', '100000'],
      ['EVAL', '1', 'events/e1', 'claimed a'],
    ]);
  });

  it('fails to commit what another owner has claimed since', async () => {
    const store = redisDedupe({ command: async () => 0 });
    await expect(store.commit('e1', 'slow')).rejects.toThrow(/claimTtl/);
  });

  it.each([
    ['claimed a', 'claimed'],
    ['claimed b', 'in-progress'],
    ['committed b', 'committed'],
    [null, 'in-progress'],
  ])('that finds %j at its key says %s to owner a', async (found, expected) => {
    const replies = [null, found];
    const store = redisDedupe({ command: async () => replies.shift() });
    expect(await store.claim('e1', 'a')).toBe(expected);
  });
});
