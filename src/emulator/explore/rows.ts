import { sortedJson } from '../../shared/sorted-json.ts';
import { isDroppedPromise } from '../../shared/values.ts';
import type { World } from './options.ts';

/** The rows of a program: what survives its crashes. */
export class Rows {
  readonly #rows = new Map<string, unknown>();

  get(key: string): unknown {
    return structuredClone(this.#rows.get(key));
  }

  set(key: string, row: unknown): void {
    if (row === undefined) this.#rows.delete(key);
    else this.#rows.set(key, structuredClone(row));
  }

  update(key: string, change: (row: unknown) => unknown): unknown {
    const row = change(this.get(key));
    if (isDroppedPromise(row)) throw new TypeError('`change` must return the row, and not a promise of it');
    this.set(key, row);
    return this.get(key);
  }

  /** One text for the same rows. */
  text(): string {
    return sortedJson([...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map((row) => row.map(plain)));
  }
}

/** A value as JSON, of which dates, maps and big integers stay different values. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Map || value instanceof Set) return [...value].map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
};

/** A row in a story. */
export function rowText(row: unknown): string {
  const text = row === undefined ? 'nothing' : sortedJson(plain(row));
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

const MOST_SHOWN = 200;

type Store = World['store'];

/** The store of a process. `read` and `write` run an access to the rows when its time has come. */
export function storeOf(
  rows: Rows,
  read: <T>(key: string, access: () => T) => Promise<T>,
  write: <T>(key: string, access: () => T) => Promise<T>,
): Store {
  return {
    // The caller names the type of its own rows, as with a database's client.
    get: <Row>(key: string) => read(key, () => rows.get(key) as Row | undefined),
    // The row is stored as it was when it was given.
    set: async (key, row) => {
      const copy: unknown = structuredClone(row);
      return write(key, () => rows.set(key, copy));
    },
    update: <Row>(key: string, change: (row: Row | undefined) => Row) =>
      write(key, () => rows.update(key, (row) => change(row as Row | undefined)) as Row),
  };
}
