import type { PaymentsClient } from './client.ts';
import { type ClientCore, coreOf, deriveCore, openNamespace, showOnlyAddress } from './client-core.ts';
import type { ClientOptions } from './config/options.ts';
import { checkNamespaces, type Openable } from './namespaces.ts';
import type { Accounts } from './resources/accounts.ts';
import type { Approvals } from './resources/approvals.ts';
import type { Bridges } from './resources/bridges.ts';
import { freeRequest } from './resources/custom/free-request.ts';
import type { CustomResource } from './resources/custom/resource-types.ts';
import type { ExternalWallets } from './resources/external-wallets.ts';
import type { Kyc } from './resources/kyc.ts';
import type { Offramps } from './resources/offramps.ts';
import type { Onramps } from './resources/onramps.ts';
import type { Reporting } from './resources/reporting.ts';
import { resolve } from './resources/resolving/resolve.ts';
import type { Transfers } from './resources/transfers.ts';

/** A namespace's class, or a resource of your own, as {@link createClient} takes it. Types only: naming one here brings it into no bundle. */
export type Namespace =
  | typeof Accounts
  | typeof Approvals
  | typeof Bridges
  | typeof ExternalWallets
  | typeof Kyc
  | typeof Offramps
  | typeof Onramps
  | typeof Reporting
  | typeof Transfers
  | CustomResource;

/** What every client has beside its namespaces: all of it as in `PaymentsClient`. */
export interface ClientMethods<Client> extends Pick<PaymentsClient, 'request' | 'resolve' | 'toJSON'> {
  /** The base address in use, as resolved from the options or the environment. */
  readonly baseUrl: string;

  /**
   * Derives a client with some options replaced; it has the same namespaces.
   *
   * @param options - The options to replace; all others stay as they are.
   * @throws ConfigurationError when an option is wrong.
   */
  withOptions(options: ClientOptions): Client;
}

/** Namespaces under the names that they are to have; the names that every client uses itself are taken. */
export type Namespaces = { readonly [name: string]: Namespace } & {
  readonly [Name in keyof ClientMethods<unknown> | 'then']?: never;
};

/** A client of chosen namespaces, under the names that they were given. */
export type ComposedClient<Chosen> = {
  readonly [Name in keyof Chosen]: NonNullable<Chosen[Name]> extends Namespace
    ? NonNullable<Chosen[Name]>['prototype']
    : never;
} & ClientMethods<ComposedClient<Chosen>>;

/**
 * Makes a client of the namespaces that you name, and of no others: a bundler drops the rest. For functions at the edge
 * and browsers, where bytes count; on a server `PaymentsClient` is simpler.
 *
 * @param namespaces - The namespaces' classes, under the names that they are to have.
 * @param options - As `PaymentsClient` takes them.
 * @throws ConfigurationError when an option is missing or wrong, or a namespace is none or takes a name that is in use.
 *
 * @example
 * ```ts
 * import { createClient, Kyc, Onramps } from 'stablecoin-payments';
 *
 * const payments = createClient({ kyc: Kyc, onramps: Onramps }, { baseUrl, accessToken: () => vault.token() });
 * const { kycInfo } = await payments.kyc.retrieve(userId);
 * ```
 */
export function createClient<const Chosen extends Namespaces>(
  namespaces: Chosen,
  options?: ClientOptions,
): ComposedClient<Chosen> {
  return compose<Chosen>(checkNamespaces(namespaces, taken, 'createClient'), coreOf(options));
}

function compose<Chosen>(
  namespaces: ReadonlyMap<string, Openable>,
  core: ClientCore,
): ComposedClient<Chosen> {
  const { baseUrl } = core.config;
  const methods: ClientMethods<ComposedClient<Chosen>> = {
    baseUrl,
    withOptions: (options) => compose(namespaces, deriveCore(core, options)),
    request: (request, options) => freeRequest(core.transport, request, options),
    resolve: (error, options) => resolve(core.transport, error, options),
    toJSON: () => ({ baseUrl }),
  };
  const made = [...namespaces].map(([name, namespace]) => [name, openNamespace(namespace, core)]);
  const client = { ...methods, ...Object.fromEntries(made) };
  showOnlyAddress(client, 'Client', core);
  return client;
}

const taken: readonly string[] = [
  'baseUrl',
  'withOptions',
  'request',
  'resolve',
  'toJSON',
  'then',
] satisfies (keyof ClientMethods<unknown> | 'then')[];
