import type { PaymentsError } from '../errors/index.ts';
import { ClientClosedError } from '../errors/index.ts';
import { explain } from './explain.ts';
import type { CallContext, PreparedCall } from './prepared-call.ts';

/** The calls under way of a client and of all clients that are derived from it. */
export interface RunningCalls {
  readonly calls: Set<CallUnderWay>;
  /** Set after `drain`: new calls are refused. */
  refuse: Admit | undefined;
}

/**
 * A call of which `drain` waits for the end. `end` is cleared then: a Set that is added to and deleted from leaves old
 * tables behind, and what is in them, with the response, stays until the next full collection of garbage.
 */
export interface CallUnderWay extends Pick<PreparedCall, 'operation' | 'requestId'> {
  end: Promise<unknown> | undefined;
}

/** A call that asks to begin. */
interface Entrant {
  /** Waits for a place, within the limits of the call. */
  waitForPlace(turn: Promise<void>): Promise<void>;
  /** Ends the call before it was sent. Gives the error back, to be thrown. */
  refuse(error: PaymentsError): PaymentsError;
  /** Returns the facts for an error of the call. */
  context(): CallContext;
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

/** Lets no call begin. */
export const refuseCalls: Admit = async (run) => {
  const context = run.context();
  const what = `${context.call.operation}: the client takes no more calls, since \`drain\` was called.`;
  const { message, details } = explain('not-reached', context, what);
  throw run.refuse(new ClientClosedError(message, details));
};
