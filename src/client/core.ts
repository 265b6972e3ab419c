import type { ClientOptions } from '../config/options.ts';
import { ownOptions, resolveConfig } from '../config/resolve-config.ts';
import { chooseSend } from '../transport/fetch.ts';
import type { ResolvedConfig } from '../transport/http-transport.ts';
import { HttpTransport } from '../transport/http-transport.ts';
import { createKyWire } from '../transport/ky-adapter.ts';
import { OpenKeys } from '../transport/open-keys.ts';
import type { Wire } from '../transport/wire.ts';

/** What a client is made of, without its namespaces. */
export interface ClientCore {
  readonly options: ClientOptions;
  readonly config: ResolvedConfig;
  readonly wire: Wire;
  /** What the client remembers of keys, with the clients derived from it. */
  readonly keys: OpenKeys;
  readonly transport: HttpTransport;
}

/**
 * Makes a core of options. With a parent, of its options with these in their place: it then shares the memory of keys, and
 * the connections and the token unless an option replaces them.
 */
export function createCore(given: ClientOptions | undefined, parent?: ClientCore): ClientCore {
  const own = ownOptions(given, parent ? 'The options of `withOptions`' : 'The client options');
  const options = parent ? inheritOptions(parent, own) : own;
  const config = resolveConfig(
    options,
    own.accessToken === undefined ? parent?.config.credentials : undefined,
  );
  const isNewWire = own.fetch !== undefined || own.dispatcher !== undefined;
  const wire = isNewWire || !parent ? createKyWire(chooseSend(own)) : parent.wire;
  const keys = parent?.keys ?? new OpenKeys();
  const transport = new HttpTransport(config, wire, keys);
  return { options, config, wire, keys, transport };
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
