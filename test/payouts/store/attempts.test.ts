import { requestIdFrom } from 'stablecoin-payments';
import { createPayouts, type Database, migratePayouts, type Sql } from 'stablecoin-payments/payouts';
import { describe, expect, test, vi } from 'vitest';
import { pausesFrom } from '../../../src/payouts/rules/pause.ts';
import type { CallResult } from '../../../src/payouts/rules/see-result.ts';
import { begin } from '../../../src/payouts/store/begin.ts';
import { settle } from '../../../src/payouts/store/settle.ts';
import { type Bench, bench, usingDatabase } from '../support.ts';

const db = usingDatabase();
const rules = { pauses: pausesFrom(), maxFailures: 3, random: 0 };
const nobody = '00000000-0000-4000-8000-000000000000';

/** Begins the attempts of all jobs that are due. */
const beginAll = (at: Bench) => at.db.transaction(async (sql) => begin(sql, await at.queue.take(sql, 1000)));

/** Notes the same result for all attempts that begin now. Returns the jobs that are due after it. */
async function noteAll(at: Bench, result: CallResult) {
  const { attempts } = await beginAll(at);
  await settle(
    at.db,
    at.queue,
    attempts.map((attempt) => ({ attempt, result })),
    rules,
  );
  return at.queue.take(at.db, 1000);
}

describe('the attempts that begin', () => {
  test('name their recipients by employee, however the rows lie in the table', async () => {
    const at = await bench(db());
    const employees = ['E3', 'E1', 'E5', 'E2', 'E4'];
    await at.enqueue(
      employees.map((employee) => ({ employee, amount: employee.slice(1) })),
      5,
    );
    const { attempts, idle, later } = await beginAll(at);
    expect(attempts.map(({ number }) => number)).toEqual([1]);
    expect(attempts[0]?.recipients.map(({ employee, amount }) => [employee, amount])).toEqual([
      ['E1', '1.000000'],
      ['E2', '2.000000'],
      ['E3', '3.000000'],
      ['E4', '4.000000'],
      ['E5', '5.000000'],
    ]);
    expect([idle, later]).toEqual([[], []]);
  });

  test('name them in the same order where the database gives them in another', async () => {
    const employees = ['E3', 'E1', 'E5', 'E2', 'E4'];
    const rows = employees.map((employee) => ({ employee, request_id: nobody, attempts: 1 }));
    const sql = { query: async () => JSON.parse(JSON.stringify({ rows })) };
    const { attempts } = await begin(sql, [{ id: '1', requestId: nobody }]);
    expect(attempts[0]?.recipients.map(({ employee }) => employee)).toEqual(['E1', 'E2', 'E3', 'E4', 'E5']);
  });

  test('leave jobs that have nothing to pay, and bring back those that come too early', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}]);
    const [early, due] = await at.rows();
    await db().query(`update payout set due_at = now() + interval '1 hour' where employee = 'E1'`);
    const jobs = [
      { id: '1', requestId: early?.request_id ?? '' },
      { id: '2', requestId: nobody },
      { id: '3', requestId: due?.request_id ?? '' },
      { id: '4', requestId: due?.request_id ?? '' },
    ];
    const { attempts, idle, later } = await begin(db(), jobs);
    expect(attempts.map(({ job }) => job.id)).toEqual(['3']);
    expect(idle.map(({ id }) => id)).toEqual(['1', '2', '4']);
    expect(later.map(({ requestId }) => requestId)).toEqual([early?.request_id]);
    expect(later[0]?.afterSeconds).toBeGreaterThan(3500);
    expect(later[0]?.afterSeconds).toBeLessThanOrEqual(3600);
  });
});

/** The same database, and the statements that it is asked from now on. */
function listening(database: Database): { readonly database: Database; readonly asked: string[] } {
  const asked: string[] = [];
  const to = (sql: Sql): Sql => ({
    query: (text, values) => {
      asked.push(text);
      return sql.query(text, values);
    },
  });
  return {
    asked,
    database: { ...to(database), transaction: (work) => database.transaction((sql) => work(to(sql))) },
  };
}

