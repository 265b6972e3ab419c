import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { keyvDedupe } from '../../src/webhooks/deduplication/keyv-dedupe.ts';
import { readStrictly } from '../../src/webhooks/deduplication/keyv-read.ts';
import { memoryDedupe } from '../../src/webhooks/deduplication/memory-dedupe.ts';
import { postgresDedupe, postgresDedupeTable } from '../../src/webhooks/deduplication/postgres-dedupe.ts';
import { redisDedupe } from '../../src/webhooks/deduplication/redis-dedupe.ts';
import { refusalOf } from './support.ts';

const claimLost =
  'The claim of the event ended before its handler did, and another delivery has claimed the event: it may be handled ' +
  'twice. Raise claimTtl above the time of the slowest handler.';

describe('memoryDedupe', () => {
  const clocked = (options: object = {}) => {
    const clock = { time: 1_000_000 };
    return { clock, store: memoryDedupe({ now: () => clock.time, ...options }) };
  };

  it('holds a claim for 300 seconds and a handled event for three days', async () => {
    const { clock, store } = clocked();
    await store.claim('e1', 'a');
    clock.time += 299_999;
    expect(await store.claim('e1', 'b')).toBe('in-progress');
    clock.time += 1;
    expect(await store.claim('e1', 'b')).toBe('claimed');
    await store.commit('e1', 'b');
    clock.time += 259_199_999;
    expect(await store.claim('e1', 'c')).toBe('committed');
    clock.time += 1;
    expect(await store.claim('e1', 'c')).toBe('claimed');
  });

  it('goes by the clock of the machine by default', async () => {
    const store = memoryDedupe({ claimTtl: 60 });
    await store.claim('e1', 'a');
    expect(await store.claim('e1', 'b')).toBe('in-progress');
  });

  it('lets a slow handler commit while nobody else has claimed the event', async () => {
    const { clock, store } = clocked({ claimTtl: 10 });
    await store.claim('e1', 'slow');
    clock.time += 20_000;
    await store.commit('e1', 'slow');
    expect(await store.claim('e1', 'b')).toBe('committed');
    await store.commit('never claimed', 'a');
    expect(await store.claim('never claimed', 'b')).toBe('committed');
  });

  it('refuses the commit of another owner until the claim of that one ends', async () => {
    const { clock, store } = clocked({ claimTtl: 10 });
    await store.claim('e1', 'b');
    clock.time += 9_999;
    await expect(store.commit('e1', 'slow')).rejects.toThrow(new Error(claimLost));
    clock.time += 1;
    await store.commit('e1', 'slow');
    expect(await store.claim('e1', 'c')).toBe('committed');
  });

  it('remembers 10,000 events by default and forgets the first of them', async () => {
    const { store } = clocked();
    for (let index = 0; index <= 10_000; index += 1) await store.commit(`e${index}`, 'a');
    expect(await store.claim('e1', 'b')).toBe('committed');
    expect(await store.claim('e0', 'b')).toBe('claimed');
  });

  it('forgets one event for each new one, and the oldest', async () => {
    const { store } = clocked({ maximumEntries: 3 });
    for (const id of ['e1', 'e2', 'e3']) await store.commit(id, 'a');
    await store.commit('e1', 'a');
    await store.commit('e4', 'a');
    expect(await store.claim('e3', 'b')).toBe('committed');
    expect(await store.claim('e1', 'b')).toBe('committed');
    expect(await store.claim('e4', 'b')).toBe('committed');
    expect(await store.claim('e2', 'b')).toBe('claimed');
  });

  it('forgets a claim that has ended, and says so where none has', async () => {
    const { clock, store } = clocked({ maximumEntries: 1, claimTtl: 10 });
    await store.claim('e1', 'a');
    clock.time += 9_999;
    await expect(store.claim('e2', 'a')).rejects.toThrow(
      new Error('The de-duplication store is full of events that are being handled.'),
    );
    clock.time += 1;
    expect(await store.claim('e2', 'a')).toBe('claimed');
    expect(await store.claim('e2', 'b')).toBe('in-progress');
  });
});

