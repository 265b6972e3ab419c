import type { Database, PayoutCommand, PayoutCommandFilter, Sql } from 'stablecoin-payments/payouts';
import { payoutsOnPgBoss } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, makeBench, openBoss } from './bench.ts';

/**
 * Issue 63: "A book of commands: who held, resumed, cancelled, settled, paid again, when and why, kept for good, read by
 * `commands(filter)`".
 */

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());

const QUIET = 200_000;
const ada = { by: 'Ada', reason: 'wrong file' };
const bob = { by: 'Bob' };

async function book(filter?: PayoutCommandFilter): Promise<PayoutCommand[]> {
  const found: PayoutCommand[] = [];
  for await (const command of bench.payouts.commands(filter)) found.push(command);
  return found;
}
/** Kind, person, and what it was about. */
const lines = async (filter?: PayoutCommandFilter) =>
  (await book(filter)).map(({ kind, by, payer, group, id }) =>
    [kind, by, payer === bench.payer ? 'payer' : payer, group, id].map((one) => one ?? '-').join(' '),
  );
const requestIdOf = async (id: string) => (await bench.rows()).find((row) => row.id === id)?.requestId ?? '';

/** A payment of which nobody knows what became. */
async function undecided(id: string) {
  bench.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit', times: 1 });
  await bench.payouts.enqueue([bench.order(id, { group: 'g' })]);
  await bench.work();
  return requestIdOf(id);
}

