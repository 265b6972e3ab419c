import { Keyv } from 'keyv';
import { describe, expect, it } from 'vitest';
import { type DedupeStore, type KeyvLike, keyvDedupe, memoryDedupe } from '../../src/webhooks/index.ts';
import { codeOf } from './support.ts';

let time = 0;
const now = () => time;

/** What every store must do, whatever it is made of. */
const contract: readonly [name: string, make: () => DedupeStore][] = [
  ['memoryDedupe', () => memoryDedupe()],
  ['keyvDedupe over Keyv', () => keyvDedupe(new Keyv())],
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
