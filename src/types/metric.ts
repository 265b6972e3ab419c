export type {
  MetricBreakdowns,
  MetricDateRange,
  MetricFilter,
  MetricFilters,
  MetricMetadata,
  MetricPeriod,
  MetricPoint,
  MetricResults,
} from '../shared/service/metrics.ts';
