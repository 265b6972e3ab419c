import { isPaymentsError } from 'stablecoin-payments';
import type { Sql } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bench, makeBench, openBoss } from './bench.ts';

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
});
beforeEach(async () => {
  bench = await makeBench(opened);
  await bench.db.query('drop table if exists invoice');
  await bench.db.query('create table invoice (id text primary key)');
});
afterAll(() => opened.close());

const invoices = async () =>
  (await bench.db.query<{ id: string }>('select id from invoice order by id')).rows.map(({ id }) => id);
const payouts = async () => (await bench.rows()).map(({ id }) => id).sort();
const insert = (sql: Sql, id: string) => sql.query('insert into invoice (id) values ($1)', [id]);

describe("enqueue in the caller's own transaction", () => {
  it('commits with what the caller wrote, and is called', async () => {
    const report = await bench.db.transaction(async (sql) => {
      await insert(sql, 'I-1');
      return bench.payouts.enqueue([bench.order('I-1')], { sql });
    });
    expect(report).toEqual({ added: 1, known: 0 });
    expect(await invoices()).toEqual(['I-1']);
    await bench.work();
    expect(await bench.states()).toEqual(['accepted -']);
    expect(bench.ledger()).toHaveLength(1);
  });

  it('is gone, with its job, when the caller rolls back', async () => {
    const broken = bench.db.transaction(async (sql) => {
      await bench.payouts.enqueue([bench.order('I-1')], { sql });
      await insert(sql, 'I-1');
      throw new Error('rolled back');
    });
    await expect(broken).rejects.toThrow('rolled back');
    expect(await invoices()).toEqual([]);
    expect(await payouts()).toEqual([]);
    const { rows } = await bench.db.query("select 1 as one from pgboss.job where name = 'payouts'");
    expect(rows).toEqual([]);
  });

  it('leaves nothing behind when it throws, and the transaction goes on', async () => {
    await bench.payouts.enqueue([bench.order('I-1')]);
    await bench.db.transaction(async (sql) => {
      await insert(sql, 'I-2');
      const changed = bench.order('I-1', { currency: 'usdt' });
      const refused = bench.payouts.enqueue([bench.order('I-2'), changed], { sql });
      await expect(refused).rejects.toThrow('Payout "I-1": currency differs from the enqueued order.');
    });
    expect(await invoices()).toEqual(['I-2']);
    expect(await payouts()).toEqual(['I-1']);
  });

  it('leaves nothing behind when a statement of it fails', async () => {
    await bench.db.transaction(async (sql) => {
      await insert(sql, 'I-1');
      const failing: Sql = {
        query: (text, values) =>
          sql.query(text.includes('insert into payout_recipient') ? 'select 1 / 0 as one' : text, values),
      };
      await expect(bench.payouts.enqueue([bench.order('I-1')], { sql: failing })).rejects.toThrow();
    });
    expect(await invoices()).toEqual(['I-1']);
    expect(await payouts()).toEqual([]);
  });

  it('knows an order of the same transaction, and of an earlier one', async () => {
    const once = (sql: Sql) => bench.payouts.enqueue([bench.order('I-1')], { sql });
    expect(await bench.db.transaction(async (sql) => [await once(sql), await once(sql)])).toEqual([
      { added: 1, known: 0 },
      { added: 0, known: 1 },
    ]);
    expect(await bench.db.transaction(once)).toEqual({ added: 0, known: 1 });
  });

  it('refuses what is no transaction', async () => {
    const refused = await bench.payouts
      .enqueue([bench.order('I-1')], { sql: bench.db })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'invalid_request',
      field: 'sql',
      message: expect.stringMatching(
        /^`sql` of `enqueue` is not in a transaction\. .* Nothing was enqueued\.$/,
      ),
    });
    expect(await payouts()).toEqual([]);
  });

  it.each([
    [{ sql: null }, '`sql` must be the transaction, with the function `query`'],
    [
      { sql: {} },
      '`sql` must be the transaction, with the function `query`: the function `query` is missing',
    ],
    [{ transaction: {} }, '`transaction` is not an option. Possible names: `sql`.'],
  ])('refuses the options %j', async (options, message) => {
    const refused = await bench.payouts
      .enqueue([bench.order('I-1')], options as never)
      .catch((error) => error);
    expect(isPaymentsError(refused)).toBe(true);
    expect(refused.message).toContain(message);
  });
});