describe('the words for an option that cannot work', () => {
  const query = async () => [];
  const command = async () => null;
  const table = 'table must be a name such as webhook_event or app.webhook_event.';

  it.each<[() => unknown, string]>([
    [() => memoryDedupe({ ttl: 0 }), 'ttl must be a positive number.'],
    [() => memoryDedupe({ claimTtl: -1 }), 'claimTtl must be a positive number.'],
    [() => memoryDedupe({ maximumEntries: Number.NaN }), 'maximumEntries must be a positive number.'],
    [() => keyvDedupe(new Map(), { ttl: 0 }), 'ttl must be a positive number.'],
    [
      () => keyvDedupe(new Map(), { claimTtl: Number.POSITIVE_INFINITY }),
      'claimTtl must be a positive number.',
    ],
    [
      () => postgresDedupe({} as never),
      'postgresDedupe needs query: (text, values) => pool.query(text, values).',
    ],
    [() => postgresDedupe({ query, ttl: 0 }), 'ttl must be a positive number.'],
    [() => postgresDedupe({ query, claimTtl: 0 }), 'claimTtl must be a positive number.'],
    [() => postgresDedupe({ query, table: 'Event' }), table],
    [() => postgresDedupe({ query, table: ' event' }), table],
    [() => postgresDedupe({ query, table: 'event;' }), table],
    [() => postgresDedupe({ query, table: '1event' }), table],
    [() => postgresDedupe({ query, table: 'a.b.c' }), table],
    [() => postgresDedupe({ query, table: '.event' }), table],
    [() => postgresDedupe({ query, table: 'app.1event' }), table],
    [() => postgresDedupe({ query, table: '1app.event' }), table],
    [() => postgresDedupeTable('a b'), table],
    [() => redisDedupe({} as never), 'redisDedupe needs command: (...args) => client.sendCommand(args).'],
    [() => redisDedupe({ command, ttl: 0 }), 'ttl must be a positive number.'],
    [() => redisDedupe({ command, claimTtl: -1 }), 'claimTtl must be a positive number.'],
  ])('%s', async (make, words) => {
    expect(await refusalOf(make)).toEqual(['configuration', words]);
  });

  it.each(['e', 'event_2', '_e', 'app.event', 'a.e', '_a1.b2_'])('none for the table %s', (name) => {
    expect(postgresDedupe({ query, table: name })).toBeTypeOf('object');
    expect(postgresDedupeTable(name)).toContain(`create table if not exists ${name} (`);
  });
});

describe('keyvDedupe', () => {
  it('holds a claim for 300 seconds and a handled event for three days, under webhook:', async () => {
    const written: unknown[] = [];
    const removed: string[] = [];
    const values = new Map<string, string>();
    const store = keyvDedupe({
      get: (key) => values.get(key),
      set(key, value, ttl) {
        written.push([key, value, ttl]);
        values.set(key, value);
      },
      delete: (key) => removed.push(key),
    });
    await store.claim('e1', 'a');
    await store.release('e1', 'b');
    await store.release('e1', 'a');
    await store.commit('e1', 'a');
    await store.commit('e1', 'a');
    expect(written).toEqual([
      ['webhook:e1', 'claimed a', 300_000],
      ['webhook:e1', 'committed a', 259_200_000],
    ]);
    expect(removed).toEqual(['webhook:e1']);
    await expect(store.commit('e1', 'slow')).rejects.toThrow(new Error(claimLost));
  });

  it('claims atomically where the store can, and finds what another wrote', async () => {
    const asked: unknown[] = [];
    const results: unknown[] = [true, false, false, false, 'yes'];
    const values: unknown[] = ['committed b', 'claimed b', 'claimed a', undefined];
    const store = keyvDedupe({
      get: () => values.shift(),
      set: () => Promise.reject(new Error('not used')),
      delete: () => undefined,
      setIfAbsent: (...args) => {
        asked.push(args);
        return results.shift();
      },
    });
    const claims: string[] = [];
    for (let count = 0; count < 5; count += 1) claims.push(await store.claim('e1', 'a'));
    expect(claims).toEqual(['claimed', 'committed', 'in-progress', 'claimed', 'in-progress']);
    expect(asked[0]).toEqual(['webhook:e1', 'claimed a', 300_000]);
  });

  it('takes null for no value, as some stores give it', async () => {
    const values: unknown[] = [null, 'claimed a', null, null, null];
    const written: unknown[] = [];
    const store = keyvDedupe({
      get: () => values.shift(),
      set: (_key, value) => written.push(value),
      delete: () => 0,
    });
    expect(await store.claim('e1', 'a')).toBe('claimed');
    await expect(store.claim('e1', 'a')).rejects.toThrow(
      new Error('The de-duplication store did not keep the claim.'),
    );
    await store.commit('e1', 'a');
    expect(written).toEqual(['claimed a', 'claimed a', 'committed a']);
  });

  it('fails where a store does not keep the event', async () => {
    const store = keyvDedupe({ get: () => undefined, set: () => false, delete: () => false });
    await expect(store.commit('e1', 'a')).rejects.toThrow(
      new Error('The de-duplication store did not keep the event.'),
    );
  });
});

