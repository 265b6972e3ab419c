import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import postgres from 'postgres';
import {
  type DedupeStore,
  type DedupeTimes,
  postgresDedupe,
  redisDedupe,
} from '../../../src/webhooks/index.ts';

/** A store on a real server, and what the tests do to its server behind its back. */
export interface ConnectedStore {
  store(times?: DedupeTimes): DedupeStore;
  /** Ends the lease of an event, as the passing of time does. */
  lapse(eventId: string): Promise<unknown>;
  /** Seconds until the event's claim or memory ends. */
  remaining(eventId: string): Promise<number>;
  close(): Promise<unknown>;
}

export const clients = ['pg', 'postgres', 'ioredis', '@redis/client'] as const;

const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set: run npm run test:stores`);
  return value;
};

/** The two clients of each server that most applications use. */
export async function connect(client: (typeof clients)[number]): Promise<ConnectedStore> {
  if (client === 'pg') {
    const pool = new Pool({ host: required('PGHOST'), max: 8 });
    const run = (text: string, values: string[]) => pool.query(text, values);
    return inPostgres(run, () => pool.end());
  }
  if (client === 'postgres') {
    const sql = postgres({ host: required('PGHOST'), max: 8 });
    return inPostgres(
      async (text, values) => sql.unsafe(text, values),
      () => sql.end(),
    );
  }
  if (client === 'ioredis') {
    const redis = new Redis({ path: required('REDIS_SOCKET') });
    return inRedis(
      (name, ...values) => redis.call(name, ...values),
      () => redis.quit(),
    );
  }
  const redis = createClient({ socket: { path: required('REDIS_SOCKET'), tls: false } });
  await redis.connect();
  return inRedis(
    (...args) => redis.sendCommand(args),
    () => redis.close(),
  );
}

type Query = Parameters<typeof postgresDedupe>[0]['query'];
type Command = Parameters<typeof redisDedupe>[0]['command'];

const inPostgres = (query: Query, close: () => Promise<unknown>): ConnectedStore => ({
  store: (times) => postgresDedupe({ query, ...times }),
  lapse: (eventId) =>
    query(`update webhook_event set lapses_at = clock_timestamp() - interval '1 s' where id = $1`, [eventId]),
  async remaining(eventId) {
    const result = await query(
      'select extract(epoch from lapses_at - clock_timestamp())::float8 as left from webhook_event where id = $1',
      [eventId],
    );
    const rows: unknown = Array.isArray(result) ? result : Object(result).rows;
    return Number(Object(Object(rows)[0]).left);
  },
  close,
});

const inRedis = (command: Command, close: () => Promise<unknown>): ConnectedStore => ({
  store: (times) => redisDedupe({ command, ...times }),
  lapse: (eventId) => command('PEXPIRE', `webhook:${eventId}`, '-1'),
  remaining: async (eventId) => Number(await command('PTTL', `webhook:${eventId}`)) / 1000,
  close,
});
