import type { PayoutOrder } from 'stablecoin-payments/payouts';
import { type Bench, type BenchOptions, makeBench, type openBoss } from './bench.ts';
import { forgettingService, transfersOf } from './forgetting-service.ts';

const TABLES = `select tablename as name from pg_tables where schemaname = 'public' and tablename like 'payout%'`;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Copies the tables of payouts and the jobs; what is returned puts them back, as a restored backup does. */
export async function backUp({ db }: Bench): Promise<() => Promise<void>> {
  const { rows } = await db.query<{ name: string }>(TABLES);
  const copied = [...rows.map(({ name }) => name), 'pgboss.job'];
  for (const name of copied) {
    await db.query(`drop table if exists backup.${name.replace('.', '_')}`);
    await db.query(`create table backup.${name.replace('.', '_')} as select * from ${name}`);
  }
  return async () => {
    for (const name of copied) {
      await db.query(`delete from ${name}`);
      await db.query(`insert into ${name} select * from backup.${name.replace('.', '_')}`);
    }
  };
}

/** Benches whose service forgets its keys. */
export function benchesOf(openedNow: () => Awaited<ReturnType<typeof openBoss>>) {
  async function setUp(hasList: boolean, more: BenchOptions = {}) {
    const opened = openedNow();
    await opened.lite.exec('drop schema if exists backup cascade; create schema backup');
    const service = forgettingService();
    const transfers = transfersOf(service);
    const bench = await makeBench(opened, {
      through: () => service.fetch,
      look: 100,
      ...(hasList && { transfers }),
      ...more,
    });
    const single = (id: string) => bench.order(id, { recipients: [{ userId: `to-${id}`, amount: '25.5' }] });
    const reviewed = async () =>
      (await bench.review()).flatMap((one) => (one.kind === 'undecided' ? [one] : []));
    /** Three minutes later, and until nothing is due. */
    const workAfterQuiet = async () => {
      await bench.pass(3 * 60_000);
      await bench.work();
    };
    return { service, transfers, bench, single, reviewed, workAfterQuiet };
  }

  /** Enqueues, backs up, and lets `lost` happen, which the database then forgets. Two days pass, and the service forgets its keys. */
  async function lose(
    hasList: boolean,
    orders: (set: Awaited<ReturnType<typeof setUp>>) => PayoutOrder[],
    lost: (set: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>,
    more: BenchOptions = {},
  ) {
    const set = await setUp(hasList, more);
    const { bench, service } = set;
    await bench.payouts.enqueue(orders(set));
    const restore = await backUp(bench);
    await lost(set);
    await restore();
    await bench.pass(2 * DAY);
    service.forget();
    return set;
  }

  return { setUp, lose };
}

export const idOf = async ({ payouts }: Bench, id: string) => {
  for await (const { requestId } of payouts.list({ id })) return requestId;
  throw new Error(`no payout ${id}`);
};
