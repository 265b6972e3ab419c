import { PGlite } from '@electric-sql/pglite';
import { fromPglite, PgBoss } from 'pg-boss';
import { PaymentsClient, transfersFrom } from 'stablecoin-payments';
import { createEmulator } from 'stablecoin-payments/emulator';
import { type Database, payoutsOnPgBoss, type TransferRecord } from 'stablecoin-payments/payouts';
import { expect, test, vi } from 'vitest';
import { read } from '../docs/documents.ts';

/** The program of the guide *Payouts at scale*, with more people and worse connections. */
test('the landing page shows what payouts to 200 people through 20 lost connections print', async () => {
  const emulator = createEmulator();
  const payer = emulator.createUser({ rails: ['usd'] }).userId;
  const { fetch } = emulator;
  const payments = new PaymentsClient({ baseUrl: 'http://localhost', accessToken: 'token', fetch });
  const lite = await PGlite.create();
  const boss = new PgBoss({ db: fromPglite(lite), backend: 'pglite' });
  await boss.start();
  const db: Database = {
    query: (text, values) => lite.query(text, values),
    transaction: (work) =>
      lite.transaction((tx) => work({ query: (text, values) => tx.query(text, values) })),
  };
  const transfers = transfersFrom(async (query) => {
    const path = '/v2/wallets/transfers';
    const page = await payments.request<{ records: TransferRecord[] }>({
      method: 'GET',
      path,
      query: { ...query },
    });
    return page.records;
  });
  const payouts = payoutsOnPgBoss({ boss, db, payments, transfers, look: 1000 });
  await payouts.migrate();
  const orders = Array.from({ length: 200 }, (_, place) => {
    const { userId } = emulator.createUser({ externalWallets: 0 });
    const recipients = [{ userId, amount: '1250.50' }];
    return { id: `salary-${place}`, payer, recipients, currency: 'usdc', chain: 'POLYGON' };
  });
  await payouts.enqueue(orders);
  emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-after-commit', times: 20 });
  const worker = await payouts.work();
  const paid = async () => {
    const { lines } = await payouts.summary();
    return lines.filter(({ state }) => state === 'paid').reduce((sum, { recipients }) => sum + recipients, 0);
  };
  await vi.waitUntil(async () => (await paid()) === orders.length, { timeout: 100_000, interval: 250 });
  const { toReview } = await payouts.summary();
  await worker.stop();
  await boss.stop();
  await lite.close();
  const lost = emulator.requests().filter(({ fault }) => fault !== null);
  const printed = [
    `${orders.length} payouts enqueued, ${lost.length} responses lost`,
    `${orders.length} paid, ${toReview} to review`,
    `the service made ${emulator.payments().length} payments`,
  ];
  expect(read('docs/index.md')).toContain(printed.join('\n'));
});
