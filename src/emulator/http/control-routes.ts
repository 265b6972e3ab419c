import { isRecord } from '../../values.ts';
import type { EmulatorDeliveries } from '../delivery/delivery-records.ts';
import type { EventLog } from '../delivery/event-log.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { resolveDialect } from '../dialect/resolve.ts';
import { openApiOf } from '../openapi/document.ts';
import { invalidField } from '../problem.ts';
import type { Clock } from '../state/clock.ts';
import type { FaultList } from '../state/faults.ts';
import type { World } from '../state/world.ts';
import type { Commands } from '../test-commands.ts';
import { serviceRoutes } from './routes/index.ts';
import { created, ok } from './routes/route.ts';
import type { ControlRoute } from './serve.ts';

/** The parts that the emulator's own routes control. */
export interface Controls {
  clock: Clock;
  commands: Commands;
  deliveries: EmulatorDeliveries;
  events: EventLog;
  world: World;
  faults: FaultList;
  state: () => unknown;
  requests: () => unknown;
  payments: () => unknown;
  request: (id: string) => unknown;
  replay: (id: string) => Promise<unknown>;
  /** A delivery as it would be sent now. */
  signed: (id: string) => Promise<unknown>;
  /** The scheme and key that verify the deliveries. */
  webhook: () => Promise<unknown>;
  /** The data of the page: a part of the state, of limited size. */
  view: (query: URLSearchParams) => unknown;
  /** One record with its states and everything that belongs to it. */
  record: (id: string) => unknown;
  reset: () => void;
  snapshot: () => unknown;
  restore: (snapshot: unknown) => void;
}

/** Half a gigabyte: a snapshot of a full history is large, and only its own owner sends one. */
const SNAPSHOT_LIMIT = 512 * 1024 * 1024;

