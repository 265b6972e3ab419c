import { checkQuery } from '../reading/query.ts';
import { check, nothing, object, optionalText } from '../reading/request-body.ts';
import { catchUp } from '../service/due-tasks.ts';
import type { World } from '../state/world.ts';
import { BODY_LIMIT, type HttpContext, jsonBodyOf } from './exchange.ts';
import { respond } from './respond.ts';

/** One of the emulator's own routes. */
export interface ControlRoute extends ControlOptions {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  handle: ControlHandler;
}

/** The options of a route of the emulator that differ from the usual ones. */
export interface ControlOptions {
  /** The status of a success. Default 200. */
  status?: 200 | 201;
  /** The largest body in bytes. Default 1 MiB. */
  limit?: number;
  /** Kept out of the request log: the page asks every second and would push everything else out of it. */
  quiet?: true;
  /** True if it takes no body. Fields in a body are then refused. */
  bodyless?: true;
  /** The names of its query parameters. Default: none. */
  query?: readonly string[];
}

/** Makes the value of the response, to be written as JSON, or the whole response of a page. */
export type ControlHandler = (call: ControlCall) => unknown;

/** One call of one of the emulator's own routes. */
interface ControlCall {
  /** The id in the path, if the path has one. */
  id: string;
  query: URLSearchParams;
  body: unknown;
  /** The address at which the emulator was asked. */
  origin: string;
}

/** Responds to a call of one of the emulator's own routes. */
export async function control(
  context: HttpContext,
  { method, handle, status = 200, limit = BODY_LIMIT, quiet, bodyless, query: names = [] }: ControlRoute,
  world: World,
): Promise<Response> {
  const { req, env } = context;
  const body = await jsonBodyOf(context, method, limit, 64);
  if (bodyless === true) check(nothing, body);
  catchUp(world);
  if (quiet === true || req.header('x-emulator-page') !== undefined) env.quiet = true;
  const { origin, searchParams: query } = new URL(req.url);
  checkQuery(object(Object.fromEntries(names.map((name) => [name, optionalText]))), query, 'refuse');
  const made = await handle({ id: req.param('id') ?? '', query, body, origin });
  return made instanceof Response ? made : respond({ status, json: made });
}
