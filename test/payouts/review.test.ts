import type { Database, PayoutReview, PayoutScope, Sql } from 'stablecoin-payments/payouts';
import { payoutsOnPgBoss } from 'stablecoin-payments/payouts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, makeBench, openBoss } from './bench.ts';

/** Issue 63: "`review()` is paged, and what it lists is counted in `summary`." */

let opened: Awaited<ReturnType<typeof openBoss>>;
let bench: Bench;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());

const ada = { by: 'Ada', reason: 'wrong file' };

/** The payouts of the bench, with each statement and the number of its rows. */
function noted() {
  const statements: { text: string; values: unknown[]; rows: number }[] = [];
  const noting = (sql: Sql): Sql => ({
    async query(text, values = []) {
      const result = await sql.query<never>(text, values);
      statements.push({ text, values, rows: result.rows.length });
      return result;
    },
  });
  const db: Database = { ...noting(bench.db), transaction: bench.db.transaction };
  return { payouts: payoutsOnPgBoss({ boss: opened.boss, db, payments: bench.payments }), statements };
}

/** Counts what review lists, by kind. */
async function counted(filter: PayoutScope = {}) {
  const counts: Record<PayoutReview['kind'], number> = { undecided: 0, notice: 0, problem: 0, hold: 0 };
  for await (const { kind } of bench.payouts.review(filter)) counts[kind] += 1;
  return counts;
}

async function expectAgreement(filter: PayoutScope = {}) {
  const counts = await counted(filter);
  const { toReview, review } = await bench.payouts.summary(filter);
  expect(review).toEqual(counts);
  expect(toReview).toBe(Object.values(counts).reduce((sum, one) => sum + one, 0));
  return counts;
}

/** Makes payouts undecided by their rows. */
async function makeUndecided(count: number) {
  await bench.payouts.enqueue(Array.from({ length: count }, (_, place) => bench.order(`p-${place}`)));
  await bench.db.query(
    `update payout set situation = replace(situation, '"state":"queued"', '"state":"undecided"'), needs_review = true, undecided = 1`,
  );
  await bench.db.query(`update payout_recipient set state = 'undecided'`);
}

describe('review', () => {
  it('reads 10,000 undecided payments in pages, by an index, each once', async () => {
    bench = await makeBench(opened);
    await makeUndecided(10_000);
    // Most payouts are paid.
    await opened.lite.exec(
      `insert into payout (key, payer, id, round, order_text, situation, is_done, job_id, next_at)
       select gen_random_uuid(), payer, 'paid-' || n, 1, '', '', true, job_id, next_at
       from generate_series(1, 40000) n, (select payer, job_id, next_at from payout limit 1) as one;
       analyze`,
    );
    const { payouts, statements } = noted();
    const seen = new Set<string>();
    for await (const one of payouts.review()) if (one.kind === 'undecided') seen.add(one.requestId);
    expect(seen.size).toBe(10_000);
    expect(Math.max(...statements.map(({ rows }) => rows))).toBe(500);
    // One page after another: a reader that stops has read no more.
    expect(statements.filter(({ rows }) => rows === 500)).toHaveLength(20);
    const [, , page] = statements;
    const { rows: plan } = await bench.db.query(`explain ${page?.text}`, page?.values);
    expect(JSON.stringify(plan)).toContain('payout_to_review');
    expect(await bench.payouts.summary()).toMatchObject({ toReview: 10_000, review: { undecided: 10_000 } });
  });

  it('reads no more than the page that it gives', async () => {
    bench = await makeBench(opened);
    await makeUndecided(1200);
    const { payouts, statements } = noted();
    for await (const one of payouts.review()) if (one.kind === 'undecided') break;
    expect(statements.map(({ rows }) => rows)).toEqual([0, 500]);
  });

  it('reads holds in pages, also where the last one of a page ends meanwhile', async () => {
    bench = await makeBench(opened);
    await bench.db.query(
      `insert into payout_hold (hold_id, id, held_by, reason, at)
       select gen_random_uuid(), n::text, 'Ada', 'x', timestamptz '2026-11-01' + (n / 7) * interval '0.000001 second'
       from generate_series(0, 1099) n`,
    );
    const seen: (string | null)[] = [];
    for await (const one of bench.payouts.review()) {
      seen.push(one.id);
      if (seen.length === 500) await bench.db.query('delete from payout_hold where id = $1', [one.id]);
    }
    expect([new Set(seen).size, seen.length]).toEqual([1100, 1100]);
  });
});