describe('reading from Keyv', () => {
  class Emitting {
    readonly emitted: unknown[] = [];
    readonly store: unknown;
    readonly read: (keyv: Emitting) => unknown;
    constructor(store: unknown, read: (keyv: Emitting) => unknown) {
      this.store = store;
      this.read = read;
    }
    emit(event: string, ...values: unknown[]) {
      this.emitted.push([event, ...values]);
      return 'emitted';
    }
    get() {
      return this.read(this);
    }
  }

  const fail = (): never => {
    throw new Error('not a listener');
  };

  it('throws the error that an instance emits, and passes on its other events', async () => {
    const failure = new Error('read failed');
    const failing = new Emitting(undefined, (keyv) => keyv.emit('error', failure));
    await expect(readStrictly(failing, 'k')).rejects.toBe(failure);
    const noting = new Emitting(undefined, (keyv) => keyv.emit('read', 'k', 1));
    expect(await readStrictly(noting, 'k')).toBe('emitted');
    expect(failing.emitted).toEqual([]);
    expect(noting.emitted).toEqual([['read', 'k', 1]]);
  });

  it('asks the instance to throw its errors, without a change of it', async () => {
    const asking = new Emitting(undefined, (keyv) => Reflect.get(keyv, 'throwOnErrors'));
    expect(await readStrictly(asking, 'k')).toBe(true);
    expect('throwOnErrors' in asking).toBe(false);
  });

  it('throws the first error that the adapter emits, and listens to it no longer than the read', async () => {
    const adapter = new EventEmitter();
    const keyv = new Emitting(adapter, () => {
      adapter.emit('error', new Error('first'));
      adapter.emit('error', new Error('second'));
      return 'value';
    });
    await expect(readStrictly(keyv, 'k')).rejects.toThrow('first');
    expect(adapter.listenerCount('error')).toBe(0);
    const fine = new Emitting(adapter, () => adapter.listenerCount('error'));
    expect(await readStrictly(fine, 'k')).toBe(1);
    expect(adapter.listenerCount('error')).toBe(0);
  });

  it.each<[string, unknown]>([
    ['text', 'memory'],
    ['null', null],
    ['a Map', new Map()],
    ['an adapter that can only add listeners', { on: fail }],
    ['an adapter that can only remove listeners', { off: () => undefined }],
    ['an adapter whose listeners are no functions', { on: 1, off: 1 }],
    ['an adapter without a function to remove them', { on: fail, off: 1 }],
    ['an adapter without a function to add them', { on: 1, off: fail }],
  ])('does not listen to %s', async (_what, adapter) => {
    expect(await readStrictly(new Emitting(adapter, () => 'value'), 'k')).toBe('value');
  });

  it.each([
    ['no events', {}],
    ['events and no adapter', { emit: () => undefined }],
    ['something else called emit', { emit: 'x', store: {} }],
  ])('reads a store as it is that has %s', async (_what, more) => {
    const store = {
      ...more,
      get(this: object) {
        return this;
      },
    };
    expect(await readStrictly(store, 'k')).toBe(store);
  });
});