describe('the statements of a result', () => {
  test('are two for a payout without approval, and one where nothing changes', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const { database, asked } = listening(db());
    const added = vi.spyOn(at.queue, 'add');
    const { attempts } = await database.transaction(async (sql) => begin(sql, await at.queue.take(sql, 9)));
    expect(asked).toHaveLength(1);
    const paid = { reading: { transferId: 't1', state: 'paid' } } as const;
    for (const statements of [['select', 'update'], ['select']]) {
      asked.splice(0);
      await settle(
        database,
        at.queue,
        attempts.map((attempt) => ({ attempt, result: paid })),
        rules,
      );
      expect(asked.map((text) => text.trim().split(/\s/)[0])).toEqual(statements);
    }
    expect(added).not.toHaveBeenCalled();
  });

  test('for a payout with approval lock the transfer first, and look for its decision last', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }]);
    const { attempts } = await beginAll(at);
    const { database, asked } = listening(db());
    const result = { reading: { transferId: 't1', state: 'awaiting_approval' } } as const;
    await settle(
      database,
      at.queue,
      attempts.map((attempt) => ({ attempt, result })),
      rules,
    );
    expect(asked).toHaveLength(4);
    expect(asked[0]).toContain('pg_advisory_xact_lock');
    expect(asked[1]).toContain('for update');
    expect(asked[3]).toContain('from payout_decision');
  });

  test('of a payroll that is there already are a lock and a look', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const { database, asked } = listening(db());
    const payouts = createPayouts({ ...parts(at), db: database });
    const added = vi.spyOn(at.queue, 'add');
    const orders = [{ employee: 'E1', payee: at.payee, amount: '10' }];
    const payroll = { month: '2026-11', currency: 'usdc', chain: 'POLYGON', orders };
    expect(await payouts.enqueue(payroll)).toBe(0);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('pg_advisory_xact_lock');
    expect(added).not.toHaveBeenCalled();
  });

  test('of a decision begin with the lock of the transfer', async () => {
    const at = await bench(db());
    const { database, asked } = listening(db());
    const { noteDecision } = createPayouts({ ...parts(at), db: database });
    await noteDecision({ id: 'e1', transferId: 't1', decision: 'APPROVED' });
    expect(asked[0]).toContain('pg_advisory_xact_lock');
    // Nobody's transfer: the event, the decision, the past, the decision again and the rows.
    expect(asked).toHaveLength(6);
  });

  test('of a migration begin with a lock, and make the indexes', async () => {
    const { database, asked } = listening(db());
    expect(await migratePayouts(database)).toBe(1);
    expect(asked[0]).toContain('pg_advisory_xact_lock');
    expect((await db().query('select finished_at from payout_sweep')).rows).toEqual([{ finished_at: null }]);
    const { rows } = await db().query<{ name: string }>(
      `select indexname as name from pg_indexes where schemaname = 'public'
         and indexname not like '%key' order by indexname`,
    );
    expect(rows.map(({ name }) => name)).toEqual([
      'payout_event_age',
      'payout_open',
      'payout_past_transfer',
      'payout_request',
      'payout_transfer',
    ]);
  });
});

const parts = ({ queue, userId }: Bench) => ({
  queue,
  userId,
  payments: {
    transfers: { create: () => expect.unreachable(), createBatch: () => expect.unreachable() },
    approvals: { list: () => expect.unreachable() },
  },
});

