import { deliveriesOf } from './delivery/deliveries-of.ts';
import type { EmulatorDeliveries } from './delivery/delivery-attempt.ts';
import { type EmulatorEvents, EventLog } from './delivery/event-log.ts';
import { webhookOf } from './delivery/webhook-of.ts';
import type { Dialect, DialectName, DialectOptions } from './dialect/dialect.ts';
import { resolveDialect } from './dialect/resolve.ts';
import { deliver } from './http/connection-errors.ts';
import { controlRoutes } from './http/control-routes.ts';
import { type CustomRoute, CustomRoutes } from './http/custom-routes.ts';
import { recordOf } from './http/exchange-record.ts';
import { type EmulatorFaults, FaultList } from './http/faults.ts';
import { createApp, type Exchange, storeFailure } from './http/http.ts';
import { keptRequest } from './http/kept-request.ts';
import { notFound } from './http/problem.ts';
import { RequestLog } from './http/request-log.ts';
import { serviceRoutes } from './http/routes/service-routes.ts';
import type { EmulatorOptions, RequestRecord } from './options.ts';
import { recordView } from './page/record-view.ts';
import { viewOf } from './page/view.ts';
import { catchUp } from './service/catch-up.ts';
import type * as records from './service/records/index.ts';
import { createMetric, type NewMetric } from './service/reporting/metrics.ts';
import { createCommands } from './service/test-helpers.ts';
import type { SetBalanceParams } from './service/transfers/balances.ts';
import type { AddExternalWalletParams } from './service/transfers/wallets.ts';
import type { CreateUserParams } from './service/users.ts';
import { applyChanges, type Change, ChangeTracker } from './state/change-tracker.ts';
import { Clock, type ClockSetting, type EmulatorClock } from './state/clock.ts';
import { toMilliseconds } from './state/duration.ts';
import { Ids } from './state/ids.ts';
import { Ledger } from './state/ledger.ts';
import { type EmulatorSnapshot, loadSnapshot, restoreSnapshot, takeSnapshot } from './state/snapshot.ts';
import { type EmulatorState, stateOf } from './state/state.ts';
import { createWorld } from './state/world.ts';
import { type EmulatorPayment, paymentsOf } from './testing/payments.ts';

