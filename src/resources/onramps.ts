import type { InvalidRequestError } from '../errors/index.ts';
import { onrampShape } from '../schemas/onramp.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { Operation, RequestOptions, Transport } from '../transport/types.ts';
import type { Onramp, OnrampCreateParams } from '../types/onramp.ts';
import { isAfricanCurrency } from './checks/african-currencies.ts';
import {
  checkParams,
  fault,
  optional,
  positiveAmount,
  type Rules,
  readPath,
  requiredText,
} from './checks/rules.ts';
import { call } from './start-call.ts';

const create: Operation<Onramp> = {
  name: 'onramps.create',
  method: 'POST',
  path: '/v2/onramps',
  retrySafety: 'keyed',
  response: onrampShape,
};

const refreshQuote: Operation<Onramp> = {
  name: 'onramps.refreshQuote',
  method: 'POST',
  path: '/v2/onramps/{transferId}/quote/refresh',
  retrySafety: 'refresh',
  response: onrampShape,
};

const createRules: Rules = {
  'source.userId': requiredText,
  'source.currency': requiredText,
  'source.amount': positiveAmount,
  'source.transferType': optional(requiredText),
  'source.accountId': optional(requiredText),
  'destination.userId': requiredText,
  'destination.currency': requiredText,
  'destination.chain': requiredText,
};

/** Onramps: a user sends fiat and receives stablecoins. */
export class Onramps {
  readonly #transport: Transport;

  private constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @internal */
  static forTransport(transport: Transport): Onramps {
    return new this(transport);
  }

  /**
   * Creates an onramp. Without `source.accountId` a USD onramp is a one-time deposit: pay as `depositInfo` says,
   * with its `reference` in the memo. African currencies need a registered account that is active.
   *
   * @param params - `source.amount` in units of the currency, finite and above 0. `requestId` is made when left out.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws InvalidRequestError before anything is sent; ConflictError with `code: 'request_id_known'` and
   * `outcome: 'unknown'` when the service has a request with this id already: the payment may have been made.
   *
   * Retried, with the same id and the same bytes.
   *
   * @example
   * ```ts
   * const onramp = await payments.onramps.create({
   *   source: { userId, currency: 'usd', amount: 100, transferType: 'ach' },
   *   destination: { userId, currency: 'usdc', chain: 'POLYGON' },
   * });
   * console.log(onramp.transferDetails.depositInfo?.reference);
   * ```
   *
   * Spec: POST /v2/onramps.
   */
  create(params: OnrampCreateParams, options?: RequestOptions): APIPromise<Onramp> {
    return call(this.#transport, create, { body: params, problem: checkCreate(params) }, options);
  }

  /**
   * Replaces the quote of an onramp. The service allows it only while the status is `OPEN_QUOTE`
   * (see `canRefreshQuote`).
   *
   * @param transferId - The onramp's `transferDetails.id`.
   * @param options - Limits, retries, headers or a token for this call.
   * @throws NotFoundError when there is no such onramp.
   *
   * Retried: a second refresh only replaces a quote that nobody has seen.
   *
   * @example
   * ```ts
   * if (canRefreshQuote(onramp)) onramp = await payments.onramps.refreshQuote(onramp.transferDetails.id);
   * ```
   *
   * Spec: POST /v2/onramps/\{transferId\}/quote/refresh.
   */
  refreshQuote(transferId: string, options?: RequestOptions): APIPromise<Onramp> {
    return call(this.#transport, refreshQuote, { path: { transferId } }, options);
  }
}

function checkCreate(params: unknown): InvalidRequestError | undefined {
  const problem = checkParams(create.name, params, createRules);
  if (problem !== undefined) return problem;
  const needsAccount = isAfricanCurrency(readPath(params, 'source.currency'));
  if (!needsAccount || readPath(params, 'source.accountId') !== undefined) return undefined;
  return fault(
    create.name,
    'source.accountId',
    '`source.accountId` is missing: African currencies need a registered account that is active (`accounts.create`)',
  );
}
