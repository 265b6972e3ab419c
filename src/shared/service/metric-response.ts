import { type MetricResults, metricResults } from './metrics.ts';
import type { ResponseShape, Type } from './response-shape.ts';

/** The shape of a metric's response. The caller's type arguments name the fields, which differ for each metric. */
export function metricResultsShape<Breakdown extends string, Value extends string>(): ResponseShape<
  MetricResults<Breakdown, Value>
> {
  return {
    // The names of breakdowns and values belong to the saved metric, so no schema of ours can check them.
    schema: metricResults as unknown as () => Type<MetricResults<Breakdown, Value>>,
    essential: ['status', 'data'],
  };
}
