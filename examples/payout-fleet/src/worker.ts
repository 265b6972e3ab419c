import { metrics } from '@opentelemetry/api';
import { number, onStop, openFleet } from './settings.ts';

/** One worker process. Start as many as you like; kill any of them whenever you like. */
const { payouts, onGivenUp, close } = await openFleet({ worker: true });
await onGivenUp((requestId) => payouts.giveUp(requestId));
const worker = payouts.startWorker({
  concurrency: number('CONCURRENCY', 32),
  pollSeconds: number('POLL_SECONDS', 0.5),
  keepAliveSeconds: number('HEARTBEAT_SECONDS', 30) / 4,
});

/** Every worker tries; one at a time sweeps. A failure is loud, and kept for `npm run review`. */
const sweepSeconds = number('SWEEP_SECONDS', 60);
const sweepOften = setInterval(() => {
  payouts
    .sweep({
      graceSeconds: number('DECISION_GRACE_SECONDS', 600),
      quietSeconds: number('LOOKUP_QUIET_SECONDS', 120),
      leaseSeconds: Math.min(50, Math.max(5, sweepSeconds)),
    })
    .catch((error: unknown) => console.error('sweep:', error instanceof Error ? error.message : error));
}, sweepSeconds * 1000);

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
