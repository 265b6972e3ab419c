/**
 * Light replacements for the platform classes that ky creates for each call. The attempt does not travel in ky's Request
 * (`ky-adapter.ts`), so nobody reads that Request or its headers; the platform's own would cost more than the rest of ky,
 * and load Node's whole `fetch`. `tools/light-ky.ts` builds ky on these classes; without them ky works as well, only
 * slower. There is no AbortController here: the limits are ours (`limits.ts`).
 */

/** Holds nothing: no header passes through ky. */
export class LightHeaders {
  entries(): [] {
    return [];
  }

  has(): boolean {
    return false;
  }

  get(): null {
    return null;
  }

  set(): void {
    // Nobody reads it.
  }

  delete(): void {
    // Nobody reads it.
  }
}

/** An address and a method. */
export class LightRequest {
  readonly url: string;
  readonly method: string;
  // An own property, so that ky does not find and cancel a body of a polluted prototype.
  readonly body = null;
  readonly headers: LightHeaders = new LightHeaders();

  constructor(url: string, { method }: { method: string }) {
    this.url = url;
    this.method = method;
  }
}

/** Nothing is one of these: ky then checks the tag, which every Response has. */
export class LightResponse {}

/** Nothing is one of these: no signal passes through ky. */
export class LightAbortSignal {}

/**
 * Stands for `Object.entries`. ky puts a method for each form of a body on the promise of every call. Nobody calls one
 * here, and promises with them outlive many collections of garbage: that costs a tenth of a call.
 */
export const lightEntries = (value: object): [string, unknown][] =>
  'arrayBuffer' in value ? [] : globalThis.Object.entries(value);
