import { type Context, Hono } from 'hono';
import type { Dialect } from '../dialect/dialect.ts';
import { errorBody } from '../dialect/errors.ts';
import { present } from '../dialect/present.ts';
import { PRESETS } from '../dialect/presets.ts';
import type { World } from '../state/world.ts';
import { type Access, refusalOf, refuseForeignHosts, refuseForeignOrigins } from './access.ts';
import type { CustomRoutes, ServedRoute } from './custom-routes.ts';
import { spoil } from './fault-body.ts';
import type { Fault, FaultList } from './faults.ts';
import { parseJson, readText } from './json.ts';
import { ServiceProblem, shown } from './problem.ts';
import { checkQuery } from './query.ts';
import { check, nothing, object, optionalText } from './request-body.ts';
import type { Answer, Route } from './routes/route.ts';

/** How a response is delivered: complete, or with a network fault. */
export type Delivery = 'whole' | 'reset' | 'stall-headers' | 'stall-body' | 'cut-body';

/** What one exchange needs beyond its request, and what it tells beyond its response. */
export interface Exchange extends Access {
  operation?: string;
  fault?: Fault;
  /** The body as it was read. */
  requestText?: string;
  /** The id of the original request, if this one is a replay. */
  replayOf?: string;
  /** The id under which the exchange was logged. */
  loggedAs?: string;
  /** Whether the exchange stays out of the request log. */
  quiet?: boolean;
  delivery: Delivery;
  latency: number;
}

type Env = { Bindings: Exchange };
type HttpContext = Context<Env>;

/** One of the emulator's own routes. */
export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** The largest body in bytes. Default 1 MiB. */
  limit?: number;
  /** Kept out of the request log: the page asks every second and would push everything else out of it. */
  quiet?: true;
  /** Whether it takes no body, so that fields in one are a mistake. */
  bodyless?: true;
  /** The names of its query parameters. Default: none. */
  query?: readonly string[];
  handle: (request: ControlCall) => Answer | Promise<Answer | Page>;
}

/** One call of one of the emulator's own routes. */
export interface ControlCall {
  path: (name: string) => string;
  query: URLSearchParams;
  body: unknown;
}

/** A page, and the content security policy under which it may run. */
export interface Page {
  html: string;
  policy: string;
}

export interface AppParts {
  world: World;
  faults: FaultList;
  routes: readonly Route[];
  controls: readonly ControlRoute[];
  custom: CustomRoutes;
  /** Whether a token is accepted; `undefined` where no token was listed. */
  isAllowed: ((token: string) => boolean) | undefined;
  catchUp: () => void;
}

const BODY_LIMIT = 1024 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';

export function createApp(parts: AppParts): Hono<Env> {
  const app = new Hono<Env>();
  app.use('*', async ({ req, env }, next) => {
    refuseForeignHosts(req.raw, env);
    await next();
  });
  app.use('/_emulator/*', async (context, next) => {
    const { req, env } = context;
    refuseForeignOrigins(req.raw);
    const refusal = env.token === undefined ? undefined : refusalOf(req.raw, env, parts.isAllowed);
    // Without a token the page still opens, as a 401, to ask for it: it holds no data itself.
    if (refusal !== undefined && !isPage(req.path)) throw refusal;
    await next();
    if (refusal !== undefined)
      context.res = new Response(context.res.body, { headers: context.res.headers, status: 401 });
  });
  app.use('/v2/*', async ({ req, env }, next) => {
    const refusal = refusalOf(req.raw, env, parts.isAllowed);
    if (refusal !== undefined) throw refusal;
    await next();
  });
  app.use('*', async (context, next) => {
    const { req, env } = context;
    const added = req.path.startsWith('/_emulator') ? undefined : parts.custom.find(req.method, req.path);
    if (added === undefined) return next();
    const refusal = refusalOf(req.raw, env, parts.isAllowed);
    if (refusal !== undefined) throw refusal;
    return serve(context, added, parts);
  });
  app.get('/', () => new Response(null, { status: 302, headers: { location: '/_emulator' } }));
  mount(app, parts.controls, (context, route) => control(context, route, parts));
  mount(app, parts.routes, (context, route) => serve(context, route, parts));
  app.notFound((context) => {
    const refusal = new ServiceProblem(404, 'ROUTE_NOT_FOUND', `There is no ${shown(context.req.path)} here`);
    return respond(problem(refusal, dialectAt(context.req.path, parts)));
  });
  app.onError((error, context) => respond(problem(error, dialectAt(context.req.path, parts))));
  return app;
}

/** The emulator's own routes are no part of the service: their errors have one shape in every dialect. */
function dialectAt(path: string, { world }: AppParts): Dialect {
  return path.startsWith('/v2/') ? world.dialect : PRESETS.spec;
}

function isPage(path: string): boolean {
  return path === '/_emulator' || path === '/_emulator/';
}

/** Registers routes by path, so that a known path with another method is a 405 and not a 404. */
function mount<R extends { method: string; path: string }>(
  app: Hono<Env>,
  routes: readonly R[],
  handle: (context: HttpContext, route: R) => Promise<Response>,
): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const here = routes.filter((route) => route.path === path);
    app.all(path, (context) => {
      const method = context.req.method === 'HEAD' ? 'GET' : context.req.method;
      const route = here.find((candidate) => candidate.method === method);
      if (route !== undefined) return handle(context, route);
      const allow = here.map((candidate) => candidate.method).join(', ');
      throw new ServiceProblem(405, 'METHOD_NOT_ALLOWED', `Only ${allow} is allowed here`, {
        headers: { allow },
      });
    });
  }
}

