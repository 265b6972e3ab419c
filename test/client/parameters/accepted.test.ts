import type { AccountCreateParams, OnrampCreateParams } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support.ts';
import { type CallName, sent } from './support.ts';

const address = {
  addressLine1: '1 Main St',
  city: 'Austin',
  stateProvinceRegion: 'TX',
  postalCode: '78701',
  country: 'USA',
};
const contact = { phone: '+15550100', email: 'ada@example.com' };
const person = { type: 'individual', name: 'Ada Example' } as const;
const company = { type: 'business', name: 'Example Ltd' } as const;
const addressed = { ...person, address };
const addressedCompany = { ...company, address };
const networkPerson = { ...addressed, dateOfBirth: '1990-01-31', idNumber: 'A1', nationality: 'USA' };
const networkCompany = { ...addressedCompany, formationDate: '2010-01-31', idNumber: 'B2' };

const ach = {
  transferType: 'ach',
  accountType: 'Checking',
  accountNumber: '000123456789',
  routingNumber: '021000021',
  bankName: 'Example Bank',
} as const;
const swift = { transferType: 'swift', accountType: 'Savings', bankName: 'Example Bank' } as const;
const africa = { financialInstitute: 'MTN', accountType: 'momo', currency: 'ugx', country: 'uga' } as const;

/** The details of each region: the least that it takes, and all of its fields. */
const regional = [
  { type: 'brazil', brazil: { pixKey: 'k' } },
  { type: 'brazil', brazil: { pixKey: 'k', currency: 'brl' } },
  { type: 'colombia', colombia: { accountNumber: '1', accountType: 'savings' } },
  {
    type: 'colombia',
    colombia: { bankName: 'b', bankCode: 'c', accountNumber: '1', accountType: 'checking', currency: 'cop' },
  },
  { type: 'argentina', argentina: { accountType: 'CVU', accountNumber: '1' } },
  { type: 'argentina', argentina: { accountType: 'ALIAS', accountNumber: 'a.b.c', currency: 'ars' } },
  { type: 'mexico', mexico: { speiProtocol: 'clabe', speiClabe: '1' } },
  {
    type: 'mexico',
    mexico: { speiProtocol: 'phonenum', speiInstitutionCode: '9', speiClabe: '1', currency: 'mxn' },
  },
] as const;

const network = [
  { type: 'brazilGlobalNetwork', brazilGlobalNetwork: {} },
  { type: 'brazilGlobalNetwork', brazilGlobalNetwork: { email: 'e', phone: 'p', pix: 'x', currency: 'brl' } },
  { type: 'nigeriaGlobalNetwork', nigeriaGlobalNetwork: {} },
  {
    type: 'nigeriaGlobalNetwork',
    nigeriaGlobalNetwork: { bankName: 'b', accountNumber: '1', currency: 'ngn' },
  },
  { type: 'mexicoGlobalNetwork', mexicoGlobalNetwork: {} },
  { type: 'mexicoGlobalNetwork', mexicoGlobalNetwork: { speiClabe: '1', currency: 'mxn' } },
  {
    type: 'hongKongGlobalNetwork',
    hongKongGlobalNetwork: { bankName: 'b', accountNumber: '1', swiftCode: 's' },
  },
  {
    type: 'hongKongGlobalNetwork',
    hongKongGlobalNetwork: {
      bankName: 'b',
      accountNumber: '1',
      swiftCode: 's',
      bankCode: 'c',
      transferType: 'chats',
      currency: 'usd',
    },
  },
  { type: 'chinaGlobalNetwork', chinaGlobalNetwork: {} },
  {
    type: 'chinaGlobalNetwork',
    chinaGlobalNetwork: { bankName: 'b', accountNumber: '1', swiftCode: 's', currency: 'cny' },
  },
  { type: 'singaporeGlobalNetwork', singaporeGlobalNetwork: {} },
  {
    type: 'singaporeGlobalNetwork',
    singaporeGlobalNetwork: { bankName: 'b', accountNumber: '1', swiftCode: 's', currency: 'sgd' },
  },
] as const;

const rails = ['onramp', 'offramp'] as const;