describe('the book of commands', () => {
  it('keeps holds and their ends, each once', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a', { group: 'g' })]);
    const before = new Date();
    await bench.payouts.hold({ payer: bench.payer, group: 'g' }, ada);
    await bench.payouts.hold({}, { by: ' Bob ', reason: 'fire' });
    await bench.payouts.resume({}, { by: 'Cleo' });
    await bench.payouts.resume({}, { by: 'Cleo' });
    const found = await book();
    const one = {
      payer: null,
      group: null,
      id: null,
      requestId: null,
      state: null,
      transferId: null,
      newRequestId: null,
      at: expect.any(Date),
    };
    expect(found).toEqual([
      { ...one, kind: 'hold', by: 'Ada', reason: 'wrong file', payer: bench.payer, group: 'g' },
      { ...one, kind: 'hold', by: 'Bob', reason: 'fire' },
      { ...one, kind: 'resume', by: 'Cleo', reason: null },
    ]);
    expect(found.every(({ at }) => at.getTime() >= before.getTime() - 1)).toBe(true);
    expect((await bench.db.query('select 1 as one from payout_hold')).rows).toEqual([]);
  });

  it('keeps the hold that maxRefusals makes, and its end', async () => {
    bench = await makeBench(opened, { maxRefusals: 2 });
    const bad = (id: string) => bench.order(id, { recipients: [{ userId: 'nobody', amount: '1' }] });
    await bench.payouts.enqueue([bad('a'), bad('b')]);
    await bench.work();
    await bench.payouts.resume({ payer: bench.payer }, bob);
    expect(await lines()).toEqual(['hold maxRefusals payer - -', 'resume Bob payer - -']);
    expect((await book())[0]?.reason).toBe('2 payouts in a row were rejected');
  });

  it('keeps a cancellation once, with its reason', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a'), bench.order('b')]);
    await bench.payouts.cancel({ id: 'a' }, ada);
    await bench.payouts.cancel({ id: 'a' }, { by: 'Bob', reason: 'again' });
    await bench.payouts.cancel({}, { by: 'Cleo', reason: 'all of it' });
    expect(await lines()).toEqual(['cancel Ada - - a', 'cancel Cleo - - -']);
    expect((await book()).map(({ reason }) => reason)).toEqual(['wrong file', 'all of it']);
    await bench.work();
    await bench.payouts.cancel({}, { by: 'Dan', reason: 'nothing is left' });
    expect(await book()).toHaveLength(2);
  });

  it('keeps settlements and who pays again, each once, and none that was refused', async () => {
    bench = await makeBench(opened, { maxFailures: 1 });
    const requestId = await undecided('a');
    const settled = { state: 'rejected', by: 'Ada' } as const;
    await expect(bench.payouts.settle(requestId, settled)).rejects.toThrow('may still be carried out');
    await expect(bench.payouts.payAgain(requestId, bob)).rejects.toThrow('pay again once');
    expect(await book()).toEqual([]);
    await bench.pass(QUIET);
    await bench.payouts.settle(requestId, settled);
    await bench.payouts.settle(requestId, settled);
    const { requestId: next } = await bench.payouts.payAgain(requestId.toUpperCase(), bob);
    expect(await bench.payouts.payAgain(requestId, bob)).toEqual({ requestId: next });
    const one = {
      payer: bench.payer,
      group: 'g',
      id: 'a',
      reason: null,
      transferId: null,
      at: expect.any(Date),
    };
    expect(await book()).toEqual([
      { ...one, kind: 'settle', by: 'Ada', requestId, state: 'rejected', newRequestId: null },
      { ...one, kind: 'payAgain', by: 'Bob', requestId, state: null, newRequestId: next },
    ]);
  });

  it('keeps the transfer that a person found, and who has seen a notice', async () => {
    bench = await makeBench(opened, { maxFailures: 1 });
    const requestId = await undecided('a');
    await bench.payouts.settle(requestId, { state: 'paid', by: 'Ada', transferId: 't-1' });
    const rejected = { id: 't-1', requestId, status: 'FAILED' };
    await bench.payouts.message(requestId, 'late', { type: 'record', record: { transferDetails: rejected } });
    await bench.work();
    await bench.payouts.settle(requestId, { state: 'paid', by: 'Bob' });
    await bench.payouts.settle(requestId, { state: 'paid', by: 'Cleo' });
    expect((await book()).map(({ by, state, transferId }) => [by, state, transferId])).toEqual([
      ['Ada', 'paid', 't-1'],
      ['Bob', 'paid', 't-1'],
    ]);
  });

  it('keeps what a person decides by a message', async () => {
    bench = await makeBench(opened, { maxFailures: 1 });
    const requestId = await undecided('a');
    const paid = { type: 'person', requestId, state: 'paid', by: 'Ada', transferId: 't-1' } as const;
    await bench.payouts.message(requestId, 'm1', paid);
    await bench.payouts.message(requestId, 'm2', { ...paid, by: 'Bob' });
    await bench.payouts.enqueue([bench.order('b')]);
    const second = await requestIdOf('b');
    await bench.payouts.hold({}, { by: 'Cleo', reason: 'x' });
    await bench.payouts.message(second, 'm3', { type: 'cancel', by: 'Dan', reason: 'left' });
    await bench.payouts.message(second, 'm4', { type: 'cancel', by: 'Eve' });
    await bench.payouts.enqueue([bench.order('c')]);
    await bench.payouts.message(await requestIdOf('c'), 'm5', { type: 'cancel' } as never);
    await bench.work();
    const kept = await lines();
    expect(kept.toSorted()).toEqual([
      'cancel  payer - c',
      'cancel Dan payer - b',
      'hold Cleo - - -',
      'settle Ada payer g a',
    ]);
    expect(await book({ by: 'Dan' })).toMatchObject([{ kind: 'cancel', reason: 'left' }]);
  });

  it('keeps who has seen a notice by a message, which goes', async () => {
    bench = await makeBench(opened, { maxFailures: 1 });
    const requestId = await undecided('a');
    const paid = { type: 'person', requestId, state: 'paid', by: 'Ada', transferId: 't-1' } as const;
    await bench.payouts.message(requestId, 'm1', paid);
    await bench.work();
    const record = { transferDetails: { id: 't-1', requestId, status: 'FAILED' } };
    await bench.payouts.message(requestId, 'm2', { type: 'record', record });
    await bench.work();
    expect((await bench.review()).map(({ kind }) => kind)).toEqual(['notice']);
    await bench.payouts.message(requestId, 'm3', { ...paid, by: 'Bob' });
    await bench.payouts.message(requestId, 'm4', { ...paid, by: 'Cleo' });
    await bench.work();
    expect(await bench.review()).toEqual([]);
    expect(await lines()).toEqual(['settle Ada payer g a', 'settle Bob payer g a']);
  });

  it('keeps who said that the database went back', async () => {
    bench = await makeBench(opened);
    await bench.payouts.restored({ by: 'Ada' });
    expect(await lines()).toEqual(['restored Ada - - -']);
  });

  it('is written in the transaction of the command: what it cannot keep is not done', async () => {
    bench = await makeBench(opened, { maxFailures: 1 });
    const requestId = await undecided('a');
    await bench.pass(QUIET);
    await bench.payouts.enqueue([bench.order('b')]);
    await bench.payouts.hold({ id: 'b' }, ada);
    const state = async () => [
      await bench.states(),
      (await bench.db.query('select id from payout_hold')).rows,
      (await bench.db.query('select cancelled_by from payout')).rows,
    ];
    const before = await state();
    await opened.lite.exec('alter table payout_command rename to away');
    for (const command of [
      () => bench.payouts.hold({}, ada),
      () => bench.payouts.resume({}, bob),
      () => bench.payouts.cancel({}, ada),
      () => bench.payouts.settle(requestId, { ...bob, state: 'rejected' }),
    ])
      await expect(command()).rejects.toThrow('migrate');
    expect(await state()).toEqual(before);
    await opened.lite.exec('drop table away');
  });

  it('refuses filters that are wrong by their names', async () => {
    const read = (filter: object) => bench.payouts.commands(filter)[Symbol.asyncIterator]().next();
    await expect(read({ kind: 'held' })).rejects.toThrow(
      "The filter: `kind` must be 'hold', 'resume', 'cancel', 'settle', 'payAgain' or 'restored'",
    );
    await expect(read({ payer: undefined })).rejects.toThrow('payer');
    await expect(read({ who: 'Ada' })).rejects.toThrow('`who` is not an option');
    const at = new Date();
    await expect(read({ since: at, until: at })).rejects.toThrow('`until` must be later than `since`');
  });

  it('is filtered by scope, kind, person and time: a command about more is about each part of it', async () => {
    bench = await makeBench(opened);
    await bench.payouts.enqueue([
      bench.order('a', { group: 'g' }),
      bench.order('b', { group: 'h' }),
      bench.order('c', { payer: 'p2' }),
    ]);
    await bench.payouts.hold({}, ada);
    await bench.payouts.hold({ group: 'g' }, ada);
    await bench.payouts.hold({ payer: bench.payer, id: 'b' }, ada);
    await bench.payouts.cancel({ payer: 'p2' }, ada);
    await bench.payouts.resume({ group: 'g' }, bob);
    expect(await lines({ payer: 'p2' })).toEqual([
      'hold Ada - - -',
      'hold Ada - g -',
      'cancel Ada p2 - -',
      'resume Bob - g -',
    ]);
    expect(await lines({ payer: bench.payer, group: 'h', id: 'b' })).toEqual([
      'hold Ada - - -',
      'hold Ada payer - b',
    ]);
    expect(await lines({ kind: 'resume' })).toEqual(['resume Bob - g -']);
    expect(await lines({ by: 'Bob' })).toEqual(['resume Bob - g -']);
    const [, second] = await book();
    await bench.db.query("update payout_command set at = at + interval '1 hour' where kind = 'cancel'");
    expect(await lines({ since: new Date(Date.now() + 1_800_000) })).toEqual(['cancel Ada p2 - -']);
    expect(await lines({ until: second?.at ?? new Date() })).toEqual(['hold Ada - - -']);
  });

  it('is read in pages, also where many commands have one time', async () => {
    bench = await makeBench(opened);
    await bench.db.query(
      `insert into payout_command (command_id, at, kind, decided_by)
       select gen_random_uuid(), timestamptz '2026-11-01' + (n / 700) * interval '1 second', 'hold', n::text
       from generate_series(0, 1699) n`,
    );
    const pages: number[] = [];
    const noting = (sql: Sql): Sql => ({
      async query(text, values) {
        const result = await sql.query<never>(text, values);
        pages.push(result.rows.length);
        return result;
      },
    });
    const db: Database = { ...noting(bench.db), transaction: bench.db.transaction };
    const { payments } = bench;
    const names: string[] = [];
    for await (const { by } of payoutsOnPgBoss({ boss: opened.boss, db, payments }).commands())
      names.push(by);
    expect([new Set(names).size, names.length, pages]).toEqual([1700, 1700, [500, 500, 500, 200]]);
  });
});
