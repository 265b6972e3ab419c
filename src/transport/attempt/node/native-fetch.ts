import { type DispatcherSlot, slotOf } from './dispatcher.ts';

let seen: { readonly fetch: unknown; readonly isNodes: boolean } | undefined;

/**
 * Whether `globalThis.fetch` is the one that Node came with. A replaced one belongs to someone who wants to see the
 * requests, such as an interceptor, a framework or a test: it must be called, not gone around.
 */
export function fetchIsNodesOwn(): boolean {
  const { fetch } = globalThis;
  if (seen === undefined || seen.fetch !== fetch) {
    // Only Node's own source can require this module.
    seen = { fetch, isNodes: String(fetch).includes("require('internal/deps/undici/undici')") };
  }
  return seen.isNodes;
}

/** The slot of this process's dispatcher, or undefined where the platform is not Node. */
export function nodesDispatcherSlot(): DispatcherSlot | undefined {
  const versions: Record<string, string | undefined> | undefined = globalThis.process?.versions;
  const undici = versions?.undici;
  const isNode = versions?.node !== undefined && versions.bun === undefined && !('Deno' in globalThis);
  return isNode && undici !== undefined ? slotOf(undici) : undefined;
}
