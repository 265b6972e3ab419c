import { deliveriesOf } from './delivery/delivery.ts';
import { webhookOf } from './delivery/webhook.ts';
import { resolveDialect } from './dialect/dialect.ts';
import type { Emulator } from './emulator.ts';
import { createApp } from './http/app.ts';
import { controlRoutes } from './http/control-routes.ts';
import { CustomRoutes, customRoute } from './http/custom-routes.ts';
import { type Exchange, newExchange, storeFailure } from './http/exchange.ts';
import { deliver } from './http/fault-effects.ts';
import { RequestLog, recordOf } from './http/request-log.ts';
import { serviceRoutes } from './http/routes/index.ts';
import { allowance, checkedEmulatorOptions, type EmulatorOptions, paceOf } from './options.ts';
import { optionsOf } from './reading/options.ts';
import { catchUp } from './service/due-tasks.ts';
import { createMetric } from './service/reporting/metrics.ts';
import { type ChangeRow, ChangeTracker, contentOfRows } from './state/changes.ts';
import { Clock, tenths } from './state/clock.ts';
import { emulatorStateOf } from './state/emulator-state.ts';
import { FaultList } from './state/faults.ts';
import { orderNow } from './state/history.ts';
import { checkSnapshot, contentOfSnapshot, loadContent, takeSnapshot } from './state/snapshot.ts';
import { createWorld } from './state/world.ts';
import { createCommands } from './testing/commands.ts';
import { paymentsOf } from './testing/payments.ts';

/** The emulator for `fetch`, msw and the server, with the exchange that says how to deliver a response. */
export interface EmulatorCore extends Emulator {
  exchange(request: Request, exchange: Exchange): Promise<Response>;
  /** True if the options list the bearer tokens that are accepted. */
  readonly listsTokens: boolean;
  /** From now on, no response and no event leaves before `stored` resolves. */
  keep(stored: () => Promise<void>): ChangeTracker;
  /** Puts a stored state in place. A clock that ran when it was stored went on running meanwhile. */
  load(stored: readonly ChangeRow[]): void;
  /** Lets happen what has become due, for a server whose clock runs while nobody asks. */
  tick(): void;
}

const cores = new WeakMap<Emulator, EmulatorCore>();

/** The core of an emulator that `createEmulator` made. */
export function emulatorCoreOf(emulator: Emulator): EmulatorCore {
  const core = cores.get(emulator);
  if (core === undefined) throw new TypeError('`emulator` must be one that createEmulator made');
  return core;
}

