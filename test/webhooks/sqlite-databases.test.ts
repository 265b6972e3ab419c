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
