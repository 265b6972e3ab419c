import { checkQuery } from '../reading/query.ts';
import { check, nothing, object, optionalText } from '../reading/request-body.ts';
import { BODY_LIMIT, bodyOf, type HttpContext } from './exchange.ts';
import { respond } from './respond.ts';
import type { Answer } from './routes/route.ts';

/** One of the emulator's own routes. */
export interface ControlRoute {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** The largest body in bytes. Default 1 MiB. */
  limit?: number;
  /** Kept out of the request log: the page asks every second and would push everything else out of it. */
  quiet?: true;
  /** True if it takes no body. Fields in a body are then refused. */
  bodyless?: true;
  /** The names of its query parameters. Default: none. */
  query?: readonly string[];
  handle: (request: ControlCall) => Answer | Promise<Answer | Page>;
}

/** One call of one of the emulator's own routes. */
interface ControlCall {
  path: (name: string) => string;
  query: URLSearchParams;
  body: unknown;
  /** The address at which the emulator was asked. */
  origin: string;
}

/** A page, and the content security policy under which it may run. */
interface Page {
  html: string;
  policy: string;
}

/** Responds to a call of one of the emulator's own routes. */
export async function control(
  context: HttpContext,
  route: ControlRoute,
  catchUp: () => void,
): Promise<Response> {
  const body = await bodyOf(context, route.method, route.limit ?? BODY_LIMIT, 64);
  if (route.bodyless === true) check(nothing, body);
  catchUp();
  if (route.quiet === true || context.req.header('x-emulator-page') !== undefined) context.env.quiet = true;
  const { origin, searchParams: query } = new URL(context.req.url);
  checkQuery(
    object(Object.fromEntries((route.query ?? []).map((name) => [name, optionalText]))),
    query,
    'refuse',
  );
  const answer = await route.handle({ path: (name) => context.req.param(name) ?? '', query, body, origin });
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
