import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EmulatorCore } from '../create-emulator.ts';
import type { ChangeRow, ChangeTracker } from './changes.ts';
import { SNAPSHOT_VERSION } from './snapshot.ts';

/** Marks a database as a state of the emulator: the letters `emul`. */
const APPLICATION = 0x656d756c;

/**
 * Keeps an emulator's state in a file, in SQLite. A change is on the disk before it is acknowledged; those of one turn of
 * the event loop share a transaction. The lock of SQLite refuses a second emulator, and ends with the process.
 */
export class StateStore {
  /** The state in the file when it was opened. Empty for a new file. */
  readonly earlier: readonly ChangeRow[];
  readonly #path: string;
  readonly #inode: number;
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #delete: StatementSync;
  #changes: ChangeTracker | undefined;
  #next: Promise<void> | undefined;
  #isFailing = false;

  /** Opens a state file. Throws if another emulator uses it, or if it is none of this version. */
  constructor(file: string) {
    const sqlite = loadSqlite();
    try {
      refuseOthers(file);
      this.#path = realpathSync(file);
      this.#inode = statSync(this.#path).ino;
      this.#database = new sqlite.DatabaseSync(this.#path);
    } catch (error) {
      throw unusable(file, error);
    }
    try {
      const [application, version] = ['application_id', 'user_version'].map(
        (name) => this.#database.prepare(`pragma ${name}`).get()?.[name],
      );
      const isNew = application === 0 && this.#database.prepare('pragma page_count').get()?.page_count === 0;
      if (!isNew && application !== APPLICATION) throw new Error('it is not a state file of the emulator');
      if (!isNew && version !== SNAPSHOT_VERSION)
        throw new Error('it was written by another version of the emulator; delete it, or use that version');
      this.#database.exec(`pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full;
        begin exclusive; pragma application_id = ${APPLICATION}; pragma user_version = ${SNAPSHOT_VERSION};
        create table if not exists state (kind text, key text, value text, unique (kind, key)); commit`);
      this.#put = this.#database.prepare(
        'insert into state values (?, ?, ?) on conflict do update set value = excluded.value',
      );
      this.#delete = this.#database.prepare('delete from state where kind = ? and key = ?');
      this.earlier = this.#database
        .prepare('select kind, key, value from state order by rowid')
        .all()
        .map(({ kind, key, value }): ChangeRow => [String(kind), String(key), JSON.parse(String(value))]);
    } catch (error) {
      this.#database.close();
      throw unusable(file, error);
    }
  }

  /** Stores the state of an emulator from now on. */
  keep(core: EmulatorCore): Promise<void> {
    this.#changes = core.keep(() => this.stored());
    return this.stored();
  }

  /** Resolves once everything that has happened so far is on the disk. */
  stored(): Promise<void> {
    this.#next ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      this.#next = undefined;
      this.#write();
    });
    return this.#next;
  }

  /** Stores what has changed since the last write, and gives the file back. */
  async close(): Promise<void> {
    try {
      await this.stored();
    } finally {
      this.#changes = undefined;
      this.#database.close();
    }
  }

  #write(): void {
    const changes = this.#changes;
    if (changes === undefined) return;
    const news = changes.replaced ? changes.all() : changes.take();
    if (news.length === 0) return;
    try {
      this.#database.exec('begin');
      if (changes.replaced) this.#database.exec('delete from state');
      for (const [table, key, value] of news) {
        if (value === null) this.#delete.run(table, key);
        else this.#put.run(table, key, JSON.stringify(value));
      }
      this.#database.exec('commit');
      if (statSync(this.#path, { throwIfNoEntry: false })?.ino !== this.#inode)
        throw new Error('it was replaced or deleted by another process');
      changes.replaced = false;
      this.#isFailing = false;
    } catch (error) {
      // What was taken is not stored: the next write has to write everything.
      changes.replaced = true;
      this.#recover();
      this.#warn(error);
      throw error;
    }
  }

  /** Ends the transaction that failed, and the log that takes room on a disk that is full. */
  #recover(): void {
    for (const sql of ['rollback', 'pragma wal_checkpoint(truncate)']) {
      try {
        this.#database.exec(sql);
      } catch {
        // There may be no transaction, and no room for the checkpoint either.
      }
    }
  }

  /** Says once that writing fails, since nobody may be asking for the responses that say so. */
  #warn(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    process.emitWarning(
      `The emulator could not store its state in ${this.#path}, and acknowledges nothing until it can: ${reasonOfStore(error)}`,
    );
  }
}

/** Node's SQLite, loaded when a state file is used. Node would warn on the terminal that it may still change. */
function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const sqlite = process.getBuiltinModule?.('node:sqlite');
    if (sqlite !== undefined) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new Error(
    `A state file needs Node 22.13 or newer, which has SQLite. This is Node ${process.versions.node}: update it, or leave \`--state\` out.`,
  );
}

/** Creates the file, private to its owner, or refuses one that is no database. Nothing in such a file is changed. */
function refuseOthers(file: string): void {
  const handle = openSync(file, 'a+', 0o600);
  const start = new Uint8Array(16);
  const length = readSync(handle, start, 0, 16, 0);
  closeSync(handle);
  const text = new TextDecoder().decode(start.subarray(0, length));
  if (text === '' || text === 'SQLite format 3\0') return;
  throw new Error(
    text.startsWith('{')
      ? 'it was written by an earlier version of the emulator, and stays as it is; choose another file, or delete it to start anew'
      : 'it is not a state file of the emulator, and stays as it is; choose another file',
  );
}

function unusable(file: string, error: unknown): Error {
  const reason =
    error instanceof Error && 'errcode' in error && error.errcode === 5
      ? 'another emulator uses it; stop that one, or choose another file'
      : reasonOfStore(error);
  return new Error(`The state file ${file} cannot be used: ${reason}`, { cause: error });
}

const reasonOfStore = (error: unknown): string => (error instanceof Error ? error.message : String(error));
