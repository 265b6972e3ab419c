import { createEmulator, type DialectName, type DialectOptions } from 'stablecoin-payments/emulator';
import { describe, expect, it } from 'vitest';
import { AFRICA_ACCOUNT, batch, bridge, offramp, onramp, transfer, US_ACCOUNT, WALLET } from '../support.ts';
import { Contract } from './contract.ts';

const DIALECTS: (DialectName | DialectOptions)[] = [
  'spec',
  'field',
  {
    extends: 'field',
    accountForm: 'isValid',
    duplicateStatus: 422,
  },
];

async function scene(dialect: DialectName | DialectOptions) {
  const emulator = createEmulator({ seed: 3, accountValidation: 0, dialect, token: 'token' });
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'], externalWallets: 30 });
  const poor = emulator.createUser().userId;
  emulator.setBalance({ userId: poor, currency: 'usdc', chain: 'POLYGON', amount: 1 });
  return { emulator, userId, poor, contract: await Contract.of(emulator) };
}

describe.each(DIALECTS)('every response of the dialect %j', (dialect) => {
  it('is as the description of that dialect says', async () => {
    const { emulator, userId, poor, contract } = await scene(dialect);
    const call = contract.call.bind(contract);
    const users = `/v2/users/${userId}`;

    const created = [];
    for (const account of [
      US_ACCOUNT,
      AFRICA_ACCOUNT,
      { rail: 'offramp', type: 'brazil', brazil: { pixKey: 'k' } },
    ]) {
      created.push(String((await call('POST', `${users}/accounts`, account)).body.id));
    }
    const [us, africa, brazil] = created;
    for (const id of created) await call('GET', `${users}/accounts/${id}`);
    emulator.validateAccount(us ?? '', { status: 'REJECTED', invalidFields: ['us.routingNumber'] });
    await call('GET', `${users}/accounts`);
    await call('GET', `${users}/accounts?limit=1&rail=onramp`);

    const requests = [
      ['/v2/onramps', onramp(userId)],
      [
        '/v2/onramps',
        {
          ...onramp(userId),
          purposeOfPayment: 'gift',
          fee: { type: 'FIX', value: 1 },
          source: { userId, currency: 'ugx', amount: 5000, accountId: africa },
        },
      ],
      [
        '/v2/onramps',
        onramp(userId, { amount: undefined }, { userId: undefined, externalWalletId: 'w', amount: 50 }),
      ],
      ['/v2/wallets/transfers', transfer(userId)],
      [
        '/v2/wallets/transfers',
        transfer(userId, { requireApproval: true, destination: { walletAddress: WALLET } }),
      ],
      ['/v2/wallets/transfers/batches', batch(userId)],
      ['/v2/wallets/transfers/batches', { ...batch(userId), requireApproval: true }],
      ['/v2/wallets/bridges', bridge(userId)],
      ['/v2/wallets/bridges', { ...bridge(userId), requireApproval: true }],
      ['/v2/offramps', offramp(userId)],
      ['/v2/offramps', { ...offramp(userId), requireApproval: true, purposeOfPayment: 'gift' }],
    ] as const;
    for (const [path, body] of requests) {
      const { status } = await call('POST', path, body);
      expect([path, status]).toEqual([path, emulator.dialect.name === 'field' ? 200 : 201]);
      await call('POST', path, body);
      await call('POST', path, { ...body, requestId: 'none' });
      await call('POST', path, body, 'another-token');
    }
    await call('POST', '/v2/wallets/transfers', transfer(poor, { destination: { userId: poor } }));
    await call('POST', '/v2/wallets/transfers', transfer('nobody'));
    await call('POST', '/v2/onramps', onramp(poor));

    await call('GET', '/v2/transfer-approvals?limit=3');
    await call('GET', '/v2/transfer-approvals?limit=none');
    for (const [place, { id }] of emulator.state().approvals.entries()) {
      const decision = place % 2 === 0 ? 'approve' : 'reject';
      await call('POST', `/v2/transfer-approvals/${id}/${decision}`, { comment: 'c' });
      await call('POST', `/v2/transfer-approvals/${id}/${decision}`);
    }
    for (const { id } of emulator.state().onramps) {
      await call('POST', `/v2/onramps/${id}/quote/refresh`);
      if (emulator.dialect.acceptQuotes.includes('onramps'))
        await call('POST', `/v2/onramps/${id}/quote/accept`);
    }
    for (const { id, transferType } of emulator.state().transfers) {
      const { acceptQuotes } = emulator.dialect;
      if (transferType === 'OFFRAMP' && acceptQuotes.includes('offramps'))
        await call('POST', `/v2/offramps/${id}/quote/accept`);
      if (transferType !== 'WALLET.BRIDGE' || !acceptQuotes.includes('bridges')) continue;
      await call('POST', `/v2/wallets/bridges/${id}/accept`);
    }
    for (const path of ['/v2/onramps', '/v2/wallets/transfers', '/v2/wallets/bridges', '/v2/offramps']) {
      const { records } = (await call('GET', `${path}?userId=${userId}`)).body;
      for (const { transferDetails } of records as { transferDetails: { id: string } }[])
        await call('GET', `${path}/${transferDetails.id}`);
      await call('GET', `${path}/nothing`);
      await call('GET', `${path}?limit=none`);
    }
    await call('GET', `${users}/kyc`);
    await call('GET', '/v2/users/nobody/kyc');
    await call('GET', `${users}/wallets/external`);
    await call('GET', `${users}/wallets/external?limit=2`);
    const rows = [{ periodStart: '2026-03-04', userId, grossVolume: 5 }];
    for (const metric of [{}, { breakdowns: ['userId'], rows }]) {
      const { id } = emulator.createMetric(metric);
      await call('GET', `/v2/reporting/metrics/${id}/results`);
    }
    await call('DELETE', `${users}/accounts/${brazil}`);
    await call('DELETE', `${users}/accounts/${brazil}`);

    const uncalled = contract.successes().filter((success) => !contract.seen.has(success));
    expect(uncalled, 'described, and not called in this test: add a call of each').toEqual([]);
  });
});
