import * as z from 'zod/mini';
import { ConfigurationError, isPaymentsError } from '../../shared/errors/index.ts';
import { milliseconds } from '../../shared/schema/option-values.ts';
import { lazy } from '../../shared/schema/schema.ts';
import { refusal } from '../schemes/verifier.ts';
import {
  claimLost,
  type DedupeClaim,
  type DedupeStore,
  defaultClaimTtl,
  MissingTable,
} from '../stores/dedupe.ts';
import { failureReasonOf, shownId } from './failures.ts';

/** A claim on an event. It lasts for the store's `claimTtl`, or until it is committed or released. */
export interface Claim {
  /** Fires when the claim ends before the handler. */
  readonly signal: AbortSignal;
  /**
   * Stores that the event was handled. If the first attempt fails, `retrying` resolves when a later one has succeeded or
   * the last one has failed. Failures are reported; the promises never reject.
   */
  commit(report: (error: unknown) => void): Promise<{ readonly retrying?: Promise<void> }>;
  /** Ends the claim: the event was not handled. */
  release(): Promise<void>;
}

type Step = 'claim' | 'commit' | 'release';

/**
 * Claims an event for a delivery. Rejects when the store fails, is too slow, or resolves with anything unexpected.
 * `handled` has the events of this process that are handled and not committed yet.
 */
export async function claimEvent(
  store: DedupeStore,
  { key, id }: { readonly key: string; readonly id: string },
  timeout: number,
  handled: Set<string>,
): Promise<Claim | 'in-progress' | 'committed'> {
  if (handled.has(key)) return 'committed';
  const owner = crypto.randomUUID();
  const call = (step: Step): Promise<unknown> => inTime(timeout, async () => store[step](key, owner));

  const claiming = new Promise<DedupeClaim>((resolve) => {
    resolve(store.claim(key, owner));
  });
  try {
    const found = requireClaim(await inTime(timeout, () => claiming));
    if (found !== 'claimed') return found;
  } catch (error) {
    // The store may have made the claim, or make it later. Without a release, the event would wait for its end.
    claiming.finally(() => store.release(key, owner)).catch(() => {});
    throw isPaymentsError(error) ? error : dedupeFailure('claim', id, error);
  }

  const lease = store.claimTtl ?? defaultClaimTtl;
  const controller = new AbortController();
  const ending = setTimeout(() => {
    controller.abort(claimLost(`the handler ran for longer than claimTtl (${lease} ms)`));
  }, lease);

  const patience = Math.max(lease, defaultClaimTtl);
  const retryCommit = async (report: (error: unknown) => void): Promise<void> => {
    const end = performance.now() + patience;
    let failure: unknown;
    for (let wait = 250; performance.now() < end; wait = Math.min(2 * wait, lease / 4, 2000)) {
      // The renewed claim keeps other deliveries away until the commit succeeds.
      const found = await call('claim').catch(() => undefined);
      if (found === 'committed') return;
      if (found === 'in-progress') return report(claimLost());
      await new Promise((resolve) => setTimeout(resolve, wait));
      try {
        await call('commit');
        return;
      } catch (error) {
        if (isLost(error)) return report(error);
        failure = error;
      }
    }
    const givenUp = `The commit was tried again for ${patience} ms and is given up. If the event comes again, it is handled twice.`;
    report(dedupeFailure('commit', id, failure, givenUp));
  };

  return {
    signal: controller.signal,
    async commit(report) {
      clearTimeout(ending);
      try {
        await call('commit');
        return {};
      } catch (error) {
        const again = `The event was handled and may come again. The commit is tried again for ${patience} ms.`;
        report(isLost(error) ? error : dedupeFailure('commit', id, error, again));
        if (isLost(error)) return {};
        handled.add(key);
        return { retrying: retryCommit(report).finally(() => handled.delete(key)) };
      }
    },
    async release() {
      clearTimeout(ending);
      await call('release').catch((error) => {
        throw dedupeFailure('release', id, error);
      });
    },
  };
}

/** Another delivery has the event, so a further attempt cannot succeed. */
const isLost = (error: unknown): boolean => isPaymentsError(error) && error.code === 'webhook_claim_lost';

const dedupeFailure = (step: Step, id: string, cause: unknown, more?: string) =>
  refusal(
    'webhook_store_unavailable',
    [
      `the dedupe store failed to ${step} ${shownId(id)} (${failureReasonOf(cause)}).`,
      ...(cause instanceof MissingTable ? [cause.message] : []),
      ...(more === undefined ? [] : [more]),
    ].join(' '),
    { cause, status: 503 },
  );

/** Runs one call of the store, and rejects when it takes longer than `timeout` milliseconds. */
async function inTime<Result>(timeout: number, call: () => Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(Object.assign(new Error(`No response within ${timeout} ms.`), { code: 'STORE_TIMEOUT' }));
    }, timeout);
  });
  try {
    return await Promise.race([call(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function requireClaim(found: unknown): DedupeClaim {
  if (found === 'claimed' || found === 'in-progress' || found === 'committed') return found;
  throw new ConfigurationError(
    'The claim of the dedupe store must resolve with "claimed", "in-progress" or "committed".',
  );
}

/** A store has all methods: a function that makes one was perhaps not called, or a promise of one not awaited. */
export const storeOption = /* @__PURE__ */ lazy(() =>
  z
    .custom<DedupeStore>(
      (store) =>
        typeof store === 'object' &&
        ['claim', 'commit', 'release'].every((name) => typeof Object(store)[name] === 'function'),
      {
        error:
          'must be a store with claim, commit and release. Call a function that makes the store, and await a promise of it',
        params: { kind: 'rule' },
        abort: true,
      },
    )
    .check(
      // A store may be an instance of a class, or use `this`: it is not copied.
      z.superRefine((store, context) => {
        const [issue] = z.optional(milliseconds(1_000)).safeParse(store.claimTtl).error?.issues ?? [];
        if (issue === undefined) return;
        const { message } = issue;
        const params = issue.code === 'custom' ? issue.params : { kind: 'type' };
        context.addIssue({ code: 'custom', path: ['claimTtl'], message, params });
      }),
    ),
);
