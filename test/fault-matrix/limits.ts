import type { RequestOptions } from 'stablecoin-payments';
import type { Trouble } from './troubles.ts';

/** Limits of this length or more can be made to run out by hand. Each cell has a length of its own. */
const shortestByHand = 1_000_000;
const waiting = new Map<number, () => void>();
let handedOut = shortestByHand;

/** Notes the timers that can be made to run out, until the function that it returns is called. */
export function watchTimers(): () => void {
  const setTimer = globalThis.setTimeout;
  // A mock would keep the arguments of every timer of three thousand cells.
  globalThis.setTimeout = new Proxy(setTimer, {
    apply(target, self, args: Parameters<typeof setTimer>) {
      const [run, delay, ...rest] = args;
      if (typeof delay === 'number' && delay >= shortestByHand) waiting.set(delay, () => run(...rest));
      return Reflect.apply(target, self, args);
    },
  });
  return () => {
    globalThis.setTimeout = setTimer;
  };
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
