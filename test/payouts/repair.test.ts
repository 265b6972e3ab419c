import type { Database } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repair } from '../../src/payouts/pg-boss/repair.ts';
import { rulesFrom } from '../../src/payouts/rules/rules.ts';
import { type Bench, makeBench, openBoss } from './bench.ts';

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());

const repairNow = (db: Database = bench.db) =>
  repair({ db, boss: opened.boss, rules: rulesFrom({}, false), tells: false });
const makeLate = () =>
  bench.db.query(`update payout set next_at = now() - interval '10 minutes' where waits_for is null`);

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

  /** Payouts that wait for a hold, or for a payer whose profile is frozen. */
  const fallAsleep = async (cause: 'hold' | 'payer') => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue(Array.from({ length: 3 }, (_, place) => bench.order(`o${place}`)));
    if (cause === 'hold') await bench.payouts.hold({}, { by: 'Ada', reason: 'test' });
    else
      await bench.db.query(
        `insert into payout_payer (payer, brake) values ($1, '{"pausedUntil":9e15,"reason":"PROFILE_FROZEN"}')`,
        [bench.payer],
      );
    await bench.work();
    const { rows } = await bench.db.query('select waits_for from payout where waits_for is not null');
    expect(rows).toHaveLength(3);
    expect(bench.ledger()).toEqual([]);
    await makeLate();
    await bench.db.query(`update payout_payer set next_at = now() - interval '10 minutes'`);
  };

  it.each([
    ['a hold that exists', 'hold', undefined, 0],
    ['a hold that somebody deleted', 'hold', 'delete from payout_hold', 3],
    ['a payer whose job is alive', 'payer', undefined, 0],
    ['a payer whose job is gone', 'payer', `delete from pgboss.job where name = 'payouts'`, 1],
    ['a payer who is forgotten', 'payer', 'delete from payout_payer', 3],
    ['a payer who has no job', 'payer', 'update payout_payer set job_id = null', 3],
  ] as const)('looks at payouts that wait for %s', async (_name, cause, statement, repaired) => {
    await fallAsleep(cause);
    if (statement !== undefined) await bench.db.query(statement);
    expect(await repairNow()).toBe(repaired);
    await bench.db.query(`update payout_payer set brake = '{}'`);
    await bench.db.query(`update pgboss.job set start_after = now() where name = 'payouts'`);
    await bench.work();
    expect(bench.ledger()).toHaveLength(cause === 'hold' && repaired === 0 ? 0 : 3);
  });

  it('looks once at a payout that waits and has a job', async () => {
    await fallAsleep('hold');
    await bench.db.query(`update payout set next_at = now() - interval '10 minutes'`);
    expect(await repairNow()).toBe(3);
    await bench.work();
    const { rows } = await bench.db.query(`select 1 from payout where next_at < now() + interval '1 year'`);
    expect(rows).toEqual([]);
  });

  it('lets a payout that waits hear a message whose job is gone, and wait on', async () => {
    await fallAsleep('hold');
    const [row] = await bench.rows();
    await bench.payouts.message(row?.requestId ?? '', 'm', {
      type: 'wake',
      requestId: row?.requestId ?? '',
    });
    await opened.boss.deleteAllJobs('payouts');
    await bench.db.query(`update payout_message set at = now() - interval '10 minutes'`);
    expect([await repairNow(), await repairNow()]).toEqual([1, 0]);
    await bench.work();
    const { rows: unread } = await bench.db.query('select 1 from payout_message where read_at is null');
    expect([unread, bench.ledger()]).toEqual([[], []]);
    await bench.payouts.resume({}, { by: 'Ada' });
    await bench.work();
    expect(bench.ledger()).toHaveLength(3);
  });
});
