import { peek } from '../errors/foreign-values.ts';
import { ConfigurationError } from '../errors/index.ts';
import { isRecord, kindOf } from '../shared/values.ts';
import type { Transport } from '../transport/types.ts';

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
