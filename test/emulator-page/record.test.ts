import { expect, test } from 'vitest';
import { bench, newId, onramp, transfer, US_ACCOUNT } from '../emulator/support.ts';

const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

async function prepared() {
  const { emulator, call } = bench({
    webhook: { url: 'http://localhost/hooks', fetch: async () => new Response() },
  });
  const { userId } = emulator.createUser({ rails: ['usd'], externalWallets: 1 });
  const stranger = emulator.createUser({ rails: ['usd'], externalWallets: 1 });
  const look = async (id: string) => (await call('GET', `/_emulator/records/${encodeURIComponent(id)}`)).body;
  return { emulator, call, userId, stranger: stranger.userId, look };
}

test('a transfer is shown with its states, its approval, its events and the request that created it', async () => {
  const { emulator, call, userId, stranger, look } = await prepared();
  const create = transfer(userId, { requireApproval: true });
  const { body: made } = await call('POST', '/v2/wallets/transfers', create);
  await call('POST', '/v2/wallets/transfers', transfer(stranger));
  const approvalId = made.transferDetails.receipt.approval.id;
  emulator.approve(approvalId);
  const view = await look(made.transferDetails.id);
  expect(view).toMatchObject({ kind: 'transfers', record: { id: made.transferDetails.id } });
  expect(view).not.toHaveProperty('results');
  const entered = view.states.map(({ status }: { status: string }) => status);
  expect(entered[0]).toBe('PENDING_APPROVAL');
  expect(entered.at(-1)).toBe('COMPLETED');
  expect(idsOf(view.related.users)).toEqual([userId]);
  expect(idsOf(view.related.approvals)).toEqual([approvalId]);
  expect(view.related.transfers).toEqual([]);
  expect(view.related.requests).toMatchObject([{ method: 'POST', requestId: create.requestId }]);
  expect(view.related.events.length).toBeGreaterThan(1);
  expect(JSON.stringify(view.related)).not.toContain(stranger);
});

test('a user is shown with the wallets and balances of that user alone', async () => {
  const { emulator, userId, stranger, look } = await prepared();
  emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 5 });
  emulator.setBalance({ userId: stranger, currency: 'usdc', chain: 'POLYGON', amount: 5 });
  const view = await look(userId);
  expect(view).toMatchObject({ kind: 'users', record: { id: userId }, states: [] });
  const { externalWallets, balances } = emulator.state();
  const own = (records: readonly { id: string; userId?: string | null }[]) =>
    idsOf(records.filter((record) => record.userId === userId));
  expect(idsOf(view.related.externalWallets)).toEqual(own(externalWallets));
  expect(view.related.externalWallets).toHaveLength(1);
  expect(view.related.balances).toHaveLength(1);
  expect(balances.length).toBeGreaterThan(1);
  expect(await look(externalWallets[0]?.id ?? '')).toMatchObject({
    kind: 'externalWallets',
    related: { externalWallets: [], balances: [] },
  });
});

test('a request is shown with the payment that it made', async () => {
  const { call, userId, look } = await prepared();
  const params = { ...transfer(userId), requestId: newId() };
  const { body: made } = await call('POST', '/v2/wallets/transfers', params);
  const { body: other } = await call('POST', '/v2/onramps', onramp(userId));
  await call('POST', '/v2/wallets/transfers', params);
  const view = await look('request-1');
  expect(view).toMatchObject({
    kind: 'requests',
    record: { id: 'request-1', target: '/v2/wallets/transfers' },
  });
  expect(idsOf(view.related.transfers)).toContain(made.transferDetails.id);
  expect(view.related.onramps).toEqual([]);
  expect(idsOf(view.related.requests)).toEqual(['request-3']);
  expect(idsOf((await look('request-2')).related.onramps)).toContain(other.transferDetails.id);
});

test('every kind of record is found by its id', async () => {
  const { emulator, call, userId, look } = await prepared();
  const account = await call('POST', `/v2/users/${userId}/accounts`, US_ACCOUNT);
  const made = await call('POST', '/v2/onramps', onramp(userId));
  emulator.setBalance({ userId, currency: 'usdc', chain: 'POLYGON', amount: 5 });
  const fault = emulator.faults.inject({ kind: 'status', operation: 'kyc.retrieve' });
  const { balances, metrics, events } = emulator.state();
  const deliveries = emulator.deliveries.list();
  for (const [kind, id] of [
    ['accounts', account.body.id ?? account.body.accountId],
    ['onramps', made.body.transferDetails.id],
    ['balances', balances[0]?.id],
    ['metrics', metrics[0]?.id],
    ['events', events[0]?.eventId],
    ['deliveries', deliveries[0]?.id],
    ['faults', fault.id],
  ])
    expect(await look(id), kind).toMatchObject({ kind, record: { id } });
  expect(await look(metrics[0]?.id ?? '')).toHaveProperty('results');
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

test('a request that is too old to be kept whole is shown without its headers, and cannot be replayed', async () => {
  const { call, look } = await prepared();
  for (let count = 0; count < 501; count += 1) await call('GET', '/v2/transfer-approvals?limit=1');
  expect((await look('request-1')).record).toMatchObject({
    target: '/v2/transfer-approvals',
    headers: [],
    body: null,
    responseHeaders: [],
    responseBody: null,
    replayable: false,
  });
  expect((await look('request-2')).record).toMatchObject({
    target: '/v2/transfer-approvals?limit=1',
    replayable: true,
  });
});
