import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bench, type BenchOptions, makeBench, openBoss } from './bench.ts';
import { forgettingService, transfersOf } from './forgetting-service.ts';

/**
 * design.md, *A database that went back*: "A restored backup, or a failover with a lost tail, pays nobody twice."
 */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let opened: Awaited<ReturnType<typeof openBoss>>;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());

const TABLES = `select tablename as name from pg_tables where schemaname = 'public' and tablename like 'payout%'`;
const DAY = 86_400_000;

/** Copies the tables of payouts and the jobs; what is returned puts them back, as a restored backup does. */
async function backUp({ db }: Bench): Promise<() => Promise<void>> {
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

async function setUp(hasList: boolean, more: BenchOptions = {}) {
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
    (await bench.payouts.review()).flatMap((one) => (one.kind === 'undecided' ? [one] : []));
  /** Three minutes later, and until nothing is due. */
  const workAfterQuiet = async () => {
    await bench.pass(3 * 60_000);
    await bench.work();
  };
  return { service, transfers, bench, single, reviewed, workAfterQuiet };
}

const ten = Array.from({ length: 10 }, (_none, place) => `S-${place}`);
const once = Object.fromEntries(ten.map((id) => [`to-${id}`, 1]));

describe('ten payouts that were enqueued, backed up and paid, in a database that is restored two days later', () => {
  const loseTwoDays = async (hasList: boolean) => {
    const set = await setUp(hasList);
    const { bench, service, single } = set;
    await bench.payouts.enqueue(ten.map(single));
    const restore = await backUp(bench);
    await bench.work();
    expect(service.ledger).toHaveLength(10);
    await restore();
    await bench.pass(2 * DAY);
    service.forget();
    return set;
  };

  it('are not paid again, by the list: each is found', async () => {
    const { bench, service, workAfterQuiet } = await loseTwoDays(true);
    const { payments } = await bench.payouts.restored({ by: 'Ada' });
    expect(payments).toBe(10);
    await bench.work();
    expect(service.requests()).toBe(10);
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual(once);
    expect(new Set(await bench.states())).toEqual(new Set(['paid -']));
    expect(await bench.payouts.review()).toEqual([]);
  });

  it('are not paid again without a list: `review` names each', async () => {
    const { bench, service, reviewed, workAfterQuiet } = await loseTwoDays(false);
    await bench.payouts.restored({ by: 'Ada' });
    await workAfterQuiet();
    expect(service.timesPaid()).toEqual(once);
    const lines = await reviewed();
    expect(lines.map(({ id, reason }) => `${id} ${reason}`).sort()).toEqual(
      ten.map((id) => `${id} DATABASE_WENT_BACK`),
    );
  });
});
