import { ConfigurationError } from '../errors/index.ts';
import { kindOf } from './kind.ts';
import type { FetchLike } from './wire.ts';

/**
 * The given fetch, or the platform's. The platform's is looked up at each call, so that what is put in its place
 * later, by an interceptor or a tracer, is used.
 */
export function platformFetch(given: unknown): FetchLike {
  if (given === undefined) return (url, init) => globalThis.fetch(url, init);
  if (typeof given !== 'function')
    throw new ConfigurationError(`\`fetch\` must be a function, but is ${kindOf(given)}.`);
  return (url, init) => given(url, init);
}