describe('summary counts what review lists', () => {
  it('of each kind, in each scope, and no longer once it is settled', async () => {
    let isBroken = false;
    bench = await makeBench(opened, {
      maxFailures: 1,
      maxRefusals: 2,
      onChange: (_sql, { id }) => {
        if (isBroken && id === 'c') throw new TypeError('no ledger');
      },
    });
    expect(await expectAgreement()).toEqual({ undecided: 0, notice: 0, problem: 0, hold: 0 });
    bench.emulator.faults.inject({
      operation: 'transfers.createBatch',
      kind: 'reset-before-commit',
      times: 1,
    });
    bench.emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit', times: 1 });
    const recipients = [1, 2].map(() => ({ userId: bench.payee, amount: '1' }));
    await bench.payouts.enqueue([bench.order('a', { group: 'g' }), bench.order('b', { recipients })]);
    await bench.work();
    expect(await expectAgreement()).toMatchObject({ undecided: 2 });
    isBroken = true;
    await bench.payouts.enqueue([bench.order('c', { group: 'h' })]);
    await bench.work();
    const [first] = await bench.review();
    const requestId = first?.kind === 'undecided' ? first.requestId : '';
    await bench.payouts.settle(requestId, { state: 'paid', by: 'Ada', transferId: 't-1' });
    const failed = { transferDetails: { id: 't-1', requestId, status: 'FAILED' } };
    await bench.payouts.message(requestId, 'm1', { type: 'record', record: failed });
    await bench.payouts.message(requestId, 'm2', { type: 'other' } as never);
    const bad = (id: string) =>
      bench.order(id, { payer: 'p2', recipients: [{ userId: 'nobody', amount: '1' }] });
    await bench.payouts.enqueue([bad('x'), bad('y')]);
    await bench.work();
    await bench.payouts.hold({ group: 'g' }, ada);
    await bench.payouts.hold({}, ada);
    expect(await expectAgreement()).toEqual({ undecided: 1, notice: 2, problem: 1, hold: 3 });
    const scopes = [
      { payer: 'p2' },
      { group: 'g' },
      { group: 'h' },
      { payer: bench.payer, id: 'a' },
      { id: 'c' },
    ];
    const each: object[] = [];
    for (const scope of scopes) each.push(await expectAgreement(scope));
    expect(each).toEqual([
      { undecided: 0, notice: 0, problem: 0, hold: 3 },
      { undecided: 0, notice: 2, problem: 0, hold: 3 },
      { undecided: 0, notice: 0, problem: 1, hold: 2 },
      { undecided: 0, notice: 2, problem: 0, hold: 2 },
      { undecided: 0, notice: 0, problem: 1, hold: 3 },
    ]);
    isBroken = false;
    await bench.pass(30_000);
    await bench.work();
    await bench.payouts.settle(requestId, { state: 'paid', by: 'Ada' });
    await bench.payouts.resume({}, { by: 'Ada' });
    expect(await expectAgreement()).toEqual({ undecided: 1, notice: 0, problem: 0, hold: 0 });
  });

  it('also of rows that an earlier release stored', async () => {
    bench = await makeBench(opened, { maxFailures: 1 });
    await makeUndecided(3);
    await opened.lite.exec(
      'alter table payout drop column undecided, drop column notices; delete from payout_migration',
    );
    await bench.payouts.migrate();
    expect(await expectAgreement()).toEqual({ undecided: 3, notice: 0, problem: 0, hold: 0 });
  });
});
