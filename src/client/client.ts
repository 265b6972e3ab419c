import type { ClientOptions } from '../config/options.ts';
import type { ListOptions } from '../pagination/list.ts';
import type { PagePromise } from '../pagination/page.ts';
import { Accounts } from '../resources/accounts.ts';
import { Approvals } from '../resources/approvals.ts';
import { Bridges } from '../resources/bridges.ts';
import { type CustomList, startList } from '../resources/custom/list.ts';
import { type CustomRequest, startRequest } from '../resources/custom/request.ts';
import type { CustomResource } from '../resources/custom/resource-types.ts';
import { ExternalWallets } from '../resources/external-wallets.ts';
import { Kyc } from '../resources/kyc.ts';
import { Offramps } from '../resources/offramps.ts';
import { Onramps } from '../resources/onramps.ts';
import { Reporting } from '../resources/reporting.ts';
import type { Resolution, ResolveOptions } from '../resources/resolving/resolution.ts';
import { resolve } from '../resources/resolving/resolve.ts';
import { Transfers } from '../resources/transfers.ts';
import { hiddenState } from '../shared/hidden-state.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { RequestOptions } from '../transport/types.ts';
import {
  type ClientCore,
  checkNamespaces,
  coreOf,
  cores,
  deriveCore,
  type Openable,
  openNamespace,
  optionsFor,
  showOnlyAddress,
} from './client-core.ts';
import type { ClientMethods } from './client-methods.ts';
import { type DrainOptions, type DrainResult, drain } from './drain.ts';
import { preview, type RequestPreview } from './request-preview.ts';

/**
 * The client of the payments service. Create one per process and share it.
 *
 * @example
 * ```ts
 * const payments = new PaymentsClient({
 *   environment: 'sandbox',
 *   baseUrls: { sandbox: process.env.SANDBOX_URL },
 *   accessToken: () => vault.token(),
 * });
 * ```
 */
export class PaymentsClient implements ClientMethods<PaymentsClient> {
  /** Fiat in, stablecoins out. */
  readonly onramps: Onramps;
  /** Fiat accounts of users. */
  readonly accounts: Accounts;
  /** Transfers between wallets, single and in batches. */
  readonly transfers: Transfers;
  /** Transfers between chains. */
  readonly bridges: Bridges;
  /** Stablecoins in, fiat out. */
  readonly offramps: Offramps;
  /** Pending approvals of transfers. */
  readonly approvals: Approvals;
  /** Saved metrics. */
  readonly reporting: Reporting;
  /** KYC records of users. */
  readonly kyc: Kyc;
  /** Wallets outside the service. */
  readonly externalWallets: ExternalWallets;

  /**
   * Creates a client.
   *
   * @param options - See {@link ClientOptions}. Environment variables can replace some of them.
   * @throws ConfigurationError when an option is missing or wrong.
   */
  constructor(options?: ClientOptions) {
    const core = coreOf(options);
    cores.set(this, core);
    addedTo.set(this, new Map());
    showOnlyAddress(this, 'PaymentsClient', core);
    this.onramps = openNamespace(Onramps, core);
    this.accounts = openNamespace(Accounts, core);
    this.transfers = openNamespace(Transfers, core);
    this.bridges = openNamespace(Bridges, core);
    this.offramps = openNamespace(Offramps, core);
    this.approvals = openNamespace(Approvals, core);
    this.reporting = openNamespace(Reporting, core);
    this.kyc = openNamespace(Kyc, core);
    this.externalWallets = openNamespace(ExternalWallets, core);
  }

  /** The base URL, in the form in which the client uses it. */
  get baseUrl(): string {
    return cores.get(this).config.baseUrl;
  }

  /**
   * Creates a client with some options replaced, such as the token of another tenant. It shares the connections. It
   * also shares the token, unless you pass `accessToken`.
   *
   * @param options - The options to replace. All others keep their values.
   * @throws ConfigurationError when an option is wrong.
   *
   * @example
   * ```ts
   * const tenant = payments.withOptions({ accessToken: () => vault.token(tenantId), deadline: 10_000 });
   * ```
   */
  withOptions(options: ClientOptions): PaymentsClient {
    return withAdded(clientOf(deriveCore(cores.get(this), options)), addedTo.get(this));
  }

