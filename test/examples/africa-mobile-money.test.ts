import { AuthenticationError } from 'stablecoin-payments';
import { expect, test } from 'vitest';
import { buyWithMobileMoney } from '../../examples/africa-mobile-money.ts';
import { uganda } from '../../examples/scenes.ts';
import { stage } from './support.ts';

test('registers the wallet once for two purchases', async () => {
  const { emulator, payments, userId } = stage();
  const payer = { userId, ...uganda };
  const first = await buyWithMobileMoney(payments, 'p-1', payer, 500_000);
  const second = await buyWithMobileMoney(payments, 'p-2', payer, 100_000);
  expect([first.kind, second.kind]).toEqual(['started', 'started']);
  const { accounts, onramps } = emulator.state();
  expect(accounts).toHaveLength(1);
  expect(onramps.map(({ transferDetails }) => transferDetails.source.accountId)).toEqual([
    accounts[0]?.id,
    accounts[0]?.id,
  ]);
});

test('says which fields to correct when the wallet is rejected, and starts no onramp', async () => {
  const { emulator, payments, userId } = stage({ dialect: { accountForm: 'status' } });
  const payer = { userId, ...uganda, wallet: { ...uganda.wallet, country: 'ken' } };
  const result = await buyWithMobileMoney(payments, 'p-1', payer, 500_000);
  expect(result).toEqual({ kind: 'correct', fields: ['africa.country'] });
  expect(emulator.state().onramps).toEqual([]);
});

test('registers anew after a rejection', async () => {
  const { emulator, payments, userId } = stage();
  await buyWithMobileMoney(
    payments,
    'p-1',
    { userId, ...uganda, wallet: { ...uganda.wallet, country: 'ken' } },
    500_000,
  );
  const result = await buyWithMobileMoney(payments, 'p-1', { userId, ...uganda }, 500_000);
  expect(result.kind).toBe('started');
  expect(emulator.state().accounts.map(({ status }) => status)).toEqual(['REJECTED', 'ACTIVE']);
});

test('starts one onramp for a purchase, and says that it is known where the service does', async () => {
  const { emulator, payments, userId } = stage({ dialect: { duplicates: 'refuse' } });
  const buy = () => buyWithMobileMoney(payments, 'p-1', { userId, ...uganda }, 500_000);
  expect([(await buy()).kind, (await buy()).kind]).toEqual(['started', 'known']);
  expect(emulator.state().onramps).toHaveLength(1);
});

test('passes every other failure on', async () => {
  const { payments, userId } = stage({ token: 'another' });
  await expect(buyWithMobileMoney(payments, 'p-1', { userId, ...uganda }, 1)).rejects.toThrow(
    AuthenticationError,
  );
});
