import { expect, test } from 'vitest';
import { bench, onramp, transfer, US_ACCOUNT } from '../emulator/support.ts';

async function prepared() {
  const { emulator, call } = bench({
    webhook: { url: 'http://localhost/hooks', fetch: async () => new Response() },
  });
  const { userId } = emulator.createUser({ rails: ['usd'], externalWallets: 1 });
  const look = async (id: string) => (await call('GET', `/_emulator/records/${encodeURIComponent(id)}`)).body;
  return { emulator, call, userId, look };
}

test('a transfer is shown with the states that it was in', async () => {
  const { emulator, call, userId, look } = await prepared();
  const { body: made } = await call(
    'POST',
    '/v2/wallets/transfers',
    transfer(userId, { requireApproval: true }),
  );
  emulator.approve(made.transferDetails.receipt.approval.id);
  const view = await look(made.transferDetails.id);
  expect(view).toMatchObject({ kind: 'transfers', record: { id: made.transferDetails.id } });
  const entered = view.states.map(({ status }: { status: string }) => status);
  expect([entered[0], entered.at(-1)]).toEqual(['PENDING_APPROVAL', 'COMPLETED']);
});

test('every kind of record is found by its id', async () => {
  const { emulator, call, userId, look } = await prepared();
  const account = await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
  const made = await call('POST', '/v2/onramps', onramp(userId));
  emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 5 });
  const fault = emulator.faults.inject({ kind: 'status', operation: 'kyc.retrieve' });
  const { balances, events } = emulator.state();
  const deliveries = emulator.deliveries.list();
  for (const [kind, id] of [
    ['accounts', account.body.id ?? account.body.accountId],
    ['onramps', made.body.transferDetails.id],
    ['balances', balances[0]?.id],
    ['events', events[0]?.eventId],
    ['deliveries', deliveries[0]?.id],
    ['faults', fault.id],
  ])
    expect(await look(id), kind).toMatchObject({ kind, record: { id } });
});

test('an id of no record is refused with 404', async () => {
  const { call } = await prepared();
  expect((await call('GET', '/_emulator/records/none')).status).toBe(404);
});

test('an onramp is shown with its latest 200 states, and with why it failed', async () => {
  const { emulator, call, userId, look } = await prepared();
  const { body: made } = await call('POST', '/v2/onramps', onramp(userId));
  const { id } = made.transferDetails;
  for (let round = 0; round < 101; round += 1) {
    for (const status of ['FIAT_PENDING', 'AWAITING_FUNDS'] as const) emulator.advanceOnramp(id, { status });
    // The states are noted as requests come in.
    await look(id);
  }
  emulator.advanceOnramp(id, { status: 'EXPIRED' });
  const { states, record } = await look(id);
  expect(states).toHaveLength(200);
  expect(states.at(-1)).toMatchObject({ status: 'EXPIRED' });
  expect(record.transferDetails).toMatchObject({
    error: 'EXPIRED',
    errorDetails: 'The onramp failed in EXPIRED',
    failedReason: 'The onramp failed in EXPIRED',
  });
  emulator.advanceOnramp(id, { status: 'FIAT_RETURNED' });
  expect((await look(id)).record.transferDetails.error).toBe('INTERNAL_ERROR');
});

test('a request that is too old to be kept whole is shown without its headers', async () => {
  const { call, look } = await prepared();
  for (let count = 0; count < 501; count += 1) await call('GET', '/v2/transfer-approvals?limit=1');
  expect((await look('request-1')).record).toMatchObject({
    target: '/v2/transfer-approvals',
    headers: [],
    body: null,
    responseHeaders: [],
    responseBody: null,
  });
  expect((await look('request-2')).record).toMatchObject({
    target: '/v2/transfer-approvals?limit=1',
  });
});
