import { APIError, isPaymentsError, type PaymentsError } from '../../errors/index.ts';
import { evidenceOf } from '../../evidence/evidence.ts';
import type { Reading } from './record.ts';
import { ABOUT_THE_PAYER, refusalName } from './refusals.ts';

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
      /** Whether the failure counts towards `maxFailures`. */
      readonly counts: boolean;
      /** The result cannot be stored: a person must look the payment up. */
      readonly review?: boolean;
    };

/** Reads what the error of a call proves. `reason` is a code, never the service's sentence. */
export function findingOf(error: unknown): Finding {
  if (!isPaymentsError(error)) return { finding: 'open', reason: 'WORKER_FAILED', counts: true };
  const { status, name, retryAfter } = responseIn(error);
  const waits = retryAfter === undefined ? {} : { retryAfter };
  const reason = name ?? (status === undefined ? error.code.toUpperCase() : `HTTP_${status}`);
  const { finding } = evidenceOf(error);
  if (finding === 'known') return { finding, reason };
  if (finding === 'open' || finding === 'made') {
    // A failure on the way to the service, however long it lasts, is no failure of the payment.
    const isGateway =
      status === undefined
        ? error.code === 'aborted'
        : status !== 409 && (name === undefined || [502, 503, 504].includes(status));
    return { finding: 'open', reason, counts: !isGateway, ...waits };
  }
  const isDeferred = status === 425 || status === 429 || status === 503;
  if (finding === 'refused' && !isDeferred && name !== undefined)
    return { finding, reason, about: ABOUT_THE_PAYER.has(name) ? 'payer' : 'payment' };
  if (error.code === 'invalid_request') return { finding: 'refused', reason, about: 'payment' };
  return { finding: 'not-reached', reason, ...waits };
}

interface ErrorResponse {
  readonly status?: number;
  /** The name of a refusal in the service's own words. */
  readonly name?: string | undefined;
  readonly retryAfter?: number | undefined;
}

function responseIn(error: PaymentsError): ErrorResponse {
  if (!(error instanceof APIError)) return {};
  return { status: error.status, name: refusalName(error), retryAfter: error.retryAfter };
}
