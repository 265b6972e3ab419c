import { readFileSync } from 'node:fs';
import type { CheckedOrder, PayoutSituation } from 'stablecoin-payments/payouts';

/** A process of the proof: it starts the engine and all payouts, and tells its parent how each of them ends. */
const [name, port = '0'] = process.argv.slice(2);
const orders: CheckedOrder[] = JSON.parse(readFileSync(process.env.ORDERS ?? '', 'utf8'));
const tell = (order: CheckedOrder, situation: PayoutSituation) => process.send?.({ id: order.id, situation });
process.once('disconnect', () => process.exit(0));

if (name === 'dbos') {
  const { startEngine, enqueue, ended } = await import('./dbos.ts');
  await startEngine(process.env.DATABASE_URL ?? '', 'worker-1');
  process.send?.('ready');
  await enqueue(orders);
  await Promise.all(orders.map(async (order) => tell(order, await ended(order))));
} else {
  const { startEngine } = await import('./restate.ts');
  await startEngine(Number(port));
  process.send?.('ready');
}
