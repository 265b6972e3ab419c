import type { PaymentsError } from '../errors/index.ts';
import { Interrupted, TimeLimits } from './attempt/time-limits.ts';
import type { Wire } from './attempt/wire.ts';
import { CallState, type PreparedCall, type ReceivedResponse } from './call/call.ts';
import { CallReporter, type Watchers } from './call/call-reporter.ts';
import { type CallParts, runAttempt } from './call/run-attempt.ts';
import { mayRepeat, waitBeforeRetry } from './failure/retry-policy.ts';
import { translateThrown } from './failure/translate-error.ts';
import { departureError } from './failure/translate-success.ts';

/** Sends a call until it succeeds, is refused, or runs out of tries or time. Ends with a response or a PaymentsError. */
export async function executeCall<T>(
  call: PreparedCall<T>,
  wire: Wire,
  watchers: Watchers,
): Promise<ReceivedResponse<T>> {
  const state = new CallState(call);
  const reporter = new CallReporter(watchers, state);
  const limits = new TimeLimits(call.signal, call.deadline);
  const parts: CallParts<T> = { call, wire, limits, state, reporter };
  try {
    for (let retry = 0; ; ) {
      const result = await runAttempt(parts);
      if ('judged' in result) {
        const departure = () =>
          reporter.failure(departureError(state.context(), result.answer, result.judged));
        return { ...result, url: call.url, attempts: state.attempts, departure };
      }
      const { error, finding, failure, retryAfter } = result;
      state.note(finding);
      if (state.token.replaceAfter(error)) {
        reporter.retry(0, result);
        continue;
      }
      const mayRetry = mayRepeat(call.safety, failure) && retry < call.retries.limit;
      const wait = mayRetry ? waitBeforeRetry(retry, retryAfter, call.retries) : undefined;
      if (wait === undefined || wait >= limits.remaining) throw reporter.failure(error);
      retry += 1;
      reporter.retry(wait, result);
      await pause(parts, wait, error);
    }
  } finally {
    limits.dispose();
  }
}

/** Waits for the next attempt. A wait that is cut short leaves the money where the last attempt left it. */
async function pause<T>({ call, limits, state, reporter }: CallParts<T>, wait: number, last: PaymentsError) {
  try {
    await limits.sleep(wait, call.sleep);
  } catch (thrown) {
    // A `sleep` of the caller's that fails ends the call with what it was waiting after.
    if (!(thrown instanceof Interrupted)) throw reporter.failure(last);
    throw reporter.failure(translateThrown(thrown, { ...state.context(), isWaiting: true }).error);
  }
}
