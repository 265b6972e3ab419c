import type { ClientOptions } from '../config/options.ts';
import { ownOptions, resolveConfig } from '../config/resolve-config.ts';
import { keyMemoryOf } from '../evidence/key-memory.ts';
import { type Admit, limitCalls, type RunningCalls } from '../transport/admission.ts';
import { chooseSend } from '../transport/fetch.ts';
import type { ResolvedConfig } from '../transport/http-transport.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import { createKyWire } from '../transport/ky-adapter.ts';
import type { Wire } from '../transport/wire.ts';

/** The parts that all clients have, whatever their namespaces: the options and the transport. */
export interface ClientCore {
  readonly options: ClientOptions;
  readonly config: ResolvedConfig;
  readonly wire: Wire;
  readonly transport: HttpTransport;
  /** The calls under way of all clients that are derived from one: the same object for each of them. */
  readonly running: RunningCalls;
  /** Limits the calls that run at a time, with `maxConcurrency`. */
  readonly admit: Admit | undefined;
}

/**
 * A core for options; with a parent, for its options with these in their place. It then shares the calls under way, and
 * whatever no given option replaces: the connections, the token, the places for calls.
 */
export function createCore(given: ClientOptions | undefined, parent?: ClientCore): ClientCore {
  const own = ownOptions(given, parent ? 'The options of `withOptions`' : 'The client options');
  const options = parent ? inheritOptions(parent, own) : own;
  const config = resolveConfig(
    options,
    own.accessToken === undefined ? parent?.config.credentials : undefined,
  );
  const wire = own.fetch !== undefined || !parent ? createKyWire(chooseSend(own)) : parent.wire;
  const admit = own.maxConcurrency === undefined ? parent?.admit : limitCalls(own.maxConcurrency);
  const running = parent?.running ?? { calls: new Set(), refuse: undefined };
  const keys = keyMemoryOf(config.origin, options.fetch);
  const transport = new HttpTransport(config, wire, keys, running, admit);
  return { options, config, wire, running, admit, transport };
}

/** An option that is undefined is not given; but `deadline: undefined` lifts a deadline. */
function inheritOptions(parent: ClientCore, own: ClientOptions): ClientOptions {
  const given = Object.entries(own).filter(([name, value]) => value !== undefined || name === 'deadline');
  // The address in use stays, also one from a variable that has changed since. But another environment means
  // another address; the old one would send its calls to the old host.
  const keepsAddress = own.environment === undefined && own.baseUrls === undefined;
  const baseUrl = keepsAddress ? parent.config.baseUrl : undefined;
  return Object.assign(Object.create(null), parent.options, { baseUrl }, Object.fromEntries(given));
}
