/**
 * `stablecoin-payments/payouts`: pays many payees once each, over your own queue and database.
 *
 * @module payouts
 */
export * from '../../src/payouts/index.ts';