// That these literals compile is half of the test.
const bodies: AccountCreateParams[] = [
  ...rails.flatMap((rail): AccountCreateParams[] => [
    ...[
      addressed,
      { ...addressed, ...contact },
      addressedCompany,
      { ...addressedCompany, ...contact },
    ].flatMap((accountHolder): AccountCreateParams[] => [
      { rail, type: 'us', accountHolder, us: ach },
      {
        rail,
        type: 'us',
        accountHolder,
        us: { ...ach, transferType: 'wire', currency: 'usd', bankAddress: address },
      },
      {
        rail,
        type: 'us',
        accountHolder,
        us: { ...ach, accountType: 'savings', bankAddress: '1 Bank St, Austin' },
      },
      {
        rail,
        type: 'us',
        accountHolder,
        us: { ...swift, iban: 'DE02', swiftCode: 'EXAMDEFF', bankAddress: address },
      },
      { rail, type: 'us', accountHolder, us: { ...swift, accountNumber: '1', swiftCode: 'EXAMDEFF' } },
    ]),
    { rail, type: 'africa', africa },
    { rail, type: 'africa', africa: { ...africa, accountNumber: '256700000000' } },
    { rail, type: 'africa', accountHolder: { ...person, phone: '+256700000000' }, africa },
    {
      rail,
      type: 'africa',
      accountHolder: { ...company, ...contact, address },
      africa: { ...africa, accountType: 'bank' },
    },
    ...regional.flatMap((part): AccountCreateParams[] => [
      { rail, ...part },
      { rail, accountHolder: { ...person, idType: 'CC', idNumber: '1' }, ...part },
      { rail, accountHolder: { ...company, ...contact, idType: 'NIT', idNumber: '2', address }, ...part },
    ]),
    ...network.flatMap((part): AccountCreateParams[] => [
      { rail, accountHolder: networkPerson, ...part },
      { rail, accountHolder: { ...networkCompany, ...contact }, ...part },
    ]),
  ]),
];

/** A client, and the bodies that arrive at the service. */
function sending(bodyOf: (url: string) => object) {
  const sent: unknown[] = [];
  const payments = clientOf(
    async (url, init) => {
      sent.push(JSON.parse(String(init?.body)));
      return Response.json(bodyOf(url));
    },
    { responseValidation: 'strict' },
  );
  return { payments, sent };
}

describe('every documented account', () => {
  it.each(bodies.map((body, index) => [index, body.rail, body.type, body] as const))(
    '%i is sent as it is: %s, %s',
    async (_index, _rail, _type, body) => {
      const { payments, sent } = sending(() => ({ id: 'a1', status: 'ACTIVE', ...body }));
      // The record of the account has the same fields, and is none that `strict` refuses.
      const account = await payments.accounts.create('u1', body);
      expect(sent).toEqual([body]);
      expect(account).toEqual({ id: 'a1', status: 'ACTIVE', ...body });
    },
  );

  it('is refused where a part of it is missing that no service does without', async () => {
    const { payments, sent } = sending(() => ({}));
    for (const { type } of [...regional, ...network]) {
      const body = { rail: 'offramp', type } as unknown as AccountCreateParams;
      await expect(payments.accounts.create('u1', body)).rejects.toMatchObject({ field: type });
    }
    expect(sent).toEqual([]);
  });
});

