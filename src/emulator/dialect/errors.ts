import { type FieldProblem, ServiceProblem } from '../problem.ts';
import type { Dialect } from './dialect.ts';

/** A refusal before it is written. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
  fields?: readonly FieldProblem[] | undefined;
}

/** The body of an error response in the shape that a dialect gives its status. */
export function errorBody(
  dialect: Dialect,
  { status, code, message, fields }: Refusal,
): Record<string, unknown> {
  const details = fields === undefined ? {} : { details: byField(fields) };
  return isNumbered(dialect, status)
    ? { code: NUMBERS.get(code) ?? 100000, error: code, errorDetails: message, ...details }
    : { status: 'error', error: { code, message, ...details } };
}

/**
 * Returns true if a status has the error shape `{ code, error, errorDetails }`, and not the nested one. The description
 * shows the former for 401 and 500 and the latter for 404.
 */
export function isNumbered({ name }: Dialect, status: number): boolean {
  return name === 'field' ? status !== 404 : status === 401 || status >= 500;
}

/** A difference whose field may have any name. */
const printableField = (difference: string): string => difference.replace(/[^\x20-\x7e]/g, '?').slice(0, 150);

/** The messages by the path of the field. */
function byField(fields: readonly FieldProblem[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ field, message }) => [field, message]));
}

/** The numbers of the names. The name is the stable part; a name that is not listed has a common number. */
const NUMBERS = new Map([
  ['FIELD_VALIDATION_ERROR', 100001],
  ['RESOURCE_CONFLICT', 100003],
  ['METHOD_NOT_ALLOWED', 100004],
  ['KEY_DOES_NOT_EXIST', 100005],
  ['UNAUTHORIZED', 200001],
  ['USER_NOT_FOUND', 300001],
  ['USER_FROZEN', 300002],
  ['USER_COMPLIANCE_VERIFICATION_FAILED', 300004],
  ['TRANSACTION_NOT_FOUND', 400001],
  ['INVALID_ACCOUNT_FOR_TRANSACTION', 400003],
  ['INVALID_QUOTE', 400005],
  ['QUOTE_NOT_READY', 400006],
  ['APPROVAL_NOT_PENDING', 400007],
  ['TRANSACTION_REQUEST_ALREADY_EXISTS', 400010],
  ['ACCOUNT_NOT_FOUND', 500001],
  ['INSUFFICIENT_BALANCE', 600002],
  ['INTERNAL_ERROR', 700001],
]);

/** The fields that a refusal names at most. */
const MOST_NAMED = 5;

/** The refusal of a `requestId` that is known, with how the request differs from the one that used it. */
export function knownRequestId(dialect: Dialect, differences: readonly string[]): ServiceProblem {
  const isSame = differences.length === 0;
  const own = isSame ? 'TRANSACTION_REQUEST_ALREADY_EXISTS' : 'RESOURCE_CONFLICT';
  const named = differences.slice(0, MOST_NAMED).map(printableField).join(', ');
  const message = isSame
    ? 'This requestId was already used; its transfer exists and no other one was made'
    : `This requestId was already used with another payload (${named}); for another payment use a different request id`;
  return new ServiceProblem(dialect.duplicateStatus, dialect.duplicateError ?? own, message);
}
