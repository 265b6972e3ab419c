import { InvalidRequestError } from 'stablecoin-payments';
import { observe, type Surroundings } from '../observed-call.ts';
import { DoctorUsageError } from '../options.ts';
import type { Failed } from './cause.ts';
import { checkClock } from './clock.ts';
import { causeOf, isDecided } from './find-cause.ts';
import { timeOfToken } from './token.ts';

/** Milliseconds that the service has for its first response. */
const patience = 30_000;

/**
 * Returns true if the service can be reached and a read succeeds. Without that nothing else can be checked: the report gets
 * one cause with its remedy. A failure that may be about one operation or one user is tried with two other reads.
 */
export async function checkConnection(around: Surroundings): Promise<boolean> {
  const { client, options, wire, on } = around;
  const { userId } = options;
  wire.isConnecting = true;
  const failures = await failuresOf(around, [
    ['kyc.retrieve', (signal) => client.kyc.retrieve(userId, { signal })],
    ['accounts.list', (signal) => client.accounts.list(userId, {}, { signal })],
    ['approvals.list', (signal) => client.approvals.list({}, { signal })],
  ]);
  wire.isConnecting = false;
  const [first, ...others] = failures;
  if (first === undefined) {
    on('reachability').ok('The service responds.');
    checkClock(around);
    warnOfToken(around);
    return true;
  }
  const { check, message } = await causeOf([first, ...others], {
    baseUrl: client.baseUrl,
    accessToken: options.accessToken,
    now: around.now(),
  });
  on(check).failure(message);
  if (check !== 'authentication') warnOfToken(around);
  // A token may be refused for the time alone.
  if (check === 'authentication') checkClock(around);
  return false;
}

/** Says that a token is over, also where that is not the cause of a failure, or the service still accepts it. */
function warnOfToken({ options, now, on }: Surroundings): void {
  const time = timeOfToken(options.accessToken, now());
  if (time !== undefined) on('authentication').warning(`${time.what}. ${time.remedy}`);
}

type ConnectionRead = readonly [operation: string, call: (signal: AbortSignal) => PromiseLike<unknown>];

/** Makes the reads until one succeeds, or one shows the cause. None of the failures counts once a read succeeds. */
async function failuresOf(around: Surroundings, reads: readonly ConnectionRead[]): Promise<Failed[]> {
  const failures: Failed[] = [];
  for (const read of reads) {
    const failed = await failureOfRead(around, read);
    if (failed === undefined) return [];
    failures.push(failed);
    if (isDecided(failed)) break;
  }
  return failures;
}

/** Makes one read. Undefined if the service gave a response that it can only give if it works. */
async function failureOfRead(
  around: Surroundings,
  [operation, call]: ConnectionRead,
): Promise<Failed | undefined> {
  const { wire, timer } = around;
  const patienceOver = new AbortController();
  const stopTimer = timer(patience, () => patienceOver.abort());
  const { error } = await observe(around, operation, async () => call(patienceOver.signal)).finally(
    stopTimer,
  );
  // The client did not send the request: the user id cannot stand in a path.
  if (error instanceof InvalidRequestError) throw new DoctorUsageError(error.message);
  if (error === undefined || error.code === 'response_mismatch') return undefined;
  return { operation, error, response: wire.last, isSilent: patienceOver.signal.aborted };
}
