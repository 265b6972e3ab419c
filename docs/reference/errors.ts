/**
 * Every error of the package. `outcome` says what happened to the money.
 *
 * ```ts
 * try {
 *   await payments.transfers.create(params);
 * } catch (error) {
 *   if (isPaymentsError(error) && error.outcome === 'unknown') await review(error.requestId);
 *   else throw error;
 * }
 * ```
 *
 * @module errors
 */
export * from '../../src/shared/errors/index.ts';