/** The emulator's own routes: each does over HTTP what a method of the emulator does in the process. */
export function controlRoutes({
  clock,
  commands,
  deliveries,
  events,
  faults,
  world,
  ...whole
}: Controls): readonly ControlRoute[] {
  // Loaded when somebody opens it: the build has the page once, for both module formats.
  const page = async () => {
    const { emulatorPage, pagePolicy } = await import('../page/page.ts');
    return { html: emulatorPage(), policy: await pagePolicy() };
  };
  const time = () => ({ now: clock.iso(), frozen: clock.frozen });
  return [
    { method: 'GET', path: '/_emulator', quiet: true, handle: page },
    { method: 'GET', path: '/_emulator/', quiet: true, handle: page },
    {
      method: 'GET',
      path: '/_emulator/view',
      quiet: true,
      query: ['newest', 'list', 'search', 'status'],
      handle: ({ query }) => ok(whole.view(query)),
    },
    {
      method: 'GET',
      path: '/_emulator/records/:id',
      quiet: true,
      handle: ({ path }) => ok(whole.record(path('id'))),
    },
    { method: 'GET', path: '/_emulator/state', handle: () => ok(whole.state()) },
    { method: 'GET', path: '/_emulator/requests', handle: () => ok({ requests: whole.requests() }) },
    {
      method: 'GET',
      path: '/_emulator/requests/:id',
      quiet: true,
      handle: ({ path }) => ok(whole.request(path('id'))),
    },
    {
      method: 'POST',
      path: '/_emulator/requests/:id/replay',
      bodyless: true,
      quiet: true,
      handle: async ({ path }) => ok(await whole.replay(path('id'))),
    },
    { method: 'GET', path: '/_emulator/payments', handle: () => ok({ payments: whole.payments() }) },
    { method: 'POST', path: '/_emulator/users', handle: ({ body }) => created(commands.createUser(body)) },
    {
      method: 'POST',
      path: '/_emulator/users/:userId/external-wallets',
      handle: ({ path, body = {} }) => {
        const params = isRecord(body) ? { ...body, userId: path('userId') } : body;
        return created(commands.addExternalWallet(params));
      },
    },
    {
      method: 'POST',
      path: '/_emulator/metrics',
      handle: ({ body }) => created(commands.createMetric(body)),
    },
    {
      method: 'POST',
      path: '/_emulator/balances',
      handle: ({ body }) => ok({ balance: commands.setBalance(body) }),
    },
    {
      method: 'POST',
      path: '/_emulator/clock',
      handle: ({ body = {} }) => {
        commands.changeClock(clock, body);
        return ok(time());
      },
    },
    {
      method: 'POST',
      path: '/_emulator/onramps/:id/advance',
      handle: ({ path, body }) => ok(commands.advanceOnramp(path('id'), body)),
    },
    {
      method: 'POST',
      path: '/_emulator/onramps/:id/deposit',
      handle: ({ path, body }) => ok(commands.simulateDeposit(path('id'), body)),
    },
    {
      method: 'POST',
      path: '/_emulator/accounts/:id/validate',
      handle: ({ path, body }) => ok(commands.validateAccount(path('id'), body)),
    },
    {
      method: 'POST',
      path: '/_emulator/approvals/:id/approve',
      handle: ({ path, body }) => ok(commands.approve(path('id'), body)),
    },
    {
      method: 'POST',
      path: '/_emulator/approvals/:id/reject',
      handle: ({ path, body }) => ok(commands.reject(path('id'), body)),
    },
    { method: 'GET', path: '/_emulator/faults', handle: () => ok({ faults: faults.list() }) },
    { method: 'POST', path: '/_emulator/faults', handle: ({ body }) => created(commands.injectFault(body)) },
    {
      method: 'DELETE',
      path: '/_emulator/faults',
      handle: ({ body }) => ok({ cleared: commands.clearFaults(body), faults: faults.list() }),
    },
    { method: 'GET', path: '/_emulator/events', handle: () => ok({ events: events.list() }) },
    {
      method: 'POST',
      path: '/_emulator/events/hold',
      bodyless: true,
      handle: () => {
        events.hold();
        return ok({ held: true });
      },
    },
    {
      method: 'POST',
      path: '/_emulator/events/release',
      handle: ({ body }) => ok({ delivered: commands.releaseEvents(body) }),
    },
    {
      method: 'POST',
      path: '/_emulator/events/:eventId/redeliver',
      bodyless: true,
      handle: ({ path }) => {
        commands.redeliverEvent(path('eventId'));
        return ok({ delivered: 1 });
      },
    },
    { method: 'GET', path: '/_emulator/webhook', handle: async () => ok(await whole.webhook()) },
    { method: 'GET', path: '/_emulator/deliveries', handle: () => ok({ deliveries: deliveries.list() }) },
    {
      method: 'GET',
      path: '/_emulator/deliveries/:deliveryId/request',
      quiet: true,
      handle: async ({ path }) => ok(await whole.signed(path('deliveryId'))),
    },
    {
      method: 'POST',
      path: '/_emulator/deliveries/:deliveryId/redeliver',
      bodyless: true,
      handle: ({ path }) => ok(deliveries.redeliver(path('deliveryId'))),
    },
    {
      method: 'POST',
      path: '/_emulator/reset',
      bodyless: true,
      handle: () => {
        whole.reset();
        return ok(time());
      },
    },
    {
      method: 'GET',
      path: '/_emulator/openapi.json',
      handle: ({ origin }) => ok(openApiOf(world.dialect, serviceRoutes, origin)),
    },
    { method: 'GET', path: '/_emulator/dialect', handle: () => ok(world.dialect) },
    {
      method: 'PUT',
      path: '/_emulator/dialect',
      handle: ({ body }) => {
        world.dialect = dialectInBody(body);
        return ok(world.dialect);
      },
    },
    {
      method: 'POST',
      path: '/_emulator/transfers/:id/accept-quote',
      bodyless: true,
      handle: ({ path }) => ok(commands.acceptQuote(path('id'))),
    },
    { method: 'GET', path: '/_emulator/snapshot', handle: () => ok(whole.snapshot()) },
    {
      method: 'PUT',
      path: '/_emulator/snapshot',
      limit: SNAPSHOT_LIMIT,
      handle: ({ body }) => {
        whole.restore(body);
        return ok(time());
      },
    },
  ];
}

/** The dialect that a body asks for: a name, or single decisions. */
function dialectInBody(body: unknown): Dialect {
  try {
    return resolveDialect(body);
  } catch (error) {
    throw error instanceof TypeError ? invalidField('dialect', error.message) : error;
  }
}
