/**
 * A user sends fiat and receives stablecoins.
 *
 * ```ts
 * const onramp = await payments.onramps.create({
 *   source: { userId, currency: 'usd', amount: 100, transferType: 'ach' },
 *   destination: { userId, currency: 'usdc', chain: 'POLYGON' },
 * });
 * console.log(onramp.transferDetails.depositInfo?.reference);
 * ```
 *
 * @module onramps
 */
export {
  canRefreshQuote,
  isFailedOnramp,
  isKnownOnrampStatus,
  isTerminalOnramp,
  Onramps,
  quoteExpiresAt,
} from '../../src/client/index.ts';
export type { OnrampDepositInfo, PaymentRail } from '../../src/shared/service/deposits.ts';
export type {
  Onramp,
  OnrampCreateParams,
  OnrampDetails,
  OnrampFailureCode,
} from '../../src/shared/service/onramps.ts';
export { OnrampStatus } from '../../src/shared/service/onramps.ts';
