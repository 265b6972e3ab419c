import type { Dialect } from '../dialect/dialect.ts';
import type { OperationName } from '../state/faults.ts';

/** The responses of an operation, in addition to its route. */
export interface OperationResponses {
  tag: string;
  /** The name of the schema of its success. */
  schema: string;
  status: (dialect: Dialect) => number;
  /** The statuses of its errors beside those that every operation has. */
  errors: readonly number[];
}

const always200 = () => 200;
const createStatusOf = ({ createStatus }: Dialect) => createStatus;
const deleted = ({ accountDeletion }: Dialect) => (accountDeletion === 'empty' ? 204 : 200);

export const RESPONSES: Readonly<Record<OperationName, OperationResponses>> = {
  'onramps.create': { tag: 'Onramp', schema: 'Onramp', status: createStatusOf, errors: [403, 404, 409, 413] },
  'onramps.refreshQuote': { tag: 'Onramp', schema: 'Onramp', status: always200, errors: [404, 409, 413] },
  'onramps.acceptQuote': { tag: 'Onramp', schema: 'Onramp', status: always200, errors: [404, 409, 413] },
  'accounts.create': {
    tag: 'Account',
    schema: 'NewAccount',
    status: createStatusOf,
    errors: [403, 404, 413],
  },
  'accounts.list': { tag: 'Account', schema: 'AccountList', status: always200, errors: [404] },
  'accounts.retrieve': { tag: 'Account', schema: 'Account', status: always200, errors: [404] },
  'accounts.delete': { tag: 'Account', schema: 'DeletedAccount', status: deleted, errors: [404, 413] },
  'transfers.create': {
    tag: 'Crypto Transfer',
    schema: 'Transfer',
    status: createStatusOf,
    errors: [404, 409, 413],
  },
  'transfers.createBatch': {
    tag: 'Crypto Transfer',
    schema: 'TransferBatch',
    status: createStatusOf,
    errors: [404, 409, 413],
  },
  'bridges.create': {
    tag: 'Cross-Chain Bridge',
    schema: 'Bridge',
    status: createStatusOf,
    errors: [404, 409, 413],
  },
  'bridges.acceptQuote': {
    tag: 'Cross-Chain Bridge',
    schema: 'Bridge',
    status: always200,
    errors: [404, 409, 413],
  },
  'offramps.create': { tag: 'Offramp', schema: 'Offramp', status: createStatusOf, errors: [404, 409, 413] },
  'offramps.acceptQuote': { tag: 'Offramp', schema: 'Offramp', status: always200, errors: [404, 409, 413] },
  'approvals.list': { tag: 'Transfer Approvals', schema: 'ApprovalList', status: always200, errors: [] },
  'approvals.approve': {
    tag: 'Transfer Approvals',
    schema: 'ApprovalDecision',
    status: always200,
    errors: [404, 409, 413],
  },
  'approvals.reject': {
    tag: 'Transfer Approvals',
    schema: 'ApprovalDecision',
    status: always200,
    errors: [404, 409, 413],
  },
  'reporting.retrieveResults': {
    tag: 'Reporting',
    schema: 'MetricResults',
    status: always200,
    errors: [404],
  },
  'kyc.retrieve': { tag: 'Kyc', schema: 'KycInformation', status: always200, errors: [404] },
  'externalWallets.list': { tag: 'Wallet', schema: 'ExternalWalletList', status: always200, errors: [404] },
};

/** The descriptions of the tags. */
export const TAGS: Readonly<Record<string, string>> = {
  Onramp: 'Fiat in, stablecoins out.',
  Account: 'Fiat accounts of a user.',
  'Crypto Transfer': 'Stablecoins to one wallet or to many.',
  'Cross-Chain Bridge': 'Stablecoins to another chain.',
  Offramp: 'Stablecoins in, fiat out.',
  'Transfer Approvals': 'Decisions on transfers that wait for one.',
  Reporting: 'Saved metrics.',
  Kyc: 'What is known of a user.',
  Wallet: 'Wallets outside the service.',
};

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
