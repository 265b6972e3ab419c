import type { Cancellation } from './wire.ts';

/**
 * Small `Request` and `Headers` for ky, in place of the platform's: they hold what ky hands to its `fetch`, and nothing
 * else. The platform's make a stream of each body and load Node's whole `fetch`. `tools/light-ky.ts` builds ky on these
 * classes; on the platform's own everything works as well, only slower (`ky.ts`, docs/decisions/0001).
 */

/** Headers by their lower-case names. */
export class SmallHeaders {
  readonly #values: Map<string, string> = new Map();

  constructor(given: Readonly<Record<string, string>> | SmallHeaders = {}) {
    if (given instanceof SmallHeaders) this.#values = new Map(given.#values);
    else for (const name of Object.keys(given)) this.set(name, given[name] ?? '');
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

/** The options of a request that ky passes on. */
interface SmallRequestInit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>> | SmallHeaders;
  readonly body?: string | Uint8Array<ArrayBuffer> | null;
  readonly cache?: RequestCache;
  readonly signal?: Cancellation;
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

  /** ky makes its request from ours, with the method and the headers as its options have them. */
  constructor(given: string | SmallRequest, init: SmallRequestInit = {}) {
    const from = typeof given === 'string' ? undefined : given;
    this.url = typeof given === 'string' ? given : given.url;
    this.method = init.method ?? from?.method ?? 'GET';
    this.headers = new SmallHeaders(init.headers ?? from?.headers);
    this.content = init.body ?? from?.content;
    this.cache = init.cache ?? from?.cache;
    this.signal = init.signal ?? from?.signal;
  }
}

/** Stands for a class of the platform of which nothing is an instance: ky then checks the tag of a Response. */
export class NoInstances {}
