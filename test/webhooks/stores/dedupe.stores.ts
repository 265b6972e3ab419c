import { createServer, type Socket } from 'node:net';
import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createWebhookReceiver,
  type DedupeStore,
  type PrunableDedupeStore,
  postgresDedupe,
  postgresDedupeTable,
  redisDedupe,
  signWebhook,
  standardWebhooks,
} from '../../../src/webhooks/index.ts';
import { type ConnectedStore, clients, connect } from './connect.ts';

const pool = new Pool({ max: 2 });
const event = (): string => `TEST:${crypto.randomUUID()}`;

beforeAll(async () => {
  await pool.query(postgresDedupeTable());
  // Migrations run more than once.
  await pool.query(postgresDedupeTable());
});
afterAll(() => pool.end());

describe.each(clients)('a store on a real server, with %s', (client) => {
  let server: ConnectedStore;
  beforeAll(async () => {
    server = await connect(client);
  });
  afterAll(() => server.close());

  it('lets one delivery claim an event, and the next only after a release', async () => {
    const [store, id] = [server.store(), event()];
    expect(await store.claim(id, 'a')).toBe('claimed');
    expect(await store.claim(id, 'b')).toBe('in-progress');
    expect(await store.claim(event(), 'b')).toBe('claimed');
    await store.release(id, 'b');
    expect(await store.claim(id, 'b')).toBe('in-progress');
    await store.release(id, 'a');
    expect(await store.claim(id, 'b')).toBe('claimed');
  });

  it('remembers what was committed, also against a late release', async () => {
    const [store, id] = [server.store(), event()];
    await store.claim(id, 'a');
    await store.commit(id, 'a');
    await store.commit(id, 'a');
    await store.release(id, 'a');
    expect(await store.claim(id, 'b')).toBe('committed');
  });

  it('renews the claim of its own delivery, and of no other', async () => {
    const id = event();
    await server.store({ claimTtl: 10_000 }).claim(id, 'a');
    const store = server.store({ claimTtl: 1_000_000 });
    expect(await store.claim(id, 'b')).toBe('in-progress');
    expect(await server.remaining(id)).toBeLessThanOrEqual(10);
    expect(await store.claim(id, 'a')).toBe('claimed');
    expect(await server.remaining(id)).toBeGreaterThan(990);
    await store.commit(id, 'a');
    expect(await store.claim(id, 'a')).toBe('committed');
  });

  it('lets one of 50 simultaneous claims win', async () => {
    const [store, id] = [server.store(), event()];
    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, index) => store.claim(id, `owner ${index}`)),
    );
    expect(claims.filter((claim) => claim === 'claimed')).toHaveLength(1);
    expect(claims.filter((claim) => claim === 'in-progress')).toHaveLength(49);
  });

  it('leases a claim for claimTtl and remembers an event for ttl', async () => {
    const [store, id] = [server.store({ ttl: 3_600_000, claimTtl: 100_000 }), event()];
    await store.claim(id, 'a');
    const lease = await server.remaining(id);
    expect(lease).toBeGreaterThan(90);
    expect(lease).toBeLessThanOrEqual(100);
    await store.commit(id, 'a');
    const memory = await server.remaining(id);
    expect(memory).toBeGreaterThan(3590);
    expect(memory).toBeLessThanOrEqual(3600);
  });

  it('gives the event of a process that died to the next delivery when the lease has ended', async () => {
    const [store, id] = [server.store(), event()];
    await store.claim(id, 'died');
    await server.lapse(id);
    expect(await store.claim(id, 'b')).toBe('claimed');
    expect(await store.claim(id, 'c')).toBe('in-progress');
  });

  it('does not let a handler that outlived its lease commit or release the claim of another', async () => {
    const [store, id] = [server.store(), event()];
    await store.claim(id, 'slow');
    await server.lapse(id);
    await store.claim(id, 'b');
    await expect(store.commit(id, 'slow')).rejects.toThrow(/claimTtl/);
    await store.release(id, 'slow');
    expect(await store.claim(id, 'c')).toBe('in-progress');
    await store.commit(id, 'b');
    expect(await store.claim(id, 'c')).toBe('committed');
    await expect(store.commit(id, 'slow')).rejects.toThrow(/claimTtl/);
  });

  it('commits what outlived its lease where nobody else has claimed it', async () => {
    const [store, id] = [server.store(), event()];
    await store.claim(id, 'slow');
    await server.lapse(id);
    await store.commit(id, 'slow');
    expect(await store.claim(id, 'b')).toBe('committed');
  });

  it('forgets a handled event when ttl is over', async () => {
    const [store, id] = [server.store(), event()];
    await store.claim(id, 'a');
    await store.commit(id, 'a');
    await server.lapse(id);
    expect(await store.claim(id, 'b')).toBe('claimed');
    expect(await store.claim(id, 'c')).toBe('in-progress');
  });

  it('keeps ids with quotes, spaces and other alphabets apart', async () => {
    const store = server.store();
    const ids = [
      `it's ${event()}`,
      `a b ${event()}`,
      `東京 ${event()}`,
      `${event()}; drop table webhook_event`,
    ];
    for (const id of ids) expect(await store.claim(id, 'a')).toBe('claimed');
    for (const id of ids) expect(await store.claim(id, 'b')).toBe('in-progress');
  });
});