/** Every request field that services of this kind use. */
const documented: readonly [CallName, object][] = [
  [
    'onramp',
    {
      requestId: '6fa459ea-ee8a-4ca4-894e-db77e160355e',
      purposeOfPayment: 'school-fees',
      source: { userId: 'u1', currency: 'ngn', amount: 5, transferType: 'ach', accountId: 'a1' },
      destination: { currency: 'usdc', chain: 'BASE', userId: 'u1' },
      fee: { type: 'PERCENT', value: 0.5 },
    },
  ],
  [
    'onramp',
    {
      source: { userId: 'u1', currency: 'usd' },
      destination: { externalWalletId: 'w1', amount: 5 },
      fee: null,
    },
  ],
  [
    'onramp',
    {
      isInstant: true,
      source: { userId: 'u1', currency: 'usd', amount: 5 },
      destination: { userId: 'u1', currency: 'usdc', chain: 'BASE' },
    } satisfies OnrampCreateParams,
  ],
  [
    'transfer',
    {
      source: { userId: 'u1' },
      destination: { walletAddress: '0xabc' },
      amount: 1,
      currency: 'testcoin',
      chain: 'ANY_CHAIN',
      requireApproval: false,
      fee: { type: 'FIX', value: '0.1' },
    },
  ],
  [
    'batch',
    {
      source: { userId: 'u1' },
      // *Amounts*: "a JSON number; text in batches".
      destination: {
        batch: [
          { userId: 'u2', amount: '0.01' },
          { walletAddress: '0xabc', amount: '3' },
        ],
      },
      currency: 'usdc',
      chain: 'BASE',
      requireApproval: true,
    },
  ],
  [
    'bridge',
    {
      amount: 5,
      source: { userId: 'u1', currency: 'usdc', chain: 'POLYGON' },
      destination: { chain: 'BASE', currency: 'usdt', walletAddress: '0x' },
      requireApproval: true,
    },
  ],
  [
    'offramp',
    {
      purposeOfPayment: 'bills',
      description: 'd',
      supportingDocumentType: 'invoice',
      supportingDocumentUrl: 'https://x.example',
      source: { currency: 'usdc', chain: 'BASE', externalWalletId: 'w1' },
      destination: {
        amount: 5,
        currency: 'eur',
        accountId: 'a',
        userId: 'u1',
        sameDayAch: true,
        achReference: 'r',
        wireMessage: 'm',
        sepaReference: 'invoice 42',
        swiftReference: 's',
        swiftCharges: 'our',
        paymentReference: 'p',
      },
      requireApproval: true,
    },
  ],
  ['account', { rail: 'offramp', type: 'africa', africa: { accountNumber: '1' } }],
  ['account', { rail: 'offramp', type: 'us', us: {} }],
  ['account', { rail: 'offramp', type: 'mexico', mexico: { speiClabe: 'c' } }],
  ['reject', { reason: 'x'.repeat(2_000), comment: 'c' }],
];

it.each(documented)('a documented %s is sent as it is: %#', async (name, body) => {
  expect(await sent(name, body)).toMatchObject(body);
});

it('a list of accounts takes the documented filters', async () => {
  const urls: string[] = [];
  const payments = clientOf(async (url) => {
    urls.push(url);
    return Response.json({ accounts: [] });
  });
  const filters = { rail: 'offramp', type: 'us', currency: 'usd', createdBefore: 'b', createdAfter: 'a' };
  await payments.accounts.list('u1', { ...filters, limit: 100 });
  expect(Object.fromEntries(new URL(urls[0] ?? '').searchParams)).toEqual({ ...filters, limit: '100' });
});

describe('fields of payments that some services use', () => {
  const details = { id: 't1', requestId: 'r1', createdAt: 't', updatedAt: 't', status: 'CREATED' };
  const requestId = '11111111-1111-4111-8111-111111111111';

  it('pass `strict` in the record of a transfer', async () => {
    const { payments } = sending(() => ({
      transferType: 'WALLET.TRANSFER',
      transferDetails: { ...details, requestId, amount: 5, amountIncludeDeveloperFee: 5.25 },
    }));
    const { transferDetails } = await payments.transfers.create({
      requestId,
      source: { userId: 'u1' },
      destination: { userId: 'u2' },
      amount: 5,
      currency: 'usdc',
      chain: 'BASE',
      fee: null,
    });
    const amount: number | string | null | undefined = transferDetails.amountIncludeDeveloperFee;
    expect(amount).toBe(5.25);
  });

  it('pass `strict` in the record of an offramp', async () => {
    const { payments } = sending(() => ({
      transferType: 'OFFRAMP',
      transferDetails: {
        ...details,
        requestId,
        fee: { amount: '1' },
        developerFee: { feeId: 'f', fees: [{ feeId: 'g', feeAmount: '0.5', status: 'COMPLETED' }] },
        receipt: { transactionHash: '0x1', paymentTracking: { imad: '1' } },
      },
    }));
    const { transferDetails } = await payments.offramps.create({
      requestId,
      source: { userId: 'u1', currency: 'usdc', chain: 'BASE', amount: 5 },
      destination: { accountId: 'a1', currency: 'usd' },
    });
    expect(transferDetails.developerFee?.fees?.[0]?.feeAmount).toBe('0.5');
    expect(transferDetails.receipt?.paymentTracking).toEqual({ imad: '1' });
  });
});
