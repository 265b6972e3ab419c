import type { Database } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { repair } from '../../src/payouts/pg-boss/repair.ts';
import { rulesFrom } from '../../src/payouts/rules/rules.ts';
import { type Bench, makeBench, openBoss } from './bench.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());

const repairNow = (db: Database = bench.db) =>
  repair({ db, boss: opened.boss, rules: rulesFrom({}, false), tells: false });
const makeLate = () => bench.db.query(`update payout set next_at = now() - interval '10 minutes'`);

describe('the repair', () => {
  it('gives a job to as many rows as it finds without one', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue(Array.from({ length: 1100 }, (_, place) => bench.order(`o${place}`)));
    await opened.boss.deleteAllJobs('payouts');
    await makeLate();
    expect(await repairNow()).toBe(1100);
    expect(await opened.boss.findJobs('payouts', { limit: 2000 })).toHaveLength(1100);
    await makeLate();
    expect(await repairNow()).toBe(0);
  });

  it.each([
    ['whose worker tells that it lives', 'heartbeat_on = now()', 0],
    [
      'whose worker has told nothing for longer than its heartbeat',
      `heartbeat_on = now() - interval '31 s'`,
      1,
    ],
    ['that takes longer than it may', `started_on = now() - interval '181 s', heartbeat_on = now()`, 1],
    ['that failed', `state = 'failed'`, 1],
  ])('looks at a job %s, though nobody supervises pg-boss', async (_name, change, repaired) => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a')]);
    expect(await opened.boss.fetch('payouts')).toHaveLength(1);
    await bench.db.query(`update pgboss.job set ${change} where name = 'payouts'`);
    await makeLate();
    expect(await repairNow()).toBe(repaired);
    expect(await opened.boss.findJobs('payouts')).toHaveLength(1 + repaired);
  });

  it('reads the rows by an index, and the messages, too', async () => {
    bench = await makeBench(opened);
    const statements: [string, unknown[] | undefined][] = [];
    const sqlOf = (of: Pick<Database, 'query'>): Pick<Database, 'query'> => ({
      query: (text, values) => {
        statements.push([text, values]);
        return of.query(text, values);
      },
    });
    await repairNow({
      ...sqlOf(bench.db),
      transaction: (work) => bench.db.transaction((sql) => work(sqlOf(sql))),
    });
    await bench.db.query('set enable_seqscan = off');
    const plans = await Promise.all(
      statements.map(async ([text, values]) => {
        const { rows } = await bench.db.query(`explain ${text}`, values);
        return JSON.stringify(rows);
      }),
    );
    await bench.db.query('set enable_seqscan = on');
    expect(plans.length).toBeGreaterThan(3);
    expect(plans.filter((plan) => plan.includes('Seq Scan'))).toEqual([]);
    expect(plans.filter((plan) => /payout_open.*Index Cond: \(next_at </.test(plan))).toHaveLength(1);
  });
});
