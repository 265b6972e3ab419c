import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bench, onramp, transfer, withUser } from './support.ts';

const USDC = { currency: 'usdc', chain: 'POLYGON' };

function people() {
  const tools = bench();
  const [a, b] = [tools.emulator.createUser().userId, tools.emulator.createUser().userId];
  const limit = (userId: string, amount: number | null) =>
    tools.emulator.setBalance({ userId, ...USDC, amount });
  const pay = (more: object = {}) =>
    tools.call('POST', '/v2/wallets/transfers', transfer(a, { destination: { userId: b }, ...more }));
  const balances = () => tools.emulator.state().balances.map(({ amount }) => amount);
  const reject = () => {
    const [approval] = tools.emulator.state().approvals;
    if (approval !== undefined) tools.emulator.reject(approval.id);
  };
  return { ...tools, a, b, limit, pay, balances, reject };
}

describe('a balance that is set while a transfer waits', () => {
  it('gets nothing back that was not set aside of it', async () => {
    const { a, limit, pay, balances, reject } = people();
    await pay({ requireApproval: true });
    limit(a, 100);
    reject();
    expect(balances()).toEqual(['100.00']);
  });

  it('gets nothing back of the balance that it replaced', async () => {
    const { a, limit, pay, balances, reject } = people();
    limit(a, 100);
    await pay({ requireApproval: true });
    expect(balances()).toEqual(['75.00']);
    limit(a, null);
    limit(a, 100);
    reject();
    expect(balances()).toEqual(['100.00']);
  });

  it('does not grow by what its owner sends to itself', async () => {
    const { a, emulator, limit, pay, balances } = people();
    await pay({ destination: { userId: a }, requireApproval: true });
    limit(a, 100);
    const [approval] = emulator.state().approvals;
    emulator.approve(approval?.id ?? '');
    expect(emulator.state().transfers[0]?.transferDetails.status).toBe('COMPLETED');
    expect(balances()).toEqual(['100.00']);
    await pay({ destination: { userId: a }, amount: 40 });
    expect(balances()).toEqual(['100.00']);
  });

  it('is restored with a snapshot, so that what was set aside of it comes back', async () => {
    const { a, emulator, limit, pay, balances, reject } = people();
    limit(a, 100);
    await pay({ requireApproval: true });
    emulator.restore(JSON.parse(JSON.stringify(emulator.snapshot())));
    reject();
    expect(balances()).toEqual(['100.00']);
  });
});

it('an onramp that a test sends back and forth arrives once', async () => {
  const { call, emulator, userId } = withUser({ rails: ['usd'] });
  emulator.setBalance({ userId, ...USDC, amount: 0 });
  const { id } = (await call('POST', '/v2/onramps', onramp(userId, { amount: 100 }))).body.transferDetails;
  for (const status of ['COMPLETED', 'CRYPTO_PENDING', 'COMPLETED'] as const)
    emulator.advanceOnramp(id, { status });
  expect(emulator.state().balances[0]?.amount).toBe('99.90');
});

it('no sequence of payments, decisions and limits between two limited users makes money', async () => {
  const step = fc.tuple(
    fc.constantFrom('pay', 'back', 'self', 'ask', 'reject', 'approve', 'advance'),
    fc.integer({ min: 1, max: 30 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { a, b, call, emulator, limit, pay } = people();
      limit(a, 50);
      limit(b, 50);
      for (const [kind, amount] of steps) {
        const [pending] = emulator.state().approvals.filter(({ status }) => status === 'PENDING');
        if (kind === 'pay') await pay({ amount });
        if (kind === 'back')
          await call('POST', '/v2/wallets/transfers', transfer(b, { amount, destination: { userId: a } }));
        if (kind === 'self') await pay({ amount, destination: { userId: a } });
        if (kind === 'ask') await pay({ amount, requireApproval: true });
        if (kind === 'reject' && pending !== undefined) emulator.reject(pending.id);
        if (kind === 'approve' && pending !== undefined) emulator.approve(pending.id);
        if (kind === 'advance') emulator.clock.advance('3d');
        const total = emulator.state().balances.reduce((sum, balance) => sum + Number(balance.amount), 0);
        expect(total).toBeLessThanOrEqual(100);
      }
      emulator.clock.advance('8d');
      const total = emulator.state().balances.reduce((sum, balance) => sum + Number(balance.amount), 0);
      expect(total).toBe(100);
    }),
    { numRuns: 60 },
  );
});
