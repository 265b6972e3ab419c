import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { sqliteDedupe } from '../../src/webhooks/index.ts';

describe('a database that binds other parameters', () => {
  /** `?1` is a name to better-sqlite3, and not a place. */
  const likeBetterSqlite3 = () => {
    const database = new DatabaseSync(':memory:');
    return {
      exec: (sql: string) => database.exec(sql),
      prepare: (sql: string) => ({
        all: (...values: string[]) => {
          if (/\?\d/.test(sql)) throw new RangeError('Too many parameter values were provided');
          return database.prepare(sql).all(...values);
        },
      }),
    };
  };

  it('is refused at the start, with the remedy', () => {
    expect(() => sqliteDedupe({ database: likeBetterSqlite3() })).toThrow(
      'new DatabaseSync(path) of node:sqlite',
    );
    expect(() => sqliteDedupe({ database: likeBetterSqlite3() })).toThrow('better-sqlite3');
  });

  it('is refused where it responds later, too', () => {
    const database = new DatabaseSync(':memory:');
    const later = {
      exec: (sql: string) => database.exec(sql),
      prepare: (sql: string) => ({
        all: async (...values: string[]) => database.prepare(sql).all(...values),
      }),
    };
    expect(() => sqliteDedupe({ database: later as never })).toThrow('new DatabaseSync(path) of node:sqlite');
    expect(() => sqliteDedupe({ database: 'events.db' as never })).toThrow('new DatabaseSync(path)');
  });
});

// Issue 61: "`sqliteDedupe` does not start while another connection writes, and blames a package: `busy_timeout` comes first."
describe('a database that another connection writes', () => {
  /** A file, a lock of another connection on it, and what a database of ours was asked, with the lock's end at a time. */
  function locked(lock: string, endsAt: string) {
    const path = join(mkdtempSync(join(tmpdir(), 'dedupe-')), 'events.db');
    const other = new DatabaseSync(path);
    other.exec('create table orders (id)');
    other.exec(lock);
    const database = new DatabaseSync(path);
    const asked: string[] = [];
    const ask = <Result>(sql: string, run: () => Result): Result => {
      asked.push(sql);
      // SQLite waits within a statement: the other connection is done as soon as ours has been told to wait.
      if (sql.startsWith(endsAt)) other.exec('rollback');
      return run();
    };
    return {
      asked,
      database: {
        exec: (sql: string) => ask(sql, () => database.exec(sql)),
        prepare: (sql: string) => ask(sql, () => database.prepare(sql)),
      },
    };
  }

  it.each(['begin exclusive', 'begin immediate'])('is told to wait before anything else: %s', (lock) => {
    const { asked, database } = locked(lock, 'select ?1');
    sqliteDedupe({ database });
    expect(asked.slice(0, 2)).toEqual(['pragma busy_timeout', 'pragma busy_timeout = 2000']);
  });

  it('that stays locked fails with its own error, and no package is blamed', () => {
    const { database } = locked('begin exclusive', 'never');
    database.exec('pragma busy_timeout = 50');
    expect(() => sqliteDedupe({ database })).toThrow('database is locked');
  });

  it('that is no database fails with its own error, too', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'dedupe-')), 'events.db');
    writeFileSync(path, 'not a database, and long enough to be read as one'.repeat(40));
    expect(() => sqliteDedupe({ database: new DatabaseSync(path) })).toThrow('file is not a database');
  });
});
