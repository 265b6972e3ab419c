import type {
  MetricBreakdowns,
  MetricDateRange,
  MetricFilter,
  MetricFilters,
  MetricMetadata,
  MetricPeriod,
  MetricResults,
} from '../types/metric.ts';
import {
  anything,
  boolean,
  either,
  lazy,
  list,
  nullish,
  number,
  type ResponseShape,
  record,
  type Type,
  text,
  texts,
  unknown,
} from './zod.ts';

const filter = /* @__PURE__ */ lazy(() =>
  record<MetricFilter>({
    ...texts('applied note'),
    specified: nullish(boolean()),
    values: anything(),
    count: nullish(number()),
  }),
);

const filters = /* @__PURE__ */ lazy(() =>
  record<MetricFilters>({
    createdAfter: nullish(filter()),
    createdBefore: nullish(filter()),
    calculationInterval: nullish(filter()),
    transactionTypes: nullish(filter()),
    userIds: nullish(filter()),
  }),
);

const breakdowns = /* @__PURE__ */ lazy(() =>
  record<MetricBreakdowns>({ dimensions: anything(), dimensionCounts: anything() }),
);

const metadata = /* @__PURE__ */ lazy(() =>
  record<MetricMetadata>({
    ...texts('template calculationInterval'),
    recordCount: nullish(number()),
    projectedRowCount: nullish(number()),
    filledCount: nullish(number()),
    dateRange: nullish(record<MetricDateRange>(texts('start end'))),
    filters: nullish(filters()),
    breakdowns: nullish(either(list(unknown()), breakdowns())),
  }),
);

const metricResults = /* @__PURE__ */ lazy(() =>
  record<MetricResults>({
    status: text(),
    data: list(record<MetricPeriod>({ periodStart: text() })),
    metadata: metadata(),
  }),
);

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
