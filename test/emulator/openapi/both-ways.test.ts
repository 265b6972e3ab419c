import { createEmulator } from 'stablecoin-payments/emulator';
import { expect, it } from 'vitest';
import { AFRICA_ACCOUNT, caller, HOLDER, INSTRUCTIONS, newId, onramp, transfer, WALLET } from '../support.ts';
import { Contract } from './contract.ts';
import { REGIONS } from './regions.ts';

type Json = Record<string, unknown>;

const PERSON = { dateOfBirth: '1990-01-01', idNumber: '1', nationality: 'CHN' };

/** A good body for each operation that takes one, with every field that the types have. */
function bodies(userId: string, accountId: string): [path: string, body: Json][] {
  const account = (part: Json): [string, Json] => [
    `/v2/users/${userId}/accounts`,
    { rail: 'offramp', accountHolder: { ...HOLDER, ...PERSON }, ...part },
  ];
  return [
    ['/v2/onramps', { ...onramp(userId), purposeOfPayment: 'gift', isInstant: true, fee: null }],
    [
      '/v2/onramps',
      onramp(userId, { amount: undefined }, { amount: 5, userId: undefined, externalWalletId: 'w' }),
    ],
    [
      '/v2/onramps',
      {
        ...onramp(userId, { currency: 'ugx', amount: 5000, transferType: undefined, accountId }),
        purposeOfPayment: 'gift',
        fee: { type: 'PERCENT', value: '1.5' },
      },
    ],
    ['/v2/wallets/transfers', transfer(userId, { requireApproval: true, fee: { type: 'FIX', value: 1 } })],
    ['/v2/wallets/transfers', transfer(userId, { destination: { walletAddress: WALLET } })],
    [
      '/v2/wallets/transfers/batches',
      {
        ...transfer(userId, { amount: undefined }),
        destination: {
          batch: [
            { userId, amount: '1.5' },
            { walletAddress: WALLET, amount: '2' },
          ],
        },
      },
    ],
    [
      '/v2/wallets/bridges',
      {
        requestId: newId(),
        amount: 5,
        source: { userId, chain: 'POLYGON', currency: 'usdc' },
        destination: { chain: 'BASE', currency: 'usdc', walletAddress: WALLET },
        requireApproval: false,
      },
    ],
    [
      '/v2/offramps',
      {
        requestId: newId(),
        purposeOfPayment: 'gift',
        description: 'd',
        supportingDocumentType: 'invoice',
        supportingDocumentUrl: 'https://x.test/i',
        source: { userId, currency: 'usdc', chain: 'POLYGON', amount: 5 },
        destination: {
          accountId: 'an-account',
          currency: 'usd',
          userId,
          ...INSTRUCTIONS,
        },
        requireApproval: true,
      },
    ],
    [
      '/v2/offramps',
      {
        requestId: newId(),
        source: { externalWalletId: 'w', currency: 'usdc', chain: 'POLYGON' },
        destination: { accountId: 'an-account', currency: 'eur', amount: 7 },
      },
    ],
    ...REGIONS.map((region, place) => account({ ...region, rail: place === 0 ? 'onramp' : 'offramp' })),
  ];
}

it.each(['spec', 'field'] as const)('%s: every good body is accepted, and described', async (dialect) => {
  const emulator = createEmulator({ seed: 4, accountValidation: 0, dialect });
  const { userId } = emulator.createUser({ rails: ['usd', 'africa'] });
  const contract = await Contract.of(emulator);
  const { body: account } = await contract.call('POST', `/v2/users/${userId}/accounts`, AFRICA_ACCOUNT);
  for (const [path, body] of bodies(userId, String(account.id))) {
    const { status } = await contract.call('POST', path, body);
    expect([path, body.type, status]).toEqual([path, body.type, dialect === 'field' ? 200 : 201]);
  }
});

it('names the address at which it was asked', async () => {
  const call = caller(createEmulator().fetch, 'http://payments.test:8080');
  expect((await call('GET', '/_emulator/openapi.json')).body.servers).toEqual([
    { url: 'http://payments.test:8080', description: 'The emulator.' },
  ]);
});
