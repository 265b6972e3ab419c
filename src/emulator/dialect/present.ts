import { isObject } from '../reading/json.ts';
import type { Dialect } from './dialect.ts';

/** A value as a dialect writes it: its times and its chains. Everything else is as it was. */
export function present(dialect: Dialect, value: unknown): unknown {
  if (dialect.timeFormat === 'Z' && dialect.chainNames === 'as-sent') return value;
  return rewrite(dialect, value, '');
}

function rewrite(dialect: Dialect, value: unknown, key: string): unknown {
  if (typeof value === 'string') return textOf(dialect, value, key);
  if (Array.isArray(value)) return value.map((item) => rewrite(dialect, item, key));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, rewrite(dialect, inner, name)]),
  );
}

/** The fields that hold a time of the emulator; a caller's own text that looks like one is left alone. */
const TIMES = new Set(['createdAt', 'updatedAt', 'expiresAt', 'depositBy', 'timestamp', 'nextCursor']);
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z$/;

function textOf(dialect: Dialect, value: string, key: string): string {
  if (key === 'chain' && dialect.chainNames === 'mainnet')
    return /_/.test(value) ? value : `${value}_MAINNET`;
  if (dialect.timeFormat === 'Z' || !TIMES.has(key)) return value;
  const zeros = dialect.timeFormat === 'offset-micros' ? '000' : '';
  return value.replace(INSTANT, `$1${zeros}+00:00`);
}
