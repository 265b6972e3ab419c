import { isNothingMade, type Outcome } from '../../shared/outcome/outcome.ts';
import { plainId } from '../../shared/values.ts';

/** The number of undecided keys, and of succeeded ones, that a client remembers. */
const maxKeys = 10_000;

/**
 * Remembers, for each `requestId`, how many calls of a client are under way, whether one came to `unknown`, and whether
 * one succeeded. It keeps no payloads, and it ends with the client: a new client is a restarted process.
 */
export class OpenKeys {
  /** The number of calls under way, by key. */
  readonly #running = new Map<string, number>();
  readonly #undecided = new RecentKeys(this.#running);
  readonly #succeeded = new RecentKeys(this.#running);

  /**
   * Makes the entry of a call that begins. `isInDoubt`: the caller says that an earlier call may have been made, which is a
   * second entry. It is never removed.
   *
   * `isContested` returns true while the key has another entry: no failure of this call may then be told as closed.
   * `settle` ends the call with what its own attempts came to, joined. The entry is removed after `rejected` and
   * `not-sent`; it stands after `unknown` and `succeeded`.
   */
  begin(requestId: string, isInDoubt = false) {
    const key = plainId(requestId);
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    if (isInDoubt) this.#undecided.add(key);
    return {
      isContested: () =>
        (this.#running.get(key) ?? 0) > 1 || this.#undecided.has(key) || this.#succeeded.has(key),
      settle: (own: Outcome) => {
        const others = (this.#running.get(key) ?? 1) - 1;
        if (others > 0) this.#running.set(key, others);
        else this.#running.delete(key);
        if (own === 'succeeded') this.#succeeded.add(key);
        else if (!isNothingMade(own)) this.#undecided.add(key);
      },
    };
  }
}

/** The keys that were used last: past `maxKeys`, the oldest one without a call under way is forgotten. */
class RecentKeys {
  readonly #running: ReadonlyMap<string, number>;
  readonly #keys = new Set<string>();
  /** Kept, because a new iterator would skip the deleted entries again each time. */
  readonly #oldest = this.#keys.values();

  constructor(running: ReadonlyMap<string, number>) {
    this.#running = running;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size > maxKeys) this.#forgetOne();
  }

  /** A key of a running call goes back to the end of the line. */
  #forgetOne(): void {
    for (let left = this.#keys.size; left > 0; left -= 1) {
      const { value: key } = this.#oldest.next();
      if (key === undefined) return;
      this.#keys.delete(key);
      if (!this.#running.has(key)) return;
      this.#keys.add(key);
    }
  }
}
