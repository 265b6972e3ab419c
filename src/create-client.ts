import { type ClientCore, coreOf, deriveCore, showOnlyAddress } from './client-core.ts';
import type { ClientOptions } from './config/options.ts';
import { ConfigurationError } from './errors/index.ts';
import { type FreeRequest, freeRequest } from './resources/free-request.ts';
import type { APIPromise } from './transport/api-promise.ts';
import { isRecord, kindOf } from './transport/kind.ts';
import type { RequestOptions, Transport } from './transport/types.ts';

/** A namespace that {@link createClient} takes: `Accounts`, `Approvals`, `Kyc`, `Onramps` … */
export interface Namespace<T> {
  /** What it makes. */
  readonly prototype: T;
  /** @internal */
  on(transport: Transport): T;
}

/** What every client has beside its namespaces; as in `PaymentsClient`. */
export interface ClientMethods<Client> {
  /** The base address in use, as resolved from the options or the environment. */
  readonly baseUrl: string;
  /** Derives a client with some options replaced; see `PaymentsClient.withOptions`. */
  withOptions(options: ClientOptions): Client;
  /** Reaches an operation that this client has no method for; see `PaymentsClient.request`. */
  request<T = unknown>(request: FreeRequest<T>, options?: RequestOptions): APIPromise<T>;
  /** What may be shown of a client: its address, no token. */
  toJSON(): {
    /** The base address in use. */
    baseUrl: string;
  };
}

/** A client of chosen namespaces, under the names that they were given. */
export type ComposedClient<Namespaces> = {
  readonly [Name in keyof Namespaces]: Namespaces[Name] extends Namespace<infer Made> ? Made : never;
} & ClientMethods<ComposedClient<Namespaces>>;

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
export function createClient<const Namespaces extends Readonly<Record<string, Namespace<unknown>>>>(
  namespaces: Namespaces,
  options?: ClientOptions,
): ComposedClient<Namespaces> {
  const core = coreOf(options);
  const client = Object.assign(methodsOf(core, namespaces), made(core, namespaces));
  showOnlyAddress(client, 'Client', core);
  // What each name holds is known one by one; the compiler sees them as a whole.
  return client as unknown as ComposedClient<Namespaces>;
}

function methodsOf<Namespaces extends Readonly<Record<string, Namespace<unknown>>>>(
  core: ClientCore,
  namespaces: Namespaces,
): ClientMethods<ComposedClient<Namespaces>> {
  const { baseUrl } = core.config;
  return {
    baseUrl,
    withOptions: (options) => createClient(namespaces, deriveCore(core, options)),
    request: (request, options) => freeRequest(core.transport, request, options),
    toJSON: () => ({ baseUrl }),
  };
}

const taken = ['baseUrl', 'withOptions', 'request', 'toJSON', 'then'];

function made({ transport }: ClientCore, namespaces: unknown): Record<string, unknown> {
  if (!isRecord(namespaces)) {
    throw new ConfigurationError(
      `createClient: the namespaces must be an object such as \`{ kyc: Kyc }\`, but are ${kindOf(namespaces)}.`,
    );
  }
  const result: Record<string, unknown> = {};
  for (const [name, namespace] of Object.entries(namespaces)) {
    if (taken.includes(name)) {
      throw new ConfigurationError(
        `createClient: \`${name}\` is the client's own; give the namespace another name.`,
      );
    }
    if (!isNamespace(namespace)) {
      throw new ConfigurationError(
        `createClient: \`${name}\` must be a namespace of this package, such as \`Kyc\`, but is ${kindOf(namespace)}.`,
      );
    }
    result[name] = namespace.on(transport);
  }
  return result;
}

function isNamespace(value: unknown): value is Namespace<unknown> {
  return typeof value === 'function' && 'on' in value && typeof value.on === 'function';
}
