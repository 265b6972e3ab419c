import { type ClientCore, coreOf, deriveCore, keyOf, openNamespace, showOnlyAddress } from './client-core.ts';
import type { ClientOptions } from './config/options.ts';
import { Accounts } from './resources/accounts.ts';
import { Approvals } from './resources/approvals.ts';
import { Bridges } from './resources/bridges.ts';
import { type FreeRequest, freeRequest } from './resources/custom/free-request.ts';
import { ExternalWallets } from './resources/external-wallets.ts';
import { Kyc } from './resources/kyc.ts';
import { Offramps } from './resources/offramps.ts';
import { Onramps } from './resources/onramps.ts';
import { Reporting } from './resources/reporting.ts';
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
    return clientOf(deriveCore(this.#core, options));
  }

  /**
   * Reaches an operation that this client has no method for, with the same auth, retries, limits and errors.
   *
   * @param request - `method`, `path` (from the base address, starting with `/`), `query`, `body`; `schema` to check
   * the answer by (any Standard Schema, such as zod's); `idempotent: true` if a repeat does no harm.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws InvalidRequestError before anything is sent.
   *
   * GET, HEAD and DELETE are retried, and whatever is `idempotent`; all else only when the service surely did not take it.
   *
   * @example
   * ```ts
   * const rules = await payments.request({ method: 'GET', path: '/v2/transfer-rules' });
   * ```
   */
  request<T = unknown>(request: FreeRequest<T>, options?: RequestOptions): APIPromise<T> {
    return freeRequest(this.#core.transport, request, options);
  }

  /** What may be shown of a client: its address, no token. */
  toJSON(): {
    /** The base address in use. */
    baseUrl: string;
  } {
    return { baseUrl: this.baseUrl };
  }
}

// A class that names itself in its own body gets another name in the bundle, which stack traces would show.
const clientOf = (core: ClientCore): PaymentsClient => new PaymentsClient(keyOf(core));
