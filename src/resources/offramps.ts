import { offrampShape } from '../schemas/offramp.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { Operation, RequestOptions, Transport } from '../transport/types.ts';
import type { Offramp, OfframpCreateParams } from '../types/offramp.ts';
import { call } from './start-call.ts';
import { checkUnshownTransfer } from './unshown-transfer.ts';

const create: Operation<Offramp> = {
  name: 'offramps.create',
  method: 'POST',
  path: '/v2/offramps',
  retrySafety: 'keyed',
  response: offrampShape,
};

/** Offramps: a user sends stablecoins and receives fiat. */
export class Offramps {
  readonly #transport: Transport;

  private constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @internal */
  static forTransport(transport: Transport): Offramps {
    return new this(transport);
  }

  /**
   * Pays out fiat for stablecoins. The spec does not show the body, so every field is allowed. With
   * `requireApproval` the quote is made after the approval, and the approval lapses after a day.
   *
   * @param params - Amounts in units of the currency, finite and above 0. `requestId` is made when left out.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws InvalidRequestError before anything is sent; ConflictError with `code: 'request_id_known'` and
   * `outcome: 'unknown'` when the service has a request with this id already: the payment may have been made.
   *
   * Retried, with the same id and the same bytes.
   *
   * @example
   * ```ts
   * await payments.offramps.create({
   *   source: { userId, currency: 'usdc', chain: 'POLYGON', amount: 80 },
   *   destination: { userId, currency: 'usd', accountId },
   *   requireApproval: true,
   * });
   * ```
   *
   * Spec: POST /v2/offramps; neither body is shown there.
   */
  create(params: OfframpCreateParams, options?: RequestOptions): APIPromise<Offramp> {
    return call(
      this.#transport,
      create,
      { body: params, problem: checkUnshownTransfer(create.name, params) },
      options,
    );
  }
}
