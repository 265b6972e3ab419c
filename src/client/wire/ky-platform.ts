import type { Cancellation } from './wire.ts';

/**
 * Small `Request` and `Headers` for ky, in place of the platform's: they hold what ky hands to its `fetch`, and nothing
 * else. The platform's make a stream of each body and load Node's whole `fetch`. `tools/light-ky.ts` builds ky on these
 * classes; on the platform's own everything works as well, only slower (`ky.ts`, docs/decisions/0001).
 */

/** Headers by their lower-case names. */
export class SmallHeaders {
  readonly #values = new Map<string, string>();

  constructor(given: Readonly<Record<string, string>> | SmallHeaders = {}) {
    const pairs = given instanceof SmallHeaders ? given.entries() : Object.entries(given);
    for (const [name, value] of pairs) this.set(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), String(value));
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  entries(): MapIterator<[string, string]> {
    return this.#values.entries();
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }
}

/** What is sent. */
export class SmallRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: SmallHeaders;
  /** The body. Not named `body`, which is a stream in a Request: ky cancels one that it finds. */
  readonly content: string | Uint8Array<ArrayBuffer> | undefined;
  readonly cache: RequestCache | undefined;
  /** Not an AbortSignal, which costs more: one is made of it for a `fetch` that takes one. */
  readonly signal: Cancellation | undefined;
  // An own property, so that ky finds none on a polluted prototype.
  readonly body = null;

  /** Takes the options that ky passes on. */
  constructor(
    url: string,
    {
      method = 'GET',
      headers,
      body,
      cache,
      signal,
    }: {
      readonly method?: string;
      readonly headers?: SmallHeaders;
      readonly body?: string | Uint8Array<ArrayBuffer> | null;
      readonly cache?: RequestCache;
      readonly signal?: Cancellation;
    } = {},
  ) {
    this.url = url;
    this.method = method;
    this.headers = new SmallHeaders(headers);
    this.content = body ?? undefined;
    this.cache = cache;
    this.signal = signal;
  }
}

/** Stands for a class of the platform of which nothing is an instance: ky then checks the tag of a Response. */
export class NoInstances {}
