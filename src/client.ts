import type { ClientOptions } from './config/options.ts';
import { ownOptions, resolveConfig } from './config/resolve-config.ts';
import { Accounts } from './resources/accounts.ts';
import { Approvals } from './resources/approvals.ts';
import { Bridges } from './resources/bridges.ts';
import { ExternalWallets } from './resources/external-wallets.ts';
import { type FreeRequest, freeRequest } from './resources/free-request.ts';
import { Kyc } from './resources/kyc.ts';
import { Offramps } from './resources/offramps.ts';
import { Onramps } from './resources/onramps.ts';
import { Reporting } from './resources/reporting.ts';
import { Transfers } from './resources/transfers.ts';
import type { APIPromise } from './transport/api-promise.ts';
import { HttpTransport } from './transport/http-transport.ts';
import { RequestIdLedger } from './transport/idempotency.ts';
import { createKyWire } from './transport/ky-transport.ts';
import { chooseSend } from './transport/platform-fetch.ts';
import type { ResolvedConfig } from './transport/resolved-config.ts';
import type { RequestOptions } from './transport/types.ts';
import type { Wire } from './transport/wire.ts';

/** What a derived client shares with the one it comes from. */
interface Shared {
  readonly options: ClientOptions;
  readonly config: ResolvedConfig;
  readonly wire: Wire;
  readonly ledger: RequestIdLedger;
}

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

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

  readonly #shared: Shared;
  readonly #transport: HttpTransport;

  /**
   * @param options - See {@link ClientOptions}; environment variables stand in for some.
   * @throws ConfigurationError when an option is missing or wrong.
   */
  constructor(options?: ClientOptions) {
    const shared =
      (options === undefined ? undefined : derivations.get(options)) ??
      createShared(ownOptions(options, 'The client options'));
    const transport = new HttpTransport(shared.config, shared.wire, shared.ledger);
    this.#shared = shared;
    // What `console.log` shows. Not a method: its computed name would keep the client in every bundle.
    Object.defineProperty(this, inspectSymbol, {
      value: () => `PaymentsClient { baseUrl: '${this.baseUrl}' }`,
    });
    this.#transport = transport;
    this.onramps = new Onramps(transport);
    this.accounts = new Accounts(transport);
    this.transfers = new Transfers(transport);
    this.bridges = new Bridges(transport);
    this.offramps = new Offramps(transport);
    this.approvals = new Approvals(transport);
    this.reporting = new Reporting(transport);
    this.kyc = new Kyc(transport);
    this.externalWallets = new ExternalWallets(transport);
  }

  /** The base address in use, as resolved from the options or the environment. */
  get baseUrl(): string {
    return this.#shared.config.baseUrl;
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
    const parent = this.#shared;
    const own = givenOptions(ownOptions(options, 'withOptions: the options'));
    const merged: ClientOptions = Object.assign(Object.create(null), parent.options);
    // The address in use stays, also one from a variable that has changed since. But another environment means
    // another address; the old one would send its calls to the old host.
    if (own.environment === undefined && own.baseUrls === undefined) merged.baseUrl = parent.config.baseUrl;
    else delete merged.baseUrl;
    Object.assign(merged, own);
    const config = resolveConfig(
      merged,
      own.accessToken === undefined ? parent.config.credentials : undefined,
    );
    const wire =
      own.fetch === undefined && own.dispatcher === undefined ? parent.wire : createKyWire(chooseSend(own));
    const key: ClientOptions = {};
    derivations.set(key, { options: merged, config, wire, ledger: parent.ledger });
    return new PaymentsClient(key);
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
    return freeRequest(this.#transport, request, options);
  }

  /** What may be shown of a client: its address, no token. */
  toJSON(): {
    /** The base address in use. */
    baseUrl: string;
  } {
    return { baseUrl: this.baseUrl };
  }
}

/** Without the options that are undefined, which is to say not given; but `deadline: undefined` lifts a deadline. */
function givenOptions(options: ClientOptions): ClientOptions {
  const given = Object.entries(options).filter(([name, value]) => value !== undefined || name === 'deadline');
  return Object.assign(Object.create(null), Object.fromEntries(given));
}

/** Keys that stand for a derived client's resolved state on its way into the constructor. */
const derivations = new WeakMap<object, Shared>();

function createShared(options: ClientOptions): Shared {
  const config = resolveConfig(options);
  return { options, config, wire: createKyWire(chooseSend(options)), ledger: new RequestIdLedger() };
}
