import { type MeterProvider, metrics } from '@opentelemetry/api';
import * as z from 'zod/mini';
import { lazy, matching, strictObject } from '../shared/schema/schema.ts';
import { VERSION } from '../shared/version.ts';
import { optionsOf, providerWith } from './options.ts';

/** The states in which a payout is open. Those that are final grow with each payout, and are no figure to watch. */
const OPEN = ['queued', 'awaiting_approval', 'accepted', 'undecided'] as const;

/** The part of payouts that the metrics read: what `payoutsOnPgBoss` returns has it. */
export interface SummarizedPayouts {
  /** Counts recipients in a state, and what a person must look at. */
  summary(filter: {
    /** A state that is not final. */
    readonly state: (typeof OPEN)[number];
  }): PromiseLike<{
    /** Recipients in the state. */
    readonly lines: readonly {
      /** The number of recipients. */
      readonly recipients: number;
      /** The time since which one of them is in the state. */
      readonly oldest: Date;
    }[];
    /** What a person must look at, by kind. */
    readonly review: Readonly<Record<string, number>>;
    /** Payers who are paused. */
    readonly pauses: readonly {
      /** The reason, a code. */
      readonly reason: string | null;
    }[];
  }>;
}

/** Options of {@link openTelemetryPayouts}. */
export interface OpenTelemetryPayoutsOptions {
  /** The meter provider. Default: the global one. */
  meterProvider?: MeterProvider | undefined;
}

const payoutsOptions = /* @__PURE__ */ lazy(() =>
  matching<OpenTelemetryPayoutsOptions>()(
    strictObject({ meterProvider: z.optional(providerWith<MeterProvider>('getMeter')) }),
  ),
);

const subject = /* @__PURE__ */ lazy(() =>
  strictObject({
    payouts: z.custom<SummarizedPayouts>((value) => typeof Object(value).summary === 'function', {
      error: 'must be what `payoutsOnPgBoss` returns',
      params: { kind: 'type' },
    }),
  }),
);

/**
 * Records metrics of payouts: how many recipients are open and for how long, what a person must look at, and which payers are
 * paused. They are read from the database by `summary` each time that the SDK collects, so that one process is enough. The calls and
 * lookups of payouts are recorded by `openTelemetryMetrics` as hooks of their client. No attribute contains an id.
 *
 * Start the SDK first: the meter provider is read at once. If `summary` fails, the SDK reports it, and nothing is recorded that
 * time.
 *
 * @param payouts - What `payoutsOnPgBoss` returns.
 * @param options - See {@link OpenTelemetryPayoutsOptions}.
 * @returns `stop`, after which nothing is read any more.
 * @throws ConfigurationError when an option does not exist or has a wrong value, or `payouts` has no `summary`.
 *
 * @example
 * ```ts
 * import { openTelemetryMetrics, openTelemetryPayouts } from 'stablecoin-payments/opentelemetry';
 *
 * const payments = new PaymentsClient({ hooks: openTelemetryMetrics() });
 * const payouts = payoutsOnPgBoss({ boss, db, payments });
 * const watching = openTelemetryPayouts(payouts);
 * ```
 */
export function openTelemetryPayouts(
  payouts: SummarizedPayouts,
  options: OpenTelemetryPayoutsOptions = {},
): {
  /** Reads nothing any more. */
  stop(): void;
} {
  const { meterProvider } = optionsOf('openTelemetryPayouts', payoutsOptions(), options);
  optionsOf('openTelemetryPayouts', subject(), { payouts });
  const meter = (meterProvider ?? metrics.getMeterProvider()).getMeter('stablecoin-payments', VERSION);
  const openRecipients = meter.createObservableGauge('payments.payouts.open_recipients', {
    unit: '{recipient}',
    description: 'Recipients of payouts that are not final.',
  });
  const oldestAge = meter.createObservableGauge('payments.payouts.oldest_open.age', {
    unit: 's',
    description: 'Time for which the oldest open recipient is in its state; 0 where none is.',
  });
  const toReview = meter.createObservableGauge('payments.payouts.to_review', {
    unit: '{item}',
    description: 'Undecided payments, notices, problems and holds that a person must look at.',
  });
  const pausedPayers = meter.createObservableGauge('payments.payouts.paused_payers', {
    unit: '{payer}',
    description: 'Payers for whom no call begins.',
  });
  const read: Parameters<typeof meter.addBatchObservableCallback>[0] = async (result) => {
    for (const [place, state] of OPEN.entries()) {
      const { lines, review, pauses } = await payouts.summary({ state });
      const attributes = { 'payments.payout.state': state };
      const now = Date.now();
      const oldest = Math.min(now, ...lines.map((line) => line.oldest.getTime()));
      result.observe(
        openRecipients,
        lines.reduce((sum, { recipients }) => sum + recipients, 0),
        attributes,
      );
      result.observe(oldestAge, (now - oldest) / 1000, attributes);
      // Each summary says the same of these.
      if (place > 0) continue;
      for (const [kind, count] of Object.entries(review))
        result.observe(toReview, count, { 'payments.payout.review': kind });
      for (const [reason, of] of Map.groupBy(pauses, (pause) => pause.reason ?? 'UNKNOWN'))
        result.observe(pausedPayers, of.length, { 'payments.payout.pause': reason });
    }
  };
  const instruments = [openRecipients, oldestAge, toReview, pausedPayers];
  meter.addBatchObservableCallback(read, instruments);
  return { stop: () => meter.removeBatchObservableCallback(read, instruments) };
}
