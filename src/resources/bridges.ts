import { bridgeShape } from '../schemas/bridge.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { Operation, RequestOptions, Transport } from '../transport/types.ts';
import type { Bridge, BridgeCreateParams } from '../types/bridge.ts';
import { call } from './start-call.ts';
import { checkUnshownTransfer } from './unshown-transfer.ts';

const create: Operation<Bridge> = {
  name: 'bridges.create',
  method: 'POST',
  path: '/v2/wallets/bridges',
  retrySafety: 'keyed',
  response: bridgeShape,
};

/** Bridges: transfers of stablecoins from one chain to another. */
export class Bridges {
  readonly #transport: Transport;

  private constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @internal */
  static forTransport(transport: Transport): Bridges {
    return new this(transport);
  }

  /**
   * Bridges stablecoins to another chain. The spec does not show the body, so every field is allowed. With
   * `requireApproval` the quote is made after the approval, and the approval lapses after a week.
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
   * await payments.bridges.create({
   *   source: { userId, chain: 'POLYGON' },
   *   destination: { userId, chain: 'BASE' },
   *   amount: 50,
   *   currency: 'usdc',
   * });
   * ```
   *
   * Spec: POST /v2/wallets/bridges; neither body is shown there.
   */
  create(params: BridgeCreateParams, options?: RequestOptions): APIPromise<Bridge> {
    return call(
      this.#transport,
      create,
      { body: params, problem: checkUnshownTransfer(create.name, params) },
      options,
    );
  }
}
