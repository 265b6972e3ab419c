import type { RetrySafety } from '../../shared/outcome/operation.ts';
import type { Proof } from '../../shared/outcome/proof.ts';
import type { PreparedCall } from './prepare.ts';

/** What a repeat of a failed attempt could do. Undefined if it would end alike, or could pay twice: there is none. */
export type Repeat =
  /** Nothing was made, and a repeat may get further: no connection, or a 429 that came to `rejected`. */
  | 'harmless'
  /** The request may have been carried out: a reset, a timeout, 500, 502, 503, 504, a cut body, an unusable 2xx. */
  | 'ambiguous'
  | undefined;

/** Statuses of a service, or of a gateway, that may follow a commit. */
const ambiguous: readonly number[] = [425, 500, 502, 503, 504];

/** Statuses that are never repeated: any 4xx but 425 and 429, and 501, 505, 520–524. */
const isFinalStatus = (status: number): boolean =>
  (status >= 400 && status <= 499 && status !== 425 && status !== 429) ||
  status === 501 ||
  status === 505 ||
  (status >= 520 && status <= 524);

/** Says what a repeat could do after an error status. A known key and a named refusal are never repeated. */
export function repeatAfterStatus(status: number, proof: Proof, isCut: boolean): Repeat {
  if (proof.isKnownKey === true || proof.isRefusedForGood === true || isFinalStatus(status)) return undefined;
  if (status === 429) return proof.outcome === 'rejected' ? 'harmless' : 'ambiguous';
  return ambiguous.includes(status) || isCut ? 'ambiguous' : undefined;
}

/** Says what a repeat could do after a 2xx that did not prove the call. A schema of the caller's is final. */
export function repeatAfterSuccess({ outcome, isKnownKey, issue }: Proof): Repeat {
  if (outcome === 'rejected' || isKnownKey === true) return undefined;
  return issue?.code === 'schema' || issue?.code === 'schema_failed' ? undefined : 'ambiguous';
}

/** Checks whether the client may repeat an attempt of an operation. */
export const mayRepeat = (safety: RetrySafety, repeat: Repeat): boolean =>
  repeat === 'harmless' || (repeat === 'ambiguous' && safety !== 'once');

const maxRetryAfter = 60_000;

/**
 * The wait before retry number `retry` (from 0). The client's own wait doubles up to `maxDelay`, less up to a quarter at
 * random. If the service asks for a longer wait, that one counts, and up to a quarter is added: clients that were told
 * the same time must not return at once. Undefined if the service asks for more than a minute.
 */
export function waitBeforeRetry(
  retry: number,
  retryAfter: number | undefined,
  settings: PreparedCall['retries'],
): number | undefined {
  const { minDelay, maxDelay } = settings;
  const own = Math.min(minDelay * 2 ** retry, maxDelay) * (1 - Math.random() * 0.25);
  if (retryAfter === undefined) return own;
  if (retryAfter > maxRetryAfter) return undefined;
  return Math.max(own, retryAfter * (1 + Math.random() * 0.25));
}
