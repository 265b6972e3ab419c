import { isNotFoundShape } from '../../evidence/service-error.ts';
import type { Cancellation } from '../attempt/cancellation.ts';
import { Interrupted, type TimeLimits } from '../attempt/time-limits.ts';
import { BodyFailure, type Wire, type WireResponse } from '../attempt/wire.ts';
import { type TranslatedFailure, translateStatus, translateThrown } from '../failure/translate-error.ts';
import { translateSuccess } from '../failure/translate-success.ts';
import { parseJson } from '../response/parse-json.ts';
import type { CallReporter } from './call-reporter.ts';
import type { CallState } from './call-state.ts';
import { checkWithinDeadline } from './check-within-deadline.ts';
import type { PreparedCall, Success } from './prepared-call.ts';

/** What the attempts of one call share. */
export interface CallParts<T> {
  readonly call: PreparedCall<T>;
  readonly wire: Wire;
  readonly limits: TimeLimits;
  readonly state: CallState;
  readonly reporter: CallReporter;
}

/** Makes one attempt under its limits: a response that did what was asked, or the failure in this package's terms. */
export async function runAttempt<T>(parts: CallParts<T>): Promise<Success<T> | TranslatedFailure> {
  const { call, limits, state, reporter } = parts;
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
  const isDeleted = call.safety === 'delete' && state.ambiguous && saysNotFound(answer);
  if (!isDeleted && !isSuccess(answer.status)) {
    reporter.response(answer, false);
    return translateStatus(answer, state.context(), Date.now(), bodyLost);
  }
  const judging = call.judge.judge(isDeleted ? '' : answer.text);
  const judged = judging instanceof Promise ? await checkWithinDeadline(judging, parts) : judging;
  const failed = isDeleted ? undefined : translateSuccess(answer, judged, state.context());
  reporter.response(answer, failed === undefined);
  return failed ?? { answer: isDeleted ? withoutText(answer) : answer, judged };
}

const withoutText = ({ status, headers }: WireResponse): WireResponse => ({ status, headers, text: '' });

async function send<T>(
  { call, wire, state, reporter }: CallParts<T>,
  cancellation: Cancellation,
): Promise<WireResponse> {
  const given = state.token.get();
  const token = typeof given === 'string' ? given : await given;
  // The limit may have run out while the token was on its way: nothing may be sent any more.
  if (cancellation.cancelled) throw new Interrupted('aborted');
  state.markSent();
  const headers: Record<string, string> = { ...call.headers, authorization: `Bearer ${token}` };
  reporter.request(headers);
  const { url, origin, method, body, maxResponseBytes, judge } = call;
  const isForeign = judge.canMatch ? (text: string) => judge.mismatches(text) : undefined;
  return wire({ url, origin, method, headers, body, cancellation, maxResponseBytes, isForeign });
}

/** Whether the service itself says that there is no such record. The 404 of a gateway is of another shape. */
function saysNotFound({ status, text }: WireResponse): boolean {
  if (status !== 404) return false;
  const json = parseJson(text);
  return json.ok && isNotFoundShape(json.value);
}

const isSuccess = (status: number) => status >= 200 && status <= 299;
