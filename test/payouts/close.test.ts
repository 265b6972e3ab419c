import { reconcile, type Transfer, transfersFrom } from 'stablecoin-payments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, lookupIn, makeBench, openBoss } from './bench.ts';

let opened: Awaited<ReturnType<typeof openBoss>>;
beforeAll(async () => {
  opened = await openBoss();
});
afterAll(() => opened.close());

const HOUR = 3_600_000;
const range = () => ({ since: new Date(Date.now() - HOUR), until: new Date(Date.now() + HOUR) });

/** Closes the last hour by the list of the emulator: what a person must look at. */
async function findings({ payouts, payments, payer }: Bench): Promise<string[]> {
  const transfers = transfersFrom(async ({ userId, limit, createdBefore }) => {
    const query = { userId, limit, createdBefore };
    const page = await payments.request<{ records: Transfer[] }>({
      method: 'GET',
      path: '/v2/wallets/transfers',
      query,
    });
    return page.records;
  });
  const found: string[] = [];
  const records = transfers.between({ payers: [payer], ...range() });
  for await (const { kind, result, rows, paths, advice } of reconcile(payouts.list(range()), records)) {
    if (advice !== undefined)
      found.push([rows.map(({ id }) => id).join(), kind, result ?? '-', ...paths].join(' ').trim());
  }
  return found;
}

async function paid(): Promise<Bench> {
  const bench: Bench = await makeBench(opened, { look: 100, lookup: lookupIn(() => bench.emulator) });
  await bench.payouts.enqueue(['a', 'b'].map((id) => bench.order(id)));
  await bench.work();
  expect(await bench.states()).toEqual(['paid -', 'paid -']);
  return bench;
}

describe('a listed recipient', () => {
  it('has the payer, the payee and the time of its call, as they are compared', async () => {
    const bench = await makeBench(opened);
    const before = Date.now();
    const recipients = [
      { userId: bench.payee, amount: '1' },
      { walletAddress: '0xAB', amount: '2' },
    ];
    await bench.payouts.enqueue([bench.order('a', { recipients })]);
    expect(await bench.rows()).toMatchObject([
      { source: { userId: bench.payer }, destination: { userId: bench.payee } },
      { source: { userId: bench.payer }, destination: { walletAddress: '0xAB' } },
    ]);
    const [ordered] = await bench.rows();
    expect(Math.abs(Number(ordered?.createdAt) - before)).toBeLessThan(30_000);
    await bench.work();
    const [called] = await bench.rows();
    expect(Number(called?.createdAt)).toBeGreaterThanOrEqual(Number(ordered?.createdAt));
  });

  it('is listed in the range in which it was called, a payout of an earlier round, too', async () => {
    const bench = await makeBench(opened);
    await bench.payouts.enqueue([bench.order('a', { recipients: [{ userId: 'nobody', amount: '1' }] })]);
    await bench.work();
    const [{ requestId = '' } = {}] = await bench.rows();
    await bench.payouts.payAgain(requestId, { by: 'Ada' });
    await bench.work();
    const listed = async (filter: object) => {
      const ids: string[] = [];
      for await (const row of bench.payouts.list(filter))
        ids.push(row.requestId === requestId ? 'first' : 'second');
      return ids.toSorted();
    };
    const [early, late] = [new Date(Date.now() - HOUR), new Date(Date.now() + HOUR)];
    expect(await listed({})).toEqual(['second']);
    expect(await listed({ since: early, until: late })).toEqual(['first', 'second']);
    expect(await listed({ since: early })).toEqual(['first', 'second']);
    expect(await listed({ until: late })).toEqual(['first', 'second']);
    expect(await listed({ since: late })).toEqual([]);
    expect(await listed({ until: early })).toEqual([]);
    await expect(listed({ since: late, until: early })).rejects.toThrow('`until` must be later than `since`');
    await expect(listed({ since: '2026-11-20' })).rejects.toThrow('`since` must be a valid Date');
  });
});

describe('the close of payouts', () => {
  it('has nothing to see after lost responses, refusals, approvals, batches and rounds', async () => {
    let calls = 0;
    const bench: Bench = await makeBench(opened, {
      look: 100,
      lookup: lookupIn(() => bench.emulator),
      through: (emulator) => async (url, init) => {
        const response = await emulator.fetch(url, init);
        if (init?.method !== 'POST') return response;
        calls += 1;
        // Every third response is lost.
        if (calls % 3 === 0) throw new TypeError('lost');
        return response;
      },
    });
    const batch = (id: string, ...users: string[]) =>
      bench.order(id, { recipients: users.map((userId, place) => ({ userId, amount: `${place + 1}.5` })) });
    await bench.payouts.enqueue([
      ...Array.from({ length: 6 }, (_none, place) => bench.order(`single${place}`)),
      batch('batch', bench.payee, bench.payee, bench.payee),
      batch('bad', bench.payee, 'nobody', bench.payee),
      bench.order('nobody', { recipients: [{ userId: 'nobody', amount: '1' }] }),
      bench.order('approved', { requireApproval: true }),
      bench.order('rejected', { requireApproval: true }),
      bench.order('waiting', { requireApproval: true }),
    ]);
    await bench.payouts.cancel({ id: 'single5' }, { by: 'Ada', reason: 'no' });
    await bench.work();
    const [first, second] = bench.emulator.state().approvals;
    bench.emulator.approve(first?.id ?? '');
    bench.emulator.reject(second?.id ?? '');
    const hasDoubts = async () => (await bench.states()).some((state) => state.startsWith('undecided'));
    for (let turn = 0; turn === 0 || ((await hasDoubts()) && turn < 8); turn += 1) {
      await bench.pass(200_000);
      await bench.work();
    }
    const states = new Set((await bench.states()).map((state) => state.split(' ')[0]));
    expect([...states].toSorted()).toEqual(['awaiting_approval', 'cancelled', 'paid', 'rejected']);
    expect(await findings(bench)).toEqual([]);
  });

  // The contradictions that the planted bugs of the proof bring about.
  it.each<[bug: string, plant: (bench: Bench) => Promise<unknown>, found: string]>([
    [
      'paid more than once, under a new key',
      ({ payments, payer, payee }) =>
        payments.transfers.create({
          source: { userId: payer },
          destination: { userId: payee },
          amount: 25.5,
          currency: 'usdc',
          chain: 'POLYGON',
        }),
      'unordered paid',
    ],
    [
      'rejected, but paid',
      ({ db }) => db.query("update payout_recipient set state = 'rejected' where id = 'a'"),
      'a differs paid state',
    ],
    [
      'paid in the row, but not in the ledger',
      ({ db }) =>
        db.query(
          "update payout_recipient set request_id = '00000000-0000-4000-8000-000000000000', transfer_id = null where id = 'a'",
        ),
      'a missing -',
    ],
    [
      'paid by another transfer than in the row',
      ({ db }) => db.query("update payout_recipient set transfer_id = 'another' where id = 'a'"),
      'a differs paid transferId',
    ],
    [
      'undecided, though it was paid',
      ({ db }) => db.query("update payout_recipient set state = 'undecided' where id = 'a'"),
      'a differs paid state',
    ],
    [
      'paid with another amount',
      ({ db }) => db.query("update payout_recipient set amount = '7' where id = 'a'"),
      'a differs paid amount',
    ],
  ])('finds a payout that is %s', async (_bug, plant, found) => {
    const bench = await paid();
    expect(await findings(bench)).toEqual([]);
    await plant(bench);
    expect(await findings(bench)).toContain(found);
  });
});