  /**
   * Adds your own resources, created with `defineResource`. They use the auth, retries, limits, hooks and errors of
   * this client.
   *
   * @param resources - The resources, under the names to use on the client.
   * @returns A client with the resources. It shares the connections and the token.
   * @throws ConfigurationError when a name is in use or a value is not a resource.
   *
   * @example
   * ```ts
   * const extended = payments.with({ quotes: Quotes, users: Users });
   * await extended.quotes.acceptOfframp(offrampId);
   * ```
   */
  with<const Added extends CustomResources>(resources: Added): ExtendedClient<Added> {
    const names = Reflect.ownKeys(Object.getPrototypeOf(this)).map(String);
    const added = checkNamespaces(resources, [...Object.keys(this), ...names, 'then'], 'with');
    // The properties that the type names are set by their names.
    return withAdded(
      clientOf(cores.get(this)),
      new Map([...addedTo.get(this), ...added]),
    ) as ExtendedClient<Added>;
  }

  request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): APIPromise<T> {
    return startRequest(cores.get(this).transport, request, options);
  }

  /**
   * Iterates over a list for which this client has no method. Each item comes once, as in the client's own lists.
   *
   * Each page is retried after every transient failure.
   *
   * @param list - `path` (starts with `/`, relative to the base URL), `strategy` (`cursor`, `offset` or `page`), `query`;
   * `schema` to validate each item.
   * @param options - Limits, retries, headers or a token. `deadline` covers all pages, in milliseconds. `prefetch`
   * fetches the next page of a cursor list while you process the current one.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent. PaginationError when a cursor or a page
   * comes twice.
   *
   * @example
   * ```ts
   * for await (const account of payments.paginate({ path: '/v2/virtual-accounts', strategy: 'cursor' })) {
   *   console.log(account);
   * }
   * ```
   */
  paginate<T = unknown>(list: CustomList<T>, options?: ListOptions): PagePromise<T> {
    return startList(cores.get(this).transport, list, options);
  }

  resolve(error: unknown, options?: ResolveOptions): Promise<Resolution> {
    return resolve(cores.get(this).transport, error, options);
  }

  /**
   * Shows the request of a call without sending it: the checks, the idempotency key and the exact bytes. It asks for no
   * token, calls no hook, and remembers nothing.
   *
   * @param call - Makes the call on the client that it receives. Of several requests, the first is shown.
   * @returns The request, with the headers but for `authorization`.
   * @throws The error of the call when a parameter is invalid, and what the function itself throws.
   *
   * @example
   * ```ts
   * const { body, requestId } = await payments.preview((client) => client.transfers.create(params));
   * ```
   */
  preview(call: (client: this) => PromiseLike<unknown>): Promise<RequestPreview> {
    const added = addedTo.get(this);
    // The client that is shown has the namespaces of this one.
    return preview(cores.get(this), async (core) => call(withAdded(clientOf(core), added) as this));
  }

  drain(options?: DrainOptions): Promise<DrainResult> {
    return drain(cores.get(this).running, options);
  }

  /** Returns the base URL of the client. The result never contains the token. */
  toJSON(): {
    /** The base URL, in the form in which the client uses it. */
    baseUrl: string;
  } {
    return { baseUrl: this.baseUrl };
  }
}

/** The resources that `with` added to a client. */
const addedTo = /* @__PURE__ */ hiddenState<ReadonlyMap<string, Openable>>('resources');

/** Opens the added resources on a client. */
function withAdded(client: PaymentsClient, added: ReadonlyMap<string, Openable>): PaymentsClient {
  addedTo.set(client, added);
  for (const [name, resource] of added) {
    Object.defineProperty(client, name, {
      value: openNamespace(resource, cores.get(client)),
      enumerable: true,
    });
  }
  return client;
}

// A class that names itself in its own body gets another name in the bundle, which stack traces would show.
const clientOf = (core: ClientCore): PaymentsClient => new PaymentsClient(optionsFor(core));

/** Your own resources, under the names to use on the client. Names that the client uses itself are not allowed. */
export type CustomResources = { readonly [name: string]: CustomResource } & {
  readonly [Name in keyof PaymentsClient | 'then']?: never;
};

/** A `PaymentsClient` with your own resources. */
export type ExtendedClient<Added> = {
  readonly [Name in keyof Added]: Added[Name] extends CustomResource<infer Methods> ? Methods : never;
} & ExtendedMethods<Added> &
  PaymentsClient;

/** The methods that differ on a client with your own resources. */
export interface ExtendedMethods<Added> {
  /**
   * Creates a client with some options replaced. It has the same resources.
   *
   * @param options - The options to replace. All others keep their values.
   * @throws ConfigurationError when an option is wrong.
   */
  withOptions(options: ClientOptions): ExtendedClient<Added>;
  /**
   * Adds more resources.
   *
   * @param resources - The resources, under the names to use on the client.
   * @throws ConfigurationError when a name is in use or a value is not a resource.
   */
  with<const More extends CustomResources>(resources: More): ExtendedClient<Added & More>;
}
