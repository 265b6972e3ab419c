import { isDeferral } from '../evidence/error-response.ts';
import type { RetrySettings } from './request-options.ts';
import type { RetrySafety } from './types.ts';

/** The kinds of failed attempts, for the decision to retry. */
export type Failure =
  /** Nothing reached the service. */
  | 'unreached'
  /** The service turned the request away before taking it: 425, 429, or 503 with a Retry-After. */
  | 'deferred'
  /** The request may have been carried out: a reset, a timeout, 500, 502, 503, 504, a cut body. */
  | 'ambiguous'
  /** The service decided: any other status. A retry would get the same response. */
  | 'final';

const longestHonored = 60_000;

/** Statuses of a service, or of a gateway, that may follow a commit. */
const ambiguous: readonly number[] = [425, 500, 502, 503, 504];

/**
 * Returns the kind of failure that an error status shows. A gateway may send 503 when the service drops the connection
 * after it took the request; a service that turns a request away says when to come back.
 */
export function classifyStatus(status: number, asksToWait: boolean): Failure {
  if (isDeferral(status, asksToWait)) return 'deferred';
  return ambiguous.includes(status) ? 'ambiguous' : 'final';
}

/** The kinds of operations that may be carried out twice, or that the service carries out once for a key. */
const repeatable: readonly RetrySafety[] = ['read', 'delete', 'keyed', 'refresh'];

/** Checks whether the client may retry an attempt that failed in this way, for this kind of operation. */
export function mayRepeat(safety: RetrySafety, failure: Failure): boolean {
  if (failure === 'unreached' || failure === 'deferred') return true;
  return failure === 'ambiguous' && repeatable.includes(safety);
}

/** Milliseconds that a Retry-After header asks for (seconds or an HTTP date), or undefined if it says neither. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * The wait before retry number `retry` (from 0): doubling up to the longest, less up to a quarter. Undefined when the
 * service asks for one too long to sit out. All who were told the same time would come back at once: up to a quarter is
 * added. A time that is over takes nothing from the backoff.
 */
export function waitBeforeRetry(
  retry: number,
  retryAfter: number | undefined,
  settings: RetrySettings,
): number | undefined {
  const { minDelay, maxDelay } = settings;
  const own = Math.min(minDelay * 2 ** retry, maxDelay) * (1 - Math.random() * 0.25);
  if (retryAfter === undefined) return own;
  if (retryAfter > longestHonored) return undefined;
  return Math.max(own, retryAfter * (1 + Math.random() * 0.25));
}
