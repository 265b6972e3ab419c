import { AbortedError, TimeoutError } from '../../errors/index.ts';
import { Interrupted, type TimeLimits } from '../attempt/time-limits.ts';
import { baseOf, sentences, verdictOf } from '../failure/call-context.ts';
import type { CallReporter } from './call-reporter.ts';
import type { CallState } from './call-state.ts';
import type { PreparedCall } from './prepared-call.ts';

interface Parts {
  readonly call: PreparedCall;
  readonly limits: TimeLimits;
  readonly state: CallState;
  readonly reporter: CallReporter;
}

/** Waits for a check of the caller's, such as an asynchronous schema, within the call's deadline and signal. */
export async function checkWithinDeadline<T>(
  work: Promise<T>,
  { call, limits, state, reporter }: Parts,
): Promise<T> {
  // What it comes to after the limit is nobody's business any more.
  work.catch(() => undefined);
  try {
    return await limits.within(work);
  } catch (thrown) {
    if (!(thrown instanceof Interrupted)) throw thrown;
    const { operation, deadline } = call;
    const { outcome, meaning } = verdictOf('open', state.context());
    const details = { ...baseOf(state.context()), outcome };
    state.note('open');
    const aborted = `${operation} was aborted by the caller's signal while the response was checked.`;
    const late = `${operation} timed out: the \`schema\` did not finish within ${Math.round(deadline ?? 0)} ms (\`deadline\`).`;
    throw reporter.failure(
      thrown.by === 'aborted'
        ? new AbortedError(sentences(aborted, meaning), { ...details, cause: thrown.reason })
        : new TimeoutError(sentences(late, meaning), 'deadline', details),
    );
  }
}
