import { saysGone } from '../../evidence/service-error.ts';
import { type Cancellation, Interrupted, type TimeLimits } from '../attempt/time-limits.ts';
import { BodyFailure, type Wire, type WireResponse } from '../attempt/wire.ts';
import type { TranslatedFailure } from '../failure/explain.ts';
import { translateStatus, translateThrown } from '../failure/translate-error.ts';
import { unprovenSuccess } from '../failure/unproven-success.ts';
import { parseJson } from '../response/judge.ts';
import type { PreparedCall, Success } from './call.ts';
import type { CallState } from './call-state.ts';

/** The parts that the attempts of one call share. */
export interface CallParts<T> {
  readonly call: PreparedCall<T>;
  readonly wire: Wire;
  readonly limits: TimeLimits;
  readonly state: CallState;
}

/** Makes one attempt under its limits: a response that did what was asked, or the failure in this package's terms. */
export async function runAttempt<T>(parts: CallParts<T>): Promise<Success<T> | TranslatedFailure> {
  const { call, limits, state } = parts;
  state.startAttempt();
  let answer: WireResponse;
  let bodyLost = false;
  try {
    answer = await limits.attempt(call.timeout, (cancellation) => send(parts, cancellation));
  } catch (thrown) {
    if (!(thrown instanceof BodyFailure) || isSuccess(thrown.status)) {
      return translateThrown(thrown, state.context());
    }
    // A refusal is known by its status, whatever became of its body.
    answer = { status: thrown.status, headers: thrown.headers, text: '' };
    bodyLost = true;
  }
  // A retried DELETE that finds nothing means that the lost attempt did its work.
  const isDeleted = call.safety === 'delete' && state.ambiguous && isGone(answer);
  if (!isDeleted && !isSuccess(answer.status)) {
    state.response(answer, false);
    return translateStatus(answer, state.context(), Date.now(), bodyLost);
  }
  const judging = call.judge.judge(isDeleted ? '' : answer.text);
  const judged = judging instanceof Promise ? await checkWithinDeadline(judging, parts) : judging;
  const isUsable = isDeleted || (judged.mismatch === undefined && judged.unusable === undefined);
  const failed = isUsable ? undefined : unprovenSuccess(answer, judged, state.context());
  // An essential field that is missing fails the call when its data is read.
  const readable = judged.fatal.length === 0 || call.judge.isTaken;
  state.response(answer, failed === undefined && (isDeleted || readable));
  return failed ?? { answer: isDeleted ? withoutText(answer) : answer, judged };
}

const withoutText = ({ status, headers }: WireResponse): WireResponse => ({ status, headers, text: '' });

async function send<T>(
  { call, wire, state }: CallParts<T>,
  cancellation: Cancellation,
): Promise<WireResponse> {
  const given = state.token();
  const token = typeof given === 'string' ? given : await given;
  // The limit may have run out while the token was on its way: nothing may be sent any more.
  if (cancellation.cancelled) throw new Interrupted('aborted');
  const headers = state.send(token);
  const { url, origin, method, body, maxResponseBytes } = call;
  return wire({ url, origin, method, headers, body, cancellation, maxResponseBytes });
}

/** Returns true if the service says by name that what was to be deleted is gone. */
function isGone({ status, text }: WireResponse): boolean {
  if (status !== 404) return false;
  const json = parseJson(text);
  return json.ok && saysGone(json.value);
}

const isSuccess = (status: number) => status >= 200 && status <= 299;

interface Parts {
  readonly limits: TimeLimits;
  readonly state: CallState;
}

/** Waits for a check of the caller's, such as an asynchronous schema, within the call's deadline and signal. */
async function checkWithinDeadline<T>(work: Promise<T>, { limits, state }: Parts): Promise<T> {
  try {
    return await limits.within(work);
  } catch (thrown) {
    if (!(thrown instanceof Interrupted)) throw thrown;
    const { error, finding } = translateThrown(thrown, { ...state.context(), during: 'check' });
    state.note(finding);
    throw state.failure(error);
  }
}