async function control(context: HttpContext, route: ControlRoute, { catchUp }: AppParts): Promise<Response> {
  const body = await bodyOf(context, route.method, route.limit ?? BODY_LIMIT, 64);
  if (route.bodyless === true) check(nothing, body);
  catchUp();
  if (route.quiet === true) context.env.quiet = true;
  const query = new URL(context.req.url).searchParams;
  checkQuery(
    object(Object.fromEntries((route.query ?? []).map((name) => [name, optionalText]))),
    query,
    'refuse',
  );
  const answer = await route.handle({ path: (name) => context.req.param(name) ?? '', query, body });
  return 'html' in answer ? showPage(answer) : respond(answer);
}

function showPage({ html, policy }: Page): Response {
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

async function serve(
  context: HttpContext,
  route: ServedRoute,
  { world, faults, catchUp }: AppParts,
): Promise<Response> {
  const exchange = context.env;
  const { dialect } = world;
  exchange.operation = route.operation;
  // The body is read before anything is decided, so that the order of arrival is the order of the ledger.
  const body = bodyOf(context, route.method, BODY_LIMIT).then(
    (value) => () => value,
    (error: unknown) => () => {
      if (route.anyBody !== true) throw error;
      return undefined;
    },
  );
  const readBody = await body;
  catchUp();
  const fault = faults.take(route.operation);
  if (fault !== undefined) exchange.fault = fault;
  exchange.latency = fault?.latency ?? (fault?.kind === 'latency' ? 1000 : 0);
  if (fault?.kind === 'reset-before-commit') return withDelivery(exchange, 'reset', new Response(null));
  if (fault?.kind === 'status' && fault.commit !== true) return faultStatus(fault, dialect);
  const answer = attempt(dialect, () => {
    const { req } = context;
    const query = new URL(req.url).searchParams;
    const made = route.handle({ world, query, body: readBody(), path: (name) => req.param(name) ?? '' });
    return 'json' in made ? { ...made, json: present(dialect, made.json) } : made;
  });
  if (fault === undefined) return respond(answer);
  if (fault.kind === 'status') return faultStatus(fault, dialect);
  if (fault.kind === 'reset-after-commit') return withDelivery(exchange, 'reset', new Response(null));
  if (fault.kind === 'latency') return respond(answer);
  if (fault.kind === 'stall-headers' || fault.kind === 'stall-body' || fault.kind === 'cut-body') {
    return withDelivery(exchange, fault.kind, respond(answer));
  }
  const text = textOf(answer);
  const spoilt = answer.status < 300 && text !== '' ? spoil(fault, route.operation, text, dialect) : text;
  return respond({ ...answer, text: spoilt });
}

function attempt(dialect: Dialect, make: () => Answer): Answer {
  try {
    return make();
  } catch (error) {
    return problem(error, dialect);
  }
}

/** The JSON body, `undefined` where it is empty. Any content type is tolerated, as long as the content is JSON. */
async function bodyOf(
  { req, env }: HttpContext,
  method: string,
  limit: number,
  depth?: number,
): Promise<unknown> {
  if (method === 'GET') return undefined;
  const text = await readText(req.raw, limit);
  env.requestText = text;
  return text.trim() === '' ? undefined : parseJson(text, depth);
}

function withDelivery(exchange: Exchange, delivery: Delivery, response: Response): Response {
  exchange.delivery = delivery;
  return response;
}

function faultStatus(fault: Fault, dialect: Dialect): Response {
  const status = fault.status ?? (fault.retryAfter === undefined ? 500 : 503);
  const headers: Record<string, string> =
    fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
  // These carry no body, and a Response refuses one.
  if (status === 304) return new Response(null, { status, headers });
  const code = STATUS_CODES.get(status) ?? (status >= 500 ? 'INTERNAL_ERROR' : 'INJECTED_FAULT');
  return respond({
    status,
    json: errorBody(dialect, { status, code, message: 'An injected fault' }),
    headers,
  });
}

const STATUS_CODES = new Map([
  [400, 'INVALID_REQUEST'],
  [401, 'UNAUTHORIZED'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [429, 'TOO_MANY_REQUESTS'],
  [503, 'SERVICE_UNAVAILABLE'],
]);

function problem(error: unknown, dialect: Dialect): Answer {
  if (error instanceof ServiceProblem) {
    return { status: error.status, json: errorBody(dialect, error), headers: { ...error.headers } };
  }
  // Nothing a caller sends may lead here; what does is a mistake of the emulator, told without its inner workings.
  const message = 'The emulator failed; please report how';
  return { status: 500, json: errorBody(dialect, { status: 500, code: 'INTERNAL_ERROR', message }) };
}

/** The response where the state could not be stored: what the request did may be lost when the process ends. */
export function storeFailure(error: unknown): Response {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The emulator could not store its state, so this request is not acknowledged: ${reason}`;
  const body = errorBody(PRESETS.spec, { status: 500, code: 'STATE_NOT_STORED', message });
  return respond({ status: 500, json: body });
}

function respond(answer: Answer): Response {
  if (answer.status === 204)
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  const headers = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', ...answer.headers };
  const text = textOf(answer);
  const response = new Response(text, { status: answer.status, headers });
  texts.set(response, text);
  return response;
}

/** The texts of responses, so that the request log can keep them without reading a body twice. */
const texts = new WeakMap<Response, string>();

/** The text that a response was made of; `undefined` for the page. */
export function textOfResponse(response: Response): string | undefined {
  return texts.get(response);
}

function textOf(answer: Answer): string {
  return 'text' in answer ? answer.text : JSON.stringify(answer.json);
}
