import type { APIPromise } from './call/api-promise.ts';
import type { RequestOptions } from './call/call-options.ts';
import { type ClientCore, createCore } from './core.ts';
import type { ClientOptions } from './options.ts';
import { apiOf } from './other-operations/api.ts';
import type { Api } from './other-operations/api-types.ts';
import { type CustomList, startList } from './other-operations/list.ts';
import { type CustomRequest, startRequest } from './other-operations/request.ts';
import type { PagePromise } from './pagination/page.ts';
import { Accounts } from './resources/accounts.ts';
import { Approvals } from './resources/approvals.ts';
import { bindMethods } from './resources/bind-methods.ts';
import { Bridges } from './resources/bridges.ts';
import { ExternalWallets } from './resources/external-wallets.ts';
import { Kyc } from './resources/kyc.ts';
import { Offramps } from './resources/offramps.ts';
import { Onramps } from './resources/onramps.ts';
import { Reporting } from './resources/reporting.ts';
import { Transfers } from './resources/transfers.ts';

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
export class PaymentsClient {
  /** The base URL, in the form in which the client uses it. */
  readonly baseUrl: string;
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
  readonly #core: ClientCore;

  /**
   * Creates a client.
   *
   * @param options - See {@link ClientOptions}. Environment variables can replace some of them.
   * @throws ConfigurationError when an option is missing or wrong.
   */
  constructor(options?: ClientOptions);
  /** @internal */
  constructor(options: ClientOptions | undefined, parent: PaymentsClient | undefined);
  constructor(options?: ClientOptions, parent?: PaymentsClient) {
    this.#core = createCore(options, parent === undefined ? undefined : parent.#core);
    const { config, transport } = this.#core;
    this.baseUrl = config.baseUrl;
    this.onramps = new Onramps(transport);
    this.accounts = new Accounts(transport);
    this.transfers = new Transfers(transport);
    this.bridges = new Bridges(transport);
    this.offramps = new Offramps(transport);
    this.approvals = new Approvals(transport);
    this.reporting = new Reporting(transport);
    this.kyc = new Kyc(transport);
    this.externalWallets = new ExternalWallets(transport);
    bindMethods(this);
  }

  /**
   * Creates a client with some options replaced, such as the token of another tenant. It shares the connections, and the
   * token unless you pass `accessToken`.
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
    return derive(options, this);
  }

  /**
   * Calls an operation for which this client has no method, with the same auth, retries, limits and errors.
   *
   * GET, HEAD and DELETE are retried, and every request with an idempotency header or a `retrySafety` that allows it. Any
   * other request is retried only when it is certain that the service did not accept it.
   *
   * @param request - `method`, `path` (starts with `/`, relative to the base URL), `query`, `body`; `schema` (any
   * Standard Schema) to validate the response; `retrySafety`: with `keyed`, the key is an idempotency header or the
   * `requestId` of the body.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent.
   *
   * @example
   * ```ts
   * const rules = await payments.request({ method: 'GET', path: '/v2/transfer-rules' });
   * ```
   */
  request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): APIPromise<T> {
    return startRequest(this.#core.transport, request, options);
  }

  /**
   * Types the operations of your service's OpenAPI description. `paths` is the type that `npx openapi-typescript` writes.
   * The calls have the same auth, retries, limits and errors as every other call, and return the data.
   *
   * GET and DELETE are retried. So is a request with an idempotency header, with the same key. Any other request is
   * retried only when it is certain that the service did not accept it. `retrySafety` in the input changes that: with
   * `keyed`, a `requestId` in the body is the key.
   *
   * @example
   * ```ts
   * import type { paths } from './service.d.ts';
   *
   * const api = payments.api<paths>();
   * const user = await api.GET('/v2/users/{userId}', { params: { path: { userId } } });
   * ```
   */
  api<Paths>(): Api<Paths> {
    return apiOf<Paths>(this.#core.transport);
  }

  /**
   * Iterates over a list for which this client has no method. Your function `next` says how the list continues.
   *
   * Each page is retried after every transient failure. A list by page numbers or an offset skips records if others leave
   * it meanwhile; the guide *Pagination* has a recipe.
   *
   * @param list - `path` (starts with `/`, relative to the base URL); `query`; `next`, which returns the query of the next
   * page, or undefined at the end; `items`, for a response with more than one array; `schema` to validate each item.
   * @param options - Limits, retries, headers or a token. `deadline` covers all pages, in milliseconds.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent. PaginationError when the same query or page
   * comes again, when `next` throws or returns anything else, or when it is not clear which array is the list.
   *
   * @example
   * ```ts
   * const accounts = payments.paginate<{ id: string }, { nextCursor: string | null }>({
   *   path: '/v2/virtual-accounts',
   *   next: ({ body, query }) => (body.nextCursor ? { ...query, cursor: body.nextCursor } : undefined),
   * });
   * for await (const { id } of accounts) console.log(id);
   * ```
   */
  paginate<T = unknown, Body = unknown>(list: CustomList<T, Body>, options?: RequestOptions): PagePromise<T> {
    return startList(this.#core.transport, list, options);
  }

  /** Returns the base URL of the client. The result never contains the token. */
  toJSON(): {
    /** The base URL, in the form in which the client uses it. */
    baseUrl: string;
  } {
    return { baseUrl: this.baseUrl };
  }
}

// A class that names itself in its own body gets another name in the bundle, which stack traces would show.
const derive = (options: ClientOptions, parent: PaymentsClient) => new PaymentsClient(options, parent);
