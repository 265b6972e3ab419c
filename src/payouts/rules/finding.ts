import { APIError, isPaymentsError, type PaymentsError } from '../../errors/index.ts';
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
  if (name !== undefined && KNOWN.has(name)) return { finding: 'known', reason };
  if (name !== undefined && ABOUT_THE_PAYER.has(name) && status !== 429 && status !== 503) {
    return { finding: 'refused', reason, about: 'payer' };
  }
  if (status === 409 || error.outcome === 'unknown' || error.outcome === 'succeeded') {
    // A failure on the way to the service, however long it lasts, is no failure of the payment.
    const isGateway =
      status === undefined
        ? error.code === 'aborted'
        : status !== 409 && (name === undefined || [502, 503, 504].includes(status));
    return { finding: 'open', reason, counts: !isGateway, ...waits };
  }
  const refuses = name !== undefined && [400, 403, 404, 410, 422].includes(status ?? 0);
  if (refuses || error.code === 'invalid_request') return { finding: 'refused', reason, about: 'payment' };
  return { finding: 'not-reached', reason, ...waits };
}

/** The documented names of a refusal because the service has the key. */
const KNOWN: ReadonlySet<string> = new Set(['TRANSACTION_REQUEST_ALREADY_EXISTS', 'RESOURCE_CONFLICT']);

function responseIn(error: PaymentsError): {
  status?: number;
  name?: string | undefined;
  retryAfter?: number | undefined;
} {
  if (!(error instanceof APIError)) return {};
  return { status: error.status, name: refusalName(error), retryAfter: error.retryAfter };
}
