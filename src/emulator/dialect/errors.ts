import { type FieldProblem, ServiceProblem } from '../problem.ts';
import type { Dialect, ErrorShape, ErrorShapeKey } from './dialect.ts';

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
  const shape = errorShapeOf(dialect.errorShapes, status);
  if (shape === 'bare') return { error: message };
  const field = dialect.errorNames === 'field';
  const [name, number] = field ? fieldErrorOf(code) : [code, status];
  const details = fields === undefined ? {} : field ? { details: byField(fields) } : { fields };
  if (shape === 'nested') return { status: 'error', error: { code: name, message, ...details } };
  return { code: number, error: name, errorDetails: message, ...details };
}

export function errorShapeOf(shapes: Dialect['errorShapes'], status: number): ErrorShape {
  const listed = Object.entries(shapes).find(([key]) => key === String(status))?.[1];
  const key: ErrorShapeKey = status >= 500 ? 500 : 'other';
  return listed ?? shapes[key] ?? shapes.other;
}

/** The messages by the path of the field. */
function byField(fields: readonly FieldProblem[]): Record<string, string> {
  return Object.fromEntries(fields.map(({ field, message }) => [field, message]));
}

/** A name that most services use, and its number. The name is the stable part. */
type FieldError = readonly [name: string, number: number];

/** By the emulator's own name: what most services call the same refusal. */
const FIELD_ERRORS = new Map<string, FieldError>([
  ['INVALID_REQUEST', ['FIELD_VALIDATION_ERROR', 100001]],
  ['MALFORMED_JSON', ['FIELD_VALIDATION_ERROR', 100001]],
  ['METHOD_NOT_ALLOWED', ['METHOD_NOT_ALLOWED', 100004]],
  ['ROUTE_NOT_FOUND', ['KEY_DOES_NOT_EXIST', 100005]],
  ['BODY_TOO_LARGE', ['FIELD_VALIDATION_ERROR', 100001]],
  ['REQUEST_ID_REUSED', ['TRANSACTION_REQUEST_ALREADY_EXISTS', 400010]],
  ['TRANSACTION_REQUEST_ALREADY_EXISTS', ['TRANSACTION_REQUEST_ALREADY_EXISTS', 400010]],
  ['RESOURCE_CONFLICT', ['RESOURCE_CONFLICT', 100003]],
  ['UNAUTHORIZED', ['UNAUTHORIZED', 200001]],
  ['USER_NOT_FOUND', ['USER_NOT_FOUND', 300001]],
  ['RAIL_NOT_ACTIVE', ['USER_COMPLIANCE_VERIFICATION_FAILED', 300004]],
  ['TRANSFER_NOT_FOUND', ['TRANSACTION_NOT_FOUND', 400001]],
  ['APPROVAL_NOT_FOUND', ['TRANSACTION_NOT_FOUND', 400001]],
  ['ACCOUNT_NOT_ACTIVE', ['INVALID_ACCOUNT_FOR_TRANSACTION', 400003]],
  ['QUOTE_NOT_OPEN', ['INVALID_QUOTE', 400005]],
  ['QUOTE_EXPIRED', ['INVALID_QUOTE', 400005]],
  ['QUOTE_NOT_READY', ['QUOTE_NOT_READY', 400006]],
  ['APPROVAL_NOT_PENDING', ['INVALID_TRANSACTION_ROUTE', 400007]],
  ['INSUFFICIENT_BALANCE', ['INSUFFICIENT_BALANCE', 600002]],
  ['ACCOUNT_NOT_FOUND', ['ACCOUNT_NOT_FOUND', 500001]],
  ['INTERNAL_ERROR', ['INTERNAL_ERROR', 700001]],
]);

/** The name and number of a refusal; a name that only the emulator has keeps it, with a common number. */
function fieldErrorOf(code: string): FieldError {
  return FIELD_ERRORS.get(code) ?? [code, 100000];
}

/** The refusal of a `requestId` that is known, with the same content or with another one. */
export function knownRequestId(dialect: Dialect, sameContent: boolean): ServiceProblem {
  const own = sameContent ? 'TRANSACTION_REQUEST_ALREADY_EXISTS' : 'REQUEST_ID_REUSED';
  const message = sameContent
    ? 'This requestId was already used; its transfer exists and no other one was made'
    : 'This requestId was already used with another payload; please try a different request id';
  return new ServiceProblem(dialect.duplicateStatus, dialect.duplicateError ?? own, message);
}