describe('a store whose server is gone', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  it.each([
    ['Postgres', () => postgresDedupe({ query: (text, values) => gone.query(text, values) })],
    ['Redis', () => redisDedupe({ command: () => Promise.reject(new Error('connect ECONNREFUSED')) })],
  ])('makes the receiver respond with 503 and handle nothing: %s', async (_name, make) => {
    const handled: unknown[] = [];
    const handle = createWebhookReceiver({
      verifier: standardWebhooks({ secret }),
      dedupe: make(),
      onError: () => {},
    }).handler({ otherwise: (received) => handled.push(received) });
    const { body, headers } = await signWebhook(
      { eventType: 'A.B', data: {} },
      { standardWebhooks: { secret } },
    );
    const response = await handle(new Request('http://receiver.test/', { method: 'POST', body, headers }));
    expect(response.status).toBe(503);
    expect(handled).toEqual([]);
  });

  const gone = new Pool({ host: '/nowhere', database: 'none', connectionTimeoutMillis: 1000 });
  afterAll(() => gone.end());
});

describe('a store whose server accepts connections and never answers', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => {})));
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = Object(server.address()).port;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const drivers: Record<(typeof clients)[number], () => { store: DedupeStore; end: () => unknown }> = {
    pg() {
      const hole = new Pool({ host: '127.0.0.1', port });
      hole.on('error', () => {});
      return { store: postgresDedupe({ query: (text, values) => hole.query(text, values) }), end: () => {} };
    },
    postgres() {
      const sql = postgres({ host: '127.0.0.1', port, ssl: false });
      return {
        store: postgresDedupe({ query: async (text, values) => sql.unsafe(text, values) }),
        end: () => sql.end({ timeout: 0 }),
      };
    },
    ioredis() {
      const redis = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: null });
      redis.on('error', () => {});
      return {
        store: redisDedupe({ command: (name, ...values) => redis.call(name, ...values) }),
        end: () => redis.disconnect(),
      };
    },
    '@redis/client'() {
      const redis = createClient({ socket: { host: '127.0.0.1', port } });
      redis.on('error', () => {});
      redis.connect().catch(() => {});
      return {
        store: redisDedupe({ command: (...args) => redis.sendCommand(args) }),
        end: () => redis.destroy(),
      };
    },
  };

  it.each(clients)('makes the receiver respond with 503 within storeTimeout: %s', async (client) => {
    const { store, end } = drivers[client]();
    const handled: unknown[] = [];
    const reported: unknown[] = [];
    const handle = createWebhookReceiver({
      verifier: standardWebhooks({ secret }),
      dedupe: store,
      storeTimeout: 300,
      onError: (error) => reported.push(error),
    }).handler({ otherwise: (received) => handled.push(received) });
    const { body, headers } = await signWebhook(
      { eventType: 'A.B', data: {} },
      { standardWebhooks: { secret } },
    );
    const response = await handle(new Request('http://receiver.test/', { method: 'POST', body, headers }));
    expect(response.status).toBe(503);
    expect(handled).toEqual([]);
    expect(reported).toEqual([expect.objectContaining({ code: 'webhook_store_unavailable' })]);
    await end();
  });
});

describe('postgresDedupe', () => {
  it('prunes what is forgotten and nothing else, in a table of another name', async () => {
    await pool.query('create schema if not exists app');
    await pool.query(postgresDedupeTable('app.seen_event'));
    const store: PrunableDedupeStore = postgresDedupe({
      query: (text, values) => pool.query(text, values),
      table: 'app.seen_event',
    });
    for (const id of ['old', 'handled', 'claimed']) await store.claim(id, 'a');
    await store.commit('old', 'a');
    await store.commit('handled', 'a');
    await pool.query(`update app.seen_event set lapses_at = now() - interval '1 s' where id = 'old'`);
    expect(await store.prune()).toBe(1);
    expect(await store.claim('handled', 'b')).toBe('committed');
    expect(await store.claim('claimed', 'b')).toBe('in-progress');
    expect(await store.prune()).toBe(0);
  });
});
