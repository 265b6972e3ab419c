import type { AccessTokenContext, PaymentsClient } from 'stablecoin-payments';

/** Brings a tenant's token, such as from a vault; `expired` means that the service refused the last one. */
export type TenantToken = (tenantId: string, context: AccessTokenContext) => Promise<string>;

/**
 * One client per tenant, made when it is first asked for. All share the connections of the first client; none shares
 * a token. Keep the clients: each remembers its tenant's token until the service answers 401 to it.
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
