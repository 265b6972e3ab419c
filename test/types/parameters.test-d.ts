import { describe, expectTypeOf, it } from 'vitest';
import type {
  AccountCreateParams,
  AccountListParams,
  BridgeCreateParams,
  Chain,
  FiatCurrency,
  OfframpCreateParams,
  OnrampCreateParams,
  PaymentsClient,
  PurposeOfPayment,
  Stablecoin,
  TransferBatchCreateParams,
  TransferCreateParams,
  UnlistedAccountType,
} from '../../src/client/index.ts';

declare const payments: PaymentsClient;

const transfer = {
  source: { userId: 'u1' },
  destination: { userId: 'u2' },
  amount: 1,
  currency: 'usdc',
  chain: 'POLYGON',
};

describe('a misspelled field of the parameters does not compile', () => {
  it('at the top', () => {
    // @ts-expect-error: requireApproval
    payments.transfers.create({ ...transfer, requireAproval: true });
    // @ts-expect-error: requestId
    payments.transfers.create({ ...transfer, requestID: 'r' });
    // @ts-expect-error: requestId
    payments.transfers.create({ ...transfer, idempotencyKey: 'r' });
    // @ts-expect-error: amount
    payments.bridges.create({ source: coins, destination: coins, ammount: 1 });
    // @ts-expect-error: comment
    payments.approvals.approve('a1', { coment: 'x' });
    // @ts-expect-error: reason is for rejections
    payments.approvals.approve('a1', { reason: 'x' });
    // @ts-expect-error: limit
    payments.accounts.list('u1', { limt: 1 });
    // @ts-expect-error: extraBody
    payments.transfers.create(transfer, { extrabody: {} });
  });

  it('in nested objects', () => {
    // @ts-expect-error: userId
    payments.transfers.create({ ...transfer, source: { userID: 'u1' } });
    // @ts-expect-error: walletAddress
    payments.transfers.create({ ...transfer, destination: { userId: 'u2', walletAdress: '0x' } });
    payments.transfers.createBatch({
      source: { userId: 'u1' },
      // @ts-expect-error: amount
      destination: { batch: [{ userId: 'u2', amount: '1', amout: '1' }] },
      currency: 'usdc',
      chain: 'BASE',
    });
    payments.onramps.create({
      // @ts-expect-error: accountId
      source: { userId: 'u1', currency: 'usd', amount: 1, acountId: 'a' },
      destination: coins,
    });
    payments.onramps.create({
      source: { userId: 'u1', currency: 'usd', amount: 1 },
      // @ts-expect-error: externalWalletId
      destination: { ...coins, externalWalletID: 'w' },
    });
    payments.offramps.create({
      source: { ...coins, amount: 1 },
      // @ts-expect-error: sameDayAch
      destination: { currency: 'usd', accountId: 'a', sameDayACH: true },
    });
    payments.accounts.create('u1', {
      rail: 'onramp',
      type: 'us',
      accountHolder,
      // @ts-expect-error: routingNumber
      us: { ...us, routingNumer: '1' },
    });
    payments.accounts.create('u1', {
      rail: 'onramp',
      type: 'us',
      // @ts-expect-error: phone
      accountHolder: { ...accountHolder, fone: '1' },
      us,
    });
  });
});

describe('two alternatives', () => {
  const both = { userId: 'u2', walletAddress: '0x' };

  it('do not compile if neither is given', () => {
    // @ts-expect-error: userId or walletAddress
    payments.transfers.create({ ...transfer, destination: {} });
    // @ts-expect-error: userId or walletAddress
    payments.transfers.createBatch({ ...transfer, destination: { batch: [{ amount: 1 }] } });
    // @ts-expect-error: source.amount or destination.amount
    payments.onramps.create({ source: { userId: 'u1', currency: 'usd' }, destination: coins });
    payments.onramps.create({
      source: { userId: 'u1', currency: 'usd', amount: 1 },
      // @ts-expect-error: userId or externalWalletId
      destination: { currency: 'usdc', chain: 'BASE' },
    });
    // @ts-expect-error: source.amount or destination.amount
    payments.offramps.create({ source: coins, destination: fiat });
    // @ts-expect-error: userId or externalWalletId
    payments.offramps.create({ source: { currency: 'usdc', chain: 'BASE', amount: 1 }, destination: fiat });
  });

  it('do not compile if both are given', () => {
    // @ts-expect-error: userId or walletAddress
    payments.transfers.create({ ...transfer, destination: both });
    payments.transfers.createBatch({
      ...transfer,
      // @ts-expect-error: userId or walletAddress
      destination: { batch: [{ ...both, amount: 1 }] },
    });
    // @ts-expect-error: userId or walletAddress
    payments.bridges.create({ amount: 1, source: coins, destination: { ...coins, ...both } });
    // @ts-expect-error: source.amount or destination.amount
    payments.onramps.create({
      source: { userId: 'u1', currency: 'usd', amount: 1 },
      destination: { ...coins, amount: 1 },
    });
    payments.onramps.create({
      source: { userId: 'u1', currency: 'usd', amount: 1 },
      // @ts-expect-error: userId or externalWalletId
      destination: { ...coins, externalWalletId: 'w' },
    });
    // @ts-expect-error: source.amount or destination.amount
    payments.offramps.create({
      source: { ...coins, amount: 1 },
      destination: { ...fiat, amount: 1 },
    });
    payments.offramps.create({
      // @ts-expect-error: userId or externalWalletId
      source: { ...coins, externalWalletId: 'w', amount: 1 },
      destination: fiat,
    });
  });

  it('compile if one is null, and a bridge also if neither is given', () => {
    payments.transfers.create({ ...transfer, destination: { userId: 'u2', walletAddress: null } });
    payments.onramps.create({
      source: { userId: 'u1', currency: 'usd', amount: null },
      destination: { externalWalletId: 'w', userId: null, amount: '25.50' },
    });
    payments.bridges.create({
      amount: '0.01',
      source: coins,
      destination: { chain: 'BASE', currency: 'usdc' },
    });
  });
});

