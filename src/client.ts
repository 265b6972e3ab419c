import { type ClientCore, coreOf, deriveCore, keyOf, openNamespace, showOnlyAddress } from './client-core.ts';
import type { ClientOptions } from './config/options.ts';
import { checkNamespaces, type Openable } from './namespaces.ts';
import type { ListOptions } from './pagination/list-options.ts';
import type { PagePromise } from './pagination/page.ts';
import { Accounts } from './resources/accounts.ts';
import { Approvals } from './resources/approvals.ts';
import { Bridges } from './resources/bridges.ts';
import { type FreeList, freeList } from './resources/custom/free-list.ts';
import { type FreeRequest, freeRequest } from './resources/custom/free-request.ts';
import type { CustomResource } from './resources/custom/resource-types.ts';
import { ExternalWallets } from './resources/external-wallets.ts';
import { Kyc } from './resources/kyc.ts';
import { Offramps } from './resources/offramps.ts';
import { Onramps } from './resources/onramps.ts';
import { Reporting } from './resources/reporting.ts';
import type { Resolution, ResolveOptions } from './resources/resolving/resolution.ts';
import { resolve } from './resources/resolving/resolve.ts';
import { Transfers } from './resources/transfers.ts';
import type { APIPromise } from './transport/api-promise.ts';
import type { RequestOptions } from './transport/types.ts';

/**
 * The client of the payments service. One is enough for a process; it is safe to share.
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
export class PaymentsClient {
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
  /** Approvals that transfers wait for. */
  readonly approvals: Approvals;
  /** Saved metrics. */
  readonly reporting: Reporting;
  /** What the service knows of a user. */
  readonly kyc: Kyc;
  /** Wallets outside the service. */
  readonly externalWallets: ExternalWallets;

  readonly #core: ClientCore;
  #added: ReadonlyMap<string, Openable> = new Map();

  /**
   * @param options - See {@link ClientOptions}; environment variables stand in for some.
   * @throws ConfigurationError when an option is missing or wrong.
   */
  constructor(options?: ClientOptions) {
    const core = coreOf(options);
    this.#core = core;
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

  /** The base address in use, as resolved from the options or the environment. */
  get baseUrl(): string {
    return this.#core.config.baseUrl;
  }

  /**
   * Derives a client with some options replaced, such as another tenant's token. It shares the connections, and the
   * token too unless `accessToken` is given.
   *
   * @param options - The options to replace; all others stay as they are.
   * @throws ConfigurationError when an option is wrong.
   *
   * @example
   * ```ts
   * const tenant = payments.withOptions({ accessToken: () => vault.token(tenantId), deadline: 10_000 });
   * ```
   */
  withOptions(options: ClientOptions): PaymentsClient {
    return clientOf(deriveCore(this.#core, options)).#open(this.#added);
  }

  /**
   * Adds resources of your own: namespaces that {@link defineResource} made, with the auth, retries, limits, hooks and errors
   * of this client.
   *
   * @param resources - The resources, by the names that they get on the client.
   * @returns A client with the resources, which shares the connections and the token.
   * @throws ConfigurationError when a name is taken or a value is no resource.
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
    return clientOf(this.#core).#open(new Map([...this.#added, ...added])) as ExtendedClient<Added>;
  }

  /**
   * Reaches an operation that this client has no method for, with the same auth, retries, limits and errors.
   *
   * @param request - `method`, `path` (from the base address, starting with `/`), `query`, `body`; `schema` to check the
   * response by (any Standard Schema); `idempotencyKey` and `retrySafety` for what moves money.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws InvalidRequestError before anything is sent.
   *
   * GET, HEAD and DELETE are retried, and whatever has an `idempotencyKey` or is `idempotent`; all else only when the service
   * surely did not take it.
   *
   * @example
   * ```ts
   * const rules = await payments.request({ method: 'GET', path: '/v2/transfer-rules' });
   * ```
   */
  request<T = unknown>(request: FreeRequest<T>, options?: RequestOptions): APIPromise<T> {
    return freeRequest(this.#core.transport, request, options);
  }

  /**
   * Walks a list that this client has no method for, as its own lists are walked: each item once, never in circles.
   *
   * @param list - `path` (from the base address, starting with `/`), `strategy` (`cursor` or `offset`), `query`; `schema` to
   * check each item by.
   * @param options - Limits, retries, headers or a token; `deadline` covers the whole walk, and `prefetch` fetches the
   * next page of a cursor list while you work on the current one.
   * @throws InvalidRequestError before anything is sent; PaginationError when the list cannot be walked to its end.
   *
   * Each page is retried after any failure that a repeat can cure.
   *
   * @example
   * ```ts
   * for await (const account of payments.paginate({ path: '/v2/virtual-accounts', strategy: 'cursor' })) {
   *   console.log(account);
   * }
   * ```
   */
  paginate<T = unknown>(list: FreeList<T>, options?: ListOptions): PagePromise<T> {
    return freeList(this.#core.transport, list, options);
  }

  /**
   * Finds out what became of a call that failed, and does only what is safe. It sends a call with a `requestId` again
   * under the same id and with the same bytes, asks your `lookup`, and waits between the tries. It never makes a
   * second payment, and it never sends a decision or an account again.
   *
   * @param error - What the call threw. An error of another process has lost its call: then only `lookup` can tell.
   * @param options - `lookup`; `deadline`: milliseconds for all of it, default 60 000; `interval`: milliseconds between
   * two tries, default 2000; `signal`.
   * @returns What became of the call, and how that is known. `undecided` says in `next` what to do.
   * @throws What you gave it, where that is no error of this package; AbortedError when `signal` ends the wait.
   *
   * @example
   * ```ts
   * try {
   *   await payments.transfers.create(params);
   * } catch (error) {
   *   const { state, next } = await payments.resolve(error, { lookup: ({ requestId }) => findTransfer(requestId) });
   *   if (state === 'undecided') tellAPerson(next);
   * }
   * ```
   *
   * Spec: the idempotency id of creates; nothing else of it is shown there.
   */
  resolve(error: unknown, options?: ResolveOptions): Promise<Resolution> {
    return resolve(this.#core.transport, error, options);
  }

  /** What may be shown of a client: its address, no token. */
  toJSON(): {
    /** The base address in use. */
    baseUrl: string;
  } {
    return { baseUrl: this.baseUrl };
  }

  #open(added: ReadonlyMap<string, Openable>): this {
    this.#added = added;
    for (const [name, resource] of added) {
      Object.defineProperty(this, name, { value: openNamespace(resource, this.#core), enumerable: true });
    }
    return this;
  }
}

// A class that names itself in its own body gets another name in the bundle, which stack traces would show.
const clientOf = (core: ClientCore): PaymentsClient => new PaymentsClient(keyOf(core));

/** Resources of your own, by the names that they get on the client. Names that the client uses itself are taken. */
export type CustomResources = { readonly [name: string]: CustomResource } & {
  readonly [Name in keyof PaymentsClient | 'then']?: never;
};

/** A `PaymentsClient` with resources of your own. */
export type ExtendedClient<Added> = {
  readonly [Name in keyof Added]: Added[Name] extends CustomResource<infer Methods> ? Methods : never;
} & ExtendedMethods<Added> &
  PaymentsClient;

/** What a client with resources of its own does in another way. */
export interface ExtendedMethods<Added> {
  /** Derives a client with some options replaced; it has the same resources. */
  withOptions(options: ClientOptions): ExtendedClient<Added>;
  /** Adds more resources. */
  with<const More extends CustomResources>(resources: More): ExtendedClient<Added & More>;
}
