import { randomBytes } from 'node:crypto';
import { openPostgres } from './postgres.ts';

/** Runs work on a database that is made for it on the server, and dropped afterwards: nothing of yours is touched. */
export async function withScratchDatabase<T>(
  serverUrl: string,
  work: (connectionString: string) => Promise<T>,
): Promise<T> {
  const name = `payout_fleet_${randomBytes(6).toString('hex')}`;
  const server = openPostgres(serverUrl, 1);
  await server.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  try {
    return await work(url.href);
  } finally {
    await server.query(`drop database ${name} with (force)`);
    await server.close();
  }
}
