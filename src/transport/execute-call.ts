import type { PaymentsError } from '../errors/index.ts';
import { Interrupted, TimeLimits } from './attempt/time-limits.ts';
import type { Wire } from './attempt/wire.ts';
import type { Admit } from './call/admission.ts';
import type { PreparedCall, ReceivedResponse } from './call/call.ts';
import { CallState } from './call/call-state.ts';
import { type CallParts, runAttempt } from './call/run-attempt.ts';
import { mayRepeat, waitBeforeRetry } from './failure/retry-policy.ts';
import { translateThrown } from './failure/translate-error.ts';
import { departureError } from './failure/unproven-success.ts';
import type { Watchers } from './hooks/watchers.ts';

/** Sends a call until it succeeds, is refused, or runs out of tries or time. Ends with a response or a PaymentsError. */
export async function executeCall<T>(
  call: PreparedCall<T>,
  wire: Wire,
  watchers: Watchers,
  admit?: Admit,
): Promise<ReceivedResponse<T>> {
  const state = new CallState(call, watchers);
  const limits = new TimeLimits(call.signal, call.deadline);
  const parts: CallParts<T> = { call, wire, limits, state };
  let leave: (() => void) | undefined;
  try {
    if (admit !== undefined) leave = await admit(parts);
    for (let retry = 0; ; ) {
      const result = await runAttempt(parts);
      if ('judged' in result) {
        const departure = () => {
          state.note('made');
          return state.failure(departureError(state.context(), result.answer, result.judged));
        };
        return { ...result, url: call.url, attempts: state.attempts, departure };
      }
      const { error, finding, failure, retryAfter } = result;
      state.note(finding);
      if (state.replaceToken(error)) {
        state.retry(0, result);
        continue;
      }
      const mayRetry = mayRepeat(call.safety, failure) && retry < call.retries.limit;
      const wait = mayRetry ? waitBeforeRetry(retry, retryAfter, call.retries) : undefined;
      if (wait === undefined || wait >= limits.remaining) throw state.failure(error);
      retry += 1;
      state.retry(wait, result);
      await pause(parts, wait, error);
    }
  } finally {
    limits.dispose();
    leave?.();
  }
}

/** Waits for the next attempt. A wait that is cut short leaves the money where the last attempt left it. */
async function pause<T>({ call, limits, state }: CallParts<T>, wait: number, last: PaymentsError) {
  try {
    await limits.sleep(wait, call.sleep);
  } catch (thrown) {
    // A `sleep` of the caller's that fails ends the call with what it was waiting after.
    if (!(thrown instanceof Interrupted)) throw state.failure(last);
    throw state.failure(translateThrown(thrown, { ...state.context(), during: 'wait' }).error);
  }
}
