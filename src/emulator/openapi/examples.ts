import type { Dialect } from '../dialect/dialect.ts';
import type { OperationName } from '../state/faults.ts';

const PAYER = '5a275465-6397-4d3b-bb1e-7e972f01ae15';
const PAYEE = '497cbf84-53b2-482c-8896-b024a568895b';
const ACCOUNT = '17444adf-2f5e-4a0c-9b5c-0d5a4a2b7c11';
const requestId = 'b3f1c1de-5d0f-4b1c-9a3e-2f6f0f8e7a55';
const coin = { currency: 'usdc', chain: 'POLYGON' };

/** A body that each operation accepts, by its name. */
export function exampleOf({ batchAmounts }: Dialect, operation: OperationName): unknown {
  const examples: Partial<Record<OperationName, unknown>> = {
    'onramps.create': {
      requestId,
      source: { userId: PAYER, currency: 'usd', amount: 250, transferType: 'ach' },
      destination: { userId: PAYER, ...coin },
    },
    'accounts.create': {
      rail: 'onramp',
      type: 'us',
      accountHolder: {
        type: 'individual',
        name: 'Jane Doe',
        phone: '+12025550100',
        email: 'jane@example.com',
        address: {
          addressLine1: '1 Main Street',
          city: 'Springfield',
          stateProvinceRegion: 'IL',
          postalCode: '62701',
          country: 'USA',
        },
      },
      us: {
        transferType: 'ach',
        accountType: 'checking',
        accountNumber: '000123456789',
        routingNumber: '021000021',
        bankName: 'Example Bank',
        currency: 'usd',
      },
    },
    'transfers.create': {
      requestId,
      source: { userId: PAYER },
      destination: { userId: PAYEE },
      amount: 25,
      ...coin,
      requireApproval: true,
    },
    'transfers.createBatch': {
      requestId,
      source: { userId: PAYER },
      destination: { batch: [{ userId: PAYEE, amount: batchAmounts === 'number' ? 0.5 : '0.50' }] },
      ...coin,
    },
    'bridges.create': {
      requestId,
      amount: 25,
      source: { userId: PAYER, ...coin },
      destination: { chain: 'BASE', currency: 'usdc', userId: PAYER },
    },
    'offramps.create': {
      requestId,
      source: { userId: PAYER, ...coin, amount: 25 },
      destination: { currency: 'usd', accountId: ACCOUNT },
    },
    'approvals.approve': { comment: 'Matches invoice 1042' },
    'approvals.reject': { reason: 'Sent twice' },
  };
  return examples[operation];
}
