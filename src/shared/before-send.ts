const key = Symbol.for('stablecoin-payments.before-send');

/**
 * Asks a function right before a request with this signal is sent, after all waits in the client. If it returns false,
 * the request is not sent, and its error has the finding `not-reached`. For other parts of this package, also in another
 * copy of it.
 */
export function guard(signal: AbortSignal, mayBeSent: () => boolean): void {
  Reflect.defineProperty(signal, key, { value: mayBeSent });
}

/** Returns false for a signal whose function says that its request must not be sent. */
export function mayBeSent(signal: AbortSignal): boolean {
  const ask: unknown = Reflect.get(signal, key);
  return typeof ask !== 'function' || ask() !== false;
}
