import type { AccessTokenContext, PaymentsClient } from 'stablecoin-payments';

/** Returns a tenant's token, for instance from a vault. `expired` means that the service refused the last one. */
export type TenantToken = (tenantId: string, context: AccessTokenContext) => Promise<string>;

/**
 * Returns one client per tenant, created on first use. The clients share the connections of the first client, and no
 * token. Keep the clients: each keeps its tenant's token until the service responds with 401.
 */
export function tenantClients(
  payments: PaymentsClient,
  tokenOf: TenantToken,
): (tenantId: string) => PaymentsClient {
  const clients = new Map<string, PaymentsClient>();
  return (tenantId) => {
    const known = clients.get(tenantId);
    if (known !== undefined) return known;
    const client = payments.withOptions({ accessToken: (context) => tokenOf(tenantId, context) });
    clients.set(tenantId, client);
    return client;
  };
}
