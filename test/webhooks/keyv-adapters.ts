import { EventEmitter } from 'node:events';

/** What an adapter does whose connection broke for a moment: its reads reject. */
export class RejectingAdapter {
  readonly opts = {};
  namespace?: string;
  readonly #values = new Map<string, unknown>();
  readonly #fails: () => boolean;
  constructor(fails: () => boolean) {
    this.#fails = fails;
  }
  async get(key: string): Promise<unknown> {
    if (this.#fails()) throw new Error('read failed');
    return this.#values.get(key);
  }
  async set(key: string, value: unknown): Promise<boolean> {
    this.#values.set(key, value);
    return true;
  }
  async delete(key: string): Promise<boolean> {
    return this.#values.delete(key);
  }
  async clear(): Promise<void> {
    this.#values.clear();
  }
}

/** What other adapters do: they emit the error and find nothing. */
export class EmittingAdapter extends RejectingAdapter {
  readonly #events = new EventEmitter();
  on(name: string, listener: (...values: unknown[]) => void) {
    this.#events.on(name, listener);
    return this;
  }
  off(name: string, listener: (...values: unknown[]) => void) {
    this.#events.off(name, listener);
    return this;
  }
  override async get(key: string): Promise<unknown> {
    try {
      return await super.get(key);
    } catch (error) {
      this.#events.emit('error', error);
      return undefined;
    }
  }
}
