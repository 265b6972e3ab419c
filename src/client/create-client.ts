import type { ClientOptions } from '../config/options.ts';
import { Client } from './base-client.ts';
import { createCore } from './core.ts';
import { type ClientWith, checkNamespaces, type Namespaces, open } from './namespaces.ts';

/**
 * Creates a client with the chosen namespaces only, so that a bundler removes the others. Use it in edge functions and
 * browsers, where the bundle size matters. On a server, `PaymentsClient` is simpler.
 *
 * @param namespaces - The classes of the namespaces, under the names to use on the client.
 * @param options - The same options as for `PaymentsClient`.
 * @throws ConfigurationError when an option is missing or wrong, a value is not a namespace, or a name is in use.
 *
 * @example
 * ```ts
 * import { createClient, Kyc, Onramps } from 'stablecoin-payments';
 *
 * const payments = createClient({ kyc: Kyc, onramps: Onramps }, { baseUrl, accessToken: () => vault.token() });
 * const { kycInfo } = await payments.kyc.retrieve(userId);
 * ```
 */
export function createClient<const Chosen extends Namespaces<Client>>(
  namespaces: Chosen,
  options?: ClientOptions,
): ClientWith<Chosen, Client> {
  const client: Client = Object.create(Client.prototype);
  const chosen = checkNamespaces(namespaces, client, 'createClient');
  open(client, { name: 'Client', core: createCore(options), namespaces: chosen });
  // The properties that the type names are set by their names.
  return client as ClientWith<Chosen, Client>;
}
