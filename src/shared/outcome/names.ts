/** Row 4 (docs/guides/outcomes.md): the documented names for "exists already". The service has a request with this key. */
export const knownKeyNames: readonly string[] = ['TRANSACTION_REQUEST_ALREADY_EXISTS', 'RESOURCE_CONFLICT'];

/** Row 6: the documented names of refusals that make nothing, under any 4xx. */
export const refusalNames: readonly string[] = [
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
  'INSUFFICIENT_BALANCE',
  'FIELD_VALIDATION_ERROR',
  'METHOD_NOT_ALLOWED',
];

/** The names by which refusals are read, and the function that decides about a response. */
export interface Refusals {
  readonly known: ReadonlySet<string>;
  readonly sure: ReadonlySet<string>;
  readonly decide?:
    | ((response: { readonly status: number; readonly body: unknown; readonly operation: string }) => unknown)
    | undefined;
}

/** Adds the names of a service to the documented ones. */
export const refusalsOf = (
  known: readonly string[] = [],
  sure: readonly string[] = [],
  decide?: Refusals['decide'],
): Refusals => ({
  known: new Set([...knownKeyNames, ...known]),
  sure: new Set([...refusalNames, ...sure]),
  decide,
});
