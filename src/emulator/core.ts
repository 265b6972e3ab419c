import { deliveriesOf } from './delivery/delivery.ts';
import { EventLog } from './delivery/event-log.ts';
import { webhookOf } from './delivery/webhook.ts';
import { resolveDialect } from './dialect/resolve.ts';
import type { Emulator } from './emulator.ts';
import { createApp } from './http/app.ts';
import { controlRoutes } from './http/control-routes.ts';
import { CustomRoutes } from './http/custom-routes.ts';
import type { Exchange } from './http/exchange.ts';
import { deliver } from './http/fault-effects.ts';
import { recordOf } from './http/log/exchange-record.ts';
import { detailOf, RequestLog, replay } from './http/log/request-log.ts';
import { serviceRoutes } from './http/routes/index.ts';
import {
  allowance,
  dialectFrom,
  type EmulatorOptions,
  historyLimitOf,
  paceOf,
  refuseStrangeOptions,
} from './options.ts';
import { notFound } from './problem.ts';
import { catchUp } from './service/due-tasks.ts';
import { createMetric } from './service/reporting/metrics.ts';
import { applyChanges, type Change, ChangeTracker, settingsOf } from './state/change-tracker.ts';
import { Clock } from './state/clock.ts';
import { tenths } from './state/duration.ts';
import { FaultList } from './state/faults.ts';
import { Ids } from './state/ids.ts';
import { Ledger } from './state/ledger.ts';
import { loadSnapshot, type Snapshot, takeSnapshot } from './state/snapshot.ts';
import { createWorld } from './state/world.ts';
import { createCommands } from './test-commands.ts';
import { acknowledged, type Keeper, wholeState } from './whole-state.ts';

/** The emulator for `fetch`, msw and the server, with the exchange that says how to deliver a response. */
export interface EmulatorCore extends Emulator {
  exchange(request: Request, exchange: Exchange): Promise<Response>;
  /** True if the options list the bearer tokens that are accepted. */
  readonly listsTokens: boolean;
  /** From now on, no response and no event leaves before `stored` resolves. */
  keep(stored: () => Promise<void>): Keep;
  /** Puts a stored state in place. A clock that ran when it was stored went on running meanwhile. */
  load(stored: { snapshot: Snapshot; changes: readonly Change[] }): void;
  /** Lets happen what has become due, for a server whose clock runs while nobody asks. */
  tick(): void;
}

/** The state of an emulator and its changes, for a store. */
export interface Keep {
  readonly changes: ChangeTracker;
  /** The state as it is: what is due but has not happened yet stays due. */
  snapshot(): Snapshot;
  /** The settings that a snapshot leaves out. */
  settings(): readonly Change[];
}

/**
 * Creates an emulator of the payments service. It is stateful, in memory and deterministic, and uses no network.
 *
 * @param options - See {@link EmulatorOptions}. All are optional.
 * @returns The emulator.
 * @throws RangeError or TypeError when an option is out of its limits, or does not exist.
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

const cores = new WeakMap<Emulator, EmulatorCore>();

/** The core of an emulator that `createEmulator` made. */
export function emulatorCoreOf(emulator: Emulator): EmulatorCore {
  const core = cores.get(emulator);
  if (core === undefined) throw new TypeError('emulator must be one that createEmulator made');
  return core;
}

function createEmulatorCore(options: EmulatorOptions): EmulatorCore {
  refuseStrangeOptions(options);
  const historyLimit = historyLimitOf(options);
  const seed = String(options.seed ?? crypto.randomUUID());
  const clock = new Clock(options.clock ?? { frozen: options.seed !== undefined });
  const ids = new Ids(seed);
  const events = new EventLog(clock, ids, historyLimit);
  const world = createWorld({
    clock,
    ids,
    events,
    ledger: new Ledger(),
    dialect: dialectFrom(options),
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

  const whole = wholeState({
    options,
    seed,
    world,
    faults,
    requests,
    keeper,
    settle,
    delivery: webhook?.delivery,
  });
  createMetric(world, {});

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
      request: (id) => detailOf(requests, id),
      replay: (id) => replay(id, requests, exchange),
      signed: async (id) => {
        if (webhook === undefined) throw notFound('delivery', id);
        return webhook.delivery.signed(id);
      },
      webhook: async () => ({ webhook: (await webhook?.verification()) ?? null }),
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
      duration: tenths(performance.now() - started),
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
      const changes = new ChangeTracker(world, faults);
      keeper.changes = changes;
      return { changes, snapshot: () => takeSnapshot(world, faults), settings: () => settingsOf(world) };
    },
    load: (stored) => {
      const { snapshot, clockSetting, webhookKey } = applyChanges(stored.snapshot, stored.changes);
      loadSnapshot(world, faults, snapshot);
      if (clockSetting !== undefined) clock.restore(clock.stateOf(clockSetting));
      world.webhookKey = webhookKey;
      webhook?.delivery.resume();
    },
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
