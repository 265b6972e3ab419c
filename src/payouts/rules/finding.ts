import { APIError, isPaymentsError } from '../../errors/index.ts';
import { evidenceOf, isDeferral } from '../../evidence/evidence.ts';
import type { Reading } from './record.ts';
import { refusalIn } from './refusals.ts';

/** The result of one call: what it proves of its key. */
export type Finding =
  /** The service made the transfer. `reading` is undefined where its record has no usable id. */
  | {
      readonly finding: 'made';
      readonly reading: Reading | undefined;
      /** The fields in which the record differs from the request. */
      readonly differs?: readonly string[];
    }
  /** The service has a request under this key already, and will pay nothing more under it. */
  | { readonly finding: 'known'; readonly reason: string }
  /** The service refused the request. No money moved. */
  | {
      readonly finding: 'refused';
      readonly reason: string;
      /** `payer`: a retry may succeed once the payer's account or balance is in order. */
      readonly about: 'payment' | 'payer';
    }
  /** The request did not reach the service, or the service deferred it. No money moved. */
  | { readonly finding: 'not-reached'; readonly reason: string; readonly retryAfter?: number }
  /** The service may have made the transfer. */
  | {
      readonly finding: 'open';
      readonly reason: string;
      readonly retryAfter?: number;
      /** True if the failure counts towards `maxFailures`. */
      readonly counts: boolean;
      /** The result cannot be stored: a person must look the payment up. */
      readonly review?: boolean;
    };

/**
 * Reads what the error of a call proves. The evidence is decided in one place for the whole package; this adds whom a
 * refusal is about, and what counts as a failure. `reason` is a code, never the service's sentence.
 */
export function findingOf(error: unknown): Finding {
  if (!isPaymentsError(error)) return { finding: 'open', reason: 'WORKER_FAILED', counts: true };
  const response = error instanceof APIError ? error : undefined;
  const { reason, about, isSaid } =
    response === undefined
      ? { reason: error.code.toUpperCase(), about: 'payment' as const, isSaid: false }
      : refusalIn(response);
  const waits = response?.retryAfter === undefined ? {} : { retryAfter: response.retryAfter };
  const { finding } = evidenceOf(error);
  if (finding === 'known') return { finding, reason };
  if (finding === 'open' || finding === 'made') {
    // A success without a usable record is tried again: the same key shows the same transfer. A failure on the way to
    // the service, however long it lasts, is no failure of the payment.
    const isGateway =
      response === undefined
        ? error.code === 'aborted'
        : finding === 'open' &&
          response.status !== 409 &&
          (!isSaid || [502, 503, 504].includes(response.status));
    return { finding: 'open', reason, counts: !isGateway, ...waits };
  }
  if (error.code === 'invalid_request') return { finding: 'refused', reason, about: 'payment' };
  const isDeferred = response === undefined || isDeferral(response.status, response.retryAfter !== undefined);
  if (finding === 'not-reached' || isDeferred || !isSaid) {
    return { finding: 'not-reached', reason, ...waits };
  }
  return { finding: 'refused', reason, about };
}
