import {
  APIError,
  AuthenticationError,
  InvalidRequestError,
  PermissionDeniedError,
} from 'stablecoin-payments';
import { briefly, type Observation, observe, type Surroundings } from '../observed-call.ts';
import { DoctorUsageError } from '../options.ts';
import { note, safeWord, shapeOf } from '../report.ts';
import { failureOf, typeOf } from './judge.ts';

/** Returns true if the service can be reached and accepts the token. Without that nothing else can be checked. */
export async function checkConnection(around: Surroundings): Promise<boolean> {
  const { client, report, userId } = around;
  const { error, status } = await observe(around, 'kyc.retrieve', () => client.kyc.retrieve(userId));
  const fails = (check: string, message: string): false => {
    note(report, check, 'failure', message);
    return false;
  };
  // The client did not send the request: the user id cannot stand in a path.
  if (error instanceof InvalidRequestError) throw new DoctorUsageError(error.message);
  if (error !== undefined && status === undefined && !('issues' in error))
    return fails('reachability', `The service cannot be reached. ${failureOf(error)}`);
  const notJson = error !== undefined && 'issues' in error ? typeOf(around) : '';
  if (notJson !== '')
    return fails(
      'reachability',
      `The response is not one of the service${notJson}. Check the base address, and what stands before the service.`,
    );
  note(report, 'reachability', 'ok', 'The service responds.');
  if (status !== undefined && status >= 300 && status < 400)
    return fails(
      'reachability',
      `The base address redirects (HTTP ${status}). The client follows no redirect: use the address that it leads to.`,
    );
  if (error instanceof AuthenticationError) {
    noteShape(around, 'authentication', error);
    return fails(
      'authentication',
      'The service does not accept the token (HTTP 401). Check PAYMENTS_ACCESS_TOKEN, and that it belongs to this environment.',
    );
  }
  await checkWrongToken(around);
  return true;
}

async function checkWrongToken(around: Surroundings): Promise<void> {
  const { client, report, userId } = around;
  const stranger = client.withOptions({ accessToken: 'a-token-that-no-service-accepts' });
  const { error } = await observe(around, 'kyc.retrieve', () => stranger.kyc.retrieve(userId));
  const say = (level: 'ok' | 'warning', message: string) => note(report, 'authentication', level, message);
  if (error === undefined) say('warning', 'The service accepts any token. Is this an emulator?');
  else if (error instanceof AuthenticationError) {
    noteShape(around, 'authentication', error);
    say('ok', 'The service accepts the token, and refuses a wrong one with 401.');
  } else if (error instanceof PermissionDeniedError) {
    noteShape(around, 'authentication', error);
    say(
      'warning',
      'The service refuses a wrong token with 403. The client refreshes a token after a 401 only.',
    );
  } else say('warning', `A wrong token leads to ${briefly(error)} instead of a 401.`);
}

/** Adds the shapes of the errors that reads can cause: an unknown user, and a parameter out of range. */
export async function checkErrors(around: Surroundings): Promise<void> {
  const { client, report } = around;
  const unknown = await observe(around, 'kyc.retrieve', () => client.kyc.retrieve(crypto.randomUUID()));
  noteError(around, 'unknown user', unknown, [404]);
  const invalid = await observe(around, 'request', () =>
    client.request({ method: 'GET', path: '/v2/transfer-approvals', query: { limit: -1 } }),
  );
  noteError(around, 'invalid parameter', invalid, [400, 422]);
  if (unknown.error === undefined)
    note(
      report,
      'errors',
      'warning',
      'A user that does not exist leads to a success. A misspelled id will not be noticed.',
    );
}

function noteError(
  around: Surroundings,
  what: string,
  { error }: Observation<unknown>,
  expected: readonly number[],
): void {
  const { report } = around;
  if (!(error instanceof APIError)) return;
  noteShape(around, what, error);
  const { code, error: name, details } = error.service;
  if (code === undefined && name === undefined && details === undefined) {
    note(
      report,
      'errors',
      'warning',
      `The error for an ${what} has no code, name or message where the client looks for them: ${shapeOf(error.body)}.`,
    );
  } else if (expected.includes(error.status)) {
    note(report, 'errors', 'ok', `An ${what} leads to ${error.status}: ${shapeOf(error.body)}.`);
  } else {
    note(
      report,
      'errors',
      'note',
      `An ${what} leads to ${error.status}, not ${expected.join(' or ')}: ${shapeOf(error.body)}.`,
    );
  }
}

function noteShape({ report }: Surroundings, what: string, error: APIError): void {
  const name = safeWord(error.service.error) ?? safeWord(error.service.code);
  report.errorShapes[what] = `${error.status} ${name === undefined ? '' : `${name} `}${shapeOf(error.body)}`;
}
