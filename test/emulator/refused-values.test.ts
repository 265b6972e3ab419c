import { describe, expect, it } from 'vitest';
import {
  AFRICA_ACCOUNT,
  type Bench,
  batch,
  bridge,
  offramp,
  onramp,
  transfer,
  US_ACCOUNT,
  WALLET,
  withUser,
} from './support.ts';

const ON_SOLANA = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';
const DIALECTS = ['spec', 'field'] as const;

type Make = (userId: string) => readonly [path: string, body: object];

const pay: (more: object) => Make = (more) => (id) => ['/v2/wallets/transfers', transfer(id, more)];
const deposit: (source: object, more?: object) => Make = (source, more) => (id) => [
  '/v2/onramps',
  { ...onramp(id, source), ...more },
];
const payMany: (chain: string, walletAddress: string) => Make = (chain, walletAddress) => (id) => [
  '/v2/wallets/transfers/batches',
  {
    ...batch(id),
    chain,
    destination: {
      batch: [
        { userId: id, amount: '1' },
        { walletAddress, amount: '1' },
      ],
    },
  },
];
const cross: (chain: string, walletAddress: string) => Make = (chain, walletAddress) => (id) => [
  '/v2/wallets/bridges',
  bridge(id, { destination: { currency: 'usdc', chain, walletAddress } }),
];
const account: (body: object) => Make = (body) => (id) => [`/v2/users/${id}/accounts`, body];
const africa = (more: object) =>
  account({ ...AFRICA_ACCOUNT, africa: { ...AFRICA_ACCOUNT.africa, ...more } });

/** Requests that no service of this interface takes, with the field that is refused and its message. */
const REFUSED: readonly [what: string, make: Make, field: string, message: RegExp][] = [
  [
    'a one-time deposit in eur',
    deposit({ currency: 'eur' }),
    'source.accountId',
    /One-time deposits are in usd only/,
  ],
  [
    'a one-time deposit in brl',
    deposit({ currency: 'brl' }),
    'source.accountId',
    /One-time deposits are in usd only/,
  ],
  [
    'a one-time deposit in ugx',
    deposit({ currency: 'ugx' }, { purposeOfPayment: 'gift' }),
    'source.accountId',
    /One-time deposits are in usd only/,
  ],
  [
    'a rail that does not exist',
    deposit({ transferType: 'carrier-pigeon' }),
    'source.transferType',
    /must be 'ach' or 'wire'/,
  ],
  [
    'a rail in upper case',
    deposit({ transferType: 'ACH' }),
    'source.transferType',
    /must be 'ach' or 'wire'/,
  ],
  ['USD', deposit({ currency: 'USD' }), 'source.currency', /must be a currency in lower case: 'usd'/],
  ['Ugx', deposit({ currency: 'Ugx' }), 'source.currency', /must be a currency in lower case: 'ugx'/],
  ['a currency that does not exist', deposit({ currency: 'stones' }), 'source.currency', /is not a currency/],
  [
    'a purpose that is none of those',
    deposit({ currency: 'ugx', accountId: 'a' }, { purposeOfPayment: 'bribes' }),
    'purposeOfPayment',
    /must be one of gift, bills/,
  ],
  ['usd as a coin', pay({ currency: 'usd' }), 'currency', /must be a coin, such as 'usdc'/],
  [
    'eur as a coin of an onramp',
    (id) => ['/v2/onramps', onramp(id, {}, { currency: 'eur' })],
    'destination.currency',
    /must be a coin/,
  ],
  [
    'an address of another chain',
    pay({ chain: 'SOLANA', destination: { walletAddress: WALLET } }),
    'destination.walletAddress',
    /is not an address on SOLANA/,
  ],
  [
    'an address of Solana elsewhere',
    pay({ destination: { walletAddress: ON_SOLANA } }),
    'destination.walletAddress',
    /is not an address on POLYGON/,
  ],
  [
    'an address of another chain in a batch',
    payMany('SOLANA_MAINNET', WALLET),
    'destination.batch.1.walletAddress',
    /is not an address on SOLANA_MAINNET/,
  ],
  [
    'an address of another chain in a bridge',
    cross('SOLANA', WALLET),
    'destination.walletAddress',
    /is not an address on SOLANA/,
  ],
  [
    'an African account in eur',
    africa({ currency: 'eur' }),
    'africa.currency',
    /is not a currency of Africa/,
  ],
  [
    'an account of a bank by pigeon',
    account({ ...US_ACCOUNT, us: { ...US_ACCOUNT.us, transferType: 'carrier-pigeon' } }),
    'us.transferType',
    /must be 'ach' or 'wire'/,
  ],
];

