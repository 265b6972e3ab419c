import { ConfigurationError } from '../../errors/index.ts';
import { refusal } from '../schemes/verifier.ts';
import { claimLost, type DedupeStore } from '../stores/dedupe.ts';

/** A claim on an event, which is renewed until it is committed or released. */
export interface Claim {
  /** Fires when the claim is lost. */
  readonly signal: AbortSignal;
  /** Ends the claim: the event was handled. */
  commit(): Promise<void>;
  /** Ends the claim: the event was not handled. */
  release(): Promise<void>;
}

/** A claim is renewed until it has lasted this many times as long: a handler that never ends must not keep its event. */
const longestClaim = 12;

/** Runs one call of a store, and rejects when the store does not respond within `limit` seconds. */
export async function withinLimit<Result>(
  limit: number,
  call: () => Result | Promise<Result>,
): Promise<Awaited<Result>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () =>
        reject(
          refusal('webhook_store_unavailable', `The store did not respond within ${limit} s.`, {
            status: 503,
          }),
        ),
      limit * 1000,
    );
  });
  try {
    return await Promise.race([call(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Claims an event for a delivery. Rejects when the store fails, is too slow, or resolves with anything unexpected. */
export async function claimEvent(
  store: DedupeStore,
  eventId: string,
  limit: number,
): Promise<Claim | 'in-progress' | 'committed'> {
  const owner = crypto.randomUUID();
  let ended = false;
  const claim = async (seconds: number) => {
    const claiming = Promise.resolve(store.claim(eventId, owner));
    try {
      return requireAnswer(await withinLimit(seconds, () => claiming));
    } catch (error) {
      // A claim that the store makes too late has no delivery. Without a release, the event would wait for its end.
      claiming
        .then((late) => (late === 'claimed' && ended ? store.release(eventId, owner) : undefined))
        .catch(() => {});
      throw error;
    }
  };

  const asked = performance.now();
  try {
    const found = await claim(limit);
    if (found !== 'claimed') return found;
  } catch (error) {
    ended = true;
    throw error;
  }
  const renewal = keepRenewed(store.claimTtl, limit, asked, claim);
  const end = async (action: () => Promise<void>) => {
    ended = true;
    await renewal.stop();
    await withinLimit(limit, action);
  };
  return {
    signal: renewal.signal,
    commit: () => end(() => store.commit(eventId, owner)),
    release: () => end(() => store.release(eventId, owner)),
  };
}

/** Claims again after each third of the claim's time. `stop` waits for a renewal that is under way. */
function keepRenewed(
  claimTtl: number | undefined,
  limit: number,
  beginning: number,
  claim: (seconds: number) => Promise<string>,
): { readonly signal: AbortSignal; stop(): Promise<void> } {
  const controller = new AbortController();
  const { signal } = controller;
  if (claimTtl === undefined) return { signal, stop: async () => {} };
  let renewedAt = beginning;
  let timer: ReturnType<typeof setTimeout>;
  let stopped = false;
  let underWay: Promise<void> | undefined;

  /** Seconds until the claim ends, if nothing renews it. */
  const left = (): number => claimTtl - (performance.now() - renewedAt) / 1000;
  const lose = (why?: string): void => controller.abort(claimLost(why));
  const schedule = (): void => {
    timer = setTimeout(
      () => {
        underWay = renew();
      },
      Math.max(0, Math.min(claimTtl / 3, left())) * 1000,
    );
  };
  const renew = async (): Promise<void> => {
    const asked = performance.now();
    if (asked - beginning >= longestClaim * claimTtl * 1000) {
      lose(`the handler ran for ${longestClaim} times claimTtl (${claimTtl} s)`);
      return;
    }
    try {
      const found = await claim(Math.min(limit, Math.max(left(), limit / 10)));
      if (stopped) return;
      if (found !== 'claimed') {
        lose();
        return;
      }
      renewedAt = asked;
    } catch {
      if (stopped) return;
      if (left() <= 0) {
        lose('the store could not be reached to renew it');
        return;
      }
    }
    schedule();
  };
  schedule();
  return {
    signal,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}

function requireAnswer(found: unknown): 'claimed' | 'in-progress' | 'committed' {
  if (found === 'claimed' || found === 'in-progress' || found === 'committed') return found;
  const what =
    typeof found === 'string'
      ? JSON.stringify(found.slice(0, 20))
      : String(found === null ? found : typeof found);
  throw new ConfigurationError(
    `The claim of the dedupe store resolved with ${what}. It must resolve with "claimed", "in-progress" or "committed".`,
  );
}

/** Refuses a store that lacks a method, such as a factory that was not called or a promise of a store. */
export function requireStore(store: unknown, option: string, methods: readonly string[]): void {
  const missing = methods.filter((name) => typeof Reflect.get(Object(store), name) !== 'function');
  if (typeof store === 'object' && store !== null && missing.length === 0) return;
  const hint =
    typeof store === 'function'
      ? ' It is a function: call it.'
      : store instanceof Promise
        ? ' It is a promise: await it.'
        : '';
  throw new ConfigurationError(
    `${option} must be a store with ${methods.join(', ')}; ${missing.join(', ') || 'it'} is missing.${hint}`,
  );
}
