import { createHash } from 'node:crypto';

/** The fixed answers: the same records for every client, in the envelope that each expects. */

const text = (length: number) => 'x'.repeat(length);

/** A response must name the user that was asked for. */
export const small = {
  userId: 'small',
  kycInfo: {
    type: 'individual',
    firstName: 'Ada',
    lastName: 'Lovelace',
    nationality: 'GBR',
    email: 'ada@example.test',
    phone: '+441234567890',
    address: { addressLine1: '1 Example Street', city: 'London', country: 'GBR' },
    documents: [],
  },
};

export const medium = {
  ...small,
  userId: 'medium',
  kycInfo: {
    ...small.kycInfo,
    dateOfBirth: '1990-01-01',
    countryOfBirth: 'GBR',
    taxIdentificationNumber: '000-00-0000',
    govIdType: 'passport',
    govIdNumber: 'X0000000',
    govIdFrontUrl: `https://files.example.test/${text(300)}`,
    govIdBackUrl: `https://files.example.test/${text(300)}`,
    govIdHandHoldUrl: `https://files.example.test/${text(300)}`,
    proofOfAddressType: 'bill',
    proofOfAddressUrl: `https://files.example.test/${text(300)}`,
    purpose: 'payroll',
    supplementaryInfo: text(400),
    govIdExpirationDate: '2031-01-01',
    middleName: null,
    placeOfBirth: null,
  },
};

const party = { email: 'ada@example.test', lastName: 'Lovelace', firstName: 'Ada', businessName: null };
const money = (amount: string, currency: string) => ({ amount, currency });
const rail = { routingNumber: '000000000', accountNumber: '1234567890' };

export const onramp = {
  transferType: 'ONRAMP',
  transferDetails: {
    id: 'b0a1c2d3-0000-4000-8000-000000000001',
    requestId: 'b0a1c2d3-0000-4000-8000-000000000002',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    status: 'AWAITING_FUNDS',
    failedReason: null,
    source: { userId: 'u-1', currency: 'usd', amount: 100, accountId: null, user: party, bankInfo: null },
    destination: {
      userId: 'u-1',
      currency: 'usdc',
      chain: 'POLYGON',
      walletAddress: `0x${'a'.repeat(40)}`,
      externalWalletId: null,
      amount: 99.5,
      user: party,
    },
    receipt: { transactionHash: null },
    developerFee: null,
    virtualAccountId: null,
    quoteInformation: {
      sendGross: money('100.00', 'usd'),
      sendNet: money('99.75', 'usd'),
      railFee: money('0.25', 'usd'),
      receiveGross: money('99.75', 'usdc'),
      receiveNet: money('99.50', 'usdc'),
      rate: '1.0000',
      expiresAt: '2026-01-01T01:00:00Z',
    },
    depositInfo: {
      bankName: 'Example Bank',
      bankAddress: '1 Bank Street, Example City',
      swiftCode: 'EXAMPLE1',
      beneficiary: { name: 'Example Beneficiary', address: text(250) },
      ach: rail,
      wire: rail,
      rtp: rail,
      reference: 'REF123456',
      depositBy: '2026-01-02T00:00:00Z',
      instruction: text(700),
    },
  },
};

/** What every client posts. */
export const order = {
  requestId: 'b0a1c2d3-0000-4000-8000-000000000002',
  source: { userId: 'u-1', currency: 'usd', amount: 100, transferType: 'ach' },
  destination: { userId: 'u-1', currency: 'usdc', chain: 'POLYGON' },
};

/** An id that looks random, as ids do: how well an answer compresses depends on it. */
const idOf = (seed: string): string =>
  createHash('sha256')
    .update(seed)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');

export const records = Array.from({ length: 100 }, (_, index) => ({
  id: idOf(`approval ${index}`),
  transferId: idOf(`transfer ${index}`),
  transferType: 'WALLET.TRANSFER',
  status: 'PENDING',
  createdAt: new Date(Date.UTC(2026, 0, 1) + index * 777_000).toISOString(),
  updatedAt: new Date(Date.UTC(2026, 0, 2) + index * 999_000).toISOString(),
  votes: [],
}));

/** The records as this package's list brings them. */
export const approvals = { success: true, message: 'ok', count: records.length, approvals: records };
