export type {
  MetricMetadata,
  MetricPeriod,
  MetricPoint,
  MetricResults,
} from '../shared/service/metrics.ts';
