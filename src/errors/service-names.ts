/** Names of errors that services of this kind use. Others are possible: the type stays open. */
export const serviceErrorNames = [
  'INVALID_API_KEY',
  'UNAUTHORIZED',
  'KEY_DOES_NOT_EXIST',
  'PROFILE_FROZEN',
  'USER_NOT_FOUND',
  'USER_FROZEN',
  'USER_COMPLIANCE_VERIFICATION_FAILED',
  'INVALID_TRANSACTION_ROUTE',
  'INVALID_ACCOUNT_FOR_TRANSACTION',
  'QUOTE_NOT_READY',
  'INVALID_QUOTE',
  'TRANSACTION_NOT_FOUND',
  'TRANSACTION_REQUEST_ALREADY_EXISTS',
  'RESOURCE_CONFLICT',
  'INSUFFICIENT_BALANCE',
  'FIELD_VALIDATION_ERROR',
  'METHOD_NOT_ALLOWED',
] as const;

/** A name of an error that services of this kind use. */
export type KnownServiceErrorName = (typeof serviceErrorNames)[number];

/** The name of an error: one that is known, or any other. */
export type ServiceErrorName = KnownServiceErrorName | (string & {});

const known: ReadonlySet<string> = new Set(serviceErrorNames);

/** Whether a name is one of those that the error guide explains. */
export const isKnownServiceErrorName = (name: string | undefined): name is KnownServiceErrorName =>
  name !== undefined && known.has(name);
