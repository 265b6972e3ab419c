/**
 * Results of saved metrics.
 *
 * ```ts
 * const { data } = await payments.reporting.retrieveResults(metricId);
 * for (const { periodStart, grossVolume } of data) console.log(periodStart, grossVolume);
 * ```
 *
 * @module reporting
 */
export { Reporting } from '../../src/client/index.ts';
export type { MetricPoint, MetricResults } from '../../src/shared/service/metrics.ts';