/**
 * Creates an emulator of the payments service. It is stateful, in memory and deterministic, and uses no network.
 *
 * @param options - See {@link EmulatorOptions}. All are optional.
 * @returns The emulator.
 * @throws TypeError when an option does not exist, or its value is out of its limits.
 * @example
 * ```ts
 * import { PaymentsClient } from 'stablecoin-payments';
 * import { createEmulator } from 'stablecoin-payments/emulator';
 *
 * const emulator = createEmulator({ seed: 1 });
 * const { userId } = emulator.createUser({ rails: ['usd'] });
 * const payments = new PaymentsClient({
 *   baseUrl: 'http://localhost',
 *   accessToken: 'any',
 *   fetch: emulator.fetch,
 * });
 * const kyc = await payments.kyc.retrieve(userId);
 * ```
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  return emulatorOf(checkedEmulatorOptions(options));
}

function emulatorOf(options: EmulatorOptions): Emulator {
  const clock = new Clock(options.clock ?? { frozen: options.seed !== undefined });
  const world = createWorld({
    clock,
    seed: String(options.seed ?? crypto.randomUUID()),
    dialect: resolveDialect(options.dialect),
    pace: paceOf(options),
  });
  const { ids, events } = world;
  const faults = new FaultList();
  const requests = new RequestLog(options.onRequest);
  const routes = serviceRoutes(options.lookups ?? true);
  const custom = new CustomRoutes();
  for (const route of options.routes ?? []) custom.add(route);

  const settle = (): void => catchUp(world);
  clock.onAdvance = settle;
  let stored = async (): Promise<void> => {};
  let changes: ChangeTracker | undefined;
  const webhook = webhookOf(options.webhook, { world, stored: () => stored() });
  if (webhook !== undefined) events.on((event) => webhook.delivery.enqueue(event));
  const deliveries = deliveriesOf(world, webhook?.delivery);
  const blank = contentOfSnapshot(world, faults);
  createMetric(world, {});

  /** The whole state of an emulator, to read, delete, save and restore. */
  const whole = {
    state: () => {
      settle();
      return emulatorStateOf(world, faults);
    },
    payments: () => {
      settle();
      return structuredClone(paymentsOf(world));
    },
    reset: () => {
      replace(blank);
      clock.reset();
      createMetric(world, {});
      requests.clear();
    },
    snapshot: () => {
      settle();
      return takeSnapshot(world, faults);
    },
    restore: (snapshot: unknown) => {
      replace(checkSnapshot(snapshot));
      webhook?.delivery.resume();
    },
  };
  const replace = (content: typeof blank): void => {
    webhook?.delivery.stop();
    loadContent(world, faults, structuredClone(content));
    if (changes !== undefined) changes.replaced = true;
  };

  // An added operation may have the name of one that it replaces.
  const operations = () => [...new Set([...routes.map(({ operation }) => operation), ...custom.names()])];
  const commands = createCommands(world, faults, operations);
  /** Responds to a request, and returns its record in the log, if it is logged. */
  const respondAndLog = async (request: Request, exchange: Exchange) => {
    const started = performance.now();
    const began = clock.iso();
    const order = orderNow(world);
    const made = await app.fetch(request, exchange);
    const response = await stored().then(() => made, storeFailure);
    // Retry-After as a date is read against it.
    response.headers.set('date', clock.now().toUTCString());
    if (exchange.quiet === true) return { response, logged: undefined };
    const duration = tenths(performance.now() - started);
    const { record, kept } = recordOf(request, response, exchange, {
      at: clock.iso(),
      duration,
      began,
      order,
    });
    return { response, logged: requests.add(record, kept) };
  };
  const exchange = async (request: Request, exchange: Exchange): Promise<Response> =>
    (await respondAndLog(request, exchange)).response;
  const app = createApp({
    world,
    faults,
    routes,
    custom,
    controls: controlRoutes({
      world,
      faults,
      commands,
      deliveries,
      webhook,
      requests,
      routes,
      operations,
      respondAndLog,
      ...whole,
    }),
    isAllowed: allowance(options.token),
  });

  const respondTo = async (request: Request): Promise<Response> => {
    request.signal.throwIfAborted();
    const about = newExchange();
    return deliver(await exchange(request, about), about, request.signal);
  };
  const core: EmulatorCore = {
    fetch: async (input, init) => respondTo(new Request(input, init)),
    exchange,
    listsTokens: options.token !== undefined,
    tick: settle,
    keep: (store) => {
      stored = store;
      changes = new ChangeTracker(world, faults);
      return changes;
    },
    load: (earlier) => {
      const { webhookKeys, ...content } = contentOfRows(earlier, world);
      loadContent(world, faults, content);
      world.webhookKeys = webhookKeys;
      if (options.dialect !== undefined) world.dialect = resolveDialect(options.dialect);
      webhook?.delivery.resume();
    },
    clock,
    events: {
      list: () => events.list(),
      on: (listener) => events.on(listener),
      hold: () => events.hold(),
      release: commands.releaseEvents,
    },
    deliveries,
    faults: { list: () => faults.list(), inject: commands.injectFault, clear: commands.clearFaults },
    get seed() {
      return ids.seed;
    },
    webhookSecret: webhook?.secret,
    webhookPublicKey: async () => (await webhook?.signer.keys())?.publicKey,
    get dialect() {
      return world.dialect;
    },
    requests: () => structuredClone(requests.all()),
    ...whole,
    ...commands.methods,
    route: (route) => custom.add(optionsOf('route', customRoute(), route)),
    delivered: async () => {
      settle();
      await webhook?.delivery.idle();
    },
    close: () => webhook?.delivery.stop(),
  };
  cores.set(core, core);
  return core;
}
