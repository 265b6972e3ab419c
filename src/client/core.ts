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

/** A core for new options. */
export function createCore(given: ClientOptions | undefined): ClientCore {
  const options = ownOptions(given, 'The client options');
  const config = resolveConfig(options);
  const running: RunningCalls = { calls: new Set(), refuse: undefined };
  return toCore(options, config, createKyWire(chooseSend(options)), running, admitOf(config));
}

/** A core with some options replaced; it shares the connections, and the token too unless that is replaced. */
export function deriveCore(parent: ClientCore, options: ClientOptions): ClientCore {
  const own = givenOptions(ownOptions(options, 'The options of `withOptions`'));
  const merged: ClientOptions = Object.assign(Object.create(null), parent.options);
  // The address in use stays, also one from a variable that has changed since. But another environment means
  // another address; the old one would send its calls to the old host.
  if (own.environment === undefined && own.baseUrls === undefined) merged.baseUrl = parent.config.baseUrl;
  else delete merged.baseUrl;
  Object.assign(merged, own);
  const config = resolveConfig(merged, own.accessToken === undefined ? parent.config.credentials : undefined);
  const isSameWire = own.fetch === undefined && own.dispatcher === undefined;
  const wire = isSameWire ? parent.wire : createKyWire(chooseSend(own));
  const admit = own.maxConcurrency === undefined ? parent.admit : admitOf(config);
  return toCore(merged, config, wire, parent.running, admit);
}

function toCore(
  options: ClientOptions,
  config: ResolvedConfig,
  wire: Wire,
  running: RunningCalls,
  admit: Admit | undefined,
): ClientCore {
  const keys = keyMemoryOf(config.origin, options.fetch);
  const transport = new HttpTransport(config, wire, keys, running, admit);
  return { options, config, wire, running, admit, transport };
}

const admitOf = ({ maxConcurrency }: ResolvedConfig): Admit | undefined =>
  maxConcurrency === undefined ? undefined : limitCalls(maxConcurrency);

/** Without the options that are undefined, which is to say not given; but `deadline: undefined` lifts a deadline. */
function givenOptions(options: ClientOptions): ClientOptions {
  const given = Object.entries(options).filter(([name, value]) => value !== undefined || name === 'deadline');
  return Object.assign(Object.create(null), Object.fromEntries(given));
}
