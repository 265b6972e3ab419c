import { memoryDedupe, postgresDedupe, postgresDedupeTable, redisDedupe } from 'stablecoin-payments/webhooks';
import { describe, expect, it } from 'vitest';
import { refusalOf } from './support.ts';

const claimLost =
  'The claim of the event ended before its handler did, because another delivery has claimed the event. The event may ' +
  'be handled twice. Stop when context.signal fires, and raise claimTtl if your store or event loop is slow.';

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
    await expect(store.commit('e1', 'slow')).rejects.toThrow(claimLost);
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
    const { store } = clocked({ maxEntries: 3 });
    for (const id of ['e1', 'e2', 'e3']) await store.commit(id, 'a');
    await store.commit('e1', 'a');
    await store.commit('e4', 'a');
    expect(await store.claim('e3', 'b')).toBe('committed');
    expect(await store.claim('e1', 'b')).toBe('committed');
    expect(await store.claim('e4', 'b')).toBe('committed');
    expect(await store.claim('e2', 'b')).toBe('claimed');
  });

  it('forgets a claim that has ended, and says so where none has', async () => {
    const { clock, store } = clocked({ maxEntries: 1, claimTtl: 10 });
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
    [() => memoryDedupe({ ttl: Number.POSITIVE_INFINITY }), 'ttl must be a positive number.'],
    [() => memoryDedupe({ claimTtl: -1 }), 'claimTtl must be a positive number.'],
    [() => memoryDedupe({ maxEntries: Number.NaN }), 'maxEntries must be a positive number.'],
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
    [() => postgresDedupeTable('x (); drop table y'), table],
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
    expect(sent[1]).toEqual(['select handled::int from app.seen where id = $1', ['e1']]);
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
    await expect(store.commit('e1', 'a')).rejects.toThrow(claimLost);
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

  it('writes its table as one statement', () => {
    expect(postgresDedupeTable('app.seen')).toBe(
      'create table if not exists app.seen (\n' +
        '  id text primary key,\n' +
        '  owner text not null,\n' +
        '  handled boolean not null default false,\n' +
        '  lapses_at timestamptz not null\n' +
        ')',
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

  it('claims for 300 seconds, under webhook:, with a script that leaves the claim of another owner alone', async () => {
    const { sent, store } = recorded(['claimed b']);
    expect(await store.claim('e1', 'a')).toBe('in-progress');
    const [[name, script, ...values] = []] = sent;
    expect([name, ...values]).toEqual(['EVAL', '1', 'webhook:e1', 'claimed a', '300000']);
    expect(script).toContain('if found and found ~= ARGV[1] then return found end');
    expect(script).toContain("redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])");
  });

  it('commits for three days with a script that leaves the value of another owner alone', async () => {
    const { sent, store } = recorded([1, 0]);
    await store.commit('e1', 'a');
    const [name, script, ...values] = sent[0] ?? [];
    expect([name, ...values]).toEqual(['EVAL', '1', 'webhook:e1', 'claimed a', 'committed a', '259200000']);
    expect(script).toContain('if found and found ~= ARGV[1] and found ~= ARGV[2] then return 0 end');
    expect(script).toContain("redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])");
    await expect(store.commit('e1', 'a')).rejects.toThrow(claimLost);
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
