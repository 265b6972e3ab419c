import { refusal } from '../verifier.ts';
import { type KeySet, keySetOf } from './key-set.ts';

/** Times of a key set that is fetched, in seconds. */
export interface KeySetTimes {
  /** How long one fetch may take. */
  readonly timeout: number;
  /** The least time between the starts of two fetches. */
  readonly cooldown: number;
  /** How long a fetched set is used before it is fetched again. */
  readonly maximumAge: number;
}

/** A key set that is fetched when it is needed. */
export interface RemoteKeySet {
  /** The set to use at this time, fetched where there is none or it is too old. */
  current(now: number): Promise<KeySet>;
  /** A newer set for a token that no key of the current one fits. Throws a 503 refusal while none may be fetched. */
  newer(now: number): Promise<KeySet>;
  /** Whether the set was fetched within the cooldown. */
  isNew(now: number): boolean;
}

/**
 * Fetches a key set once for all deliveries that wait for it, and not again before the cooldown has passed, whether the
 * fetch succeeded or failed: deliveries that nobody signed must not become requests to the key server.
 */
export function remoteKeySet(url: URL, { timeout, cooldown, maximumAge }: KeySetTimes): RemoteKeySet {
  let loaded: { readonly keys: KeySet; readonly at: number } | undefined;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let loading: { readonly promise: Promise<KeySet>; readonly since: number } | undefined;

  const load = async (now: number): Promise<KeySet> => {
    try {
      const response = await fetch(url, {
        headers: { accept: 'application/jwk-set+json, application/json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout * 1000),
      });
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      const keys = keySetOf(await response.json());
      loaded = { keys, at: now };
      return keys;
    } catch (cause) {
      throw unavailable(`could not be fetched from ${url.host}`, cause);
    } finally {
      loading = undefined;
    }
  };

  const refresh = (now: number): Promise<KeySet> => {
    // A fetch that outlives its timeout belongs to a request that the platform ended.
    if (loading !== undefined && now - loading.since <= timeout * 1000) {
      if (mayShare()) return loading.promise;
      throw unavailable('is being fetched by another delivery');
    }
    if (Math.abs(now - attemptedAt) < cooldown * 1000) {
      throw unavailable(`was fetched less than ${cooldown} s ago`);
    }
    attemptedAt = now;
    const promise = load(now);
    loading = { promise, since: now };
    return promise;
  };

  return {
    async current(now) {
      if (loaded !== undefined && Math.abs(now - loaded.at) < maximumAge * 1000) return loaded.keys;
      return refresh(now);
    },
    newer: async (now) => refresh(now),
    isNew: (now) => loaded !== undefined && Math.abs(now - loaded.at) < cooldown * 1000,
  };
}

/** Workers forbids waiting for a promise of another request. */
const mayShare = (): boolean => globalThis.navigator?.userAgent !== 'Cloudflare-Workers';

const unavailable = (what: string, cause?: unknown) =>
  refusal('webhook_keys_unavailable', `The JSON Web Key Set ${what}.`, { cause });