/** Requests that services take, beside those. */
const TAKEN: readonly [what: string, make: Make][] = [
  ...['ach', 'wire', 'rtp', null, undefined].map((transferType): [string, Make] => [
    `a one-time deposit by ${transferType}`,
    deposit({ transferType }),
  ]),
  ['a test coin', pay({ currency: 'tusd' })],
  ['an address of Solana', pay({ chain: 'SOLANA', destination: { walletAddress: ON_SOLANA } })],
  ['an address of Solana in a batch', payMany('SOLANA', ON_SOLANA)],
  ['an address of Solana in a bridge', cross('SOLANA', ON_SOLANA)],
  ['a purpose of any words in usd', deposit({}, { purposeOfPayment: 'salary of May' })],
  [
    'an African account in a currency that the emulator does not know',
    africa({ currency: 'gnf', country: 'gin' }),
  ],
  [
    'an offramp in eur',
    (id) => ['/v2/offramps', offramp(id, { destination: { accountId: 'a', currency: 'eur' } })],
  ],
];

const send = async ({ call }: Bench, [path, body]: ReturnType<Make>) => call('POST', path, body);

// Issue 61: "It accepts what the service would refuse: one-time deposits in `eur`, `transferType: 'carrier-pigeon'`."
describe.each(DIALECTS)('the dialect "%s"', (dialect) => {
  it.each(REFUSED)('refuses %s, and makes nothing', async (_what, make, field, message) => {
    const { userId, ...tools } = withUser({ rails: ['usd', 'africa'] }, { dialect });
    const { status, fields } = await send(tools, make(userId));
    expect([status, fields]).toEqual([400, [{ field, message: expect.stringMatching(message) }]]);
    const { onramps, transfers, accounts } = tools.emulator.state();
    expect([onramps, transfers, accounts]).toEqual([[], [], []]);
  });

  it.each(TAKEN)('takes %s', async (_what, make) => {
    const { userId, ...tools } = withUser({ rails: ['usd', 'africa'] }, { dialect });
    expect((await send(tools, make(userId))).status).toBeLessThan(300);
  });

  it('takes an onramp from a registered account of Africa, by its own rail', async () => {
    const { userId, emulator, call } = withUser({ rails: ['usd', 'africa'] }, { dialect });
    const { body } = await call('POST', `/v2/users/${userId}/accounts`, AFRICA_ACCOUNT);
    emulator.validateAccount(body.id, { status: 'ACTIVE' });
    for (const transferType of ['momo', undefined]) {
      const source = { currency: 'ugx', accountId: body.id, transferType };
      const request = { ...onramp(userId, source), purposeOfPayment: 'school-fees' };
      expect((await call('POST', '/v2/onramps', request)).status).toBeLessThan(300);
    }
  });
});

// Issue 61: "Balances take decimal text as all other amounts do."
describe('an amount of a test helper', () => {
  it.each([
    [25, '25.00'],
    ['25', '25.00'],
    ['25.50', '25.50'],
    ['0.000001', '0.000001'],
    ['0.1000000000', '0.10'],
    ['0', '0.00'],
    ['900000000000.123456', '900000000000.123456'],
  ])('of a balance may be a number or a decimal text: %j', async (amount, expected) => {
    const { emulator, call, userId } = withUser();
    const balance = { userId, currency: 'usdc', chain: 'POLYGON', amount };
    expect(emulator.setBalance(balance)?.amount).toBe(expected);
    expect((await call('POST', '/_emulator/balances', balance)).body.balance.amount).toBe(expected);
  });

  it.each(['-1', '1e3', '.5', '5.', 'x', '', '0.0000001', Number.NaN, -1, true])(
    'of a balance is refused by its field: %j',
    (amount) => {
      const { emulator, userId } = withUser();
      const balance = { userId, currency: 'usdc', chain: 'POLYGON', amount };
      expect(() => emulator.setBalance(balance as never)).toThrow(/amount: must be/);
      expect(emulator.state().balances).toEqual([]);
    },
  );

  it('of a deposit may be a decimal text, too', async () => {
    const { emulator, call, userId } = withUser({ rails: ['usd'] });
    const made = async () => (await call('POST', '/v2/onramps', onramp(userId))).body.transferDetails.id;
    expect(emulator.simulateDeposit(await made(), { amount: '100.50' }).transferDetails.status).toBe(
      'FIAT_PENDING',
    );
    const low = await call('POST', `/_emulator/onramps/${await made()}/deposit`, { amount: '100.49' });
    expect(low.body.transferDetails.status).toBe('FIAT_FAILED');
    const id = await made();
    for (const amount of ['0', '0.0', '-1', 'x'])
      expect(() => emulator.simulateDeposit(id, { amount })).toThrow(/amount: must be/);
  });
});
