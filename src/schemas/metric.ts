import { lazy, openEnum, optionalText, type ResponseShape } from './common.ts';
import * as z from './zod.ts';

const filter = lazy(() =>
  z.looseObject({
    applied: z.nullish(openEnum(['subset', 'all'])),
    specified: z.nullish(z.boolean()),
    values: z.optional(z.unknown()),
    count: z.nullish(z.number()),
    note: optionalText(),
  }),
);

const metricMetadata = lazy(() =>
  z.looseObject({
    template: z.nullish(openEnum(['GROSS_VOLUME'])),
    recordCount: z.nullish(z.number()),
    projectedRowCount: z.nullish(z.number()),
    filledCount: z.nullish(z.number()),
    calculationInterval: z.nullish(openEnum(['day', 'week', 'month'])),
    dateRange: z.nullish(z.looseObject({ start: optionalText(), end: optionalText() })),
    filters: z.nullish(
      z.looseObject({
        createdAfter: z.nullish(filter()),
        createdBefore: z.nullish(filter()),
        calculationInterval: z.nullish(filter()),
        transactionTypes: z.nullish(filter()),
        userIds: z.nullish(filter()),
      }),
    ),
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
export type MetricFilter = z.infer<ReturnType<typeof filter>>;

/** How a metric was calculated. */
export type MetricMetadata = z.infer<ReturnType<typeof metricMetadata>>;

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
