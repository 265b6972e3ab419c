import { tryDecode } from 'hono/utils/url';
import type { OptionNames } from '../../shared/option-names.ts';
import { refuseUnknownOptions } from '../reading/unknown-names.ts';
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

const NAMES: OptionNames<CustomRoute> = { operation: true, method: true, path: true, handle: true };

/** The operations that were added to an emulator. */
export class CustomRoutes {
  #routes: (CustomRoute & { readonly operation: string; readonly pattern: RegExp })[] = [];

  /** Adds an operation, in the place of one with the same method and path. */
  add(route: CustomRoute): void {
    refuseUnknownOptions('route', route, NAMES);
    const { method, path, handle, operation = `${method} ${path}` } = route;
    if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
      throw new TypeError('method must be GET, POST, PUT, PATCH or DELETE');
    if (typeof path !== 'string' || !/^(?:\/(?:[\w.~-]+|\{[a-z]\w*\}))+$/i.test(path))
      throw new TypeError('path must be like /v2/offramps/{offrampId}/quote/accept');
    if (typeof handle !== 'function') throw new TypeError('handle must be a function');
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
        handle: ({ query, body }) => {
          const { status = 200, body: json = null, headers } = handle({ path, query, body });
          return { status, json, ...(headers === undefined ? {} : { headers }) };
        },
      };
    }
    return undefined;
  }
}
