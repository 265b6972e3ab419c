/** The operations for which the client has methods. A test compares them with what its methods send. */
export const clientOperations: readonly string[] = [
  'POST /v2/onramps',
  'POST /v2/onramps/{}/quote/refresh',
  'POST /v2/users/{}/accounts',
  'GET /v2/users/{}/accounts',
  'GET /v2/users/{}/accounts/{}',
  'DELETE /v2/users/{}/accounts/{}',
  'POST /v2/wallets/transfers',
  'POST /v2/wallets/transfers/batches',
  'POST /v2/wallets/bridges',
  'POST /v2/offramps',
  'GET /v2/transfer-approvals',
  'POST /v2/transfer-approvals/{}/approve',
  'POST /v2/transfer-approvals/{}/reject',
  'GET /v2/reporting/metrics/{}/results',
  'GET /v2/users/{}/kyc',
  'GET /v2/users/{}/wallets/external',
];

/** Returns true if the client has a method for an operation, whatever its placeholders are called. */
export const hasMethod = (method: string, path: string): boolean =>
  clientOperations.includes(`${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`);
