import type { PayoutChange, Sql } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';
import { bench, MONTH, refusal, responding, usingDatabase } from './support.ts';

const db = usingDatabase();

/** Payouts with a ledger that moves with them, and fails for the employees of a set. */
async function withLedger(options: Parameters<typeof bench>[1] = {}) {
  const failing = new Set<string>();
  const told: PayoutChange[] = [];
  const onChange = async (sql: Sql, changes: readonly PayoutChange[]) => {
    for (const { employee, to } of changes) {
      if (failing.has(employee)) throw new Error(`no ledger for ${employee}`);
      await sql.query('insert into ledger values ($1, $2)', [employee, to]);
    }
    told.push(...changes);
  };
  const at = await bench(db(), { onChange, ...options });
  await db().query('create table ledger (employee text, state text)');
  const ledgerOf = async () => (await db().query<{ state: string }>('select * from ledger')).rows;
  const moves = () => told.splice(0).map(({ employee, from, to }) => `${employee} ${from} ${to}`);
  return { ...at, failing, told, moves, ledgerOf };
}

describe('onChange', () => {
  test('is told of each payout that moves, in the transaction that moves it, whoever moves it', async () => {
    const at = await withLedger({ lookup: async () => null });
    await at.enqueue([{}, { payee: 'nobody' }, {}]);
    expect(at.told).toEqual([]);
    await at.payouts.cancel({ employee: 'E3' });
    expect(at.moves()).toEqual(['E3 queued rejected']);
    await at.enqueue([{}, { payee: 'nobody' }, { amount: '11' }]);
    expect(at.moves()).toEqual(['E3 rejected queued']);
    await at.work();
    const [{ request_id: requestId, transfer_id: transferId } = {}] = await at.rows();
    expect(at.told.find(({ employee }) => employee === 'E1')).toEqual({
      ...{ month: MONTH, employee: 'E1', requestId, transferId },
      ...{ from: 'queued', to: 'accepted', reason: null },
    });
    expect(at.moves().toSorted()).toEqual(['E1 queued accepted', 'E2 queued rejected', 'E3 queued accepted']);
    await at.payouts.payAgain({ employee: 'E2' }, 'derived');
    expect(at.moves()).toEqual(['E2 rejected queued']);
    await at.work(responding(200, { transferDetails: { id: 't9', status: 'PENDING_APPROVAL' } }));
    await at.payouts.noteDecision({ id: 'e1', transferId: 't9', decision: 'APPROVED' });
    await at.pass(121);
    await at.payouts.settleByHand({ employee: 'E2' }, { state: 'rejected', by: 'Ada' });
    expect(at.moves()).toEqual([
      'E2 queued awaiting_approval',
      'E2 awaiting_approval accepted',
      'E2 accepted rejected',
    ]);
    expect(await at.ledgerOf()).toHaveLength(9);
  });

  test('is told of the recipients of a batch one by one', async () => {
    const at = await withLedger();
    await at.enqueue([{ payee: 'p1' }, { payee: 'p2' }], 2);
    const batch = [
      { userId: 'p1', status: 'COMPLETED' },
      { userId: 'p2', status: 'FAILED' },
    ];
    await at.work(
      responding(200, { transferDetails: { id: 't1', status: 'COMPLETED', destination: { batch } } }),
    );
    expect(at.moves()).toEqual(['E1 queued paid', 'E2 queued undecided']);
  });

  test('is told nothing where nothing moves', async () => {
    const at = await withLedger();
    await at.enqueue([{}]);
    await at.work(responding(429, refusal('SLOW_DOWN')));
    await at.payouts.hold();
    await at.payouts.resume();
    expect(at.told).toEqual([]);
  });

  test('that throws keeps its payout where it is, and only that one: a worker tries it again', async () => {
    const at = await withLedger();
    await at.enqueue([{}, {}, {}]);
    at.failing.add('E2');
    const errors: unknown[] = [];
    const worker = at.payouts.startWorker({ pollInterval: 10, onError: (error) => errors.push(error) });
    const states = async () => (await at.rows()).map(({ state }) => state);
    await expect.poll(states, { timeout: 20_000 }).toEqual(['accepted', 'queued', 'accepted']);
    expect(errors).toContainEqual(new Error('no ledger for E2'));
    at.failing.clear();
    await expect.poll(states, { timeout: 20_000 }).toEqual(['accepted', 'accepted', 'accepted']);
    await worker.stop();
    expect((await at.ledgerOf()).length).toBe(3);
    expect(at.emulator.requests()).toHaveLength(3);
  });

  test('that throws for the first payouts of a group does not hold up the others', async () => {
    const at = await withLedger();
    await at.enqueue(Array.from({ length: 12 }, () => ({})));
    for (const employee of ['E1', 'E2', 'E3', 'E4', 'E5']) at.failing.add(employee);
    const worker = at.payouts.startWorker({ pollInterval: 10, onError: () => {} });
    const accepted = async () => (await at.rows()).filter(({ state }) => state === 'accepted').length;
    await expect.poll(accepted, { timeout: 20_000 }).toBe(7);
    await worker.stop(0);
  });

  test('that throws in a sweep keeps only its own payout, and is told of', async () => {
    const at = await withLedger({
      lookupMany: async (queries) =>
        new Map(
          queries.map(({ requestId }) => [
            requestId,
            { transferDetails: { id: `t${requestId}`, requestId, status: 'COMPLETED' } },
          ]),
        ),
    });
    await at.enqueue([{}, {}, {}]);
    await db().query(`update payout_payment set state = 'accepted', attempts = 1`);
    at.failing.add('E2');
    await expect(at.payouts.sweep()).rejects.toThrow('failed in part');
    expect((await at.rows()).map(({ state }) => state)).toEqual(['paid', 'accepted', 'paid']);
    at.failing.clear();
    await at.pass(3600);
    await at.payouts.sweep();
    expect((await at.rows()).map(({ state }) => state)).toEqual(['paid', 'paid', 'paid']);
  });

  test('that throws in a command changes nothing', async () => {
    const at = await withLedger();
    await at.enqueue([{}]);
    at.failing.add('E1');
    await expect(at.payouts.cancel({ employee: 'E1' })).rejects.toThrow('no ledger for E1');
    expect((await at.rows()).map(({ state }) => state)).toEqual(['queued']);
  });
});
