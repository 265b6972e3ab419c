import { APIError, NotFoundError, type PaymentsError, PermissionDeniedError } from 'stablecoin-payments';
import type { LastResponse, Observation, Surroundings } from '../observed-call.ts';
import { type Level, safeWord } from '../report.ts';
import { foreignBody } from './body.ts';
import { isRedirect, redirectCause } from './redirect.ts';
import { nameAfterStatus, saidOf } from './said.ts';

/** Adds the meaning of a call for the client to the report, and returns true if its data can be used. */
export function judge(around: Surroundings, operation: string, { error }: Observation<unknown>): boolean {
  const say = around.on(operation);
  const { last } = around.wire;
  const drift = [...around.wire.drift];
  if (error === undefined && drift.length === 0) say.ok('The response is as expected.');
  else if (error === undefined)
    say.warning('The response differs from the schema. The client passes it on as received.', drift);
  else if ('issues' in error)
    say.failure(`The client cannot use the response${bodyOf(around, error)}.`, drift);
  else if (error.code === 'response_mismatch') say.failure('The response belongs to another request.');
  else if (error instanceof PermissionDeniedError)
    say.warning(
      `${saidOf(error).about === 'user' ? 'The service refuses the user' : 'The token may not call this operation'} (HTTP 403${nameAfterStatus(error)}).`,
    );
  else if (error instanceof NotFoundError)
    say.failure(
      `The service does not find it (HTTP 404${nameAfterStatus(error)}). Check the id that you gave, and that the base address is complete.`,
    );
  else if (isOfToken(error)) say.failure(`The service does not accept the token: ${failureOf(error)}`);
  else if (last !== undefined && isRedirect(last.status))
    say.failure(redirectCause(last, around.client.baseUrl));
  else say[levelOf(around)](`The call failed: ${failureOf(error)}`);
  return error === undefined;
}

/** Returns true for a refusal of the token, by its status or its name. */
const isOfToken = (error: PaymentsError): boolean =>
  error instanceof APIError && (error.status === 401 || saidOf(error).about === 'token');

/** Does the same for a write. A refusal of the sample data says nothing about the client. */
export function judgeWrite(
  around: Surroundings,
  operation: string,
  observation: Observation<unknown>,
): boolean {
  const { error } = observation;
  if (!isRefusal(error) || isOfToken(error)) return judge(around, operation, observation);
  noteRefusal(around, operation, error, false);
  const name = safeWord(error.service.error) ?? 'without a name that can be shown';
  around
    .on(operation)
    .warning(
      `The service refuses the sample: HTTP ${error.status}, ${name}. Try it with data of your own: see --user, --amount and --to.`,
    );
  return false;
}

/** Keeps the name under which a write was refused. `isRepeated`: the service had a record of its `requestId`. */
export function noteRefusal(
  { report: { refusals } }: Surroundings,
  operation: string,
  { status, code, outcome, service }: APIError,
  isRepeated: boolean,
): void {
  const name = safeWord(service.error);
  if (name === undefined) return;
  const advice = isRepeated
    ? 'Add it to `refusals.known`.'
    : 'Add it to `refusals.sure` only if nothing was made, to `refusals.known` if the service had seen the request.';
  const isKnown = code === 'request_id_known';
  const meaning =
    isKnown || (outcome === 'rejected' && !isRepeated)
      ? `The client reports it as \`${isKnown ? code : outcome}\`.`
      : advice;
  const line = `${operation}${isRepeated ? ', requestId sent again' : ''}: ${name} (HTTP ${status}). ${meaning}`;
  if (!refusals.includes(line)) refusals.push(line);
}

/** Says what came in place of JSON, and who usually sends it. */
function bodyOf({ wire: { last } }: Surroundings, error: PaymentsError): string {
  const body = foreignBody(error);
  if (body === undefined) return '';
  const type = last === undefined ? '' : contentTypeOf(last);
  return `: it is ${body.what}${type === '' ? '' : ` (${type})`}, ${body.sender}`;
}

/** Returns true if a response says that it is JSON. */
export const isJson = (response: Pick<LastResponse, 'headers'>): boolean =>
  /^application\/(?:[\w.-]+\+)?json$/i.test(contentTypeOf(response));

/** The content type of a response without parameters. Empty if there is none that can be shown. */
export function contentTypeOf({ headers }: Pick<LastResponse, 'headers'>): string {
  const type = headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : '';
}

/** The message of a connection error names the host and the code; the text of a service may contain values. */
const failureOf = (error: PaymentsError): string =>
  error instanceof APIError ? `HTTP ${error.status}${nameAfterStatus(error)}.` : error.message;

/** The level of a call that failed. A limit of the rate only leaves a check undone. */
export const levelOf = ({ wire }: Surroundings): Level => (wire.last?.status === 429 ? 'warning' : 'failure');

/** Checks whether the service refused a request for what it contains. A limit of the rate says nothing about that. */
export const isRefusal = (error: unknown): error is APIError =>
  error instanceof APIError && error.status >= 400 && error.status < 500 && error.status !== 429;
