import type { ResponseIssue } from '../errors/response.ts';
import { isRecord, valueAt } from '../values.ts';
import { differencesOf, otherEchoIn } from './comparison.ts';
import type { AskedCall } from './operation.ts';
import type { Proof } from './proof.ts';
import { absentIn } from './read-record.ts';
import { decided, knownKey } from './refusal.ts';
import { isErrorByNumber, isErrorShape, isShown } from './shapes.ts';

/** A response with a 2xx. */
export interface SuccessResponse {
  readonly status: number;
  /** The parsed JSON, undefined for an empty body, or the text of a body that is not JSON. */
  readonly body: unknown;
  /** False for a body that is neither empty nor JSON. */
  readonly isJson: boolean;
  /** True if it passes the schema that the caller gave. */
  readonly passesSchema?: boolean | undefined;
}

/** Rows 3, 4 and 8 to 11: what a 2xx proves. The first row that holds counts. */
export function ofSuccess(response: SuccessResponse, call: AskedCall): Proof {
  if (call.operation.retrySafety === 'read') return ofRead(response, call);
  return errorUnder2xx(response, call) ?? mismatchOf(response, call) ?? ofRecord(response, call);
}

/**
 * Rows 3, 4 and 8: a 2xx with an error shape. Of an operation that the caller describes, a schema that passes outweighs a
 * number in `status` or `statusCode`.
 */
function errorUnder2xx(response: SuccessResponse, call: AskedCall): Proof | undefined {
  const { body, passesSchema } = response;
  if (!isErrorShape(body, call.refusals)) return undefined;
  const isOwnNumber = call.operation.isOfCaller === true && isErrorByNumber(body, call.refusals);
  if (isOwnNumber && passesSchema === true) return undefined;
  const remedy = isOwnNumber ? 'schema' : 'function';
  return (
    decided(response, call) ??
    knownKey(response, call) ?? { outcome: 'unknown', row: 8, remedy, issue: errorShape }
  );
}

const errorShape: ResponseIssue = { path: '', code: 'error_shape' };

/**
 * Row 9: a 2xx that shows another `userId`, account id, `approvalId`, `transferId`, `requestId`, amount, currency, payer
 * or payee than was sent. Of an operation that the caller describes nothing is matched.
 */
function mismatchOf({ body }: SuccessResponse, { operation, sent, path }: AskedCall): Proof | undefined {
  const { echoes, record } = operation;
  const other = echoes === undefined ? undefined : otherEchoIn(body, echoes, path);
  const details = record === undefined ? undefined : valueAt(body, record);
  const mismatch = other ?? differencesOf(sent, details)[0];
  return mismatch === undefined ? undefined : { outcome: 'unknown', row: 9, mismatch };
}

/** Row 10: a 2xx that shows the operation's own record. Row 11: any other 2xx. */
function ofRecord({ body, isJson }: SuccessResponse, { operation }: AskedCall): Proof {
  const issue = isJson ? operation.settledBy?.(body) : notJson;
  return issue === undefined ? { outcome: 'succeeded', row: 10 } : { outcome: 'unknown', row: 11, issue };
}

const notJson: ResponseIssue = { path: '', code: 'invalid_json' };
const noRecord = (path: string): ResponseIssue => ({ path, code: 'no_record' });
const contradiction = (path: string): ResponseIssue => ({ path, code: 'contradicts_call' });

/**
 * What a 2xx to a read is worth. That of a documented read is unusable, and asked for again, if it is empty or no JSON
 * (but 204), has an error shape, or shows none of its essential fields. One that the caller describes gives whatever came.
 */
function ofRead(response: SuccessResponse, call: AskedCall): Proof {
  if (call.operation.isOfCaller === true) return { outcome: 'succeeded' };
  const issue = whyUnusable(response, call);
  if (issue !== undefined) return { outcome: 'unknown', issue };
  const mismatch = mismatchOf(response, call)?.mismatch;
  return mismatch === undefined ? { outcome: 'succeeded' } : { outcome: 'unknown', mismatch };
}

function whyUnusable(
  { status, body, isJson }: SuccessResponse,
  { operation, refusals }: AskedCall,
): ResponseIssue | undefined {
  if (!isJson) return notJson;
  if (status === 204) return undefined;
  if (isNothing(body)) return { path: '', code: 'empty' };
  if (isErrorShape(body, refusals)) return errorShape;
  const { essential = [], settledBy } = operation;
  const [first] = essential;
  const isUseless = first !== undefined && !essential.some((path) => isPresent(valueAt(body, path)));
  return isUseless ? noRecord(first) : settledBy?.(body);
}

/** Returns true for an empty body, and for a record without fields. */
const isNothing = (body: unknown): boolean =>
  body === undefined || body === null || (isRecord(body) && Object.keys(body).length === 0);

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** Row 10, of an onramp, transfer, batch, bridge or offramp: the record shows its id and its status. */
export function showsTransfer(body: unknown): ResponseIssue | undefined {
  const absent = absentIn(valueAt(body, 'transferDetails'));
  return absent === undefined ? undefined : noRecord(`transferDetails.${absent}`);
}

/** Row 10, of an account: `id` or `accountId`, and one of `status`, `isValid`, `invalidFields`, `rail`, `accountType`. */
export function showsAccount(body: unknown): ResponseIssue | undefined {
  const record = isRecord(body) ? body : {};
  if (!isShown(record.id) && !isShown(record.accountId)) return noRecord('id');
  const { status, isValid, invalidFields, rail, accountType } = record;
  return [status, isValid, invalidFields, rail, accountType].some(isPresent) ? undefined : noRecord('status');
}

/** Row 10, of a decision about an approval: the documented status of that decision. */
export const showsDecision =
  (...statuses: readonly string[]) =>
  (body: unknown): ResponseIssue | undefined =>
    isRecord(body) && statuses.some((status) => status === body.status) ? undefined : noRecord('status');

/**
 * Row 10, of a deletion: an empty body, `true`, `null`, or a JSON object without `deleted: false` and, where it has an
 * `id` or `accountId`, with no `status` or `INACTIVE` or `DELETED`.
 */
export function showsDeletion(body: unknown): ResponseIssue | undefined {
  if (body === undefined || body === null || body === true) return undefined;
  if (!isRecord(body)) return noRecord('');
  const { id, accountId, status, deleted } = body;
  if (deleted === false) return contradiction('deleted');
  const isAccount = isPresent(id) || isPresent(accountId);
  const isDeleted = !isPresent(status) || status === 'INACTIVE' || status === 'DELETED';
  return isAccount && !isDeleted ? contradiction('status') : undefined;
}
