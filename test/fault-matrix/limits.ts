import type { RequestOptions } from 'stablecoin-payments';
import { type Mock, vi } from 'vitest';
import type { Trouble } from './troubles.ts';

/** Limits of this length or more can be made to run out by hand. Each cell has a length of its own. */
const shortestByHand = 1_000_000;
const waiting = new Map<number, () => void>();
let handedOut = shortestByHand;

/** Watches timers go by, and notes those that can be made to run out. */
export function watchTimers(): Mock {
  const setTimer = globalThis.setTimeout;
  return vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, delay, ...args) => {
    if (typeof delay === 'number' && delay >= shortestByHand) waiting.set(delay, () => run(...args));
    return setTimer(run, delay, ...args);
  });
}

/** The limits of one call, and how to make the trouble's own run out. */
export function limitsOf({ patience }: Trouble): { options: RequestOptions; runOut: () => void } {
  const length = ++handedOut;
  const aborting = new AbortController();
  const limits = { timeout: { timeout: length }, deadline: { deadline: length }, signal: {} };
  return {
    options: { signal: aborting.signal, ...(patience !== undefined && limits[patience]) },
    runOut: () =>
      patience === 'timeout' || patience === 'deadline' ? waiting.get(length)?.() : aborting.abort(),
  };
}
