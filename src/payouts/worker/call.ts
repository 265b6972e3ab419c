import type { RequestOptions, TransferBatchCreateParams, TransferCreateParams } from '../../index.ts';
import { judge } from '../rules/judge.ts';
import { readTransfer, type TransferRecord } from '../rules/read-transfer.ts';
import type { CallResult } from '../rules/see-result.ts';
import type { Attempt } from '../store/begin.ts';

/** What the payouts need of a client: `PaymentsClient` has it, and so has a composed one with `transfers`. */
export interface PayoutTransfers {
  /** The operations on transfers. */
  readonly transfers: {
    /** Requests a transfer. */
    create(params: TransferCreateParams, options?: RequestOptions): PromiseLike<TransferRecord>;
    /** Requests a batch. */
    createBatch(params: TransferBatchCreateParams, options?: RequestOptions): PromiseLike<TransferRecord>;
  };
}

/** Who pays, and how the service wants amounts in batches. */
export interface Payer {
  readonly userId: string;
  readonly batchAmounts: 'text' | 'number';
}

/** Requests the payment of an attempt. It never throws: a failure is a verdict. */
export async function requestPayment(
  { transfers }: PayoutTransfers,
  { userId, batchAmounts }: Payer,
  { job, recipients }: Attempt,
  signal: AbortSignal,
): Promise<CallResult> {
  const [first] = recipients;
  const { currency, chain, needs_approval: requireApproval } = first;
  const common = { requestId: job.requestId, source: { userId }, currency, chain, requireApproval };
  // Every retry is the queue's: it is durable, and a pause then holds.
  const options = { retries: 0, signal };
  try {
    const transfer = await (first.batch === null
      ? transfers.create(
          { ...common, destination: { userId: first.payee }, amount: Number(first.amount) },
          options,
        )
      : transfers.createBatch(
          {
            ...common,
            destination: {
              batch: recipients.map(({ payee, amount }) => ({
                userId: payee,
                amount: batchAmounts === 'text' ? amount : Number(amount),
              })),
            },
          },
          options,
        ));
    return { reading: readTransfer(transfer) };
  } catch (error) {
    return { verdict: judge(error) };
  }
}
