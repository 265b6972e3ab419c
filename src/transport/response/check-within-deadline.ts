import { AbortedError, TimeoutError } from '../../errors/index.ts';
import { Interrupted, TimeLimits } from '../attempt/time-limits.ts';
import type { ReceivedResponse } from '../call/prepared-call.ts';
import { meaningOf, sentences } from '../failure/money.ts';

/** Waits for a check of the caller's, such as an asynchronous schema, within the call's deadline and signal. */
export async function checkWithinDeadline<T>(work: Promise<T>, received: ReceivedResponse): Promise<T> {
  const { call, requestId, attempts, remaining } = received;
  const { operation, deadline, signal } = call;
  const limits = new TimeLimits(signal, deadline === undefined ? undefined : Math.max(remaining(), 0));
  // What it comes to after the limit is nobody's business any more.
  work.catch(() => undefined);
  try {
    return await limits.within(work);
  } catch (thrown) {
    if (!(thrown instanceof Interrupted)) throw thrown;
    const outcome = 'unknown';
    const details = { outcome, operation, requestId, attempts } as const;
    const meaning = meaningOf(outcome, call);
    const error =
      thrown.by === 'aborted'
        ? new AbortedError(
            sentences(
              `${operation} was aborted by the caller's signal while the response was checked.`,
              meaning,
            ),
            { ...details, cause: thrown.reason },
          )
        : new TimeoutError(
            sentences(
              `${operation} timed out: the \`schema\` did not finish within ${Math.round(deadline ?? 0)} ms (\`deadline\`).`,
              meaning,
            ),
            'deadline',
            details,
          );
    received.reportFailure(error);
    throw error;
  } finally {
    limits.dispose();
  }
}
