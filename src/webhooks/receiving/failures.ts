import { causesOf, nameOf, peek } from '../../shared/errors/foreign-values.ts';
import {
  maskText,
  oneLine,
  redacted,
  type Secret,
  secretsIn,
  withoutSecrets,
} from '../../shared/mask-text.ts';
import { isOpenValue } from '../../shared/open-fields.ts';
import { isRecord } from '../../shared/values.ts';

/**
 * The reason of a failure that is safe to log: the first code among an error and its causes (`42P01`, `ECONNREFUSED`),
 * else the name of the error. Never its message, which may quote an event or a secret.
 */
export function failureReasonOf(thrown: unknown): string {
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

/**
 * What a handler threw, for a line of a log: the messages of the error and its causes, and the first place of its stack
 * outside of this package. Values of the event, and what looks like a secret, are masked. Empty where nothing is left.
 */
export function wordsOfError(thrown: unknown, event: unknown): string {
  const secrets = secretsIn(textsIn(event));
  const causes = isObject(thrown) ? causesOf(thrown, 3) : [thrown];
  const words = causes
    .map((cause) => messageOf(cause, secrets))
    .filter((message) => message !== undefined)
    .join('; caused by ');
  const place = placeOf(thrown, secrets);
  return [words, ...(place === undefined ? [] : [place])].filter((part) => part !== '').join(' ');
}

function messageOf(thrown: unknown, secrets: readonly Secret[]): string | undefined {
  const message = isObject(thrown) ? peek(thrown, 'message') : String(thrown);
  const isRead = typeof message === 'string' && message.length <= maxLength;
  const masked = isRead ? maskText(withoutAddresses(message), () => secrets) : undefined;
  if (!isObject(thrown)) return masked;
  const name = nameOf(thrown) ?? 'Error';
  return masked === undefined ? name : `${name}: ${masked}`;
}

/** The maximum length of a message that is searched for addresses, in characters. */
const maxLength = 10_000;

/** The code of a handler may call any address, and its path may be a secret. */
const withoutAddresses = (message: string): string =>
  message.replace(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, redacted);

const isObject = (thrown: unknown): boolean => typeof thrown === 'object' && thrown !== null;

/** The first line of a stack that is no part of this package or of the runtime, such as `at pay (/app/pay.ts:5:3)`. */
function placeOf(thrown: unknown, secrets: readonly Secret[]): string | undefined {
  const stack = peek(thrown, 'stack');
  const message = peek(thrown, 'message');
  if (typeof stack !== 'string') return undefined;
  // A message may have lines that look like those of a stack.
  const start =
    typeof message === 'string' && stack.includes(message) ? stack.indexOf(message) + message.length : 0;
  const line = stack
    .slice(start)
    .split('\n')
    .map((text) => text.trim())
    .find((text) => text.length <= 500 && /^(?:at |.*@).*:\d+:\d+\)?$/.test(text) && !isOwnOrRuntime(text));
  return line === undefined ? undefined : withoutSecrets(oneLine(line), secrets);
}

const isOwnOrRuntime = (line: string): boolean =>
  /node:|<anonymous>|[\\/]stablecoin-payments[\\/](?:dist|src)[\\/]/.test(line);

/**
 * Every text and number of an event but words of closed lists and ids of the service. Without recursion, as an event may
 * nest deeper than the stack.
 */
function textsIn(event: unknown): string[] {
  const texts: string[] = [];
  const waiting: [field: string, value: unknown][] = [['', event]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [field, value] = next;
    if (typeof value === 'string' || typeof value === 'number') {
      if (!isOpenValue(field, String(value))) texts.push(String(value));
    } else if (Array.isArray(value)) for (const item of value) waiting.push([field, item]);
    else if (isRecord(value)) for (const entry of Object.entries(value)) waiting.push(entry);
  }
  return texts;
}

/** The id of an event for a line of a log: an id may be any text. */
export const shownId = (id: string): string =>
  /^[\w.:@/-]{1,100}$/.test(id) ? id : JSON.stringify(id.slice(0, 100));
