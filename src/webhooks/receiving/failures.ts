import { causesOf, nameOf, peek } from '../../errors/foreign-values.ts';

/**
 * The reason of a failure that is safe to log: the first code among an error and its causes (`42P01`, `ECONNREFUSED`),
 * else the name of the error. Never its message, which may quote an event or a secret.
 */
export function reasonOf(thrown: unknown): string {
  const codes = causesOf(thrown, 5).map(driverCode);
  return codes.find((code) => code !== undefined) ?? nameOf(thrown) ?? typeof thrown;
}

/** SQLSTATE, errno and the codes of other drivers. A code in lower case or with many digits may be anything. */
function driverCode(error: unknown): string | undefined {
  const code = peek(error, 'code');
  if (typeof code !== 'string' || !/^(?:[0-9A-Z]{5}|[A-Z][A-Z0-9_]{2,39})$/.test(code) || /\d{6}/.test(code))
    return undefined;
  // node:sqlite has one code for every failure, and SQLite's own number beside it.
  const errcode = peek(error, 'errcode');
  return typeof errcode === 'number' ? `${code} ${errcode}` : code;
}

/** The id of an event for a line of a log: an id may be any text. */
export const shownId = (id: string): string =>
  /^[\w.:@/-]{1,100}$/.test(id) ? id : JSON.stringify(id.slice(0, 100));
