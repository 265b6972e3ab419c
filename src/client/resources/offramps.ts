import { showsTransfer } from '../../shared/outcome/record.ts';
import {
  type Offramp,
  type OfframpCreateParams,
  offramp,
  offrampCreateParams,
} from '../../shared/service/offramps.ts';
import type { APIPromise } from '../call/api-promise.ts';
import type { RequestOptions } from '../call/call-options.ts';
import { bySchema } from '../call/read-response.ts';
import type { Transport } from '../call/transport.ts';
import type { Operation } from '../call/types.ts';
import { bindMethods } from './bind-methods.ts';

const createOfframp: Operation<Offramp> = {
  name: 'offramps.create',
  method: 'POST',
  path: '/v2/offramps',
  retrySafety: 'keyed',
  check: /* @__PURE__ */ bySchema(offramp),
  params: offrampCreateParams,
  record: 'transferDetails',
  provesCall: showsTransfer,
};

/** Offramps: a user sends stablecoins and receives fiat. */
export class Offramps {
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport;
    bindMethods(this);
  }

  /**
   * Pays out fiat for stablecoins. The service does not document the body. The parameters have the fields that most
   * services accept. With `requireApproval` the offramp waits as `PENDING_APPROVAL`, at most a day, and the quote is made
   * after the approval. Services may begin with a quote (`OPEN_QUOTE`) that must be accepted before the money moves.
   *
   * Success means that the offramp was made, not that it was paid: `paymentResult` says whether it is paid.
   *
   * Retried with the same `requestId` and the same bytes.
   *
   * Spec: POST /v2/offramps.
   *
   * @param params - Give `source.amount` or `destination.amount`, in units of the currency, above 0; and
   * `source.userId` or `source.externalWalletId`. The client generates `requestId` if you leave it out.
   * @param options - Limits, retries, headers, token, or `extraBody` for this call.
   * @throws InvalidRequestError when a parameter is invalid: nothing is sent, and `field` names it. ConflictError with
   * `outcome: 'unknown'` when the service refuses `requestId` because it exists.
   *
   * @example
   * ```ts
   * await payments.offramps.create({
   *   source: { userId, currency: 'usdc', chain: 'POLYGON', amount: 80 },
   *   destination: { currency: 'usd', accountId },
   *   requireApproval: true,
   * });
   * ```
   */
  create(params: OfframpCreateParams, options?: RequestOptions): APIPromise<Offramp> {
    return this.#transport.call(createOfframp, { body: params }, options);
  }
}
