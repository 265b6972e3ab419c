import type { InvalidRequestError } from '../errors/index.ts';
import { transferBatchShape, transferShape } from '../schemas/transfer.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { Operation, RequestOptions, Transport } from '../transport/types.ts';
import type {
  Transfer,
  TransferBatch,
  TransferBatchCreateParams,
  TransferCreateParams,
} from '../types/transfer.ts';
import { findRecipients, largestBatch } from './checks/recipients.ts';
import {
  checkParams,
  fault,
  optional,
  positiveAmount,
  type Rules,
  requiredText,
  trueOrFalse,
} from './checks/rules.ts';
import { call } from './start-call.ts';
import { checkUnshownTransfer } from './unshown-transfer.ts';

const create: Operation<Transfer> = {
  name: 'transfers.create',
  method: 'POST',
  path: '/v2/wallets/transfers',
  retrySafety: 'keyed',
  response: transferShape,
};

const createBatch: Operation<TransferBatch> = {
  name: 'transfers.createBatch',
  method: 'POST',
  path: '/v2/wallets/transfers/batches',
  retrySafety: 'keyed',
  response: transferBatchShape,
};

const createRules: Rules = {
  'source.userId': requiredText,
  'destination.userId': requiredText,
  amount: positiveAmount,
  currency: requiredText,
  chain: requiredText,
  requireApproval: optional(trueOrFalse),
};

/** Transfers of stablecoins from one wallet to another, or to up to 50. */
export class Transfers {
  readonly #transport: Transport;

  private constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @internal */
  static forTransport(transport: Transport): Transfers {
    return new this(transport);
  }

  /**
   * Transfers stablecoins from one user's wallet to another's. With `requireApproval` it waits as
   * `PENDING_APPROVAL`, at most a week, and `transferDetails.receipt.approval` is what to approve.
   *
   * @param params - `amount` in units of the currency, finite and above 0. `requestId` is made when left out.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws InvalidRequestError before anything is sent; ConflictError with `code: 'request_id_known'` and
   * `outcome: 'unknown'` when the service has a request with this id already: the payment may have been made.
   *
   * Retried, with the same id and the same bytes.
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
   *
   * Spec: POST /v2/wallets/transfers.
   */
  create(params: TransferCreateParams, options?: RequestOptions): APIPromise<Transfer> {
    const problem = checkParams(create.name, params, createRules);
    return call(this.#transport, create, { body: params, problem }, options);
  }

  /**
   * Transfers stablecoins to up to 50 recipients at once. The spec does not show the body, so every field is
   * allowed; the list of recipients is recognised under its usual names and counted.
   *
   * @param params - At most 50 recipients. `requestId` is made when left out.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws InvalidRequestError before anything is sent; ConflictError with `code: 'request_id_known'` and
   * `outcome: 'unknown'` when the service has a request with this id already: the payment may have been made.
   *
   * Retried, with the same id and the same bytes.
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
   *
   * Spec: POST /v2/wallets/transfers/batches; the record of the answer is not shown there.
   */
  createBatch(params: TransferBatchCreateParams, options?: RequestOptions): APIPromise<TransferBatch> {
    return call(this.#transport, createBatch, { body: params, problem: checkBatch(params) }, options);
  }
}

function checkBatch(params: unknown): InvalidRequestError | undefined {
  const problem = checkUnshownTransfer(createBatch.name, params);
  if (problem !== undefined) return problem;
  const recipients = findRecipients(params);
  if (recipients === undefined || recipients.count <= largestBatch) return undefined;
  return fault(
    createBatch.name,
    recipients.path,
    `\`${recipients.path}\` must hold at most ${largestBatch} recipients, but holds ${recipients.count}; split it into several batches`,
  );
}
