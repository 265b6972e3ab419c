/**
 * A value of an object that its type does not show. A private field would make the types of two copies of this
 * package different, and no fake or proxy could have it.
 */
export interface HiddenState<T> {
  set<Owner extends object>(owner: Owner, value: T): Owner;
  /** @throws TypeError if the object was not made by this package. */
  get(owner: object): T;
}

/** Makes a place for a hidden value. It works through a proxy, and nothing prints it: it stands behind a function. */
/* @__NO_SIDE_EFFECTS__ */
export function hiddenState<T>(description: string): HiddenState<T> {
  const key = Symbol(description);
  return {
    set: (owner, value) => Object.defineProperty(owner, key, { value: () => value, writable: true }),
    get: (owner) => {
      const read: (() => T) | undefined = Reflect.get(owner, key);
      if (read === undefined)
        throw new TypeError(`A client did not make this object: it has no ${description}.`);
      return read();
    },
  };
}
