import { showsTransfer } from '../../shared/outcome/record.ts';
import {
  type Onramp,
  type OnrampCreateParams,
  onramp,
  onrampCreateParams,
} from '../../shared/service/onramps.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions } from '../call/call-options.ts';
import { bySchema } from '../call/read-response.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation } from '../call/types.ts';
import { bindMethods } from './bind-methods.ts';

const createOnramp: Operation<Onramp> = {
  name: 'onramps.create',
  method: 'POST',
  path: '/v2/onramps',
  retrySafety: 'keyed',
  check: /* @__PURE__ */ bySchema(onramp),
  essential: ['transferDetails.id', 'transferDetails.status'],
  params: onrampCreateParams,
  record: 'transferDetails',
  provesCall: showsTransfer,
};

const refreshQuote: Operation<Onramp> = {
  name: 'onramps.refreshQuote',
  method: 'POST',
  path: '/v2/onramps/{transferId}/quote/refresh',
  retrySafety: 'refresh',
  check: /* @__PURE__ */ bySchema(onramp),
  essential: ['transferDetails.id', 'transferDetails.status'],
  identity: { transferId: ['transferDetails.id'] },
  provesCall: showsTransfer,
};

/** Onramps: a user sends fiat and receives stablecoins. */
export class Onramps {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Creates an onramp. Without `source.accountId` a USD onramp is a one-time deposit: the user pays as `depositInfo`
   * says, with its `reference` in the memo. Services may begin with a quote instead (`OPEN_QUOTE`), while `depositInfo`
   * is null. African currencies need a registered account that is active.
   *
   * Success means that the onramp was made, not that it was paid: `paymentResult` says whether it is paid.
   *
   * Retried with the same `requestId` and the same bytes.
   *
   * Spec: POST /v2/onramps.
   *
   * @param params - Give `source.amount` or `destination.amount`, in units of the currency, above 0; and
   * `destination.userId` or `destination.externalWalletId`. The client generates `requestId` if you leave it out.
   * @param options - Limits, retries, headers, token, or `extraBody` for this call.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent, and `field` names it. ConflictError with
   * `outcome: 'unknown'` when the service refuses `requestId` because it exists.
   *
   * @example
   * ```ts
   * const onramp = await payments.onramps.create({
   *   source: { userId, currency: 'usd', amount: 100, transferType: 'ach' },
   *   destination: { userId, currency: 'usdc', chain: 'POLYGON' },
   * });
   * console.log(onramp.transferDetails.depositInfo?.reference);
   * ```
   */
  create(params: OnrampCreateParams, options?: RequestOptions): APIPromise<Onramp> {
    return this.#transport.call(createOnramp, { body: params }, options);
  }

  /**
   * Replaces the quote of an onramp. The service allows it only while the status is `OPEN_QUOTE` (see
   * `canRefreshQuote`).
   *
   * Retried: a second refresh only replaces a quote that was never shown.
   *
   * Spec: POST /v2/onramps/\{transferId\}/quote/refresh.
   *
   * @param transferId - The onramp's `transferDetails.id`.
   * @param options - Limits, retries, headers, token, or `extraBody` for this call.
   * @throws NotFoundError when the onramp does not exist.
   *
   * @example
   * ```ts
   * if (canRefreshQuote(onramp)) onramp = await payments.onramps.refreshQuote(onramp.transferDetails.id);
   * ```
   */
  refreshQuote(transferId: string, options?: RequestOptions): APIPromise<Onramp> {
    return this.#transport.call(refreshQuote, { path: { transferId } }, options);
  }
}
