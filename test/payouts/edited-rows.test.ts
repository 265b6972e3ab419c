import { describe, expect, test } from 'vitest';
import { bench, MONTH, refusal, responding, usingDatabase } from './support.ts';

const db = usingDatabase();
const OTHER = '7d3b0e1c-5f1a-4b57-9a53-2f4b8f0f6c11';

/** Edits the stored body of a payment. */
async function editBody(requestId: string | undefined, edit: (body: string) => string): Promise<void> {
  const { rows } = await db().query<{ body: string }>(
    'select body from payout_payment where request_id = $1',
    [requestId],
  );
  const body = edit(rows[0]?.body ?? '');
  expect(body).not.toBe(rows[0]?.body);
  await db().query('update payout_payment set body = $1 where request_id = $2', [body, requestId]);
}

describe('a payment whose rows somebody edited is paid to nobody, and holds up no other:', () => {
  test.each<[what: string, edit: (body: string) => string]>([
    ['a body that is no JSON', (body) => body.slice(0, -1)],
    ['null for a body', () => 'null'],
    ['another key', (body) => body.replace(/"requestId":"[^"]+"/, `"requestId":"${OTHER}"`)],
    ['another amount', (body) => body.replace('"amount":10', '"amount":100')],
    ['another currency', (body) => body.replace('usdc', 'usdt')],
    ['another chain', (body) => body.replace('POLYGON', 'SOLANA')],
    ['another payee', (body) => body.replace(/("destination":\{"userId":)"[^"]+"/, `$1"${OTHER}"`)],
    ['another payer', (body) => body.replace(/("source":\{"userId":)"[^"]+"/, `$1"${OTHER}"`)],
    ['no approval', (body) => body.replace('"requireApproval":true', '"requireApproval":false')],
  ])('%s', async (_what, edit) => {
    const at = await bench(db());
    await at.enqueue([{ needsApproval: true }, {}]);
    const [first] = await at.rows();
    await editBody(first?.request_id, edit);
    await at.work();
    await at.work();
    expect(await at.states()).toEqual([
      ['undecided', 'ROWS_EDITED'],
      ['accepted', null],
    ]);
    expect(at.ledger()).toHaveLength(1);
    expect(await at.payouts.review(MONTH)).toMatchObject([{ reason: 'ROWS_EDITED', for: 'operator' }]);
  });

  test('an order with another amount, which pays once it is restored', async () => {
    const at = await bench(db());
    await at.enqueue([{}]);
    const setAmount = (amount: string) => db().query('update payout_order set amount = $1', [amount]);
    await setAmount('12');
    await at.work();
    expect(await at.states()).toEqual([['undecided', 'ROWS_EDITED']]);
    expect(at.ledger()).toEqual([]);
    await setAmount('10');
    await at.payouts.payAgain({ state: 'undecided' }, 'same');
    await at.work();
    expect(await at.states()).toEqual([['accepted', null]]);
    expect(at.ledger()).toHaveLength(1);
  });

  test('a batch without one of its orders', async () => {
    const at = await bench(db());
    await at.enqueue([{}, {}, {}], 3);
    await db().query('delete from payout_order where place = 1');
    await at.work();
    expect(await at.states()).toEqual(Array(2).fill(['undecided', 'ROWS_EDITED']));
    expect(at.ledger()).toEqual([]);
  });
});

test('a body that cannot be read holds up no lookup of another payment when its key is replaced', async () => {
  const at = await bench(db(), { lookup: async () => null });
  await at.enqueue([{}, {}]);
  await at.work(responding(400, refusal('INSUFFICIENT_BALANCE')));
  await at.pass(70);
  await at.work(responding(409, refusal('TRANSACTION_REQUEST_ALREADY_EXISTS')));
  const [first] = await at.rows();
  await editBody(first?.request_id, () => 'null');
  await at.pass(130);
  await at.payouts.sweep();
  await at.work();
  expect(await at.states()).toEqual([
    ['undecided', 'ROWS_EDITED'],
    ['accepted', null],
  ]);
});

test('an event about a payment whose body cannot be read is shown, and is not lost', async () => {
  const at = await bench(db());
  await at.enqueue([{}]);
  await at.work();
  const [row] = await at.rows();
  await editBody(row?.request_id, () => '{');
  const transferDetails = { id: row?.transfer_id, status: 'COMPLETED' };
  await at.payouts.noteRecord({ id: 'e1', record: { transferDetails } });
  const [shown] = await at.payouts.review(MONTH);
  expect(shown?.notices).toEqual(['RECORD_OF_ANOTHER_PAYMENT event: body']);
});
