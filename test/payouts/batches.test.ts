import { describe, expect, test } from 'vitest';
import { bench, MONTH, refusal, responding, usingDatabase } from './support.ts';

const db = usingDatabase();
const by = 'Ada';

/** A batch of three whose lookup says what became of each recipient. */
async function batchOf(statuses: readonly (string | undefined)[], status = 'COMPLETED') {
  const at = await bench(db(), {
    settlementStep: 60_000,
    lookup: async ({ requestId, transferId }) => ({
      transferDetails: {
        id: transferId,
        requestId,
        status,
        destination: {
          batch: ['p1', 'p2', 'p3'].map((userId, place) => ({ userId, status: statuses[place] })),
        },
      },
    }),
  });
  await at.enqueue([{ payee: 'p1' }, { payee: 'p2', amount: '20' }, { payee: 'p3' }], 3);
  return at;
}

describe('a batch whose record shows that one recipient was not paid', () => {
  const looked = async () => {
    const at = await batchOf(['COMPLETED', 'FAILED', 'COMPLETED']);
    await at.work(responding(200, { transferDetails: { id: 't1', status: 'CREATED' } }));
    await at.payouts.sweep();
    return at;
  };

  test('pays the others, and leaves that one to a person', async () => {
    const at = await looked();
    expect(await at.states()).toEqual([
      ['paid', null],
      ['undecided', 'RECIPIENT_NOT_PAID'],
      ['paid', null],
    ]);
    const [row, ...others] = await at.payouts.review();
    expect([row, others]).toMatchObject([{ employee: 'E2', reason: 'RECIPIENT_NOT_PAID' }, []]);
    expect((await at.payouts.summary(MONTH)).lines).toContainEqual({
      state: 'paid',
      payouts: 2,
      amount: '20.000000',
    });
  });

  test('is settled and paid again for that one alone', async () => {
    const at = await looked();
    const which = { month: MONTH, employee: 'E2' };
    await at.pass(121);
    await expect(at.payouts.payAgain({ ...which }, 'derived')).resolves.toMatchObject({ payments: 0 });
    expect(await at.payouts.settleByHand(which, { state: 'rejected', by })).toBe(1);
    expect((await at.states()).map(([state]) => state)).toEqual(['paid', 'rejected', 'paid']);
    const [{ request_id: before = '' } = {}] = await at.rows();
    await expect(at.payouts.payAgain(which, 'same')).resolves.toMatchObject({ payments: 0, refused: [{}] });
    expect(await at.payouts.payAgain(which, 'derived')).toEqual({
      payments: 1,
      payouts: 1,
      amount: '20.000000',
      refused: [],
    });
    const bodies: { destination: { batch: unknown[] } }[] = [];
    await at.work(async (_url, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      return Response.json({ transferDetails: { id: 't2', status: 'COMPLETED' } });
    });
    expect(bodies).toMatchObject([{ destination: { batch: [{ userId: 'p2', amount: '20' }] } }]);
    const rows = await at.rows();
    expect(rows.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid']);
    expect(rows.map(({ request_id }) => request_id === before)).toEqual([true, false, true]);
  });

  test('is too late to cancel, as a whole or for one recipient', async () => {
    const at = await looked();
    expect(await at.payouts.cancel({ employee: 'E2' })).toEqual({ cancelled: 0, inDoubt: 0, tooLate: 1 });
    expect(await at.payouts.cancel({ month: MONTH })).toEqual({ cancelled: 0, inDoubt: 0, tooLate: 3 });
    expect((await at.states()).map(([state]) => state)).toEqual(['paid', 'undecided', 'paid']);
  });

  test('never pays the others again, and never calls them rejected', async () => {
    const at = await looked();
    const [{ request_id: requestId = '' } = {}] = await at.rows();
    await at.pass(121);
    for (const which of [{ employee: 'E1' }, { requestId, employee: 'E3' }] as const) {
      expect(await at.payouts.settleByHand(which, { state: 'rejected', by })).toBe(0);
      for (const key of ['same', 'derived'] as const)
        expect(await at.payouts.payAgain(which, key)).toMatchObject({ payments: 0 });
    }
    expect(await at.payouts.settleByHand({ month: MONTH }, { state: 'rejected', by })).toBe(1);
    expect((await at.states()).map(([state]) => state)).toEqual(['paid', 'rejected', 'paid']);
    const report = await at.payouts.payAgain({ month: MONTH }, 'derived');
    expect(report).toMatchObject({ payments: 1, payouts: 1, amount: '20.000000' });
    expect(report.refused.map(({ employee }) => employee)).toEqual(['E1', 'E3']);
  });

  test('refuses to call a recipient rejected whom a record shows as paid, whatever the state', async () => {
    const at = await looked();
    await db().query(`update payout_payment set state = 'accepted'`);
    await at.pass(121);
    await expect(at.payouts.settleByHand({ employee: 'E1' }, { state: 'rejected', by })).rejects.toThrow(
      'A record shows that the payout of "E1" was paid',
    );
  });
});

test.each(['SUCCESS', 'PAID', 'CONFIRMED'])(
  'a completed batch whose recipients say %s is paid',
  async (status) => {
    const at = await batchOf([status, status, status]);
    await at.work(responding(200, { transferDetails: { id: 't1', status: 'CREATED' } }));
    await at.payouts.sweep();
    expect((await at.states()).map(([state]) => state)).toEqual(['paid', 'paid', 'paid']);
  },
);

test('a failed batch keeps the recipient paid whom its record shows as paid', async () => {
  const at = await batchOf(['COMPLETED', 'FAILED', undefined], 'FAILED');
  await at.work(responding(200, { transferDetails: { id: 't1', status: 'CREATED' } }));
  await at.payouts.sweep();
  expect(await at.states()).toEqual([
    ['paid', null],
    ['rejected', 'TRANSFER_FAILED'],
    ['rejected', 'TRANSFER_FAILED'],
  ]);
  const report = await at.payouts.payAgain({ month: MONTH }, 'derived');
  expect(report).toMatchObject({ payouts: 2, refused: [{ employee: 'E1', why: expect.any(String) }] });
});

describe('a person settles a batch', () => {
  const rejectedBatch = async () => {
    const at = await bench(db());
    await at.enqueue([{}, { amount: '20' }, {}], 3);
    await at.work(responding(200, { transferDetails: { id: 't1', status: 'CREATED' } }));
    await at.pass(121);
    const [{ request_id: requestId = '' } = {}] = await at.rows();
    return { ...at, requestId };
  };

  test('recipient by recipient, and the batch is final with the last of them', async () => {
    const at = await rejectedBatch();
    const settle = (employee: string, state: 'paid' | 'rejected') =>
      at.payouts.settleByHand(
        { month: MONTH, employee },
        { state, by, ...(state === 'paid' && { transferId: 't1' }) },
      );
    expect(await settle('E2', 'rejected')).toBe(1);
    expect((await at.states()).map(([state]) => state)).toEqual(['accepted', 'rejected', 'accepted']);
    expect(await settle('E1', 'paid')).toBe(1);
    expect(await settle('E3', 'paid')).toBe(1);
    expect((await at.states()).map(([state]) => state)).toEqual(['paid', 'rejected', 'paid']);
    const { rows } = await db().query('select state, transfer_id from payout_payment');
    expect(rows).toEqual([{ state: 'paid', transfer_id: 't1' }]);
  });

  test('and a later record that shows the payment is told, and forbids to pay it again', async () => {
    const at = await rejectedBatch();
    await at.payouts.settleByHand({ employee: 'E2' }, { state: 'rejected', by });
    await at.payouts.noteRecord({
      id: 'e1',
      record: { transferDetails: { id: 't1', requestId: at.requestId, status: 'COMPLETED' } },
    });
    expect((await at.states()).map(([state]) => state)).toEqual(['paid', 'rejected', 'paid']);
    expect(await at.payouts.review()).toMatchObject([
      { employee: 'E2', notices: ['CONTRADICTION shown as paid'] },
    ]);
    await at.payouts.acknowledge({ employee: 'E2' });
    const report = await at.payouts.payAgain({ employee: 'E2' }, 'derived');
    expect(report).toMatchObject({ payments: 0, refused: [{ why: 'a record shows that it was paid.' }] });
  });
});

test('one recipient of a batch that was surely not paid is paid again alone, and the others later', async () => {
  const at = await bench(db());
  await at.enqueue([{}, { amount: '20' }, {}], 3);
  await db().query(`update payout_payment set state = 'rejected', reason = 'APPROVAL_REJECTED'`);
  const [{ request_id: requestId = '' } = {}] = await at.rows();
  expect(await at.payouts.payAgain({ employee: 'E2' }, 'derived')).toMatchObject({ payouts: 1 });
  await expect(at.payouts.payAgain(requestId, 'same')).rejects.toThrow('would pay the whole batch');
  expect(await at.payouts.payAgain(requestId, 'derived')).toMatchObject({ payouts: 2 });
  expect(await at.work()).toBe(2);
  expect(at.ledger()).toEqual(['batch 20 COMPLETED', 'batch 20 COMPLETED']);
  expect((await at.states()).map(([state]) => state)).toEqual(['accepted', 'accepted', 'accepted']);
});

test('a batch that is refused again after one recipient was taken out is split without that one', async () => {
  const at = await bench(db());
  await at.enqueue([{}, { amount: '20' }, {}], 3);
  await db().query(`update payout_payment set state = 'rejected', reason = 'APPROVAL_REJECTED'`);
  await at.payouts.payAgain({ employee: 'E2' }, 'derived');
  await at.payouts.payAgain({ month: MONTH, state: 'rejected' }, 'derived');
  await at.work(responding(404, refusal('USER_NOT_FOUND')));
  expect(await at.work()).toBe(2);
  expect(at.ledger()).toEqual(['batch 10 COMPLETED', 'batch 10 COMPLETED']);
});
