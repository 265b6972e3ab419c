import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openPostgres } from '../../examples/payout-fleet/src/database.ts';
import { required, untilUp } from '../../examples/payout-fleet/src/settings.ts';

/** Runs work on a database that is made for it on the server, and dropped afterwards: nothing of yours is touched. */
export async function withScratchDatabase<T>(work: (connectionString: string) => Promise<T>): Promise<T> {
  const serverUrl = required('DATABASE_URL');
  const name = `payout_fleet_${randomBytes(6).toString('hex')}`;
  const server = openPostgres(serverUrl, 1);
  await server.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  try {
    return await work(url.href);
  } finally {
    await untilUp(() => server.query(`drop database if exists ${name} with (force)`));
    await server.close();
  }
}

const run = promisify(execFile);

/** The process of the server that `with-postgres.sh` started; undefined for a server of yours. */
export function serverProcess(): number | undefined {
  const folder = process.env.PAYOUTS_PG_DATA ?? '';
  if (folder === '') return undefined;
  return Number(readFileSync(`${folder}/postmaster.pid`, 'utf8').split('\n', 1)[0]);
}

/** Kills PostgreSQL with SIGKILL, as a machine that loses its power does, and starts it again after a while. */
export async function killServer(milliseconds = 300): Promise<void> {
  const pid = serverProcess();
  if (pid === undefined)
    throw new Error('Only the server of with-postgres.sh can be killed: leave DATABASE_URL unset.');
  process.kill(pid, 'SIGKILL');
  const [command = '', ...args] = required('PAYOUTS_PG_START')
    .split(' ')
    .filter((word) => word !== '');
  for (let tries = 0; ; tries += 1) {
    await wait(tries === 0 ? milliseconds : 300);
    try {
      await run(command, args, { cwd: '/' });
      return;
    } catch (error) {
      // Its children take a moment to notice.
      if (tries > 100) throw error;
    }
  }
}
