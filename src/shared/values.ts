/** Names the kind of a value, for messages that must not show the value itself. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return 'NaN';
    return Number.isFinite(value) ? 'a number' : 'infinite';
  }
  const type = typeof value;
  if (type === 'object') return 'an object';
  if (type === 'bigint') return 'a BigInt';
  return `a ${type}`;
}

/**
 * Returns true for a promise, where a function of the caller's must return at once. Nobody awaits it: its rejection would end
 * the process.
 */
export function isDroppedPromise(value: unknown): boolean {
  if (!isRecord(value) || typeof value.then !== 'function') return false;
  Promise.resolve(value).catch(() => undefined);
  return true;
}

/** Returns true for the text of a missing value, or of one that is not a string: different payments would share such a key. */
export const isTextOfNothing = (text: string): boolean =>
  /^\s*(?:undefined|null|NaN|\[object \w+\])\s*$/.test(text);

/** Returns true for a number that JSON.parse reads exactly: beyond 2^53, it reads several numbers as one. */
export const isExact = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** Returns true for an object with named fields, neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true for an object with named fields that has another prototype than `{}`: an instance of a class. */
export function isInstance(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && prototype !== Object.prototype;
}

/** Returns true for an object such as `{ page: 2 }`, which is of no class. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && !isInstance(value);

/** Returns true if arrays and objects of parsed JSON nest deeper than a limit. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, limit - 1));
  for (const name in value) if (isDeeperThan(value[name as keyof typeof value], limit - 1)) return true;
  return false;
}

/** Returns the value at a path of own properties, such as `receipt.approval.id`, or undefined where one is missing. */
export function valueAt(value: unknown, path: string): unknown {
  // Most paths are a name: a million records are read by dozens of them.
  if (!path.includes('.')) return ownValue(value, path);
  let inner = value;
  for (const name of path.split('.')) inner = ownValue(inner, name);
  return inner;
}

const ownValue = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A decimal number without the zeros that say nothing; undefined for anything else. No amount has more digits. */
export const plainDecimal = (text: unknown): string | undefined =>
  typeof text === 'string' && /^(?=\.?\d)\d{0,40}(?:\.\d{0,40})?$/.test(text)
    ? `0${text}`
        .replace(/^0+(?=\d)/, '')
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '')
    : undefined;

/** Returns the value of a JSON text, or undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The prototypes of an object, the nearest first, without `Object.prototype`: nothing of it counts. */
export function prototypesOf(value: object): readonly object[] {
  const outer: unknown = Object.getPrototypeOf(value);
  const isEnd = typeof outer !== 'object' || outer === null || outer === Object.prototype;
  return isEnd ? [] : [outer, ...prototypesOf(outer)];
}

/**
 * Returns true for a name that an object has through a prototype alone: a getter or a method of a class, or what
 * `Object.create` was given. No getter is called.
 */
export const isInherited = (value: object, name: string): boolean =>
  !Object.hasOwn(value, name) && prototypesOf(value).some((outer) => Object.hasOwn(outer, name));

/** Returns true if a field is shown: it is a non-empty text or a number. */
export const isShown = (value: unknown): value is string | number =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';

/** Returns an id in the form in which ids and addresses are compared: without case and hyphens, and a UUID in any form. */
export const plainId = (id: string): string => id.toLowerCase().replace(/^\s*urn:uuid:|[{}\s-]/g, '');

/** A number beyond 2^53 stands for several: it is not compared. */
export const isComparable = (value: unknown): boolean =>
  isShown(value) && (typeof value === 'string' || isExact(value));

/** Returns true if both values are ids, and not the same one. */
export function isOtherId(sent: unknown, shown: unknown): boolean {
  if (sent === shown || !isComparable(sent) || !isComparable(shown)) return false;
  return plainId(String(sent)) !== plainId(String(shown));
}

/** Returns an amount in a form that can be compared: a number, or a decimal string without empty zeros. */
export const amountIn = (value: unknown): number | string | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : plainDecimal(value);

/** The significant digits that a number of JSON is sure to keep. */
const digits = 15;

/** Compares decimal strings digit by digit, and a number by the digits that it has. A value that is not an amount is never a difference. */
export function isOtherAmount(one: unknown, other: unknown): boolean {
  const sent = amountIn(one);
  const shown = amountIn(other);
  if (sent === undefined || shown === undefined || sent === shown) return false;
  if (typeof sent === 'string' && typeof shown === 'string') return true;
  return Number(sent).toPrecision(digits) !== Number(shown).toPrecision(digits);
}
