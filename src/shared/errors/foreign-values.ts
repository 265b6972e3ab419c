/**
 * Reads values that other code threw: from other realms, other copies of a class, proxies, getters that throw. No
 * function here uses `instanceof` or throws.
 */

/** Returns a property of any value; undefined if it does not exist, or if reading it throws. */
export function peek(value: unknown, key: PropertyKey): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

/** Returns the name of an error class if it is safe to show: a word that cannot contain an id or a secret. */
export function nameOf(thrown: unknown): string | undefined {
  const name = peek(thrown, 'name');
  return typeof name === 'string' && /^[A-Za-z]\w{0,39}$/.test(name) && !/\d{5}/.test(name)
    ? name
    : undefined;
}

/** Returns the code of an error, such as `ECONNRESET`, if it is safe to show. */
export function codeOf(thrown: unknown): string | undefined {
  const code = peek(thrown, 'code');
  return typeof code === 'string' && /^[A-Za-z]\w{1,59}$/.test(code) && !/\d{5}/.test(code)
    ? code
    : undefined;
}

/** Returns a thrown value and its causes, outermost first; at most `max`, so that a cycle ends. */
export function causesOf(thrown: unknown, max: number): unknown[] {
  const chain: unknown[] = [];
  let current = thrown;
  while (typeof current === 'object' && current !== null && chain.length < max) {
    chain.push(current);
    current = peek(current, 'cause');
  }
  return chain;
}
