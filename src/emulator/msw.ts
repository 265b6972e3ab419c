import { HttpResponse, http, type RequestHandler } from 'msw';
import * as z from 'zod/mini';
import { check, lazy, matching, strictObject } from '../shared/schema/schema.ts';
import { emulatorCoreOf } from './create-emulator.ts';
import type { Emulator } from './emulator.ts';
import { newExchange } from './http/exchange.ts';
import { deliver } from './http/fault-effects.ts';
import { optionsOf } from './reading/options.ts';

/** Options of `emulatorHandlers`. */
export interface EmulatorHandlersOptions {
  /** The base URL that the client uses, such as `https://payments.test/api`. Default: any URL. */
  baseUrl?: string;
}

const address = 'must be a full address such as https://payments.test';

const handlersOptions = /* @__PURE__ */ lazy(() =>
  matching<EmulatorHandlersOptions>()(
    strictObject({
      baseUrl: z.optional(
        z.string({ error: address }).check(
          check((baseUrl) => URL.canParse(baseUrl), address),
          z.regex(/^[^?#]*$/, { error: 'must have no query and no fragment' }),
        ),
      ),
    }),
  ),
);

/**
 * Creates msw handlers that respond with the emulator, for `setupServer` in Node and `setupWorker` in a browser.
 *
 * @param emulator - An emulator from `createEmulator`.
 * @param options - The base URL to handle, with every path below it. Default: every URL with `/v2/` in its path.
 * @returns The handlers.
 * @throws TypeError when `baseUrl` is not a URL, an option does not exist, or the emulator is not from this package.
 * @example
 * ```ts
 * import { setupServer } from 'msw/node';
 * import { createEmulator } from 'stablecoin-payments/emulator';
 * import { emulatorHandlers } from 'stablecoin-payments/emulator/msw';
 *
 * const emulator = createEmulator({ seed: 1 });
 * const server = setupServer(...emulatorHandlers(emulator));
 * ```
 */
export function emulatorHandlers(
  emulator: Emulator,
  options: EmulatorHandlersOptions = {},
): RequestHandler[] {
  const { baseUrl } = optionsOf('emulatorHandlers', handlersOptions(), options);
  const core = emulatorCoreOf(emulator);
  const base = baseUrl?.replace(/\/+$/, '');
  const paths = base === undefined ? ['*/v2/*', '*/_emulator', '*/_emulator/*'] : [`${base}/*`];
  return paths.map((path) =>
    http.all(path, async ({ request }) => {
      const about = newExchange();
      const response = await core.exchange(atRoot(request, base), about);
      try {
        return await deliver(response, about, request.signal);
      } catch {
        // A reset, or a caller that went away: all that msw can pass on is what the web calls an error response.
        return HttpResponse.error();
      }
    }),
  );
}

/** The request as if the service stood at the root of its origin, wherever the client's base URL puts it. */
function atRoot(request: Request, base: string | undefined): Request {
  const url = new URL(request.url);
  const prefix =
    base === undefined ? url.pathname.search(/\/(v2|_emulator)(\/|$)/) : new URL(base).pathname.length;
  if (prefix <= 1) return request;
  url.pathname = url.pathname.slice(prefix);
  return new Request(url, request);
}
