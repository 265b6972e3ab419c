import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import * as z from 'zod/mini';
import { isLoopback } from '../shared/loopback.ts';
import { checkedElsewhere } from '../shared/schema/option-values.ts';
import { lazy, matching, strictObject, textLike, wholeNumber } from '../shared/schema/schema.ts';
import { createEmulator, type EmulatorCore, emulatorCoreOf } from './create-emulator.ts';
import type { Emulator } from './emulator.ts';
import type { Access } from './http/access.ts';
import { newExchange } from './http/exchange.ts';
import { firstHalf, waitOrAbort } from './http/fault-effects.ts';
import { decisionHints, type EmulatorOptions, emulatorOptionFields } from './options.ts';
import { optionsOf } from './reading/options.ts';
import type { ChangeRow } from './state/changes.ts';
import { StateStore } from './state/store.ts';

export type { Emulator, EmulatorOptions };

/** Options of `startEmulatorServer`: port, address, state file, and the options of the emulator. */
export interface EmulatorServerOptions extends EmulatorOptions {
  /** The port. Default 0: any free port. */
  port?: number;
  /**
   * The address to bind to. Default `127.0.0.1`, also where it is empty: only this machine can send requests. Any
   * other address makes every route require a bearer token: one of `token`, or the one at `EmulatorServer.token`.
   */
  host?: string;
  /**
   * A file that keeps the state across restarts; it is created where it does not exist. No response is sent before
   * what it acknowledges is on the disk. The file's state replaces `seed`, `clock`, the state of `emulator`, and `dialect` unless it is set. One
   * emulator can use a file at a time. It needs Node 22.13 or newer, which has SQLite.
   */
  stateFile?: string;
  /** An emulator to serve, instead of a new one. Options of `createEmulator` beside it are refused. */
  emulator?: Emulator;
}

const serverOptions = /* @__PURE__ */ lazy(() =>
  matching<EmulatorServerOptions>()(
    strictObject({
      ...emulatorOptionFields(),
      port: z.optional(wholeNumber(0, 65_535)),
      host: z.optional(z.string({ error: 'must be a text' })),
      stateFile: z.optional(textLike(/\S/, 'must be the path of a file')),
      // It has a message of its own: see emulatorCoreOf.
      emulator: z.optional(checkedElsewhere<Emulator>()),
    }),
  ),
);

/** Returns own options, and refuses those that do not exist, have a wrong value, or have no effect. */
function checkedServerOptions(given: unknown): EmulatorServerOptions {
  const taker = 'startEmulatorServer';
  const options = optionsOf(taker, serverOptions(), given, decisionHints());
  if (options.emulator === undefined) return options;
  emulatorCoreOf(options.emulator);
  const idle = Object.keys(emulatorOptionFields()).find((name) => Reflect.get(options, name) !== undefined);
  if (idle !== undefined)
    throw new TypeError(
      `${taker}: \`${idle}\` has no effect together with \`emulator\`: pass it to createEmulator`,
    );
  return options;
}

/** A server that listens. Close it at the end of a test. */
export interface EmulatorServer {
  /** The URL of the server for clients on this machine, such as `http://127.0.0.1:4010`. */
  url: string;
  /** The port that it listens on, also if the options said 0. */
  port: number;
  /** The address to which the server is bound. */
  host: string;
  /**
   * The bearer token that every route requires, made where other machines can reach the server and the options list
   * no `token`; `undefined` otherwise.
   */
  token: string | undefined;
  /** The emulator behind it, for test helpers. */
  emulator: Emulator;
  /** Closes every connection, including those that a fault holds, and ends the delivery of events. */
  close(): Promise<void>;
}

/** The interval at which due tasks run without a request, in milliseconds, so that webhooks follow the running clock. */
const TICK = 250;

/**
 * Serves an emulator over real sockets with `node:http`.
 *
 * @param options - The port and address, and the options of `createEmulator` or an `emulator`.
 * @returns The running server.
 * @throws TypeError when an option does not exist, has a wrong value or has no effect; the error of `node:http` when it cannot listen, such as `EADDRINUSE`; an error that names the state file when
 *   another emulator uses it, or when it is damaged.
 * @example
 * ```ts
 * import { startEmulatorServer } from 'stablecoin-payments/emulator/node';
 *
 * const server = await startEmulatorServer({ port: 4010 });
 * console.log(server.url);
 * await server.close();
 * ```
 */
