import type { ClientOptions } from '../config/options.ts';
import type { Accounts } from '../resources/accounts.ts';
import type { Approvals } from '../resources/approvals.ts';
import type { Bridges } from '../resources/bridges.ts';
import { startRequest } from '../resources/custom/request.ts';
import type { CustomResource } from '../resources/custom/resource-types.ts';
import type { ExternalWallets } from '../resources/external-wallets.ts';
import type { Kyc } from '../resources/kyc.ts';
import type { Offramps } from '../resources/offramps.ts';
import type { Onramps } from '../resources/onramps.ts';
import type { Reporting } from '../resources/reporting.ts';
import { resolve } from '../resources/resolving/resolve.ts';
import type { Transfers } from '../resources/transfers.ts';
import {
  type ClientCore,
  checkNamespaces,
  coreOf,
  deriveCore,
  type Openable,
  openNamespace,
  showOnlyAddress,
} from './client-core.ts';
import type { ClientMethods } from './client-methods.ts';
import { drain } from './drain.ts';

/** The class of a namespace, or a resource of your own, for {@link createClient}. */
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

/** Namespaces, under the names to use on the client. Names that the client uses itself are not allowed. */
export type Namespaces = { readonly [name: string]: Namespace } & {
  readonly [Name in keyof ClientMethods<unknown> | 'then']?: never;
};

/** A client with the chosen namespaces only. */
export type ComposedClient<Chosen> = {
  readonly [Name in keyof Chosen]: NonNullable<Chosen[Name]> extends Namespace
    ? NonNullable<Chosen[Name]>['prototype']
    : never;
} & ClientMethods<ComposedClient<Chosen>>;

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
    request: (request, options) => startRequest(core.transport, request, options),
    resolve: (error, options) => resolve(core.transport, error, options),
    drain: (options) => drain(core.running, options),
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
  'drain',
  'toJSON',
  'then',
] satisfies (keyof ClientMethods<unknown> | 'then')[];
