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
export {
  type MetricFilter,
  type MetricMetadata,
  type MetricPoint,
  type MetricResults,
  Reporting,
} from '../../src/index.ts';
