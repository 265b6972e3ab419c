/** Names of errors that most services use. The type stays open, because a service may use others. */
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

/** An error name that the error guide explains. */
export type KnownServiceErrorName = (typeof serviceErrorNames)[number];

/** An error name of the service: one of the listed names, or any other string. */
export type ServiceErrorName = KnownServiceErrorName | (string & {});

const known: ReadonlySet<string> = /* @__PURE__ */ new Set(serviceErrorNames);

/**
 * Checks whether the error guide explains an error name.
 *
 * @param name - The name, such as `error.service.error`.
 */
export const isKnownServiceErrorName = (name: string | undefined): name is KnownServiceErrorName =>
  name !== undefined && known.has(name);
