import { APIError, type PaymentsError, PermissionDeniedError } from 'stablecoin-payments';
import type { Observation, Surroundings } from '../observed-call.ts';
import { type Level, note, safeWord } from '../report.ts';

/** Adds the meaning of a call for the client to the report, and returns true if its data can be used. */
export function judge(
  around: Surroundings,
  operation: string,
  { error, status }: Observation<unknown>,
): boolean {
  const { report } = around;
  const drift = report.operations.findLast((one) => one.operation === operation)?.drift ?? [];
  const details = drift.map(({ path, code }) => `${path === '' ? 'the body' : path}: ${code}`);
  if (error === undefined) {
    if (drift.length === 0) note(report, operation, 'ok', 'The response is as expected.');
    else
      note(
        report,
        operation,
        'warning',
        'The response differs from the schema. The client passes it on as received.',
        details,
      );
    return true;
  }
  if ('issues' in error) {
    note(report, operation, 'failure', `The client cannot use the response${typeOf(around)}.`, details);
  } else if (error.code === 'response_mismatch') {
    note(report, operation, 'failure', 'The response belongs to another request.', mismatchPath(error));
  } else if (error instanceof PermissionDeniedError) {
    note(report, operation, 'warning', 'The token may not call this operation (HTTP 403).');
  } else if (status === 404) {
    note(
      report,
      operation,
      'failure',
      'The service does not find it (HTTP 404). Check the id that you gave, and that the base address is complete.',
    );
  } else {
    note(report, operation, levelOf(around), `The call failed: ${failureOf(error)}`);
  }
  return false;
}

/** Does the same for a write. A refusal of the sample data says nothing about the client. */
export function judgeWrite(
  around: Surroundings,
  operation: string,
  observation: Observation<unknown>,
): boolean {
  const { error } = observation;
  if (!isRefusal(error)) return judge(around, operation, observation);
  const name = safeWord(error.service.error);
  note(
    around.report,
    operation,
    'warning',
    `The service refuses the sample: HTTP ${error.status}${name === undefined ? '' : `, ${name}`}. Try it with data of your own.`,
  );
  return false;
}

/** Names the content type of a response that is not JSON. */
export function typeOf({ wire }: Surroundings): string {
  const type = wire.last?.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  if (/^application\/(?:[\w.-]+\+)?json$/i.test(type) || wire.last === undefined) return '';
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? `: its content type is ${type}` : ': it has no content type';
}

/** The message of a connection error names the host and the code; the text of a service may contain values. */
export const failureOf = (error: NonNullable<Observation<unknown>['error']>): string =>
  error instanceof APIError ? `HTTP ${error.status}.` : error.message;

const mismatchPath = (error: object): string[] => ('path' in error ? [String(error.path)] : []);

/** The level of a call that failed. A limit of the rate only leaves a check undone. */
export const levelOf = ({ wire }: Surroundings): Level => (wire.last?.status === 429 ? 'warning' : 'failure');

/** Checks whether a call that failed may have been carried out. */
export const isOpen = (error: PaymentsError | undefined): boolean =>
  error?.outcome === 'unknown' || error?.outcome === 'succeeded';

/** Checks whether the service refused a request for what it contains. A limit of the rate says nothing about that. */
export const isRefusal = (error: unknown): error is APIError =>
  error instanceof APIError && error.status >= 400 && error.status < 500 && error.status !== 429;
