import type { RequestRecord } from '../options.ts';

/** The latest requests. */
export class RequestLog {
  readonly #limit: number;
  readonly #onRequest: (request: RequestRecord) => void;
  #requests: RequestRecord[] = [];
  #total = 0;

  constructor(limit: number, onRequest: (request: RequestRecord) => void = () => {}) {
    this.#limit = limit;
    this.#onRequest = onRequest;
  }

  add(request: RequestRecord): void {
    this.#requests.push(request);
    this.#total += 1;
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

  /** How many are kept. */
  get size(): number {
    return Math.min(this.#requests.length, this.#limit);
  }

  /** The newest ones, newest first, each with its number. */
  newest(count: number): (RequestRecord & { id: string })[] {
    return this.#requests
      .slice(-Math.min(count, this.#limit))
      .reverse()
      .map((request, place) => ({ id: `request-${this.#total - place}`, ...request }));
  }

  clear(): void {
    this.#requests = [];
    this.#total = 0;
  }
}
