import type { Dialect } from '../dialect/dialect.ts';
import type { OperationName } from '../state/faults.ts';

/**
 * The responses of an operation: the name of the schema of its success, and the statuses of its errors in addition to those that
 * every operation has.
 */
export const RESPONSES: Readonly<Record<OperationName, readonly [schema: string, ...errors: number[]]>> = {
  'onramps.create': ['Onramp', 403, 404, 409, 413],
  'onramps.refreshQuote': ['Onramp', 404, 409, 413],
  'onramps.acceptQuote': ['Onramp', 404, 409, 413],
  'accounts.create': ['NewAccount', 403, 404, 413],
  'accounts.list': ['AccountList', 404],
  'accounts.retrieve': ['Account', 404],
  'accounts.delete': ['DeletedAccount', 404, 413],
  'transfers.create': ['Transfer', 404, 409, 413],
  'transfers.createBatch': ['TransferBatch', 404, 409, 413],
  'bridges.create': ['Bridge', 404, 409, 413],
  'bridges.acceptQuote': ['Bridge', 404, 409, 413],
  'offramps.create': ['Offramp', 404, 409, 413],
  'offramps.acceptQuote': ['Offramp', 404, 409, 413],
  'approvals.list': ['ApprovalList'],
  'approvals.approve': ['ApprovalDecision', 404, 409, 413],
  'approvals.reject': ['ApprovalDecision', 404, 409, 413],
  'reporting.retrieveResults': ['MetricResults', 404],
  'kyc.retrieve': ['KycInformation', 404],
  'externalWallets.list': ['ExternalWalletList', 404],
};

/** The operations, named as in the client. */
export const OPERATIONS: readonly string[] = Object.keys(RESPONSES);

export function successStatusOf(dialect: Dialect, operation: OperationName): number {
  if (operation === 'accounts.delete') return dialect.accountDeletion === 'empty' ? 204 : 200;
  return /\.create(Batch)?$/.test(operation) ? dialect.createStatus : 200;
}

/** The tag of each family of operations, and its description. */
const TAGS = new Map([
  ['onramps', { name: 'Onramp', description: 'Fiat in, stablecoins out.' }],
  ['accounts', { name: 'Account', description: 'Fiat accounts of a user.' }],
  ['transfers', { name: 'Crypto Transfer', description: 'Stablecoins to one wallet or to many.' }],
  ['bridges', { name: 'Cross-Chain Bridge', description: 'Stablecoins to another chain.' }],
  ['offramps', { name: 'Offramp', description: 'Stablecoins in, fiat out.' }],
  ['approvals', { name: 'Transfer Approvals', description: 'Decisions on transfers that wait for one.' }],
  ['reporting', { name: 'Reporting', description: 'Saved metrics.' }],
  ['kyc', { name: 'Kyc', description: 'What is known of a user.' }],
  ['externalWallets', { name: 'Wallet', description: 'Wallets outside the service.' }],
]);

export function tagOf(operation: string): { name: string; description: string } {
  const [family = ''] = operation.split('.');
  return TAGS.get(family) ?? { name: family, description: family };
}

/** The meanings of the error statuses. */
export const ERRORS: Readonly<Record<number, string>> = {
  400: 'The request is not valid; nothing was made.',
  401: 'The bearer token is missing or not valid.',
  403: 'The user has no active rail for this.',
  404: 'Something that the request names does not exist.',
  409: 'The state does not allow it, or the requestId is known.',
  413: 'The body is larger than 1 MiB.',
  422: 'The requestId is known.',
  500: 'The service failed.',
};

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
