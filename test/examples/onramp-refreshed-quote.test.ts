import { expect, test } from 'vitest';
import { keepFresh, quote } from '../../examples/onramp-refreshed-quote.ts';
import { uganda } from '../../examples/scenes.ts';
import { accountIdOf, quoteExpiresAt } from '../../src/client/index.ts';
import { stage } from './support.ts';

async function offered(options: Parameters<typeof stage>[0] = {}) {
  const { emulator, payments, userId } = stage(options);
  const account = await payments.accounts.create(userId, {
    rail: 'onramp',
    type: 'africa',
    accountHolder: uganda.holder,
    africa: uganda.wallet,
  });
  const offer = await quote(payments, userId, { id: accountIdOf(account), currency: 'ugx' }, 500_000);
  return { emulator, payments, offer };
}

const refreshes = (emulator: { requests(): { operation: string | null }[] }) =>
  emulator.requests().filter(({ operation }) => operation === 'onramps.refreshQuote').length;

test('keeps a quote that leaves the payer enough time', async () => {
  const { emulator, payments, offer } = await offered();
  emulator.clock.advance('12m');
  expect(await keepFresh(payments, offer, emulator.clock.now())).toBe(offer);
  expect(refreshes(emulator)).toBe(0);
  expect(offer.sends).toMatch(/^500000(\.0+)? ugx$/);
});

test('refreshes a quote that is about to expire', async () => {
  const { emulator, payments, offer } = await offered();
  emulator.clock.advance('14m');
  const fresh = await keepFresh(payments, offer, emulator.clock.now());
  expect(refreshes(emulator)).toBe(1);
  expect(Number(fresh.expiresAt) - Number(offer.expiresAt)).toBe(14 * 60_000);
});

test('never refreshes a quote without an expiry, nor one that is closed', async () => {
  const open = await offered({ quoteLifetime: 'N/A' });
  open.emulator.clock.advance('7d');
  expect(await keepFresh(open.payments, open.offer, open.emulator.clock.now())).toBe(open.offer);

  const paid = await offered();
  paid.emulator.simulateDeposit(paid.offer.onramp.transferDetails.id);
  const [onramp] = paid.emulator.state().onramps;
  expect(onramp?.transferDetails.status).toBe('COMPLETED');
  const closed = {
    ...paid.offer,
    onramp: {
      ...paid.offer.onramp,
      transferDetails: { ...paid.offer.onramp.transferDetails, status: 'COMPLETED' },
    },
  };
  paid.emulator.clock.advance('1h');
  expect(await keepFresh(paid.payments, closed, paid.emulator.clock.now())).toBe(closed);
});

test('refreshes a quote whose time has no zone: nothing says that it is still valid', async () => {
  const { emulator, payments, offer } = await offered();
  const { transferDetails } = offer.onramp;
  const quoteInformation = { ...transferDetails.quoteInformation, expiresAt: '2026-01-01T00:15:00' };
  const onramp = { ...offer.onramp, transferDetails: { ...transferDetails, quoteInformation } };
  const undated = { ...offer, onramp, expiresAt: quoteExpiresAt(onramp) };
  const fresh = await keepFresh(payments, undated, emulator.clock.now());
  expect(refreshes(emulator)).toBe(1);
  expect(fresh.expiresAt).toBeInstanceOf(Date);
});
