/** Reads an environment variable where the platform has them; an empty one counts as not set. */
export function readVariable(name: string): string | undefined {
  const variables: unknown = globalThis.process?.env;
  if (typeof variables !== 'object' || variables === null) return undefined;
  const value: unknown = Object.hasOwn(variables, name) ? Reflect.get(variables, name) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether this is a web page's own realm, where a token would be open to every visitor. */
export function isBrowser(): boolean {
  return 'window' in globalThis && 'document' in globalThis && 'navigator' in globalThis;
}
