import type { RequestOptions, TransferBatchCreateParams, TransferCreateParams } from '../../index.ts';
import { type Finding, findingOf } from '../rules/finding.ts';
import {
  differences,
  hasUnusableId,
  isBatch,
  type PaymentBody,
  readRecord,
  type TransferRecord,
} from '../rules/record.ts';

/** The part of a client that pays: a `PaymentsClient`, or a composed client with `transfers`. */
export interface PayoutTransfers {
  /** The two methods of a client that pay. */
  readonly transfers: {
    /** Requests a transfer. */
    create(params: TransferCreateParams, options?: RequestOptions): PromiseLike<TransferRecord>;
    /** Requests a batch. */
    createBatch(params: TransferBatchCreateParams, options?: RequestOptions): PromiseLike<TransferRecord>;
  };
}

/** Requests a payment with its stored parameters. It never throws: a failure is a finding. */
export async function requestPayment(
  { transfers }: PayoutTransfers,
  body: PaymentBody,
  signal: AbortSignal,
): Promise<Finding> {
  // Every retry is the queue's: it is durable, and a pause then holds.
  const options = { retries: 0, signal };
  try {
    const record = await (isBatch(body)
      ? transfers.createBatch(body, options)
      : transfers.create(body, options));
    if (hasUnusableId(record))
      return { finding: 'open', reason: 'RESULT_NOT_STORABLE', counts: true, review: true };
    const differs = differences(record, body, undefined, 'response');
    return { finding: 'made', reading: readRecord(record), ...(differs.length > 0 && { differs }) };
  } catch (error) {
    return findingOf(error);
  }
}
