import type { ResponseIssue } from '../errors/response.ts';
import { isComparable, isOtherAmount, isOtherId, isRecord, isShown, valueAt } from '../values.ts';
import { batchMismatches } from './batch.ts';
import type { CallFacts, ResponseFacts } from './operation.ts';
import type { Proof } from './proof.ts';
import { decided, isErrorByNumber, isErrorShape, knownKey } from './refusal.ts';

// The rows are those of the table "What a response proves", docs/guides/outcomes.md.

/** Rows 3, 4 and 8 to 11: what a 2xx proves. The first row that holds counts. */
export function ofSuccess(response: ResponseFacts, call: CallFacts): Proof {
  if (call.operation.retrySafety === 'read') return ofRead(response, call);
  return errorUnder2xx(response, call) ?? mismatchOf(response, call) ?? ofRecord(response, call);
}

/**
 * Rows 3, 4 and 8: a 2xx with an error shape. Of an operation that the caller describes, a schema that passes outweighs a
 * number in `status` or `statusCode`.
 */
function errorUnder2xx(response: ResponseFacts, call: CallFacts): Proof | undefined {
  const { body, passesSchema } = response;
  if (!isErrorShape(body, call.refusals)) return undefined;
  const isOwnNumber = call.operation.isCustom === true && isErrorByNumber(body, call.refusals);
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
function mismatchOf({ body }: ResponseFacts, { operation, sent, path }: CallFacts): Proof | undefined {
  const { identity, record } = operation;
  const other = identity === undefined ? undefined : otherIdentityIn(body, identity, path);
  const details = record === undefined ? undefined : valueAt(body, record);
  const mismatch = other ?? mismatchesOf(sent, details)[0];
  return mismatch === undefined ? undefined : { outcome: 'unknown', row: 9, mismatch };
}

/** Row 10: a 2xx that shows the operation's own record. Row 11: any other 2xx. */
function ofRecord({ body, isJson }: ResponseFacts, { operation }: CallFacts): Proof {
  const issue = isJson === false ? notJson : operation.provesCall?.(body);
  return issue === undefined ? { outcome: 'succeeded', row: 10 } : { outcome: 'unknown', row: 11, issue };
}

const notJson: ResponseIssue = { path: '', code: 'invalid_json' };
const noRecord = (path: string): ResponseIssue => ({ path, code: 'no_record' });
const contradiction = (path: string): ResponseIssue => ({ path, code: 'contradicts_call' });

/**
 * What a 2xx to a read is worth. That of a documented read is unusable, and asked for again, if it is empty or no JSON
 * (but 204), has an error shape, or shows none of its essential fields. One that the caller describes gives whatever came.
 */
function ofRead(response: ResponseFacts, call: CallFacts): Proof {
  if (call.operation.isCustom === true) return { outcome: 'succeeded' };
  const issue = whyUnusable(response, call);
  if (issue !== undefined) return { outcome: 'unknown', issue };
  const mismatch = mismatchOf(response, call)?.mismatch;
  return mismatch === undefined ? { outcome: 'succeeded' } : { outcome: 'unknown', mismatch };
}

function whyUnusable(
  { status, body, isJson }: ResponseFacts,
  { operation, refusals }: CallFacts,
): ResponseIssue | undefined {
  if (isJson === false) return notJson;
  if (status === 204) return undefined;
  if (isNothing(body)) return { path: '', code: 'empty' };
  if (isErrorShape(body, refusals)) return errorShape;
  const { essential = [], provesCall } = operation;
  const [first] = essential;
  const isUseless = first !== undefined && !essential.some((path) => isPresent(valueAt(body, path)));
  return isUseless ? noRecord(first) : provesCall?.(body);
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

/** Row 10: returns the path of an essential field that the details of a payment do not show; undefined if they are a record. */
export function absentIn(details: unknown): 'id' | 'status' | undefined {
  if (!isShown(valueAt(details, 'id'))) return 'id';
  return isShown(valueAt(details, 'status')) ? undefined : 'status';
}

/** Returns the details of a record; a record without them shows its fields at the top. */
export const detailsOf = (record: unknown): unknown => valueAt(record, 'transferDetails') ?? record;

/** Returns the idempotency key that a record shows, or undefined. */
export function requestIdOf(record: unknown): string | undefined {
  const id = valueAt(detailsOf(record), 'requestId') ?? valueAt(record, 'requestId');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The fields that identify a payer or a payee. */
const partyFields: readonly string[] = ['userId', 'walletAddress', 'externalWalletId', 'accountId'];

/**
 * Row 9: returns the paths at which a record shows another key, amount, currency, payer or payee than was sent. A field
 * counts only if it was sent and is shown. Amounts do not count if a `fee` was sent.
 *
 * @param sent - The body that was sent, parsed.
 * @param details - The details of the record: what is in its documented place.
 */
export function mismatchesOf(sent: unknown, details: unknown): readonly string[] {
  if (!isRecord(sent) || !isRecord(details)) return [];
  const withFee = sent.fee !== undefined && sent.fee !== null;
  const differing: string[] = [];
  if (isOtherId(sent.requestId, details.requestId)) differing.push('requestId');
  for (const side of ['', 'source', 'destination']) {
    const from = side === '' ? sent : sent[side];
    const to = side === '' ? details : details[side];
    if (!isRecord(from) || !isRecord(to)) continue;
    const path = (field: string) => (side === '' ? field : `${side}.${field}`);
    if (!withFee && isOtherAmount(from.amount, to.amount)) differing.push(path('amount'));
    if (isOtherCurrency(from.currency, to.currency)) differing.push(path('currency'));
    if (side === '') continue;
    for (const field of partyFields) if (isOtherId(from[field], to[field])) differing.push(path(field));
  }
  const batch = valueAt(sent, 'destination.batch');
  return Array.isArray(batch) ? [...differing, ...batchMismatches(batch, details, withFee)] : differing;
}

const isOtherCurrency = (sent: unknown, shown: unknown): boolean =>
  isComparable(sent) && isComparable(shown) && String(sent).toLowerCase() !== String(shown).toLowerCase();

/**
 * Row 9: returns the path at which a response shows another user, account, approval or transfer than was asked for;
 * undefined if it shows none.
 */
export function otherIdentityIn(
  body: unknown,
  identity: Readonly<Record<string, readonly string[]>>,
  path: Readonly<Record<string, string>> | undefined,
): string | undefined {
  for (const [name, paths] of Object.entries(identity)) {
    const other = otherAt(body, paths, path?.[name]);
    if (other !== undefined) return other;
  }
  return undefined;
}

function otherAt(body: unknown, paths: readonly string[], wanted: string | undefined): string | undefined {
  let isSame = false;
  let other: string | undefined;
  for (const path of paths) {
    for (const shown of valuesAt(body, path)) {
      if (!isComparable(shown)) continue;
      if (!isOtherId(wanted, shown)) isSame = true;
      else if (path.includes('[]') || path.includes('*')) return path;
      else other ??= path;
    }
  }
  return isSame ? undefined : other;
}

function valuesAt(body: unknown, path: string): readonly unknown[] {
  let values: readonly unknown[] = [body];
  for (const segment of path.split('.')) values = values.flatMap((value) => valuesIn(value, segment));
  return values;
}

function valuesIn(value: unknown, segment: string): readonly unknown[] {
  if (segment === '[]') return Array.isArray(value) ? value : [];
  if (!isRecord(value)) return [];
  if (segment === '*') return Object.values(value);
  return Object.hasOwn(value, segment) ? [value[segment]] : [];
}
