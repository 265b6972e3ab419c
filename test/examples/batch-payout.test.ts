import { expect, test, vi } from 'vitest';
import { payOut } from '../../examples/batch-payout.ts';
import { stage } from './support.ts';

function payroll(count: number) {
  const { emulator, payments, userId } = stage({ duplicates: 'replay' });
  const payees = Array.from({ length: count }, (_, index) => ({
    userId: emulator.createUser({ externalWallets: 0 }).userId,
    amount: 10 + index,
  }));
  const paid = () => emulator.payments().reduce((sum, { to }) => sum + to.length, 0);
  return { emulator, payments, userId, payees, paid };
}

test('pays 120 people in three batches of at most 50', async () => {
  const { payments, userId, payees, paid } = payroll(120);
  const reports = await payOut(payments, userId, '2026-11', payees);
  expect(reports.map(({ recipients, result }) => [recipients, result])).toEqual([
    [50, 'accepted'],
    [50, 'accepted'],
    [20, 'accepted'],
  ]);
  expect(paid()).toBe(120);
});

test('pays nobody twice when the run is repeated, in whatever order the list comes', async () => {
  const { payments, userId, payees, paid } = payroll(60);
  const first = await payOut(payments, userId, '2026-11', payees);
  const again = await payOut(payments, userId, '2026-11', payees.toReversed());
  expect(again).toEqual(first);
  expect(paid()).toBe(60);
});

test('settles a batch whose response was lost, and pays it once', async () => {
  const { emulator, payments, userId, payees, paid } = payroll(60);
  emulator.faults.inject({ operation: 'transfers.createBatch', kind: 'reset-after-commit' });
  const first = await payOut(payments, userId, '2026-11', payees);
  expect(first.map(({ result }) => result)).toEqual(['accepted', 'accepted']);
  const again = await payOut(payments, userId, '2026-11', payees);
  expect(again.map(({ result }) => result)).toEqual(['accepted', 'accepted']);
  expect(paid()).toBe(60);
});

test('refuses a month whose list has changed rather than paying it twice', async () => {
  const { payments, userId, payees, paid } = payroll(20);
  await payOut(payments, userId, '2026-11', payees);
  const changed = payees.map((payee) => ({ ...payee, amount: payee.amount + 1 }));
  const [report] = await payOut(payments, userId, '2026-11', changed);
  expect(report?.result).toBe('unknown');
  expect(report?.reason).toContain('made its payment');
  expect(paid()).toBe(20);
});

test('settles a batch whose response proves nothing', async () => {
  const { emulator, payments, userId, payees, paid } = payroll(2);
  emulator.faults.inject({ operation: 'transfers.createBatch', kind: 'malformed-json' });
  const [report] = await payOut(payments, userId, '2026-11', payees);
  expect(report?.result).toBe('accepted');
  expect(paid()).toBe(2);
});

test('passes a failure that is not of the client on', async () => {
  const { payments, userId, payees } = payroll(1);
  vi.spyOn(payments.transfers, 'createBatch').mockImplementation(() => {
    throw new RangeError('a mistake of the caller');
  });
  await expect(payOut(payments, userId, '2026-11', payees)).rejects.toThrow(RangeError);
});
