import { expect, it } from 'vitest';
import { type PaymentResult, paymentResult, reconcile } from '../../src/client/index.ts';
import { createEmulator } from '../../src/emulator/index.ts';
import { clientOf } from './support.ts';

it.each(['spec', 'field'] as const)('follows a transfer of the dialect %s to its end', async (dialect) => {
  const emulator = createEmulator({ dialect, settlementStep: '1m' });
  const { userId } = emulator.createUser();
  const payments = clientOf(emulator.fetch);
  const params = {
    source: { userId },
    destination: { userId },
    amount: 5,
    currency: 'usdc',
    chain: 'POLYGON',
  };
  expect(paymentResult(await payments.transfers.create(params))).toBeUndefined();
  expect(
    paymentResult(await payments.transfers.create({ ...params, requireApproval: true })),
  ).toBeUndefined();
  emulator.clock.advance('7d');
  const { transfers } = emulator.state();
  expect(transfers.map(paymentResult)).toEqual(['paid', 'not-paid']);
  const rows = transfers.map(({ requestId }) => ({ requestId }));
  const results: (PaymentResult | undefined)[] = [];
  for await (const { result } of reconcile(rows, transfers)) results.push(result);
  expect(results).toEqual(['paid', 'not-paid']);
});
