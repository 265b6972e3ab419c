/** A name that services of this kind use, and its number. The name is the stable part. */
export type FieldError = readonly [name: string, number: number];

/** By the emulator's own name: what services of this kind call the same refusal. */
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
export function fieldErrorOf(code: string): FieldError {
  return FIELD_ERRORS.get(code) ?? [code, 100000];
}
