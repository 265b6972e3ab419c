/** One filter of a metric. */
export interface MetricFilter {
  /** `subset` if the filter excluded something, `all` otherwise. */
  applied?: 'subset' | 'all' | (string & {}) | null;
  /** True if the metric specifies the filter. */
  specified?: boolean | null;
  /** The values that were kept. */
  values?: unknown;
  /** The number of values that were kept. */
  count?: number | null;
  /** The service's explanation. */
  note?: string | null;
}

/** The filters of a metric by name. */
export interface MetricFilters {
  /** The lower bound of the creation time. */
  createdAfter?: MetricFilter | null;
  /** The upper bound of the creation time. */
  createdBefore?: MetricFilter | null;
  /** The length of a period. */
  calculationInterval?: MetricFilter | null;
  /** The kinds of transactions. */
  transactionTypes?: MetricFilter | null;
  /** The users. */
  userIds?: MetricFilter | null;
}

/** The days that a metric covers. */
export interface MetricDateRange {
  /** The first day. */
  start?: string | null;
  /** The last day. */
  end?: string | null;
}

/** The breakdowns of a metric, in responses that count their values. */
export interface MetricBreakdowns {
  /** The names of the breakdowns. */
  dimensions?: unknown;
  /** The number of values of each breakdown, by name. */
  dimensionCounts?: unknown;
}

/** The calculation of a metric. */
export interface MetricMetadata {
  /** The template of the metric. */
  template?: 'GROSS_VOLUME' | (string & {}) | null;
  /** The number of rows in `data`. */
  recordCount?: number | null;
  /** The number of rows that the full dataset would have. */
  projectedRowCount?: number | null;
  /** The number of rows that were added for empty periods. */
  filledCount?: number | null;
  /** The length of a period. */
  calculationInterval?: 'day' | 'week' | 'month' | 'quarter' | 'year' | (string & {}) | null;
  /** The first and the last day. */
  dateRange?: MetricDateRange | null;
  /** The filters by name. */
  filters?: MetricFilters | null;
  /** The breakdowns: their names, or an object that counts their values; null when there are none. */
  breakdowns?: unknown[] | MetricBreakdowns | null;
}

/** One period of a metric: the fields that are the same in every metric. */
export interface MetricPeriod {
  /** The first day, or moment, of the period. */
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
  /** One item for each period and combination of breakdowns. */
  data: MetricPoint<Breakdown, Value>[];
  /** Facts about the calculation of the dataset. */
  metadata: MetricMetadata;
}