/** The emulated service. Use it through `fetch`, msw or a server, and control it with its methods. */
export interface Emulator {
  /** A replacement for the client's `fetch` option: any origin, no network, with realistic faults and aborts. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Responds to one request, as `fetch` does. */
  handle(request: Request): Promise<Response>;
  /** The clock of the emulator. */
  readonly clock: EmulatorClock;
  /** The emitted events, and their delivery. */
  readonly events: EmulatorEvents;
  /** The deliveries of events to the webhook, with their attempts. */
  readonly deliveries: EmulatorDeliveries;
  /** The injected faults. */
  readonly faults: EmulatorFaults;
  /** The seed of the ids and rates: from the options, or generated. */
  readonly seed: string;
  /** The webhook's signing secret: from the options, or generated; `undefined` without a webhook. */
  readonly webhookSecret: string | undefined;
  /** Every decision of the current dialect. */
  readonly dialect: Readonly<Dialect>;
  /** Switches to another dialect. */
  setDialect(dialect: DialectName | DialectOptions): void;
  /**
   * The public key, as PEM, of the deliveries of a dialect that signs with a JWT; `undefined` where there is no webhook
   * or you gave its private key.
   */
  webhookPublicKey(): Promise<string | undefined>;
  /** Returns the body of `GET /_emulator/state`. */
  state(): EmulatorState;
  /** Returns the latest requests, oldest first. */
  requests(): RequestRecord[];
  /** Returns every transfer, batch, bridge, offramp and onramp, oldest first, with its `requestId`. */
  payments(): EmulatorPayment[];
  /** Creates a user with the given active rails. Fields of the KYC record that `kyc` does not set are generated. */
  createUser(params?: CreateUserParams): {
    /** Its id. */
    id: string;
    /** The user it belongs to. */
    userId: string;
    /** The rails that are active. */
    rails: records.Rail[];
    /** The KYC record. */
    kycInfo: Record<string, unknown>;
  };
  /** Saves a metric. Retrieve its results by its id. Default: daily gross volume. */
  createMetric(params?: NewMetric): records.MetricRecord;
  /** Adds an external wallet to a user. */
  addExternalWallet(params: AddExternalWalletParams): records.ExternalWalletRecord;
  /** Sets the balance of a user for a currency on a chain. With `null` as the amount it is unlimited again. */
  setBalance(params: SetBalanceParams): EmulatorState['balances'][number] | null;
  /** Sets an onramp to any status. */
  advanceOnramp(
    id: string,
    change: {
      /** Its state. */
      status: records.OnrampStatusName;
      /** The failure’s code. */
      error?: string | null | undefined;
      /** The failure in a sentence. */
      errorDetails?: string | null | undefined;
    },
  ): records.OnrampObject;
  /** Simulates the customer's bank transfer. Default: the correct amount with the correct reference. */
  simulateDeposit(
    id: string,
    deposit?: { amount?: number | undefined; reference?: string | undefined },
  ): records.OnrampObject;
  /** Accepts the open quote of an onramp or a transfer, in a dialect with quotes that must be accepted. */
  acceptQuote(id: string): {
    /** What kind of transfer it is. */
    transferType: string;
    /** The transfer itself. */
    transferDetails: records.OnrampDetails | records.TransferDetails;
  };
  /** Sets the result of the validation of an account, or resets it. */
  validateAccount(
    id: string,
    validation: { status: records.AccountStatus; invalidFields?: readonly string[] | null | undefined },
  ): records.AccountRecord;
  /** Approves a pending transfer. It needs no token, and faults do not apply to it. */
  approve(approvalId: string, vote?: { comment?: string | null | undefined }): records.ApprovalRecord;
  /**
   * Adds an operation that the emulator does not have, or replaces one. It uses the same auth, request log and faults
   * as the others.
   */
  route(route: CustomRoute): void;
  /** Rejects a pending transfer, which then never executes. */
  reject(approvalId: string, vote?: { comment?: string | null | undefined }): records.ApprovalRecord;
  /** Deletes all state and starts again. With a frozen clock, the same script then gets the same bytes. */
  reset(): void;
  /** Returns the complete state, for `restore` in this emulator or another one. */
  snapshot(): EmulatorSnapshot;
  /** Restores the state of a snapshot. Throws if the value is not a snapshot. */
  restore(snapshot: unknown): void;
  /** Resolves when no delivery of an event is in progress and none is due by the emulator's clock. */
  delivered(): Promise<void>;
  /** Ends the deliveries in progress, and cancels the planned retries. */
  close(): void;
}

/** The emulator for `fetch`, msw and the server, with the exchange that says how to deliver a response. */
export interface EmulatorCore extends Emulator {
  exchange(request: Request, exchange: Exchange): Promise<Response>;
  /** Whether the options list the bearer tokens that are accepted. */
  readonly listsTokens: boolean;
  /** From now on, no response and no event leaves before `stored` resolves; returns what tells the changes. */
  keep(stored: () => Promise<void>): ChangeTracker;
  /** Puts a stored state in place. A clock that ran when it was stored went on running meanwhile. */
  load(stored: { snapshot: EmulatorSnapshot; changes: readonly Change[] }): void;
  clockSetting(): ClockSetting;
  /** Lets happen what has become due, for a server whose clock runs while nobody asks. */
  tick(): void;
}

/**
 * Creates an emulator of the payments service. It is stateful, in memory and deterministic, and uses no network.
 *
 * @param options - See {@link EmulatorOptions}. All are optional.
 * @returns The emulator.
 * @throws RangeError or TypeError when an option is out of its limits.
 * @example
 * ```ts
 * import { PaymentsClient } from 'stablecoin-payments';
 * import { createEmulator } from 'stablecoin-payments/emulator';
 *
 * const emulator = createEmulator({ seed: 1 });
 * const { userId } = emulator.createUser({ rails: ['usd'] });
 * const payments = new PaymentsClient({
 *   baseUrl: 'http://emulator.test',
 *   accessToken: 'any',
 *   fetch: emulator.fetch,
 * });
 * const kyc = await payments.kyc.retrieve(userId);
 * ```
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  return createEmulatorCore(options);
}

/** What keeps the state beyond the process, if anything does. */
interface Keeper {
  stored: () => Promise<void>;
  changes?: ChangeTracker;
}