export async function startEmulatorServer(options: EmulatorServerOptions = {}): Promise<EmulatorServer> {
  const checked = checkedServerOptions(options);
  const { port = 0, host: _, stateFile, emulator: given, ...emulatorOptions } = checked;
  const host = checked.host?.trim() || '127.0.0.1';
  const state = stateFile === undefined ? undefined : new StateStore(stateFile);
  try {
    const emulator = given ?? createEmulator(withSeedOf(state?.earlier, emulatorOptions));
    return await listen(emulator, state, { port, host });
  } catch (error) {
    await state?.close();
    throw error;
  }
}

async function listen(
  emulator: Emulator,
  state: StateStore | undefined,
  { port, host }: { port: number; host: string },
): Promise<EmulatorServer> {
  const core = emulatorCoreOf(emulator);
  if (state !== undefined && state.earlier.length > 0) core.load(state.earlier);
  const access: Access = { loopbackOnly: true };
  const server = createServer((incoming, outgoing) => {
    const listener = getRequestListener((request) => answer(core, request, { incoming, outgoing, access }), {
      overrideGlobalObjects: false,
    });
    return listener(incoming, outgoing);
  });
  // Longer than clients keep idle connections, like most services: one that writes as Node hangs up sees a lost call.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  await state?.keep(core).catch((error: unknown) => {
    server.close();
    throw error;
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  // The address that was bound decides, not its name: a name may resolve to any address.
  const token = crypto.randomUUID();
  if (typeof address !== 'object' || address === null || !isLoopback(address.address)) {
    Object.assign(access, { loopbackOnly: false, token });
  }
  const ticking = setInterval(() => {
    core.tick();
    // A failure shows in the next response, which is not sent as if nothing had happened.
    state?.stored().catch(() => {});
  }, TICK);
  ticking.unref();
  return {
    url: `http://${urlHost(host)}:${bound}`,
    port: bound,
    host,
    token: access.token === undefined || core.listsTokens ? undefined : access.token,
    emulator,
    close: async () => {
      clearInterval(ticking);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      try {
        // Before the planned retries are cancelled, since the next process makes them.
        await state?.close();
      } finally {
        emulator.close();
      }
    },
  };
}

/** The host by which this machine reaches a server: no client can send requests to "every address". */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** The options with the seed of a stored state, from which a webhook's secret follows; its clock comes with it. */
function withSeedOf(stored: readonly ChangeRow[] | undefined, options: EmulatorOptions): EmulatorOptions {
  const seed = stored?.find(([table]) => table === 'seed')?.[2];
  if (seed === undefined) return options;
  const clock = options.clock ?? { frozen: options.seed !== undefined };
  return { ...options, seed: String(seed), clock };
}

interface Connection {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  access: Access;
}

async function answer(core: EmulatorCore, request: Request, connection: Connection): Promise<Response> {
  const { incoming, outgoing, access } = connection;
  const about = { ...newExchange(), ...access };
  const response = await core.exchange(request, about);
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  await waitOrAbort(about.latency, gone.signal).catch(() => {});
  if (about.delivery === 'reset') {
    incoming.socket.resetAndDestroy();
    return RESPONSE_ALREADY_SENT;
  }
  // The open socket holds a stalled response until the client disconnects or the server closes.
  if (about.delivery === 'stall-headers') return RESPONSE_ALREADY_SENT;
  const body = new Uint8Array(await response.arrayBuffer());
  response.headers.set('content-length', String(body.byteLength));
  if (about.delivery === 'whole') {
    return new Response(response.body === null ? null : body, {
      status: response.status,
      headers: response.headers,
    });
  }
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.write(firstHalf(body), () => {
    if (about.delivery === 'cut-body') incoming.socket.destroy();
  });
  return RESPONSE_ALREADY_SENT;
}
