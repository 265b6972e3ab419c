import { expect, test } from 'vitest';
import { bench, onramp, US_ACCOUNT } from '../support.ts';

async function prepared() {
  const { emulator, call } = bench({
    webhook: { url: 'http://localhost/hooks', fetch: async () => new Response() },
  });
  const { userId } = emulator.createUser({ rails: ['usd'], externalWallets: 1 });
  const look = async (id: string) => (await call('GET', `/_emulator/records/${encodeURIComponent(id)}`)).body;
  return { emulator, call, userId, look };
}

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

test('an onramp that was sent back and forth is shown with why it failed', async () => {
  const { emulator, call, userId, look } = await prepared();
  const { body: made } = await call('POST', '/v2/onramps', onramp(userId));
  const { id } = made.transferDetails;
  emulator.advanceOnramp(id, { status: 'EXPIRED' });
  expect((await look(id)).record.transferDetails).toMatchObject({
    error: 'EXPIRED',
    errorDetails: 'The onramp failed in EXPIRED',
    failedReason: 'The onramp failed in EXPIRED',
  });
  emulator.advanceOnramp(id, { status: 'FIAT_RETURNED' });
  expect((await look(id)).record.transferDetails.error).toBe('INTERNAL_ERROR');
});
