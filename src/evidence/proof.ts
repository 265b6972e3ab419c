import type { ResponseIssue } from '../errors/index.ts';
import { isRecord } from '../shared/values.ts';
import type { Refusals } from './error-response.ts';
import { namesIn } from './service-error.ts';

/** Says why the body of a 2xx does not prove that the service did what was asked; undefined if it does. */
export type Proof = (body: unknown) => ResponseIssue | undefined;

const isShown = (value: unknown): boolean =>
  (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';

const missing = (path: string): ResponseIssue => ({ path, code: 'no_record' });

/** Proves an onramp, transfer, batch, bridge or offramp: the record shows its id and its status. */
export function showsTransfer(body: unknown): ResponseIssue | undefined {
  const details = isRecord(body) && isRecord(body.transferDetails) ? body.transferDetails : {};
  const absent = ['id', 'status'].find((name) => !isShown(details[name]));
  return absent === undefined ? undefined : missing(`transferDetails.${absent}`);
}

/** Proves an account: the record shows an id and one of the fields that only an account has. */
export function showsAccount(body: unknown): ResponseIssue | undefined {
  const record = isRecord(body) ? body : {};
  if (!isShown(record.id) && !isShown(record.accountId)) return missing('id');
  const { status, isValid, invalidFields, rail, accountType } = record;
  const isAccount = [status, isValid, invalidFields, rail, accountType].some(
    (field) => field !== undefined && field !== null,
  );
  return isAccount ? undefined : missing('status');
}

/** Proves a decision about an approval by the documented statuses of that decision. */
export const showsDecision =
  (...statuses: readonly string[]): Proof =>
  (body) =>
    isRecord(body) && statuses.includes(String(body.status)) ? undefined : missing('status');

/** Proves a deletion, unless the response says otherwise: an empty body is the usual one. */
export function showsDeletion(body: unknown): ResponseIssue | undefined {
  if (!isRecord(body)) return undefined;
  const { id, accountId, status, deleted } = body;
  if (deleted === false) return { path: 'deleted', code: 'contradicts_call' };
  const isAccount = isShown(id) || isShown(accountId) || accountStatuses.includes(String(status));
  return isAccount && isShown(status) && status !== 'INACTIVE'
    ? { path: 'status', code: 'contradicts_call' }
    : undefined;
}

const accountStatuses: readonly string[] = ['ACTIVE', 'PENDING', 'REJECTED'];

/**
 * Returns true if a body is an error in one of the service's shapes, or in one like them, under a status of success:
 * `{ success: false }`, `{ status: 'error' }`, `{ statusCode: 422 }`, `{ code: 'INSUFFICIENT_BALANCE' }`, `{ error: … }`,
 * `{ errors: […] }`, `{ errorDetails }`.
 */
export function isErrorShape(body: unknown, { known, sure }: Refusals): boolean {
  if (!isRecord(body)) return false;
  const { success, status, statusCode, error, errors, errorDetails } = body;
  if (success === false || success === 'false') return true;
  if (status === 'error' || status === 'fail' || status === 'failure') return true;
  if ([status, statusCode].some((code) => typeof code === 'number' && code >= 400)) return true;
  if (namesIn(body).some((name) => known.has(name) || sure.has(name))) return true;
  return [error, errors, errorDetails].some(saysSomething);
}

function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  if (Array.isArray(value)) return value.length > 0;
  return value === true || (isRecord(value) && Object.keys(value).length > 0);
}
