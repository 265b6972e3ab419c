import { checkedOptions, type OptionWords } from '../shared/schema/option-fault.ts';
import { HttpTransport } from './call/call.ts';
import { keyHints } from './call/call-options.ts';
import { OpenKeys } from './call/open-keys.ts';
import type { ResolvedConfig } from './call/prepare.ts';
import { type ClientOptions, clientOptions } from './options.ts';
import { fail } from './platform.ts';
import { resolveConfig } from './resolve-config.ts';
import { createKyWire } from './wire/ky.ts';
import type { Wire } from './wire/wire.ts';

/** What a client is made of, without its resources. */
export interface ClientCore {
  readonly options: ClientOptions;
  readonly config: ResolvedConfig;
  readonly wire: Wire;
  /** What the client remembers of keys, with the clients derived from it. */
  readonly keys: OpenKeys;
  readonly transport: HttpTransport;
}

/**
 * Makes a core from options. With a parent, the options replace those of the parent, and the others stay. The new core
 * shares the memory of open keys. It shares the connections and the token, too, unless an option replaces them.
 */
export function createCore(given: ClientOptions | undefined, parent?: ClientCore): ClientCore {
  const subject = parent ? 'The options of `withOptions`' : 'The client options';
  const words: OptionWords = { subject, verb: 'are', hints: keyHints };
  const own = checkedOptions(clientOptions(), given === undefined ? {} : given, words, ({ path, sentence }) =>
    // A sentence about the options themselves names them.
    fail(path === '' ? sentence : `${subject}: ${sentence}`),
  );
  const options = parent ? inheritOptions(parent, own) : own;
  const config = resolveConfig(
    options,
    own.accessToken === undefined ? parent?.config.credentials : undefined,
  );
  const wire = own.fetch !== undefined || !parent ? createKyWire(own.fetch) : parent.wire;
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
