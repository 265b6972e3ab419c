/** Writes a path such as `destination.batch[3].hold`. A name that is not a word may be a value, such as a token. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = /^[\w$-]{1,40}$/.test(String(key)) ? String(key) : '…';
      return index === 0 ? name : `.${name}`;
    })
    .join('');

/** Returns the value at a path. */
export const valueAtPath = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((outer, key) => Object(outer)[key], value);
