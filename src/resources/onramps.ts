import type { InvalidRequestError } from '../errors/index.ts';
import { showsTransfer } from '../evidence/proof.ts';
import { onrampShape } from '../schemas/onramp.ts';
import { valueAt } from '../shared/values.ts';
import type { APIPromise } from '../transport/api-promise.ts';
import type { Operation, RequestOptions, Transport } from '../transport/types.ts';
import type { Onramp, OnrampCreateParams } from '../types/onramp.ts';
import { type Body, checkPayment, isAfricanCurrency } from './checks/payments.ts';
import {
  bind,
  call,
  checkEither,
  checkParams,
  fault,
  optional,
  positiveAmount,
  type Rules,
  requiredText,
} from './checks/rules.ts';

const create: Operation<Onramp> = {
  name: 'onramps.create',
  method: 'POST',
  path: '/v2/onramps',
  retrySafety: 'keyed',
  response: onrampShape,
  check: checkCreate,
  proof: showsTransfer,
};

const refreshQuote: Operation<Onramp> = {
  name: 'onramps.refreshQuote',
  method: 'POST',
  path: '/v2/onramps/{transferId}/quote/refresh',
  retrySafety: 'refresh',
  response: onrampShape,
  identity: { echoes: { transferId: ['transferDetails.id'] } },
  proof: showsTransfer,
};

/** A user of the service receives on a chain; an external wallet has one of its own. */
const userRules: Rules = { 'destination.currency': requiredText, 'destination.chain': requiredText };

const createRules: Rules = {
  'source.userId': requiredText,
  'source.currency': requiredText,
  'source.transferType': optional(requiredText),
  'source.accountId': optional(requiredText),
};

/** Onramps: a user sends fiat and receives stablecoins. */
export class Onramps {
  private constructor() {
    // Clients open namespaces.
  }

  /** @internal */
  static forTransport(transport: Transport): Onramps {
    return bind(new this(), transport);
  }

  /**
   * Creates an onramp. Without `source.accountId` a USD onramp is a one-time deposit: the user pays as `depositInfo`
   * says, with its `reference` in the memo. Services may begin with a quote instead (`OPEN_QUOTE`), while `depositInfo`
   * is null. African currencies need a registered account that is active.
   *
   * Retried with the same `requestId` and the same bytes.
   *
   * Spec: POST /v2/onramps.
   *
   * @param params - Give `source.amount` or `destination.amount`, in units of the currency, finite and above 0; and
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
    return call(this, create, { body: params }, options);
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
    return call(this, refreshQuote, { path: { transferId } }, options);
  }
}

function checkCreate(body: Body): InvalidRequestError | undefined {
  const { name } = create;
  const toWallet = valueAt(body, 'destination.externalWalletId') !== undefined;
  return (
    checkPayment(name, body, createRules) ??
    checkEither(name, body, ['source.amount', 'destination.amount'], positiveAmount) ??
    checkEither(name, body, ['destination.userId', 'destination.externalWalletId'], requiredText) ??
    (toWallet ? undefined : checkParams(name, body, userRules)) ??
    checkAfricanAccount(name, body)
  );
}

function checkAfricanAccount(operation: string, body: Body): InvalidRequestError | undefined {
  const needsAccount = isAfricanCurrency(valueAt(body, 'source.currency'));
  if (!needsAccount || valueAt(body, 'source.accountId') !== undefined) return undefined;
  return fault(
    operation,
    'source.accountId',
    '`source.accountId` is missing: African currencies need an active account (`accounts.create`)',
  );
}