const cores = new WeakMap<Emulator, EmulatorCore>();

/** The core of an emulator that `createEmulator` made. */
export function coreOf(emulator: Emulator): EmulatorCore {
  const core = cores.get(emulator);
  if (core === undefined) throw new TypeError('emulator must be one that createEmulator made');
  return core;
}

function createEmulatorCore(options: EmulatorOptions): EmulatorCore {
  const historyLimit = options.historyLimit ?? 10_000;
  if (!(Number.isInteger(historyLimit) && historyLimit >= 1 && historyLimit <= 1_000_000)) {
    throw new RangeError('historyLimit must be a whole number from 1 to 1,000,000');
  }
  const seed = String(options.seed ?? crypto.randomUUID());
  const clock = new Clock(options.clock ?? { frozen: options.seed !== undefined });
  const ids = new Ids(seed);
  const events = new EventLog(clock, ids, historyLimit);
  const world = createWorld({
    clock,
    ids,
    events,
    ledger: new Ledger(),
    dialect: dialectOf(options),
    pace: paceOf(options),
    historyLimit,
  });
  const faults = new FaultList();
  const custom = new CustomRoutes();
  for (const route of options.routes ?? []) custom.add(route);
  const commands = createCommands(world, faults, custom);
  const requests = new RequestLog(historyLimit, options.onRequest);
  const keeper: Keeper = { stored: async () => {} };
  const settle = (): void => catchUp(world);
  const webhook = webhookOf(options.webhook, { world, settle, stored: () => keeper.stored() });
  if (webhook !== undefined) events.on((event) => webhook.delivery.enqueue(event));
  const deliveries = deliveriesOf(world, webhook?.delivery);
  clock.onAdvance = settle;

  const whole = {
    state: () => {
      settle();
      return stateOf(world, faults);
    },
    requests: () => requests.list(),
    payments: () => {
      settle();
      return structuredClone(paymentsOf(world));
    },
    view: (query: URLSearchParams) => {
      const { token } = options;
      const webhook = options.webhook !== undefined;
      return viewOf({ world, faults, requests, anyToken: token === undefined, webhook }, query);
    },
    record: (id: string) => recordView({ world, faults, requests }, id),
    reset: () => {
      if (keeper.changes !== undefined) keeper.changes.replaced = true;
      webhook?.delivery.stop();
      ids.seed = seed;
      world.dialect = dialectOf(options);
      ids.counters = {};
      clock.reset();
      for (const collection of collections) collection.replaceWith([]);
      createMetric(world, {});
      requests.clear();
    },
    snapshot: () => {
      settle();
      return takeSnapshot(world, faults);
    },
    restore: (snapshot: unknown) => {
      webhook?.delivery.stop();
      restoreSnapshot(world, faults, snapshot);
      if (keeper.changes !== undefined) keeper.changes.replaced = true;
      webhook?.delivery.resume();
    },
  };
  const collections = [
    world.users,
    world.accounts,
    world.onramps,
    world.transfers,
    world.approvals,
    world.externalWallets,
    world.metrics,
    world.balances,
    world.events,
    world.deliveries,
    world.history,
    world.ledger,
    world.tasks,
    faults,
  ];
  createMetric(world, {});

  const request = (id: string) => {
    const detail = requests.detail(id);
    if (detail === undefined) throw notFound('request', id);
    return detail;
  };
  /** Sends a request of the service again, as it was, and logs it as another one. */
  const replay = async (id: string) => {
    const { url, headers, body } = keptRequest(requests, id);
    const init = { method: request(id).method, headers, ...(typeof body === 'string' ? { body } : {}) };
    const about: Exchange = { loopbackOnly: false, delivery: 'whole', latency: 0, replayOf: id };
    await exchange(new Request(url, init), about);
    const { loggedAs = '' } = about;
    return { id: loggedAs, status: request(loggedAs).status };
  };

  const app = createApp({
    world,
    faults,
    routes: serviceRoutes,
    custom,
    controls: controlRoutes({
      clock,
      commands,
      deliveries,
      events,
      faults,
      world,
      request,
      replay,
      ...whole,
    }),
    isAllowed: allowance(options.token),
    catchUp: settle,
  });

  const exchange = async (request: Request, exchange: Exchange): Promise<Response> => {
    const started = performance.now();
    const response = await acknowledged(await app.fetch(request, exchange), keeper);
    if (exchange.quiet === true) return response;
    const { record, kept } = recordOf({
      request,
      response,
      exchange,
      at: clock.iso(),
      duration: performance.now() - started,
    });
    exchange.loggedAs = requests.add(record, kept);
    return response;
  };
  const handle = async (request: Request): Promise<Response> => {
    request.signal.throwIfAborted();
    const about: Exchange = { loopbackOnly: false, delivery: 'whole', latency: 0 };
    return deliver(await exchange(request, about), about, request.signal);
  };
  const core: EmulatorCore = {
    fetch: async (input, init) => handle(new Request(input, init)),
    handle,
    exchange,
    listsTokens: options.token !== undefined,
    tick: settle,
    keep: (stored) => {
      keeper.stored = stored;
      keeper.changes = new ChangeTracker(world, faults);
      return keeper.changes;
    },
    load: (stored) => {
      const { snapshot, setting } = applyChanges(stored.snapshot, stored.changes);
      loadSnapshot(world, faults, snapshot);
      if (setting !== undefined) clock.restore(clock.stateOf(setting));
      webhook?.delivery.resume();
    },
    clockSetting: () => clock.setting(),
    clock,
    events,
    deliveries,
    faults: { list: () => faults.list(), inject: commands.injectFault, clear: commands.clearFaults },
    get seed() {
      return ids.seed;
    },
    webhookSecret: webhook?.secret,
    webhookPublicKey: async () => webhook?.signer.publicKey(),
    get dialect() {
      return world.dialect;
    },
    setDialect: (dialect) => {
      world.dialect = resolveDialect(dialect);
    },
    ...whole,
    createUser: commands.createUser,
    createMetric: commands.createMetric,
    addExternalWallet: commands.addExternalWallet,
    setBalance: commands.setBalance,
    advanceOnramp: commands.advanceOnramp,
    simulateDeposit: commands.simulateDeposit,
    acceptQuote: commands.acceptQuote,
    validateAccount: commands.validateAccount,
    approve: commands.approve,
    route: (route) => custom.add(route),
    reject: commands.reject,
    delivered: async () => {
      settle();
      await webhook?.delivery.idle();
    },
    close: () => webhook?.delivery.stop(),
  };
  cores.set(core, core);
  return core;
}

