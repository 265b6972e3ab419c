import type { Emulator } from 'stablecoin-payments/emulator';
import type { Database, PgBossPayouts, Sql } from 'stablecoin-payments/payouts';
import { payoutsOnPgBoss } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repair } from '../../src/payouts/pg-boss/repair.ts';
import { rulesFrom } from '../../src/payouts/rules/rules.ts';
import { type Bench, lookupIn, makeBench, openBoss } from './bench.ts';

/**
 * Issue 63: "Archiving is a command, `archive({ before })`, with the rules that the guide's SQL has (final, all of a group, old
 * enough for late events), in pieces, and an order whose rows are archived is still known."
 */

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());

const ada = { by: 'Ada', reason: 'test' };
const MINUTE = 60_000;
/** Later than all that a test has done. */
const soon = () => new Date(Date.now() + MINUTE);
const archive = (before = soon()) => bench.payouts.archive({ before });
const ids = async () => (await bench.rows()).map(({ id }) => id);
const countOf = async (table: string) => (await bench.db.query(`select 1 as one from ${table}`)).rows.length;
const archived = async () => {
  const { rows } = await bench.db.query<{ id: string; round: number }>(
    'select id, round from payout_archive order by id, round',
  );
  return rows.map(({ id, round }) => `${id} ${round}`);
};
const requestIdOf = async (id: string) => (await bench.rows()).find((row) => row.id === id)?.requestId ?? '';

/** A bench with payouts that are paid, and a lookup that finds them. */
async function paid(...orders: readonly (readonly [id: string, group?: string])[]) {
  const made: Bench = await makeBench(opened, {
    look: 100,
    lookup: lookupIn((): Emulator => made.emulator),
  });
  bench = made;
  await bench.payouts.enqueue(
    orders.map(([id, group]) => bench.order(id, group === undefined ? {} : { group })),
  );
  await bench.work();
}

/** Hears what is left to hear: the repair of a worker, and the worker. */
async function hearAgain() {
  const store = { db: bench.db, boss: opened.boss, rules: rulesFrom({}, false, () => 0), tells: false };
  await bench.db.query("update payout set next_at = next_at - interval '10 minutes'");
  await bench.db.query("update payout_archive set next_at = next_at - interval '10 minutes'");
  await repair(store);
  await bench.work();
}

/** Payouts on the database of the bench, with something between them. */
function through(between: (text: string, sql: Sql) => Promise<void>): PgBossPayouts {
  const watched = (sql: Sql): Sql => ({
    async query(text, values) {
      await between(text, sql);
      return sql.query(text, values);
    },
  });
  const db: Database = {
    ...watched(bench.db),
    transaction: (work) => bench.db.transaction((sql) => work(watched(sql))),
  };
  return payoutsOnPgBoss({ boss: opened.boss, db, payments: bench.payments });
}

/** Makes orders whose rows say that they are final. */
async function makeFinal(count: number, group?: string) {
  await bench.payouts.enqueue(
    Array.from({ length: count }, (_, place) =>
      bench.order(`${group ?? 'lone'}-${place}`, group ? { group } : {}),
    ),
  );
  await bench.db.query(
    `update payout set is_done = true, situation = replace(situation, '"state":"queued"', '"state":"paid"')`,
  );
}

