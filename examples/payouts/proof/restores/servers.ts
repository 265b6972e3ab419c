import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);
const binaries = process.env.PAYOUTS_PG_BINARIES ?? '';

/** Runs a program as the user of the servers: PostgreSQL refuses to run as root. */
export async function asServer(program: string, args: readonly string[], cwd: string): Promise<string> {
  const [name, words]: [string, string[]] =
    process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, [...args]];
  const { stdout } = await run(name, words, { cwd });
  return stdout;
}

/**
 * On a socket, and with an archive of its log beside its data. Segments of a megabyte: the log is switched often. The machine
 * does not crash, so nothing is synced.
 */
const CONFIGURATION = `
listen_addresses = ''
fsync = off
shared_buffers = 16MB
max_connections = 80
wal_level = replica
wal_keep_size = 64MB
archive_mode = on
archive_command = 'cp %p ../archive/%f'
`;

/** A PostgreSQL server: the folder of its data. */
export class Server {
  readonly data: string;
  readonly #folder: string;
  readonly #socket: string;

  /**
   * @param folder - Where its archive is.
   * @param name - The name of its data in that folder.
   */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.data = join(folder, name);
    this.#socket = `${this.data}.socket`;
  }

  /** The address of its database of payouts. */
  get connectionString(): string {
    return this.#addressOf('payouts');
  }

  async make(): Promise<void> {
    await asServer('mkdir', ['-p', join(this.#folder, 'archive')], '/');
    const user = ['-U', 'payouts', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
    await this.#execute('initdb', ['-D', this.data, ...user, '--no-sync', '--wal-segsize=1']);
    appendFileSync(join(this.data, 'postgresql.conf'), CONFIGURATION);
  }

  /** Makes its database, and drops all others: each run copies the server twice. */
  async makeDatabase(): Promise<void> {
    await this.query('create database payouts', [], 'postgres');
    await this.query('drop database postgres');
    for (const name of ['template0', 'template1']) {
      await this.query(`alter database ${name} is_template false`);
      await this.query(`drop database ${name}`);
    }
  }

  /** Copies a server that does not run into another folder. */
  async copyTo(folder: string, name: string): Promise<Server> {
    await asServer('mkdir', ['-p', join(folder, 'archive')], '/');
    await asServer('cp', ['-a', this.data, join(folder, name)], '/');
    return new Server(folder, name);
  }

  async start(): Promise<void> {
    const log = `${this.data}.log`;
    await asServer('mkdir', ['-p', this.#socket], '/');
    const options = ['-w', '-t', '60', '-l', log, '-o', `-k ${this.#socket}`];
    await this.#execute('pg_ctl', ['-D', this.data, ...options, 'start']).catch(() => {
      throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8').slice(-1500)}`);
    });
  }

  /** `immediate` is a crash. */
  async stop(how: 'fast' | 'immediate'): Promise<void> {
    await this.#execute('pg_ctl', ['-D', this.data, '-w', '-m', how, 'stop']).catch(() => {});
  }

  /** Makes a base backup: the data of another server. */
  async backUp(name: string): Promise<Server> {
    const from = [
      '-h',
      this.#socket,
      '-U',
      'payouts',
      '--no-sync',
      '--no-manifest',
      '--checkpoint=fast',
      '-X',
      'stream',
    ];
    const copy = new Server(this.#folder, name);
    await this.#execute('pg_basebackup', [...from, '-D', copy.data]);
    return copy;
  }

  /** Follows another server, as an asynchronous standby. */
  async follow(primary: Server): Promise<void> {
    await this.#signal('standby.signal', `primary_conninfo = 'host=${primary.#socket} user=payouts'`);
    await this.start();
  }

  /** Cuts the standby off: what the primary writes from now on is lost with it. */
  async cutOff(): Promise<void> {
    await this.query(`alter system set primary_conninfo = ''`);
    await this.query('select pg_reload_conf()');
    await until(async () => (await this.query('select 1 from pg_stat_wal_receiver')).length === 0);
  }

  async promote(): Promise<void> {
    await this.#execute('pg_ctl', ['-D', this.data, '-w', 'promote']);
  }

  /** Starts a base backup, and recovers from the archive up to a point in time or a transaction. */
  async recover(target: string): Promise<void> {
    await this.#signal(
      'recovery.signal',
      `restore_command = 'cp ../archive/%f %p'\n${target}\nrecovery_target_action = 'promote'`,
    );
    await this.start();
    await until(async () => {
      const [row] = await this.query<{ is: boolean }>('select pg_is_in_recovery() as is');
      return row?.is === false;
    });
  }

  /** Waits until all that was written is in the archive. */
  async archive(): Promise<void> {
    const [row] = await this.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name');
    const name = row?.name ?? '';
    await until(async () => {
      const rows = await this.query<{ name: string | null }>(
        'select last_archived_wal as name from pg_stat_archiver',
      );
      return (rows[0]?.name ?? '') >= name;
    });
  }

  async query<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
    database = 'payouts',
  ): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.#addressOf(database) });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  #addressOf = (database: string): string =>
    `postgresql://payouts@localhost/${database}?host=${this.#socket}`;

  async #signal(name: string, settings: string): Promise<void> {
    await asServer('touch', [join(this.data, name)], '/');
    appendFileSync(join(this.data, 'postgresql.conf'), `\n${settings}\n`);
  }

  #execute(program: string, args: readonly string[]): Promise<string> {
    return asServer(join(binaries, program), args, this.#folder);
  }
}

/** Waits until something is so. */
export async function until(isSo: () => Promise<boolean> | boolean, seconds = 60): Promise<void> {
  for (let turn = 0; turn < seconds * 50; turn += 1) {
    if (await isSo()) return;
    await wait(20);
  }
  throw new Error(`Not so after ${seconds} seconds: ${isSo}`);
}
