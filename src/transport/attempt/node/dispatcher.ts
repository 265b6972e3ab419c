/**
 * An undici dispatcher: an `Agent`, `Pool`, `Client`, `ProxyAgent`, `MockAgent` and others of undici 6 or later. The
 * type has one method only, so that it does not depend on a version of undici.
 */
export interface Dispatcher {
  /** Sends one request and reports to the handler. */
  dispatch(options: object, handler: object): boolean;
}

/** Checks whether a value can be used as a dispatcher. */
export function isDispatcher(value: unknown): value is Dispatcher {
  return (
    typeof value === 'object' && value !== null && 'dispatch' in value && typeof value.dispatch === 'function'
  );
}

/** Where a process keeps the dispatcher that its `fetch` uses, and which form of handler it takes. */
export interface DispatcherSlot {
  readonly symbol: symbol;
  readonly modern: boolean;
}

/** The slot that the `fetch` of a Node with this undici reads, so that what is set for `fetch` holds here, too. */
export function slotOf(undiciVersion: string): DispatcherSlot {
  return Number.parseInt(undiciVersion, 10) >= 8
    ? { symbol: Symbol.for('undici.globalDispatcher.2'), modern: true }
    : { symbol: Symbol.for('undici.globalDispatcher.1'), modern: false };
}

/** The dispatcher in a slot. Node loads undici at the first touch of one of its classes; `Headers` is one. */
export function dispatcherIn({ symbol }: DispatcherSlot): Dispatcher | undefined {
  const present: unknown =
    Reflect.get(globalThis, symbol) ?? (globalThis.Headers && Reflect.get(globalThis, symbol));
  return isDispatcher(present) ? present : undefined;
}
