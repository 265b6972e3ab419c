import * as z from 'zod/mini';
import { lazy, looseObject, matching, texts } from '../schema/schema.ts';

/** One filter of a metric, and the effect that it had. */
export interface MetricFilter {
  /** `subset` if the filter excluded something, `all` otherwise. */
  applied?: 'subset' | 'all' | (string & {}) | null;
  /** True if the metric specifies the filter. */
  specified?: boolean | null;
  /** The values that were kept. Their kind depends on the filter; some filters have only a `count`. */
  values?: unknown;
  /** The number of values that were kept. */
  count?: number | null;
  /** The service's explanation, for people. */
  note?: string | null;
}

/** The filters of a metric. Any of them may be absent. */
export interface MetricFilters {
  /** The lower bound of the creation time. */
  createdAfter?: MetricFilter | null;
  /** The upper bound of the creation time. */
  createdBefore?: MetricFilter | null;
  /** The length of a period, such as `day`. */
  calculationInterval?: MetricFilter | null;
  /** On the kind of transaction, such as `onramp` or `offramp`. */
  transactionTypes?: MetricFilter | null;
  /** On the users whose transactions are counted. */
  userIds?: MetricFilter | null;
}

/** The days that a metric covers, as dates without a time. */
export interface MetricDateRange {
  /** The first day, `YYYY-MM-DD`. */
  start?: string | null;
  /** The last day, `YYYY-MM-DD`. */
  end?: string | null;
}

/** The breakdowns of a metric, in responses that count their values. Not documented; some services send it. */
export interface MetricBreakdowns {
  /** Their form is not documented. Narrow it before you use it. */
  dimensions?: unknown;
  /** The number of values by dimension. Its form is not documented: narrow it before you use it. */
  dimensionCounts?: unknown;
}

/** Facts about how the service calculated a metric. */
export interface MetricMetadata {
  /** The kind of metric, which decides its value fields: `GROSS_VOLUME` has `grossVolume`. */
  template?: 'GROSS_VOLUME' | (string & {}) | null;
  /** The number of rows in `data`. */
  recordCount?: number | null;
  /** The number of rows that the full dataset would have. May be null. */
  projectedRowCount?: number | null;
  /** The number of rows that were added for empty periods. */
  filledCount?: number | null;
  /** The length of a period. Every item of `data` covers one. */
  calculationInterval?: 'day' | 'week' | 'month' | 'quarter' | 'year' | (string & {}) | null;
  /** The days that the periods cover. */
  dateRange?: MetricDateRange | null;
  /** Also those that excluded nothing: see `applied`. */
  filters?: MetricFilters | null;
  /** The breakdowns: their names, or an object that counts their values; null when there are none. */
  breakdowns?: unknown[] | MetricBreakdowns | null;
}

/** One period of a metric: the fields that are the same in every metric. */
export interface MetricPeriod {
  /** A date or a time, in ISO 8601. The length of the period is in `metadata.calculationInterval`. */
  periodStart: string;
}

/**
 * One period of a metric with its values and breakdowns. Which ones there are depends on the saved metric, so you name
 * them: `MetricPoint<'transactionType', 'grossVolume'>`.
 */
export type MetricPoint<Breakdown extends string = never, Value extends string = never> = MetricPeriod & {
  [Name in Value]: number;
} & { [Name in Breakdown]: string };

/**
 * The dataset of a saved metric. Name its breakdowns and values to read them:
 * `MetricResults<'transactionType', 'grossVolume'>`.
 */
export interface MetricResults<Breakdown extends string = never, Value extends string = never> {
  /** `success` is the only documented value. */
  status: 'success' | (string & {});
  /** One item for each period and combination of breakdown values. */
  data: MetricPoint<Breakdown, Value>[];
  /** The days, filters and counts behind `data`. */
  metadata: MetricMetadata;
}

const metricFilter = /* @__PURE__ */ lazy(() =>
  matching<MetricFilter>()(
    looseObject({
      ...texts('applied', 'note'),
      specified: z.nullish(z.boolean()),
      values: z.optional(z.unknown()),
      count: z.nullish(z.number()),
    }),
  ),
);

const metricFilters = /* @__PURE__ */ lazy(() =>
  matching<MetricFilters>()(
    looseObject({
      createdAfter: z.nullish(metricFilter()),
      createdBefore: z.nullish(metricFilter()),
      calculationInterval: z.nullish(metricFilter()),
      transactionTypes: z.nullish(metricFilter()),
      userIds: z.nullish(metricFilter()),
    }),
  ),
);

const metricBreakdowns = /* @__PURE__ */ lazy(() =>
  matching<MetricBreakdowns>()(
    looseObject({ dimensions: z.optional(z.unknown()), dimensionCounts: z.optional(z.unknown()) }),
  ),
);

const metricMetadata = /* @__PURE__ */ lazy(() =>
  matching<MetricMetadata>()(
    looseObject({
      ...texts('template', 'calculationInterval'),
      recordCount: z.nullish(z.number()),
      projectedRowCount: z.nullish(z.number()),
      filledCount: z.nullish(z.number()),
      dateRange: z.nullish(matching<MetricDateRange>()(looseObject(texts('start', 'end')))),
      filters: z.nullish(metricFilters()),
      breakdowns: z.nullish(z.union([z.array(z.unknown()), metricBreakdowns()])),
    }),
  ),
);

/** The names of breakdowns and values belong to the saved metric, so that no schema of ours can check them. */
export const metricResults = /* @__PURE__ */ lazy(() =>
  matching<MetricResults>()(
    looseObject({
      status: z.string(),
      data: z.array(matching<MetricPeriod>()(looseObject({ periodStart: z.string() }))),
      metadata: metricMetadata(),
    }),
  ),
);

/** The schema for one metric. The names of its breakdowns and values are the caller's, so that no schema checks them. */
export const metricResultsOf = <Breakdown extends string, Value extends string>(): z.ZodMiniType<
  MetricResults<Breakdown, Value>
> => metricResults() as unknown as z.ZodMiniType<MetricResults<Breakdown, Value>>;
