import type { Cancellation } from './wire.ts';

/**
 * Small `Request` and `Headers` for ky, in place of the platform's: they hold what ky hands to its `fetch`, and nothing
 * else. The platform's make a stream of each body and load Node's whole `fetch`. `tools/light-ky.ts` builds ky on these
 * classes; on the platform's own everything works as well, only slower (`ky.ts`, docs/decisions/0001).
 */

/** Headers by their lower-case names. A change makes another object: most of them are copied, and few are changed. */
export class SmallHeaders {
  record: Readonly<Record<string, string>>;

  constructor(given: Readonly<Record<string, string>> | SmallHeaders = {}) {
    this.record =
      given instanceof SmallHeaders
        ? given.record
        : Object.fromEntries(
            Object.entries(given).map(([name, value]) => [name.toLowerCase(), String(value)]),
          );
  }

  get(name: string): string | null {
    return this.has(name) ? (this.record[name.toLowerCase()] ?? null) : null;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.record, name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.record = { ...this.record, [name.toLowerCase()]: String(value) };
  }

  delete(name: string): void {
    const { [name.toLowerCase()]: _deleted, ...others } = this.record;
    this.record = others;
  }

  entries(): ArrayIterator<[string, string]> {
    return Object.entries(this.record).values();
  }

  [Symbol.iterator](): ArrayIterator<[string, string]> {
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

  /**
   * ky makes its request from ours, with the method and the headers that its options have. The rest is in ours alone: in
   * the options it would be that of a polluted prototype.
   */
  constructor(
    given: string | SmallRequest,
    init: {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>> | SmallHeaders;
      readonly body?: string | Uint8Array<ArrayBuffer> | null;
      readonly cache?: RequestCache;
      readonly signal?: Cancellation;
    } = {},
  ) {
    const { url, content, cache, signal } =
      typeof given === 'string' ? { ...init, url: given, content: init.body ?? undefined } : given;
    this.url = url;
    this.method = init.method ?? 'GET';
    this.headers = new SmallHeaders(init.headers);
    this.content = content;
    this.cache = cache;
    this.signal = signal;
  }
}

/** Stands for a class of the platform of which nothing is an instance: ky then checks the tag of a Response. */
export class NoInstances {}
