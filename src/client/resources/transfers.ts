import { showsTransfer } from '../../shared/outcome/record.ts';
import {
  type Transfer,
  type TransferBatch,
  type TransferBatchCreateParams,
  type TransferCreateParams,
  transfer,
  transferBatch,
  transferBatchCreateParams,
  transferCreateParams,
} from '../../shared/service/transfers.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions } from '../call/call-options.ts';
import { bySchema } from '../call/read-response.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation } from '../call/types.ts';
import { bindMethods } from './bind-methods.ts';

const createTransfer: Operation<Transfer> = {
  name: 'transfers.create',
  method: 'POST',
  path: '/v2/wallets/transfers',
  retrySafety: 'keyed',
  check: /* @__PURE__ */ bySchema(transfer),
  essential: ['transferDetails.id', 'transferDetails.status'],
  params: transferCreateParams,
  record: 'transferDetails',
  provesCall: showsTransfer,
};

const createBatch: Operation<TransferBatch> = {
  name: 'transfers.createBatch',
  method: 'POST',
  path: '/v2/wallets/transfers/batches',
  retrySafety: 'keyed',
  check: /* @__PURE__ */ bySchema(transferBatch),
  params: transferBatchCreateParams,
  record: 'transferDetails',
  provesCall: showsTransfer,
};

/** Transfers of stablecoins from one wallet to another, or to up to 50. */
export class Transfers {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Transfers stablecoins from one user's wallet to another user or to a wallet address. With `requireApproval` the
   * transfer waits as `PENDING_APPROVAL`, at most a week; `approvalOf` finds the approval.
   *
   * Success means that the transfer was made, not that it was paid: `paymentResult` says whether it is paid.
   *
   * Retried with the same `requestId` and the same bytes.
   *
   * Spec: POST /v2/wallets/transfers.
   *
   * @param params - `amount` in units of the currency: a number or a decimal string, above 0. Give
   * `destination.userId` or `destination.walletAddress`. The client generates `requestId` if you leave it out.
   * @param options - Limits, retries, headers, token, or `extraBody` for this call.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent, and `field` names it. ConflictError with
   * `outcome: 'unknown'` when the service refuses `requestId` because it exists.
   *
   * @example
   * ```ts
   * const transfer = await payments.transfers.create({
   *   requestId: requestIdFrom('invoice', '2026-0042'),
   *   source: { userId: payer },
   *   destination: { userId: payee },
   *   amount: 25,
   *   currency: 'usdc',
   *   chain: 'POLYGON',
   *   requireApproval: true,
   * });
   * ```
   */
  create(params: TransferCreateParams, options?: RequestOptions): APIPromise<Transfer> {
    return this.#transport.call(createTransfer, { body: params }, options);
  }

  /**
   * Transfers stablecoins to up to 50 recipients at once. The service does not document the body; the parameters have the
   * fields that most services use.
   *
   * Success means that the batch was made, not that it was paid: `paymentResult` says whether it is paid.
   *
   * Retried with the same `requestId` and the same bytes.
   *
   * Spec: POST /v2/wallets/transfers/batches.
   *
   * @param params - At most 50 recipients in `destination.batch`, each with `userId` or `walletAddress` and an amount
   * above 0. The client generates `requestId` if you leave it out.
   * @param options - Limits, retries, headers, token, or `extraBody` for this call.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent, and `field` names it. ConflictError with
   * `outcome: 'unknown'` when the service refuses `requestId` because it exists.
   *
   * @example
   * ```ts
   * await payments.transfers.createBatch({
   *   source: { userId: payer },
   *   destination: { batch: employees.map(({ userId, salary }) => ({ userId, amount: salary })) },
   *   currency: 'usdc',
   *   chain: 'POLYGON',
   * });
   * ```
   */
  createBatch(params: TransferBatchCreateParams, options?: RequestOptions): APIPromise<TransferBatch> {
    return this.#transport.call(createBatch, { body: params }, options);
  }
}
