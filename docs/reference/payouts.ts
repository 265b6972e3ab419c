/**
 * `stablecoin-payments/payouts`: pays many, each once, on pg-boss or another durable engine that you run.
 *
 * @module payouts
 */
export * from '../../src/payouts/index.ts';
