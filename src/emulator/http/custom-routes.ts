import { tryDecode } from 'hono/utils/url';
import * as z from 'zod/mini';
import { findUnknown } from '../../shared/option-names.ts';
import { functionOf } from '../../shared/schema/option-values.ts';
import { lazy, matching, strictObject, textLike } from '../../shared/schema/schema.ts';
import { isRecord } from '../../shared/values.ts';
import { ServiceProblem } from '../problem.ts';
import type { Answer } from './exchange.ts';
import type { Call } from './routes/route.ts';

/** One call of an operation that you added. */
export interface CustomRouteCall {
  /** The values of the path's placeholders, decoded. */
  path: Readonly<Record<string, string>>;
  /** As received, without checks. */
  query: URLSearchParams;
  /** The JSON body; `undefined` where there is none, or where it is not JSON, such as a form. */
  body: unknown;
}

/** The response of an operation that you added. */
export interface CustomRouteResponse {
  /** The status. Default 200. */
  status?: number;
  /** The body, written as JSON. */
  body: unknown;
  /** Headers in addition to the usual ones. */
  headers?: Record<string, string>;
}

/** An operation that the service has and the emulator does not. */
export interface CustomRoute {
  /** Its name in the request log, and for faults. Default: method and path. */
  operation?: string;
  /** HTTP method in upper case. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{placeholders}`, such as `/v2/offramps/{offrampId}/quote/accept`. */
  path: string;
  /** Makes the response. */
  handle: (call: CustomRouteCall) => CustomRouteResponse;
}

/** The part of a route that the HTTP layer uses. */
export interface ServedRoute {
  readonly operation: string;
  readonly method: string;
  /** True if a body may be something else than JSON. */
  readonly anyBody?: boolean;
  readonly handle: (call: Call) => Answer;
}

/** A route that is added. */
export const customRoute = /* @__PURE__ */ lazy(() =>
  matching<CustomRoute>()(
    strictObject({
      operation: z.optional(textLike(/\S/, 'must be a text')),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], {
        error: 'must be GET, POST, PUT, PATCH or DELETE',
      }),
      path: textLike(
        /^(?:\/(?:[\w.~-]+|\{[a-z]\w*\}))+$/i,
        'must be like /v2/offramps/{offrampId}/quote/accept',
      ),
      handle: functionOf<CustomRoute['handle']>(),
    }),
  ),
);

/** The operations that were added to an emulator. */
export class CustomRoutes {
  #routes: (CustomRoute & { readonly operation: string; readonly pattern: RegExp })[] = [];

  /** Adds an operation that was checked, in the place of one with the same method and path. */
  add({ method, path, handle, operation = `${method} ${path}` }: CustomRoute): void {
    const source = path
      .replaceAll(/[.~]/g, '\\$&')
      .replaceAll(/\{(\w+)\}/g, (_placeholder, name) => `(?<${name}>[^/]+)`);
    this.#routes = this.#routes.filter((other) => other.method !== method || other.path !== path);
    this.#routes.push({ operation, method, path, handle, pattern: new RegExp(`^${source}$`) });
  }

  /** The names of the operations that were added. */
  names(): string[] {
    return this.#routes.map(({ operation }) => operation);
  }

  /** The operation that serves a request, if one was added for it. */
  find(method: string, pathname: string): ServedRoute | undefined {
    for (const { operation, method: own, pattern, handle } of this.#routes) {
      const found = own === (method === 'HEAD' ? 'GET' : method) ? pattern.exec(pathname) : null;
      if (found === null) continue;
      const path = Object.fromEntries(
        Object.entries(found.groups ?? {}).map(([name, value]) => [
          name,
          tryDecode(value, decodeURIComponent),
        ]),
      );
      return {
        operation,
        method,
        anyBody: true,
        handle: ({ query, body }) => answerOf(operation, () => handle({ path, query, body })),
      };
    }
    return undefined;
  }
}

/** The response that a handler makes. What is wrong with it is the caller's mistake, so the response names it. */
function answerOf(operation: string, handle: () => unknown): Answer {
  const fail = (what: string): never => {
    throw new ServiceProblem(500, 'ROUTE_FAILED', `The handler of ${operation} ${what}`);
  };
  let made: unknown;
  try {
    made = handle();
  } catch (error) {
    return fail(`threw an error: ${error instanceof Error ? error.message : String(error)}`);
  }
  const shape = 'must return { status?, body, headers? }';
  if (made instanceof Promise) return fail(`${shape}, not a promise`);
  if (!isRecord(made)) return fail(shape);
  const unknown = findUnknown(made, RESPONSE, 'a field of a response');
  if (unknown !== undefined) return fail(`${shape}: ${unknown}`);
  const { status = 200, body = null, headers = {} } = made;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    return fail(`${shape}: \`status\` must be a whole number from 200 to 599`);
  requireJson(body, fail);
  return { status, json: body, headers: headersOf(headers, fail) };
}

const RESPONSE: Record<keyof CustomRouteResponse, true> = { status: true, body: true, headers: true };

type Fail = (what: string) => never;

function requireJson(body: unknown, fail: Fail): void {
  let text: string | undefined;
  try {
    text = JSON.stringify(body);
  } catch {
    // A value that JSON does not have, or a cycle.
  }
  if (text === undefined) fail('returned a body that is no JSON: `body` cannot be written as JSON');
}

function headersOf(headers: unknown, fail: Fail): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(Object(headers)));
  } catch {
    return fail('returned `headers` that are no headers');
  }
}
