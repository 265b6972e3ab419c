// A test starts many emulators, and each serves a few requests: this router is built in no time.
import { Hono } from 'hono/quick';
import type { Dialect } from '../dialect/dialect.ts';
import { DIALECTS } from '../dialect/dialect.ts';
import { printable, ServiceProblem } from '../problem.ts';
import { refuseForeignHosts, refuseForeignOrigins, requireToken, tokenRefusal } from './access.ts';
import { type ControlRoute, control } from './control-routes.ts';
import type { CustomRoutes } from './custom-routes.ts';
import { type Env, type HttpContext, problem, respond } from './exchange.ts';
import type { Route } from './routes/route.ts';
import { type ServiceParts, serve } from './serve.ts';

export interface AppParts extends ServiceParts {
  routes: readonly Route[];
  controls: readonly ControlRoute[];
  custom: CustomRoutes;
  /** A check of bearer tokens, or `undefined` if the options list no token. */
  isAllowed: ((token: string) => boolean) | undefined;
}

/** Makes the app that responds to every request: access first, then the routes. */
export function createApp(parts: AppParts): Hono<Env> {
  const app = new Hono<Env>();
  app.use('*', async ({ req, env }, next) => {
    refuseForeignHosts(req.raw, env);
    await next();
  });
  app.use('/_emulator/*', async (context, next) => {
    const { req, env } = context;
    refuseForeignOrigins(req.raw);
    const refusal = env.token === undefined ? undefined : tokenRefusal(req.raw, env, parts.isAllowed);
    // Without a token the page still opens, as a 401, to ask for it: it holds no data itself.
    if (refusal !== undefined && !isPage(req.path)) throw refusal;
    await next();
    if (refusal !== undefined)
      context.res = new Response(context.res.body, { headers: context.res.headers, status: 401 });
  });
  app.use('/v2/*', async ({ req, env }, next) => {
    if (env.trusted !== true) requireToken(req.raw, env, parts.isAllowed);
    await next();
  });
  app.use('*', async (context, next) => {
    const { req, env } = context;
    const added = req.path.startsWith('/_emulator') ? undefined : parts.custom.find(req.method, req.path);
    if (added === undefined) return next();
    if (env.trusted !== true) requireToken(req.raw, env, parts.isAllowed);
    return serve(context, added, parts);
  });
  app.get('/', () => new Response(null, { status: 302, headers: { location: '/_emulator' } }));
  mount(app, parts.controls, (context, route) => control(context, route, parts.world));
  mount(app, parts.routes, (context, route) => serve(context, route, parts));
  app.notFound(({ req }) => respond(problem(noRoute(req.method, req.path), dialectAt(req.path, parts))));
  app.onError((error, context) => respond(problem(error, dialectAt(context.req.path, parts))));
  return app;
}

/** The refusal of an unknown path. A base URL with a path is the usual cause. */
function noRoute(method: string, path: string): ServiceProblem {
  const prefix = path.slice(0, Math.max(0, path.search(/\/(v2|_emulator)(\/|$)/)));
  const advice = prefix === '' ? '' : `: leave '${printable(prefix)}' out of the base URL`;
  return new ServiceProblem(
    404,
    'ROUTE_NOT_FOUND',
    `The emulator has no ${method} ${printable(path)}${advice}`,
  );
}

/** The emulator's own routes are no part of the service: their errors have one shape in every dialect. */
function dialectAt(path: string, { world }: AppParts): Dialect {
  return path.startsWith('/v2/') ? world.dialect : DIALECTS.spec;
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