describe('the result of an attempt', () => {
  test('whose payout was given another key meanwhile changes nothing', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const { attempts } = await beginAll(at);
    await db().query('update payout set request_id = $1', [nobody]);
    const reading = { transferId: 't1', state: 'paid' } as const;
    for (const result of [{ reading }, { verdict: { action: 'made', reason: 'KNOWN' } }] as const) {
      await settle(
        at.db,
        at.queue,
        attempts.map((attempt) => ({ attempt, result })),
        rules,
      );
    }
    expect(await at.rows()).toMatchObject([{ state: 'queued', transfer_id: null }]);
  });

  test('is noted with its transfer, its approval and its time', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}]);
    const expiresAt = new Date('2026-11-08T00:00:00Z');
    const state = 'awaiting_approval';
    expect(await noteAll(at, { reading: { transferId: 't1', state, approvalId: 'a1', expiresAt } })).toEqual(
      [],
    );
    const { rows } = await db().query('select state, transfer_id, approval_id, expires_at from payout');
    const expected = { state, transfer_id: 't1', approval_id: 'a1', expires_at: expiresAt };
    expect(rows).toEqual([expected, expected]);
  });

  test('that shows no transfer is noted for a payout with approval as for any other', async () => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }]);
    expect(await noteAll(at, { verdict: { action: 'wait', reason: 'BUSY' } })).toEqual([]);
    expect(await at.states()).toEqual([['queued', 'BUSY']]);
    await at.pass(2);
    const { attempts } = await beginAll(at);
    const result = { reading: undefined };
    await settle(
      at.db,
      at.queue,
      attempts.map((attempt) => ({ attempt, result })),
      rules,
    );
    expect(await at.states()).toEqual([['made', 'RESPONSE_WITHOUT_TRANSFER_ID']]);
  });

  test('that pauses a part of its rows brings the job back all the same', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}], 2);
    const { attempts } = await beginAll(at);
    await db().query(`update payout set attempts = 2 where employee = 'E1'`);
    const added = vi.spyOn(at.queue, 'add');
    await settle(
      at.db,
      at.queue,
      attempts.map((attempt) => ({
        attempt,
        result: { verdict: { action: 'wait', reason: 'BUSY' } } as const,
      })),
      rules,
    );
    expect(added).toHaveBeenCalledWith(expect.anything(), [
      { requestId: attempts[0]?.job.requestId, afterSeconds: 1 },
    ]);
  });

  test('that the key is known, after a refusal of the same key, gives the payout its next key', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const [before] = await at.rows();
    await db().query('update payout set refused_before = true');
    const jobs = await noteAll(at, { verdict: { action: 'made', reason: 'KNOWN' } });
    const next = requestIdFrom('payout', before?.request_id ?? '', 'again', 1);
    expect(jobs.map(({ requestId }) => requestId)).toEqual([next]);
    expect(await at.rows()).toMatchObject([{ request_id: next, state: 'queued', refused_before: false }]);
  });

  test('that is a second transfer leaves a notice for a person', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}]);
    await db().query(`update payout set transfer_id = 't1' where employee = 'E1'`);
    await noteAll(at, { reading: { transferId: 't2', state: 'paid' } });
    const { rows } = await db().query('select month, employee, kind, detail from payout_notice');
    expect(rows).toEqual([{ month: '2026-11', employee: 'E1', kind: 'TWO_TRANSFERS', detail: 't1 t2' }]);
    expect(await at.states()).toEqual([
      ['undecided', 'TWO_TRANSFERS'],
      ['paid', null],
    ]);
  });

  test('that is a pause of a batch brings one job back, after the pause', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}, {}], 3);
    const waits = { verdict: { action: 'wait', reason: 'BUSY', retryAfter: 60 } } as const;
    expect(await noteAll(at, waits)).toEqual([]);
    expect(await at.states()).toEqual([
      ['queued', 'BUSY'],
      ['queued', 'BUSY'],
      ['queued', 'BUSY'],
    ]);
    await at.pass(59);
    expect(await at.queue.take(at.db, 10)).toEqual([]);
    await at.pass(1);
    const jobs = await at.queue.take(at.db, 10);
    expect(jobs.map(({ requestId }) => requestId)).toEqual([(await at.rows())[0]?.request_id]);
  });

  test('that refuses a batch of three leaves a part of two and a part of one', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}, {}], 3);
    const added = vi.spyOn(at.queue, 'add');
    const jobs = await noteAll(at, { verdict: { action: 'reject', reason: 'NO' } });
    const rows = await at.rows();
    expect(added.mock.lastCall?.[1]).toEqual([
      { requestId: rows[0]?.request_id, afterSeconds: 0 },
      { requestId: rows[2]?.request_id, afterSeconds: 0 },
    ]);
    expect(rows.map(({ batch }) => batch)).toEqual(['1.1', '1.1', '1.2']);
    expect(jobs.map(({ requestId }) => requestId)).toEqual([rows[0]?.request_id, rows[2]?.request_id]);
    expect(rows[0]?.request_id).toBe(rows[1]?.request_id);
  });
});
