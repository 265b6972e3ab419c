import type { Outcome } from '../../src/client/index.ts';
import type { Fate } from './calls.ts';

/** What a call came to, as the test expects it: resolved, or an error with an outcome. */
export type Ending = 'resolved' | Outcome;

/**
 * A tiny client, written from the design and from nothing else: which attempts one call makes, what they come to, and
 * what is told while other entries stand under its key.
 */
export function callOf(
  meets: readonly Fate[],
  { isRepeatable, retries }: { isRepeatable: boolean; retries: number },
): { ending: Ending; attempts: number } {
  let hasUnknown = false;
  for (let attempt = 0; attempt <= retries; attempt += 1) {
    const fate = meets[Math.min(attempt, meets.length - 1)] ?? 'lost';
    if (fate === 'made') return { ending: 'resolved', attempts: attempt + 1 };
    if (fate === 'lost') hasUnknown = true;
    const isRepeated = fate === 'refused for now' || (fate === 'lost' && isRepeatable);
    if (!isRepeated || attempt === retries)
      return { ending: hasUnknown ? 'unknown' : 'rejected', attempts: attempt + 1 };
  }
  throw new Error('no attempt was made');
}

/** The entries under one key. */
export class KeyEntries {
  #standing = 0;
  #running = 0;

  begin(inDoubt: boolean): void {
    this.#running += 1;
    if (inDoubt) this.#standing += 1;
  }

  /** Ends a call and returns what is told of it. */
  end(own: Ending): Ending {
    const isOpen = this.#running > 1 || this.#standing > 0;
    this.#running -= 1;
    if (own === 'resolved' || own === 'unknown') this.#standing += 1;
    return own !== 'resolved' && isOpen ? 'unknown' : own;
  }
}
