import type { RequestRecord } from './options.ts';

/** The latest requests. */
export class RequestLog {
  readonly #limit: number;
  readonly #onRequest: (request: RequestRecord) => void;
  #requests: RequestRecord[] = [];

  constructor(limit: number, onRequest: (request: RequestRecord) => void = () => {}) {
    this.#limit = limit;
    this.#onRequest = onRequest;
  }

  add(request: RequestRecord): void {
    this.#requests.push(request);
    if (this.#requests.length >= this.#limit * 1.25)
      this.#requests.splice(0, this.#requests.length - this.#limit);
    try {
      this.#onRequest({ ...request });
    } catch {
      // A listener's mistake must not change the answer that it hears about.
    }
  }

  list(): RequestRecord[] {
    return structuredClone(this.#requests.slice(-this.#limit));
  }

  clear(): void {
    this.#requests = [];
  }
}
