import type { RequestOptions, TransferBatchCreateParams, TransferCreateParams } from '../../index.ts';
import { isBatch, type PaymentBody } from '../rules/body.ts';
import { findingOfError, findingOfRecord } from '../rules/call-finding.ts';
import type { TransferRecord } from '../rules/record.ts';
import type { Finding } from '../rules/see-attempt.ts';

/** The part of a client that pays: a `PaymentsClient`, or a composed client with `transfers`. */
export interface PayoutTransfers {
  /** The two methods of a client that pay. */
  readonly transfers: {
    /** Requests a transfer. */
    create(params: TransferCreateParams, options?: RequestOptions): PromiseLike<TransferRecord>;
    /** Requests a transfer to several recipients. */
    createBatch(params: TransferBatchCreateParams, options?: RequestOptions): PromiseLike<TransferRecord>;
  };
}

/** Requests a payment with its stored parameters. It never throws: a failure is a finding. */
export async function requestPayment(
  { transfers }: PayoutTransfers,
  body: PaymentBody,
  signal: AbortSignal,
  inDoubt = false,
): Promise<Finding> {
  // Every retry is the rows': it is durable, and a pause then holds.
  const options = { retries: 0, signal, ...(inDoubt && { inDoubt }) };
  try {
    const record = await (isBatch(body)
      ? transfers.createBatch(body, options)
      : transfers.create(body, options));
    return findingOfRecord(record, body);
  } catch (error) {
    return findingOfError(error);
  }
}
