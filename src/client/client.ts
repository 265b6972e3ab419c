import type { ClientOptions } from '../config/options.ts';
import type { PagePromise } from '../pagination/page.ts';
import type { Accounts } from '../resources/accounts.ts';
import type { Approvals } from '../resources/approvals.ts';
import type { Bridges } from '../resources/bridges.ts';
import { type CustomList, startList } from '../resources/custom/list.ts';
import type { ExternalWallets } from '../resources/external-wallets.ts';
import type { Kyc } from '../resources/kyc.ts';
import type { Offramps } from '../resources/offramps.ts';
import type { Onramps } from '../resources/onramps.ts';
import type { Reporting } from '../resources/reporting.ts';
import type { Transfers } from '../resources/transfers.ts';
import type { RequestOptions } from '../transport/types.ts';
import { Client } from './base-client.ts';
import { createCore } from './core.ts';
import { builtIn, type ClientWith, open, states } from './namespaces.ts';

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
export class PaymentsClient extends Client {
  /** Fiat in, stablecoins out. */
  declare readonly onramps: Onramps;
  /** Fiat accounts of users. */
  declare readonly accounts: Accounts;
  /** Transfers between wallets, single and in batches. */
  declare readonly transfers: Transfers;
  /** Transfers between chains. */
  declare readonly bridges: Bridges;
  /** Stablecoins in, fiat out. */
  declare readonly offramps: Offramps;
  /** Pending approvals of transfers. */
  declare readonly approvals: Approvals;
  /** Saved metrics. */
  declare readonly reporting: Reporting;
  /** KYC records of users. */
  declare readonly kyc: Kyc;
  /** Wallets outside the service. */
  declare readonly externalWallets: ExternalWallets;

  /**
   * Creates a client.
   *
   * @param options - See {@link ClientOptions}. Environment variables can replace some of them.
   * @throws ConfigurationError when an option is missing or wrong.
   */
  constructor(options?: ClientOptions) {
    super();
    const namespaces = new Map(Object.entries(builtIn));
    open(this, { name: 'PaymentsClient', core: createCore(options), namespaces });
  }

  /**
   * Iterates over a list for which this client has no method. Your function `next` says how the list continues.
   *
   * Each page is retried after every transient failure.
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
    return startList(states.get(this).core.transport, list, options);
  }
}

/** A `PaymentsClient` with your own resources. */
export type ExtendedClient<Added> = ClientWith<Added, PaymentsClient>;
