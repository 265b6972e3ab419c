import type { Database, Sql } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeBench, makeBenchByHand, openBoss } from './bench.ts';

let opened: Awaited<ReturnType<typeof openBoss>>;
beforeAll(async () => {
  opened = await openBoss();
  // Makes the queues of pg-boss.
  await makeBench(opened);
});
afterAll(() => opened.close());

/** design.md, *A database that went back*: "No call begins, and each open row changes". */
it('a call whose gate saw another database is not made where another process gives the command first', async () => {
  let gates = 0;
  let give = async () => {};
  const over = (sql: Sql): Sql => ({
    async query(text, values) {
      if (text.includes('known_timeline')) {
        gates += 1;
        // The standby was promoted since the row was read.
        if (gates === 1) await opened.db.query(`update payout_restored set timeline = '0000000F'`);
      } else if (gates === 1 && text.includes('pg_control_system')) {
        gates += 1;
        await give();
      }
      return sql.query(text, values);
    },
  });
  const db: Database = {
    ...over(opened.db),
    transaction: (work) => opened.db.transaction((sql) => work(over(sql))),
  };
  const { bench, planned, run } = await makeBenchByHand(opened, { db });
  give = async () => void (await bench.payouts.restored({ by: 'another' }));
  await bench.payouts.enqueue([bench.order('a')]);
  await run(planned[0]);
  expect(gates).toBeGreaterThan(1);
  expect([bench.emulator.requests(), await bench.states()]).toEqual([[], ['queued -']]);
});
