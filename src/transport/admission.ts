/** A call that asks to begin. */
interface Entrant {
  /** Waits for a place, within the limits of the call. */
  waitForPlace(turn: Promise<void>): Promise<void>;
}

/** Admits a call, at once or later. Returns the function to call at its end; throws if the call may not begin. */
export type Admit = (run: Entrant) => Promise<() => void>;

/** Lets a number of calls run at a time. The others wait in the order in which they came. */
export function limitCalls(most: number): Admit {
  let running = 0;
  const waiting = new Set<() => void>();
  // Kept: a new iterator would pass all that have entered before.
  const line = waiting.values();
  const leave = () => {
    // An iterator that has reached the end stays there.
    const next = waiting.size > 0 ? line.next().value : undefined;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return async (run) => {
    if (running < most) {
      running += 1;
      return leave;
    }
    const { promise: turn, resolve: enter } = Promise.withResolvers<void>();
    waiting.add(enter);
    try {
      await run.waitForPlace(turn);
    } catch (error) {
      // The place may have come in the same moment as the interruption.
      if (!waiting.delete(enter)) leave();
      throw error;
    }
    return leave;
  };
}
