import { lazy, openEnum, optionalText, type ResponseShape } from './common.ts';
import * as z from './zod.ts';

const filter = lazy(() =>
  z.looseObject({
    /** Whether the filter kept a `subset`, or `all`. */
    applied: z.nullish(openEnum(['subset', 'all'])),
    /** Whether the metric asked for it. */
    specified: z.nullish(z.boolean()),
    /** What was kept. */
    values: z.optional(z.unknown()),
    /** How many values were kept. */
    count: z.nullish(z.number()),
    /** The service's words. */
    note: optionalText(),
  }),
);

const metricMetadata = lazy(() =>
  z.looseObject({
    /** The metric's template, such as `GROSS_VOLUME`. */
    template: z.nullish(openEnum(['GROSS_VOLUME'])),
    /** Rows in `data`. */
    recordCount: z.nullish(z.number()),
    /** Rows that there would be in full. */
    projectedRowCount: z.nullish(z.number()),
    /** Rows that stand for empty periods. */
    filledCount: z.nullish(z.number()),
    /** Length of a period. */
    calculationInterval: z.nullish(openEnum(['day', 'week', 'month'])),
    /** First and last day. */
    dateRange: z.nullish(
      z.looseObject({
        /** First day. */
        start: optionalText(),
        /** Last day. */
        end: optionalText(),
      }),
    ),
    /** The filters by name. */
    filters: z.nullish(
      z.looseObject({
        /** Lower bound of the creation time. */
        createdAfter: z.nullish(filter()),
        /** Upper bound of the creation time. */
        createdBefore: z.nullish(filter()),
        /** Length of a period. */
        calculationInterval: z.nullish(filter()),
        /** Kinds of transactions. */
        transactionTypes: z.nullish(filter()),
        /** Users. */
        userIds: z.nullish(filter()),
      }),
    ),
    /** Names of the breakdowns; null when there are none. */
    breakdowns: z.nullish(z.array(z.unknown())),
  }),
);

const metricResults = lazy(() =>
  z.looseObject({
    status: openEnum(['success']),
    data: z.array(z.looseObject({ periodStart: z.string() })),
    metadata: metricMetadata(),
  }),
);

/** One filter of a metric: whether it was given, and how much it kept. */
export interface MetricFilter extends z.infer<ReturnType<typeof filter>> {}

/** How a metric was calculated. */
export interface MetricMetadata extends z.infer<ReturnType<typeof metricMetadata>> {}

/** One period of a metric: its start, its values, and one field per breakdown. */
export type MetricPoint<Breakdown extends string = never, Value extends string = never> = {
  /** First day, or moment, of the period. */
  periodStart: string;
  /** Values and breakdowns that the type arguments do not name. */
  [name: string]: unknown;
} & { [Name in Value]: number } & { [Name in Breakdown]: string };

/**
 * The dataset of a saved metric. Name its breakdowns and values to have them typed:
 * `MetricResults<'transactionType', 'grossVolume'>`.
 */
export interface MetricResults<Breakdown extends string = never, Value extends string = never> {
  /** `success` is the only documented value. */
  status: z.infer<ReturnType<typeof metricResults>>['status'];
  /** One item per period, and per combination of breakdowns. */
  data: MetricPoint<Breakdown, Value>[];
  /** How the dataset was calculated. */
  metadata: MetricMetadata;
  /** Fields that the spec does not show. */
  [field: string]: unknown;
}

/** The shape of a metric's answer; the type arguments are the caller's word on names that only the metric knows. */
export function metricResultsShape<Breakdown extends string, Value extends string>(): ResponseShape<
  MetricResults<Breakdown, Value>
> {
  return {
    // The names of breakdowns and values belong to the saved metric, so no schema of ours can check them.
    schema: metricResults as unknown as () => z.Type<MetricResults<Breakdown, Value>>,
    essential: ['status', 'data'],
  };
}