describe('archive moves', () => {
  it('whole groups that are final, and final payouts without a group, to tables of their own', async () => {
    await paid(['a', 'g'], ['b', 'g'], ['c', 'h'], ['d'], ['e', 'h']);
    await bench.payouts.enqueue([bench.order('f', { group: 'h' }), bench.order('g')]);
    expect(await archive()).toEqual({ payouts: 3 });
    expect(await ids()).toEqual(['c', 'e', 'f', 'g']);
    expect(await archived()).toEqual(['a 1', 'b 1', 'd 1']);
    const { rows } = await bench.db.query(
      'select id, recipient, amount, state, group_name from payout_recipient_archive order by id',
    );
    expect(rows).toEqual([
      { id: 'a', recipient: 'a', amount: '25.5', state: 'paid', group_name: 'g' },
      { id: 'b', recipient: 'b', amount: '25.5', state: 'paid', group_name: 'g' },
      { id: 'd', recipient: 'd', amount: '25.5', state: 'paid', group_name: null },
    ]);
    expect((await bench.payouts.summary()).lines.map(({ state, recipients }) => [state, recipients])).toEqual(
      [
        ['paid', 2],
        ['queued', 2],
      ],
    );
    expect(await archive()).toEqual({ payouts: 0 });
  });

  it('nothing that changed since `before`, that review shows, or that has something to hear', async () => {
    await paid(['a', 'g'], ['b', 'h'], ['c', 'i'], ['d']);
    expect(await archive(new Date(Date.now() - MINUTE))).toEqual({ payouts: 0 });
    const [one, two] = [await requestIdOf('b'), await requestIdOf('c')];
    await bench.payouts.message(one, 'm1', { type: 'other' } as never);
    await bench.work();
    await bench.payouts.message(two, 'm2', { type: 'wake' });
    await bench.db.query("update payout set next_at = next_at + interval '1 hour' where id = 'd'");
    expect(await archive()).toEqual({ payouts: 1 });
    expect(await archived()).toEqual(['a 1']);
    await bench.payouts.settle(one, { state: 'paid', by: 'Ada' });
    await bench.work();
    expect(await archive(new Date(Date.now() + 2 * 60 * MINUTE))).toEqual({ payouts: 3 });
  });

  it('an order as a whole: a round whose later one is in another group goes with it', async () => {
    await paid();
    await bench.payouts.enqueue([bench.order('a', { group: 'g' })]);
    await bench.payouts.cancel({ id: 'a' }, ada);
    await bench.work();
    await bench.payouts.enqueue([bench.order('a', { group: 'h' })]);
    expect(await archive()).toEqual({ payouts: 0 });
    await bench.work();
    expect(await archive()).toEqual({ payouts: 2 });
    expect(await archived()).toEqual(['a 1', 'a 2']);
  });

  it.each([
    ['a large group', 'g'],
    ['payouts without a group', undefined],
  ])('%s in pieces', async (_name, group) => {
    await paid();
    await makeFinal(1200, group);
    let asked = 0;
    const sizes: number[] = [];
    const payouts = through(async (text, sql) => {
      if (text.includes('where exists')) asked += 1;
      if (text.includes('from payout_recipient where key'))
        sizes.push(1200 - (await sql.query('select 1 as one from payout')).rows.length);
    });
    expect(await payouts.archive({ before: soon() })).toEqual({ payouts: 1200 });
    expect([sizes, await countOf('payout')]).toEqual([[500, 1000, 1200], 0]);
    // The rest of a group is not asked about again: it has a million payouts.
    expect(asked).toBe(group === undefined ? 0 : 1);
  });

  it('reads past a large group that stays', async () => {
    await paid();
    await makeFinal(1200, 'g');
    await bench.db.query("update payout set needs_review = true where id = 'g-7'");
    let pages = 0;
    const payouts = through(async (text) => {
      if (text.includes('select distinct group_name')) pages += 1;
    });
    expect([await payouts.archive({ before: soon() }), pages]).toEqual([{ payouts: 0 }, 2]);
  });

  it('and goes on where it was cut off: nothing is lost, and nothing is there twice', async () => {
    await paid();
    await makeFinal(1200, 'g');
    await bench.db.query(
      `update payout set situation = replace(situation, '"state":"queued"', '"state":"paid"')`,
    );
    const total = async () => {
      const { rows } = await bench.db.query<{ rows: number; keys: number; places: number }>(
        `select (select count(*)::int from payout) + (select count(*)::int from payout_archive) as rows,
           (select count(*)::int from (select key from payout union select key from payout_archive) k) as keys,
           (select count(*)::int from (select key, place from payout_recipient union all
             select key, place from payout_recipient_archive) p) as places`,
      );
      return rows[0];
    };
    for (const cut of [2, 3, 4]) {
      let moves = 0;
      const payouts = through(async (text) => {
        if (!text.startsWith('with gone')) return;
        moves += 1;
        if (moves === cut) throw new Error('killed');
      });
      await expect(payouts.archive({ before: soon() })).rejects.toThrow('killed');
      expect(await total()).toEqual({ rows: 1200, keys: 1200, places: 1200 });
    }
    const { payouts } = await archive();
    expect([payouts > 0, await countOf('payout_archive'), await countOf('payout')]).toEqual([true, 1200, 0]);
    expect(await total()).toEqual({ rows: 1200, keys: 1200, places: 1200 });
  });

  it('nothing without a time', async () => {
    await paid();
    const call = (given: unknown) => bench.payouts.archive(given as { before: Date });
    await expect(call({})).rejects.toThrow('The archive: `before` must be a valid Date');
    await expect(call({ before: '2026-11-01' })).rejects.toThrow('`before` must be a valid Date');
    await expect(call({ before: new Date(), group: 'g' })).rejects.toThrow('`group` is not an option');
    await expect(call(undefined)).rejects.toThrow('Nothing was moved.');
  });
});

