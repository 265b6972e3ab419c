import type { ClientOptions } from '../config/options.ts';
import { ownOptions, resolveConfig } from '../config/resolve-config.ts';
import { peek } from '../errors/foreign-values.ts';
import { ConfigurationError } from '../errors/index.ts';
import { keyMemoryOf } from '../evidence/key-memory.ts';
import { hiddenState } from '../shared/hidden-state.ts';
import { isRecord, kindOf } from '../shared/values.ts';
import { type Admit, limitCalls, type RunningCalls } from '../transport/admission.ts';
import { chooseSend } from '../transport/fetch.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import { createKyWire } from '../transport/ky-adapter.ts';
import type { ResolvedConfig } from '../transport/resolved-config.ts';
import type { Transport } from '../transport/types.ts';
import type { Wire } from '../transport/wire.ts';

/** The parts that all clients have, whatever their namespaces: the options and the transport. */
export interface ClientCore {
  readonly options: ClientOptions;
  readonly config: ResolvedConfig;
  readonly wire: Wire;
  readonly transport: HttpTransport;
  /** The calls under way of all clients that are derived from one: the same object for each of them. */
  readonly running: RunningCalls;
  /** Holds calls back, with `maxConcurrency`. */
  readonly admit: Admit | undefined;
}

export const cores = /* @__PURE__ */ hiddenState<ClientCore>('client');

/** The cores behind the options that {@link optionsFor} returned. */
const coresBehind = new WeakMap<object, ClientCore>();

/** The core for options: the core that {@link optionsFor} attached to them, or a new one. */
export function coreOf(options: ClientOptions | undefined): ClientCore {
  return (options === undefined ? undefined : coresBehind.get(options)) ?? createCore(options);
}

/** Returns options that stand for a core, to pass it through a constructor that takes options. */
export function optionsFor(core: ClientCore): ClientOptions {
  const options: ClientOptions = {};
  coresBehind.set(options, core);
  return options;
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
  const wire =
    own.fetch === undefined && own.dispatcher === undefined ? parent.wire : createKyWire(chooseSend(own));
  const admit = own.maxConcurrency === undefined ? parent.admit : limitCalls(own.maxConcurrency);
  return toCore(merged, config, wire, parent.running, admit);
}

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/** Sets what `console.log` shows of a client. Not a method: its computed name would keep the client in every bundle. */
export function showOnlyAddress(client: object, name: string, { config }: ClientCore): void {
  Object.defineProperty(client, inspectSymbol, { value: () => `${name} { baseUrl: '${config.baseUrl}' }` });
}

/** A class or a resource that a client can open: one of the package's namespaces, or one of the integrator's. */
export interface Openable {
  readonly name: string;
  forTransport(transport: Transport): object;
}

/** Checks namespaces and takes them down, so that changing the object later changes nothing. */
export function checkNamespaces(
  given: unknown,
  taken: readonly string[],
  where: string,
): ReadonlyMap<string, Openable> {
  if (!isRecord(given) || Symbol.iterator in given) {
    const kind = isRecord(given) ? 'an iterable' : kindOf(given);
    throw new ConfigurationError(
      `${where}: the namespaces must be an object such as \`{ kyc: Kyc }\`, but are ${kind}.`,
    );
  }
  const namespaces = new Map<string, Openable>();
  for (const [name, namespace] of Object.entries(given)) {
    if (taken.includes(name) || name in Object.prototype) {
      throw new ConfigurationError(`${where}: the name \`${name}\` is taken; choose another one.`);
    }
    if (!isOpenable(namespace)) {
      throw new ConfigurationError(
        `${where}: \`${name}\` must be a namespace such as \`Kyc\`, but is ${kindOf(namespace)}.`,
      );
    }
    namespaces.set(name, namespace);
  }
  return namespaces;
}

const isOpenable = (value: unknown): value is Openable => typeof peek(value, 'forTransport') === 'function';

/** Makes a namespace of a client. `console.log` shows its methods and the client's address. */
export function openNamespace<N extends object>(
  namespace: { readonly name: string; forTransport(transport: Transport): N },
  { config, transport }: ClientCore,
): N {
  const opened = namespace.forTransport(transport);
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(opened)).filter(
    (name) => name !== 'constructor',
  );
  const shown = `${namespace.name} { ${methods.map((name) => `${name}()`).join(', ')}, baseUrl: '${config.baseUrl}' }`;
  Object.defineProperty(opened, inspectSymbol, { value: () => shown });
  return opened;
}

function createCore(given: ClientOptions | undefined): ClientCore {
  const options = ownOptions(given, 'The client options');
  const config = resolveConfig(options);
  const { maxConcurrency } = config;
  const admit = maxConcurrency === undefined ? undefined : limitCalls(maxConcurrency);
  return toCore(
    options,
    config,
    createKyWire(chooseSend(options)),
    { calls: new Set(), refuse: undefined },
    admit,
  );
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

/** Without the options that are undefined, which is to say not given; but `deadline: undefined` lifts a deadline. */
function givenOptions(options: ClientOptions): ClientOptions {
  const given = Object.entries(options).filter(([name, value]) => value !== undefined || name === 'deadline');
  return Object.assign(Object.create(null), Object.fromEntries(given));
}
