import { ConfigurationError } from '../errors/index.ts';
import { Accounts } from '../resources/accounts.ts';
import { Approvals } from '../resources/approvals.ts';
import { Bridges } from '../resources/bridges.ts';
import { ExternalWallets } from '../resources/external-wallets.ts';
import { Kyc } from '../resources/kyc.ts';
import { Offramps } from '../resources/offramps.ts';
import { Onramps } from '../resources/onramps.ts';
import { Reporting } from '../resources/reporting.ts';
import { Transfers } from '../resources/transfers.ts';
import { hiddenState } from '../shared/hidden-state.ts';
import { isRecord, kindOf } from '../shared/values.ts';
import type { Transport } from '../transport/types.ts';
import type { ClientCore } from './core.ts';

/** The namespaces of `PaymentsClient`. */
export const builtIn = {
  onramps: Onramps,
  accounts: Accounts,
  transfers: Transfers,
  bridges: Bridges,
  offramps: Offramps,
  approvals: Approvals,
  reporting: Reporting,
  kyc: Kyc,
  externalWallets: ExternalWallets,
};

/** The class of a namespace of this package. */
type Namespace = (typeof builtIn)[keyof typeof builtIn];

/** Namespaces, under the names to use on the client. Names that the client uses itself are not allowed. */
export type Namespaces<Taken = never> = { readonly [name: string]: Namespace } & {
  readonly [Name in keyof Taken | 'then']?: never;
};

/** A client with more namespaces. */
export type ClientWith<Added, Base> = {
  readonly [Name in keyof Added]: NonNullable<Added[Name]> extends Namespace
    ? NonNullable<Added[Name]>['prototype']
    : never;
} & Base;

/** What a client can open. */
interface Openable {
  readonly name: string;
  forTransport(transport: Transport): object;
}

/** What a client is made of. */
interface ClientState {
  /** The name that `console.log` shows. */
  readonly name: string;
  readonly core: ClientCore;
  readonly namespaces: ReadonlyMap<string, Openable>;
}

/** The state of each client. */
export const states = /* @__PURE__ */ hiddenState<ClientState>('client');

const inspectSymbol = Symbol.for('nodejs.util.inspect.custom');

/** Opens the namespaces on a new client. `console.log` then shows its address, never its token. */
export function open<Target extends object>(client: Target, state: ClientState): Target {
  const { config, transport } = state.core;
  states.set(client, state);
  const shows = (shown: string) => ({ value: () => `${shown} { baseUrl: '${config.baseUrl}' }` });
  // Not a method: its computed name would keep the client in every bundle.
  Object.defineProperty(client, inspectSymbol, shows(state.name));
  for (const [property, namespace] of state.namespaces) {
    const value = namespace.forTransport(transport);
    Object.defineProperty(value, inspectSymbol, shows(namespace.name));
    Object.defineProperty(client, property, { value, enumerable: true });
  }
  return client;
}

/** Checks namespaces and takes them down, so that changing the object later changes nothing. */
export function checkNamespaces(given: unknown, client: object, where: string): Map<string, Openable> {
  const fail = (why: string) => new ConfigurationError(`${where}: ${why}.`);
  if (!isRecord(given) || Symbol.iterator in given) {
    const kind = isRecord(given) ? 'an iterable' : kindOf(given);
    throw fail(`the namespaces must be an object such as \`{ kyc: Kyc }\`, but are ${kind}`);
  }
  const namespaces = new Map<string, Openable>();
  for (const [name, namespace] of Object.entries(given)) {
    if (name in client || name === 'then') throw fail(`the name \`${name}\` is taken; choose another one`);
    if (!isOpenable(namespace))
      throw fail(`\`${name}\` must be a namespace such as \`Kyc\`, but is ${kindOf(namespace)}`);
    namespaces.set(name, namespace);
  }
  return namespaces;
}

const isOpenable = (value: unknown): value is Openable =>
  typeof (value as Partial<Openable> | null | undefined)?.forTransport === 'function';