const fiat = { currency: 'usd', accountId: 'a' };
const coins = { userId: 'u1', currency: 'usdc', chain: 'POLYGON' };
const us = {
  transferType: 'ach',
  accountType: 'Checking',
  accountNumber: '1',
  routingNumber: '2',
  bankName: 'b',
  currency: 'usd',
} as const;
const address = { addressLine1: 'a', city: 'c', stateProvinceRegion: 's', postalCode: 'p', country: 'USA' };
const accountHolder = { type: 'individual', name: 'n', phone: 'p', email: 'e', address } as const;
const africa = {
  financialInstitute: 'MTN',
  accountType: 'momo',
  accountNumber: '1',
  currency: 'ugx',
  country: 'uga',
} as const;

describe('every request of most services compiles', () => {
  it('payments', () => {
    expectTypeOf({ ...transfer, destination: { walletAddress: '0x' } }).toExtend<TransferCreateParams>();
    expectTypeOf({
      source: { userId: 'u1' },
      destination: {
        batch: [
          { userId: 'u2', amount: '0.01' },
          { walletAddress: '0x', amount: 1 },
        ],
      },
      currency: 'usdc',
      chain: 'NEW_CHAIN',
    }).toExtend<TransferBatchCreateParams>();
    expectTypeOf({ amount: 1, source: coins, destination: coins }).toExtend<BridgeCreateParams>();
    expectTypeOf({
      source: { currency: 'usdc', chain: 'BASE', externalWalletId: 'w' },
      destination: { currency: 'eur', accountId: 'a', amount: 5, sepaReference: 'invoice' },
      purposeOfPayment: 'bills',
    }).toExtend<OfframpCreateParams>();
    expectTypeOf({
      source: { userId: 'u1', currency: 'ngn', accountId: 'a' },
      destination: { externalWalletId: 'w', amount: 5 },
      purposeOfPayment: 'gift',
      fee: { type: 'FIX', value: 1 },
    }).toExtend<OnrampCreateParams>();
  });

  it('accounts of every region and rail', () => {
    expectTypeOf({ rail: 'offramp', type: 'us', accountHolder, us } as const).toExtend<AccountCreateParams>();
    expectTypeOf({ rail: 'onramp', type: 'africa', africa } as const).toExtend<AccountCreateParams>();
    expectTypeOf({
      rail: 'offramp',
      type: 'brazil',
      brazil: { pixKey: 'k' },
    } as const).toExtend<AccountCreateParams>();
    expectTypeOf({
      rail: 'offramp',
      type: 'hongKongGlobalNetwork',
      accountHolder,
      hongKongGlobalNetwork: { bankName: 'b', accountNumber: '1', swiftCode: 's' },
    } as const).toExtend<AccountCreateParams>();
    const usOnramp = { rail: 'onramp', type: 'us', accountHolder } as const;
    expectTypeOf(usOnramp).not.toExtend<AccountCreateParams>();
    expectTypeOf({ ...usOnramp, africa } as const).not.toExtend<AccountCreateParams>();
    expectTypeOf({ ...usOnramp, us, africa } as const).not.toExtend<AccountCreateParams>();
    expectTypeOf({
      rail: 'offramp',
      type: 'mexico',
      brazil: {},
    } as const).not.toExtend<AccountCreateParams>();
    expectTypeOf({ rail: 'offramp', type: 'chile' } as const).not.toExtend<AccountCreateParams>();
    expectTypeOf({
      rail: 'offramp',
      type: 'chile' as UnlistedAccountType,
    } as const).toExtend<AccountCreateParams>();
  });

  it('open values complete and take any other text', () => {
    expectTypeOf<string>().toExtend<Chain & Stablecoin & FiatCurrency & PurposeOfPayment>();
    expectTypeOf<string>().toExtend<NonNullable<AccountListParams['type']>>();
    expectTypeOf<'school-fees'>().toExtend<PurposeOfPayment>();
  });
});
