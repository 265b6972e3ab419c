/**
 * An error inside of the transport, translated before it reaches the caller. `instanceof` asks for a private field,
 * so that it can be asked of anything: a proxy that others throw can make the ordinary `instanceof` throw in turn.
 */
export class InnerError extends Error {
  readonly #own: undefined;

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (typeof value !== 'object' || value === null || !(#own in value)) return false;
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
}
