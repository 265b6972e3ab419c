import { onStop, openPayouts } from './payouts.ts';

/** Pays. Start as many as you like, on as many machines; kill them whenever you like. */
const { payouts, close } = await openPayouts();
const worker = await payouts.work({ concurrency: Number(process.env.CONCURRENCY ?? 32) });
process.send?.('working');
onStop(async () => {
  await worker.stop();
  await close();
});
process.once('disconnect', () => process.exit(0));