describe('an order that is archived', () => {
  it('is still known, and a changed one is refused by its fields', async () => {
    await paid(['a', 'g'], ['b']);
    await archive();
    expect(await bench.payouts.enqueue([bench.order('a', { group: 'g' }), bench.order('b')])).toEqual({
      added: 0,
      known: 2,
    });
    await expect(bench.payouts.enqueue([bench.order('b', { chain: 'BASE' })])).rejects.toThrow(
      'Payout "b": chain differs from the enqueued order.',
    );
    await expect(bench.payouts.enqueue([bench.order('A', { group: 'g' })])).rejects.toThrow(
      'differs from the known "a"',
    );
    const recipients = [{ id: 'a', userId: bench.payee, amount: '1' }];
    await expect(bench.payouts.enqueue([bench.order('c', { group: 'g', recipients })])).rejects.toThrow(
      'the recipient "a" is already in the group',
    );
    await bench.work();
    expect([await ids(), bench.ledger().length]).toEqual([[], 2]);
  });

  it('comes back for its correction', async () => {
    await paid();
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.cancel({ id: 'a' }, ada);
    await bench.work();
    await archive();
    const corrected = bench.order('a', { recipients: [{ userId: bench.payee, amount: '9' }] });
    expect(await bench.payouts.enqueue([corrected])).toEqual({ added: 1, known: 0 });
    expect(await bench.payouts.enqueue([bench.order('a')])).toEqual({ added: 0, known: 1 });
    await bench.work();
    expect([await bench.states(), bench.ledger()]).toEqual([['paid -'], ['9 COMPLETED']]);
    await archive();
    expect(await archived()).toEqual(['a 1', 'a 2']);
  });

  it('comes back for an event: it is heard, and what contradicts is a notice', async () => {
    await paid(['a', 'g'], ['b', 'g'], ['c']);
    const rows = await bench.rows();
    await archive();
    const event = (id: string, status: string) => {
      const row = rows.find((one) => one.id === id);
      const data = { id: row?.transferId, status, ...(id === 'c' ? {} : { requestId: row?.requestId }) };
      const handler = bench.payouts.webhookHandlers['WALLET.TRANSFER.*'];
      return handler({ eventType: 'WALLET.TRANSFER.UPDATE', data } as never, { id: `e-${id}` } as never);
    };
    await event('a', 'FAILED');
    await event('b', 'COMPLETED');
    await event('c', 'FAILED');
    await hearAgain();
    expect((await bench.review()).map((one) => (one.kind === 'notice' ? [one.id, one.notice] : one))).toEqual(
      [
        ['a', 'CONTRADICTION'],
        ['c', 'CONTRADICTION'],
      ],
    );
    expect(await bench.rows()).toEqual(rows);
    expect([await archived(), await countOf('payout_recipient_archive')]).toEqual([[], 0]);
    const { rows: unread } = await bench.db.query(
      'select 1 as one from payout_message where read_at is null',
    );
    expect(unread).toEqual([]);
  });

  it('comes back for an event that came while it was moved', async () => {
    await paid(['a']);
    const [row] = await bench.rows();
    const requestId = row?.requestId ?? '';
    const failed = { transferDetails: { id: row?.transferId ?? '', requestId, status: 'FAILED' } };
    let isTold = false;
    const payouts = through(async (text, sql) => {
      if (isTold || !text.startsWith('with gone')) return;
      isTold = true;
      await sql.query("insert into payout_message (id, key, request_id, message) values ('m', $1, $1, $2)", [
        requestId,
        JSON.stringify({ type: 'record', record: failed }),
      ]);
    });
    expect(await payouts.archive({ before: soon() })).toEqual({ payouts: 1 });
    await hearAgain();
    expect(await bench.review()).toMatchObject([{ kind: 'notice', id: 'a', notice: 'CONTRADICTION' }]);
  });

  it('comes back for a record that a restored database is shown', async () => {
    const records: object[] = [];
    const transfers = {
      find: async () => null,
      async *between() {
        yield* records;
      },
    } as never;
    bench = await makeBench(opened, { transfers });
    await bench.payouts.enqueue([bench.order('a')]);
    await bench.payouts.cancel({ id: 'a' }, ada);
    await bench.work();
    const requestId = await requestIdOf('a');
    records.push({ transferDetails: { id: 't-1', requestId, status: 'COMPLETED', amount: 25.5 } });
    await archive();
    await bench.payouts.enqueue([bench.order('b')]);
    await bench.payouts.restored({ by: 'Ada' });
    await bench.pass(3 * MINUTE);
    await bench.work();
    await hearAgain();
    expect(await bench.states()).toEqual(['cancelled CANCELLED', 'accepted -']);
    expect(await bench.review()).toMatchObject([{ kind: 'notice', id: 'a', requestId }]);
  });

  it('comes back for settle and payAgain, and is paid once', async () => {
    await paid();
    await bench.payouts.enqueue([bench.order('a', { group: 'g' }), bench.order('b')]);
    await bench.payouts.cancel({}, ada);
    await bench.work();
    const [one, two] = [await requestIdOf('a'), await requestIdOf('b')];
    await archive();
    await bench.payouts.settle(two, { state: 'cancelled', by: 'Ada' });
    expect(await ids()).toEqual(['b']);
    await expect(bench.payouts.settle(two, { state: 'paid', by: 'Ada', transferId: 't' })).rejects.toThrow(
      'is cancelled (CANCELLED), which is final',
    );
    const { requestId } = await bench.payouts.payAgain(one, { by: 'Ada' });
    await bench.work();
    expect(await bench.rows()).toMatchObject([
      { id: 'a', state: 'paid', requestId },
      { id: 'b', state: 'cancelled' },
    ]);
    await archive();
    expect(await archived()).toEqual(['a 1', 'a 2', 'b 1']);
    // Twice is once, from the archive, too.
    expect(await bench.payouts.payAgain(one, { by: 'Ada' })).toEqual({ requestId });
    expect(bench.ledger()).toEqual(['25.5 COMPLETED']);
  });

  it('is named where a command is about it alone', async () => {
    await paid(['a', 'g']);
    await archive();
    const words = 'All payouts of the scope are archived: each of them is final. Nothing was changed.';
    await expect(bench.payouts.hold({ group: 'g' }, ada)).rejects.toThrow(words);
    await expect(bench.payouts.cancel({ id: 'a' }, ada)).rejects.toThrow(words);
    await expect(bench.payouts.resume({ payer: bench.payer }, { by: 'Ada' })).rejects.toThrow(words);
  });
});
