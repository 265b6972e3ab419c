import { type OptionNames, refuseUnknown } from '../shared/option-names.ts';
import { isRecord, kindOf } from '../shared/values.ts';
import { type RunningCalls, refuseCalls } from '../transport/admission.ts';
import { Interrupted, TimeLimits } from '../transport/limits.ts';
import { checkDuration, failWith } from '../transport/request-options.ts';

/** Options of `drain`. */
export interface DrainOptions {
  /** The longest wait in milliseconds. Default: no limit, as every call has limits of its own. */
  deadline?: number | undefined;
}

/** A call that had not ended when the deadline of `drain` passed. */
export interface UnfinishedCall {
  /** The method that was called, such as `transfers.create`. */
  readonly operation: string;
  /** The idempotency key, for operations that have one: look the payment up by it after the restart. */
  readonly requestId: string | undefined;
}

/** The result of `drain`. */
export interface DrainResult {
  /** The calls that still run; empty if all have ended. */
  readonly unfinished: readonly UnfinishedCall[];
}

const names: OptionNames<DrainOptions> = { deadline: true };

/** Refuses new calls and waits for the running ones. */
export async function drain(running: RunningCalls, options: DrainOptions = {}): Promise<DrainResult> {
  const fail: (message: string) => never = failWith('drain');
  if (!isRecord(options)) return fail(`the options must be an object, but are ${kindOf(options)}.`);
  refuseUnknown(options, names, fail);
  const deadline = checkDuration(options.deadline, 'deadline', fail);
  running.refuse = refuseCalls;
  const limits = new TimeLimits(undefined, deadline);
  try {
    // `resolve` may begin a call meanwhile.
    while (running.calls.size > 0)
      await limits.within(Promise.allSettled([...running.calls].map(({ end }) => end)));
  } catch (thrown) {
    if (!(thrown instanceof Interrupted)) throw thrown;
  } finally {
    limits.dispose();
  }
  return {
    unfinished: [...running.calls].map(({ operation, requestId }) => ({ operation, requestId })),
  };
}
