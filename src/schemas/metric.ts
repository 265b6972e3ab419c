import * as z from 'zod';
import { lazy, openEnum, optionalText, type ResponseShape } from './common.ts';

const filter = lazy(() =>
  z.looseObject({
    applied: openEnum(['subset', 'all']).nullish(),
    specified: z.boolean().nullish(),
    values: z.unknown().optional(),
    count: z.number().nullish(),
    note: optionalText(),
  }),
);

const metricMetadata = lazy(() =>
  z.looseObject({
    template: openEnum(['GROSS_VOLUME']).nullish(),
    recordCount: z.number().nullish(),
    projectedRowCount: z.number().nullish(),
    filledCount: z.number().nullish(),
    calculationInterval: openEnum(['day', 'week', 'month']).nullish(),
    dateRange: z.looseObject({ start: optionalText(), end: optionalText() }).nullish(),
    filters: z
      .looseObject({
        createdAfter: filter().nullish(),
        createdBefore: filter().nullish(),
        calculationInterval: filter().nullish(),
        transactionTypes: filter().nullish(),
        userIds: filter().nullish(),
      })
      .nullish(),
    breakdowns: z.array(z.unknown()).nullish(),
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
    schema: metricResults as unknown as () => z.ZodType<MetricResults<Breakdown, Value>>,
    essential: ['status', 'data'],
  };
}