describe('postgresDedupe', () => {
  function recorded(rows: unknown[], options: object = {}) {
    const sent: [text: string, values: unknown[]][] = [];
    const query = async (text: string, values: unknown[]) => {
      sent.push([text.replaceAll(/\s+/g, ' '), values]);
      return rows.shift();
    };
    return { sent, store: postgresDedupe({ query, ...options }) };
  }

  it('claims with one insert that takes over what has ended, for 300 seconds', async () => {
    const { sent, store } = recorded([{ rows: [{ owner: 'a' }] }]);
    expect(await store.claim('e1', 'a')).toBe('claimed');
    expect(sent).toEqual([
      [
        'insert into webhook_event as event (id, owner, handled, lapses_at) ' +
          "values ($1, $2, false, clock_timestamp() + $3::float8 * interval '1 second') " +
          'on conflict (id) do update set owner = excluded.owner, handled = false, lapses_at = excluded.lapses_at ' +
          'where event.lapses_at <= clock_timestamp() or (event.owner = excluded.owner and not event.handled) ' +
          'returning owner',
        ['e1', 'a', 300],
      ],
    ]);
  });

  it.each([
    [{ handled: true }, 'committed'],
    [{ handled: false }, 'in-progress'],
    [{ handled: 'yes' }, 'in-progress'],
    [{}, 'in-progress'],
    [undefined, 'in-progress'],
    [null, 'in-progress'],
    ['row', 'in-progress'],
  ])('that did not get the claim and finds the row %j says %s', async (row, claim) => {
    const { sent, store } = recorded([[], [row]], { table: 'app.seen' });
    expect(await store.claim('e1', 'a')).toBe(claim);
    expect(sent[1]).toEqual(['select handled from app.seen where id = $1', ['e1']]);
  });

  it('commits what it owns, for three days', async () => {
    const { sent, store } = recorded([[{ owner: 'a' }], []]);
    await store.commit('e1', 'a');
    expect(sent).toEqual([
      [
        'insert into webhook_event as event (id, owner, handled, lapses_at) ' +
          "values ($1, $2, true, clock_timestamp() + $3::float8 * interval '1 second') " +
          'on conflict (id) do update set handled = true, lapses_at = excluded.lapses_at ' +
          'where event.owner = excluded.owner returning owner',
        ['e1', 'a', 259_200],
      ],
    ]);
    await expect(store.commit('e1', 'a')).rejects.toThrow(new Error(claimLost));
  });

  it('releases what it owns and has not handled', async () => {
    const { sent, store } = recorded([[]]);
    await store.release('e1', 'a');
    expect(sent).toEqual([
      ['delete from webhook_event where id = $1 and owner = $2 and not handled', ['e1', 'a']],
    ]);
  });

  it('prunes what has ended, and counts it', async () => {
    const { sent, store } = recorded([{ rows: [{ pruned: '2' }] }, []]);
    expect(await store.prune()).toBe(2);
    expect(await store.prune()).toBe(0);
    expect(sent[0]).toEqual([
      'with gone as (delete from webhook_event where lapses_at <= clock_timestamp() returning 1) ' +
        'select count(*) as pruned from gone',
      [],
    ]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'rows'],
    ['rows that are no list', { rows: 2 }],
    ['no rows', {}],
  ])('fails where the query resolves with %s', async (_what, result) => {
    const { store } = recorded([result]);
    await expect(store.release('e1', 'a')).rejects.toThrow(
      new Error('The query function of postgresDedupe resolved without rows.'),
    );
  });

  it('writes its table and its index', () => {
    expect(postgresDedupeTable('app.seen')).toBe(
      'create table if not exists app.seen (\n' +
        '  id text primary key,\n' +
        '  owner text not null,\n' +
        '  handled boolean not null default false,\n' +
        '  lapses_at timestamptz not null\n' +
        ');\n' +
        'create index if not exists seen_lapses_at on app.seen (lapses_at);',
    );
    expect(postgresDedupeTable()).toContain(
      'create index if not exists webhook_event_lapses_at on webhook_event (lapses_at);',
    );
  });
});

describe('redisDedupe', () => {
  const recorded = (replies: unknown[], options: object = {}) => {
    const sent: string[][] = [];
    const command = async (...args: string[]) => {
      sent.push(args);
      return replies.shift();
    };
    return { sent, store: redisDedupe({ command, ...options }) };
  };

  it('claims for 300 seconds, under webhook:', async () => {
    const { sent, store } = recorded([null, 'claimed b']);
    expect(await store.claim('e1', 'a')).toBe('in-progress');
    expect(sent).toEqual([
      ['SET', 'webhook:e1', 'claimed a', 'NX', 'PX', '300000'],
      ['GET', 'webhook:e1'],
    ]);
  });

  it('commits for three days with a script that leaves the value of another owner alone', async () => {
    const { sent, store } = recorded([1, 0]);
    await store.commit('e1', 'a');
    const [name, script, ...values] = sent[0] ?? [];
    expect([name, ...values]).toEqual(['EVAL', '1', 'webhook:e1', 'claimed a', 'committed a', '259200000']);
    expect(script).toContain('if found and found ~= ARGV[1] and found ~= ARGV[2] then return 0 end');
    expect(script).toContain("redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])");
    await expect(store.commit('e1', 'a')).rejects.toThrow(new Error(claimLost));
  });

  it('releases with a script that deletes its own claim only', async () => {
    const { sent, store } = recorded([0]);
    await store.release('e1', 'a');
    const [name, script, ...values] = sent[0] ?? [];
    expect([name, ...values]).toEqual(['EVAL', '1', 'webhook:e1', 'claimed a']);
    expect(script).toContain(
      "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end",
    );
  });

  it('rounds times up to whole milliseconds', async () => {
    const { sent, store } = recorded(['OK'], { claimTtl: 0.0011 });
    expect(await store.claim('e1', 'a')).toBe('claimed');
    expect(sent[0]?.at(-1)).toBe('2');
  });

  it('reads replies that are numbers, large numbers or bytes', async () => {
    const { store } = recorded([1, 1n, Buffer.from('1'), '1']);
    for (let count = 0; count < 4; count += 1) await expect(store.commit('e1', 'a')).resolves.toBeUndefined();
  });

  it('fails with the error that stands in place of a reply, or says that there is none', async () => {
    const failure = new Error('LOADING');
    await expect(recorded([failure]).store.claim('e1', 'a')).rejects.toBe(failure);
    for (const reply of [undefined, {}, true]) {
      await expect(recorded([reply]).store.claim('e1', 'a')).rejects.toThrow(
        new Error('The command function of redisDedupe resolved with no reply.'),
      );
    }
  });
});
