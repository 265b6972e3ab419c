import { showsTransfer } from '../../shared/outcome/record.ts';
import {
  type Bridge,
  type BridgeCreateParams,
  bridge,
  bridgeCreateParams,
} from '../../shared/service/bridges.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions } from '../call/call-options.ts';
import { bySchema } from '../call/read-response.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation } from '../call/types.ts';
import { bindMethods } from './bind-methods.ts';

const createBridge: Operation<Bridge> = {
  name: 'bridges.create',
  method: 'POST',
  path: '/v2/wallets/bridges',
  retrySafety: 'keyed',
  check: /* @__PURE__ */ bySchema(bridge),
  params: bridgeCreateParams,
  record: 'transferDetails',
  provesCall: showsTransfer,
};

/** Bridges: transfers of stablecoins from one chain to another. */
export class Bridges {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Moves stablecoins from one chain to another. The service does not document the body; the parameters have the fields that
   * most services use. With `requireApproval` the bridge waits as `PENDING_APPROVAL`, at most a week, and the
   * quote is made after the approval.
   *
   * Success means that the bridge was made, not that it was paid: `paymentResult` says whether it is paid.
   *
   * Retried with the same `requestId` and the same bytes.
   *
   * Spec: POST /v2/wallets/bridges.
   *
   * @param params - `amount` in units of the currency: a number or a decimal string, above 0. The client generates `requestId` if you
   * leave it out.
   * @param options - Limits, retries, headers, token, or `extraBody` for this call.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent, and `field` names it. ConflictError with
   * `outcome: 'unknown'` when the service refuses `requestId` because it exists.
   *
   * @example
   * ```ts
   * await payments.bridges.create({
   *   source: { userId, chain: 'POLYGON', currency: 'usdc' },
   *   destination: { chain: 'BASE', currency: 'usdc' },
   *   amount: 50,
   * });
   * ```
   */
  create(params: BridgeCreateParams, options?: RequestOptions): APIPromise<Bridge> {
    return this.#transport.call(createBridge, { body: params }, options);
  }
}
