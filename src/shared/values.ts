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

/** Returns true for the text of a missing value, or of one that is not a string: unlike payments would share such a key. */
export const isTextOfNothing = (text: string): boolean =>
  /^\s*(?:undefined|null|NaN|\[object \w+\])\s*$/.test(text);

/** Returns true for a number that stands for no other: beyond 2^53, JSON.parse reads several numbers as one. */
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
