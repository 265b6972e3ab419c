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
  type OnrampOrStatus,
  Onramps,
  quoteExpiresAt,
} from '../../src/index.ts';
export * from '../../src/types/deposit.ts';
export * from '../../src/types/onramp.ts';
