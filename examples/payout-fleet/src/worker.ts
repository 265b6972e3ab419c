import { number } from './environment.ts';
import { onStop, openFleet } from './settings.ts';

/** One worker process. Start as many as you like; kill any of them whenever you like. */
const { payouts, onGivenUp, close } = await openFleet({ worker: true });
await onGivenUp((requestId) => payouts.giveUp(requestId));
const worker = payouts.startWorker({
  concurrency: number('CONCURRENCY', 32),
  pollSeconds: number('POLL_SECONDS', 0.5),
  // A worker must show life several times before it counts as dead.
  keepAliveSeconds: number('HEARTBEAT_SECONDS', 30) / 4,
});

/** Every worker tries; one at a time sweeps. A failure is loud, and kept for `npm run review`. */
const sweepSeconds = number('SWEEP_SECONDS', 60);
const sweepOften = setInterval(() => {
  payouts
    .sweep({
      graceSeconds: number('DECISION_GRACE_SECONDS', 600),
      quietSeconds: number('LOOKUP_QUIET_SECONDS', 120),
      // A sweeper that dies holds the others up for no longer than this.
      leaseSeconds: Math.min(50, Math.max(5, sweepSeconds)),
    })
    .catch((error: unknown) => console.error('sweep:', error instanceof Error ? error.message : error));
}, sweepSeconds * 1000);

process.send?.('working');
onStop(async () => {
  clearInterval(sweepOften);
  await worker.stop();
  await close();
});