/** The dialect of the options; `duplicates` stands apart for history's sake, and wins. */
function dialectOf({ dialect, duplicates }: EmulatorOptions): Dialect {
  return { ...resolveDialect(dialect), ...(duplicates === undefined ? {} : { duplicates }) };
}

/** The response, once what it tells is stored; a 500 where it cannot be. */
async function acknowledged(response: Response, { stored }: Keeper): Promise<Response> {
  try {
    await stored();
    return response;
  } catch (error) {
    return storeFailure(error);
  }
}

function paceOf(options: EmulatorOptions) {
  const {
    accountValidation = '3s',
    settlementStep = 0,
    quoteLifetime = '15m',
    depositWindow = '7d',
  } = options;
  return {
    accountValidation:
      accountValidation === 'manual' ? undefined : toMilliseconds(accountValidation, 'accountValidation'),
    settlementStep: toMilliseconds(settlementStep, 'settlementStep'),
    quoteLifetime: quoteLifetime === 'N/A' ? undefined : toMilliseconds(quoteLifetime, 'quoteLifetime'),
    depositWindow: toMilliseconds(depositWindow, 'depositWindow'),
  };
}

/** Whether a token is accepted, where the options list some; `undefined` where they list none. */
function allowance(
  token: string | readonly string[] | undefined,
): ((candidate: string) => boolean) | undefined {
  if (token === undefined) return undefined;
  const tokens = new Set(typeof token === 'string' ? [token] : token);
  return (candidate) => tokens.has(candidate);
}
