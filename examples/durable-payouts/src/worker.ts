import { open } from './payments.ts';

/** One worker process. Kill it whenever you like. */
const payments = await open();
await payments.work();
process.send?.('working');
process.once('disconnect', () => process.exit(0));
