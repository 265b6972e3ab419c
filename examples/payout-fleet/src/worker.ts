import { metrics } from '@opentelemetry/api';
import { number, onStop, openFleet } from './settings.ts';

/** One worker process. Start as many as you like; kill any of them whenever you like. */
const { payouts, close } = await openFleet();
const worker = payouts.startWorker({
  concurrency: number('CONCURRENCY', 32),
  pollInterval: number('POLL_MS', 500),
});

/** Every worker tries; one at a time sweeps. A failure is loud, and kept for `npm run review`. */
const sweepInterval = number('SWEEP_MS', 60_000);
const sweepOften = setInterval(() => {
  payouts
    .sweep({
      grace: number('DECISION_GRACE_MS', 600_000),
      quiet: number('LOOKUP_QUIET_MS', 120_000),
      lease: Math.min(50_000, Math.max(5000, sweepInterval)),
    })
    .catch((error: unknown) => console.error('sweep:', error instanceof Error ? error.message : error));
}, sweepInterval);

/** Metrics for the OpenTelemetry SDK that the process is started with; without one they cost nothing. */
const gauge = metrics
  .getMeter('payout-fleet')
  .createObservableGauge('payouts', { description: 'Payouts by state' });
gauge.addCallback(async (result) => {
  const month = process.env.PAYOUT_MONTH ?? new Date().toISOString().slice(0, 7);
  for (const { state, payouts: count } of (await payouts.summary(month)).lines)
    result.observe(count, { state, month });
});

process.send?.('working');
onStop(async () => {
  clearInterval(sweepOften);
  await worker.stop();
  await close();
});
