import { ConfigurationError } from '../shared/errors/index.ts';

/** Refuses a configuration. */
export const fail = (message: string): never => {
  throw new ConfigurationError(message);
};

/** Reads an environment variable where the platform has them; an empty one counts as not set. */
export function readVariable(name: string): string | undefined {
  const variables: unknown = globalThis.process?.env;
  if (typeof variables !== 'object' || variables === null) return undefined;
  const value = ownGlobal(variables, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function ownGlobal(variables: object, name: string): unknown {
  try {
    return Object.hasOwn(variables, name) ? Reflect.get(variables, name) : undefined;
  } catch (cause) {
    throw new ConfigurationError(
      `${name} may not be read. Give the option instead, or allow it (Deno: --allow-env=${name}).`,
      { cause },
    );
  }
}

/** Returns true in the main realm of a web page, where every visitor could read a token. */
export function isBrowser(): boolean {
  return 'window' in globalThis && 'document' in globalThis && 'navigator' in globalThis;
}
