import { readOrders } from './file.ts';
import { openPayouts, required } from './payouts.ts';

/** Enqueues a file, whole or not at all. Run it again whenever you are not sure: what is known changes nothing. */
const { payouts, close } = await openPayouts();
const [path = 'payouts.csv'] = process.argv.slice(2);
const { added, known } = await payouts.enqueue(readOrders(path, required('PAYER_USER_ID')));
console.log(`${added} payouts are new, ${known} were known.`);
await close();
