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
  type InboundObject,
  isFailedOnramp,
  isKnownOnrampFailureCode,
  isKnownOnrampStatus,
  isKnownPaymentRail,
  isTerminalOnramp,
  type Onramp,
  type OnrampCreateParams,
  type OnrampDepositInfo,
  type OnrampFailureCode,
  type OnrampOrStatus,
  OnrampStatus,
  Onramps,
  type PaymentRail,
  type QuoteAmount,
  type QuoteInformation,
  quoteExpiresAt,
} from '../../src/index.ts';
