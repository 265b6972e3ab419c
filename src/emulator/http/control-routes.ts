import { isRecord } from '../../shared/values.ts';
import type { Webhook } from '../delivery/webhook.ts';
import type { Emulator } from '../emulator.ts';
import { openApiOf } from '../openapi/document.ts';
import { findRecord } from '../page/find-record.ts';
import { recordView } from '../page/record-view.ts';
import { viewOf } from '../page/view.ts';
import { check, checkQuery, noQuery, nothing } from '../reading/check.ts';
import { catchUp } from '../service/due-tasks.ts';
import type { FaultList } from '../state/faults.ts';
import type { World } from '../state/world.ts';
import type { Commands } from '../testing/commands.ts';
import type { Access } from './access.ts';
import { BODY_LIMIT, type HttpContext, jsonBodyOf, respond } from './exchange.ts';
import type { RequestLog } from './request-log.ts';
import type { Route } from './routes/route.ts';
import { type ResentRequest, type RespondAndLog, sendAgain, sendNew } from './send-request.ts';

/** The parts that the emulator's own routes control. */
export interface Controls
  extends Pick<Emulator, 'deliveries' | 'state' | 'payments' | 'reset' | 'snapshot' | 'restore'> {
  world: World;
  faults: FaultList;
  commands: Commands;
  webhook: Webhook | undefined;
  requests: RequestLog;
  /** The endpoints of the service. */
  routes: readonly Route[];
  /** The names of all operations, those that were added included. */
  operations: () => readonly string[];
  /** Responds to a request, and logs it. */
  respondAndLog: RespondAndLog;
}

/** Half a gigabyte: a snapshot of a full history is large, and only its own owner sends one. */
const SNAPSHOT_LIMIT = 512 * 1024 * 1024;

/** The emulator's own routes: each does over HTTP what a method of the emulator does in the process. */
export function controlRoutes(controls: Controls): readonly ControlRoute[] {
  const { world, faults, commands, deliveries, webhook, requests, operations, respondAndLog } = controls;
  const { clock, events } = world;
  const { methods } = commands;
  const sources = { world, faults, requests, operations };
  /** A request that was made, with the record that its response shows. */
  const made = (sent: ResentRequest) => {
    const traced = requests.traced().find(({ record }) => record.id === sent.request.id);
    const ids = sent.response.status < 300 ? [...(traced?.ids ?? [])] : [];
    const record = ids.map((id) => findRecord(sources, id)).find((place) => place !== undefined);
    return { ...sent, record: record ?? null };
  };
  const time = () => ({ now: clock.iso(), frozen: clock.frozen });
  // Loaded when somebody opens it: the build has the page once, for both module formats.
  const page = async () => (await import('../page/page.ts')).pageResponse();
  return [
    quietGet('', page),
    quietGet('/', page),
    view('/view', ({ query }) => viewOf(sources, query)),
    quietGet('/records/:id', ({ id }) => recordView(sources, id)),
    get('/state', () => controls.state()),
    get('/requests', () => ({ requests: requests.all() })),
    createRecord('/requests', async ({ body, origin }) => made(await sendNew(body, origin, respondAndLog))),
    act('/requests/:id/send', async ({ id, access }) =>
      made(await sendAgain(requests.original(id), access, respondAndLog)),
    ),
    get('/payments', () => ({ payments: controls.payments() })),
    createRecord('/users', ({ body }) => methods.createUser(body)),
    createRecord('/users/:id/external-wallets', ({ id, body = {} }) =>
      methods.addExternalWallet(isRecord(body) ? { ...body, userId: id } : body),
    ),
    createRecord('/metrics', ({ body }) => methods.createMetric(body)),
    post('/balances', ({ body }) => ({ balance: methods.setBalance(body) })),
    post('/clock', ({ body = {} }) => {
      commands.changeClock(body);
      return time();
    }),
    post('/onramps/:id/advance', ({ id, body }) => methods.advanceOnramp(id, body)),
    post('/onramps/:id/deposit', ({ id, body }) => methods.simulateDeposit(id, body)),
    post('/accounts/:id/validate', ({ id, body }) => methods.validateAccount(id, body)),
    post('/approvals/:id/approve', ({ id, body }) => methods.approve(id, body)),
    post('/approvals/:id/reject', ({ id, body }) => methods.reject(id, body)),
    get('/faults', () => ({ faults: faults.list() })),
    // The status of a fault at the top would be read as an error, by any client.
    createRecord('/faults', ({ body }) => ({ fault: commands.injectFault(body) })),
    remove('/faults', ({ body }) => ({ cleared: commands.clearFaults(body), faults: faults.list() })),
    get('/events', () => ({ events: events.list() })),
    act('/events/hold', () => {
      events.hold();
      return { held: true };
    }),
    post('/events/release', ({ body }) => ({ delivered: commands.releaseEvents(body) })),
    get('/webhook', async () => ({ webhook: (await webhook?.verification()) ?? null })),
    get('/deliveries', () => ({ deliveries: deliveries.list() })),
    act('/deliveries/:id/redeliver', ({ id }) => deliveries.redeliver(id)),
    act('/reset', () => {
      controls.reset();
      return time();
    }),
    get('/openapi.json', ({ origin }) => openApiOf(world.dialect, controls.routes, origin)),
    get('/dialect', () => world.dialect),
    get('/snapshot', () => controls.snapshot()),
    putLarge('/snapshot', ({ body }) => {
      controls.restore(body);
      return time();
    }),
  ];
}

