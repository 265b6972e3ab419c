/**
 * Looks at values that others threw: other realms, other copies of a class, proxies, getters that throw. Nothing here
 * uses `instanceof` or throws.
 */

/** A property of any value; undefined where there is none, or where reading it throws. */
export function peek(value: unknown, key: PropertyKey): unknown {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

/** The name of an error class, where it can be shown: a word, not a value in disguise. */
export function nameOf(thrown: unknown): string | undefined {
  const name = peek(thrown, 'name');
  return typeof name === 'string' && /^[A-Za-z]\w{0,39}$/.test(name) && !/\d{5}/.test(name)
    ? name
    : undefined;
}

/** The code of an error, such as `ECONNRESET`, where it can be shown. */
export function codeOf(thrown: unknown): string | undefined {
  const code = peek(thrown, 'code');
  return typeof code === 'string' && /^[A-Za-z]\w{1,59}$/.test(code) && !/\d{5}/.test(code)
    ? code
    : undefined;
}

/** A thrown value and its causes, outermost first; at most `most`, so that a cycle ends. */
export function causesOf(thrown: unknown, most: number): unknown[] {
  const chain: unknown[] = [];
  let current = thrown;
  while (typeof current === 'object' && current !== null && chain.length < most) {
    chain.push(current);
    current = peek(current, 'cause');
  }
  return chain;
}