const get = routes('GET');
const quietGet = routes('GET', { quiet: true });
const view = routes('GET', { quiet: true, checksQuery: true });
const post = routes('POST');
const createRecord = routes('POST', { status: 201 });
/** A POST without a body. */
const act = routes('POST', { bodyless: true });
const putLarge = routes('PUT', { limit: SNAPSHOT_LIMIT });
const remove = routes('DELETE');

function routes(method: ControlRoute['method'], options: ControlOptions = {}) {
  return (path: string, handle: ControlHandler): ControlRoute => {
    return { ...options, method, path: `/_emulator${path}`, handle };
  };
}

/** One of the emulator's own routes. */
export interface ControlRoute extends ControlOptions {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  handle: ControlHandler;
}

/** The options of a route of the emulator that differ from the usual ones. */
interface ControlOptions {
  /** The status of a success. Default 200. */
  status?: 200 | 201;
  /** The maximum size of a body in bytes. Default 1 MiB. */
  limit?: number;
  /** Kept out of the request log: the page asks every second and would push everything else out of it. */
  quiet?: true;
  /** True if it takes no body. Fields in a body are then refused. */
  bodyless?: true;
  /** True if it checks its query itself. Any other route takes none. */
  checksQuery?: true;
}

/** Makes the value of the response, to be written as JSON, or the whole response of a page. */
type ControlHandler = (call: ControlCall) => unknown;

/** One call of one of the emulator's own routes. */
interface ControlCall {
  /** The id in the path, if the path has one. */
  id: string;
  query: URLSearchParams;
  body: unknown;
  /** The address at which the emulator was asked. */
  origin: string;
  /** The rules for access of the socket that it was asked on. */
  access: Access;
}

/** Responds to a call of one of the emulator's own routes. */
export async function control(
  context: HttpContext,
  { method, handle, status = 200, limit = BODY_LIMIT, quiet, bodyless, checksQuery }: ControlRoute,
  world: World,
): Promise<Response> {
  const { req, env } = context;
  const body = await jsonBodyOf(context, method, limit, 64);
  if (bodyless === true) check(nothing, body);
  catchUp(world);
  if (quiet === true || req.header('x-emulator-page') !== undefined) env.quiet = true;
  const { origin, searchParams: query } = new URL(req.url);
  if (checksQuery !== true) checkQuery(noQuery(), query);
  const made = await handle({ id: req.param('id') ?? '', query, body, origin, access: env });
  return made instanceof Response ? made : respond({ status, json: made });
}
