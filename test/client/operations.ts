import type { PaymentsClient, RequestOptions } from '../../src/client/index.ts';
import * as wire from '../fixtures/index.ts';
import { matchingBody } from './matching-body.ts';

/** What an operation may repeat after an ambiguous failure, as the design's table has it. */
type Repeats = 'always' | 'keyed' | 'never';

/** One operation of the service: how it is called, and what must stand on the wire. */
export interface OperationCase {
  readonly name: string;
  readonly method: string;
  readonly template: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
  readonly response: unknown;
  readonly repeats: Repeats;
  /** Resolves with the value, or with the items of a list's first page. */
  readonly call: (client: PaymentsClient, options?: RequestOptions) => Promise<unknown>;
}

export const requestId = '6fa459ea-ee8a-4ca4-894e-db77e160355e';

export const onrampParams = {
  requestId,
  source: { userId: 'u 1', currency: 'usd', amount: 100.25, transferType: 'ach' },
  destination: { userId: 'u 1', currency: 'usdc', chain: 'POLYGON' },
};

export const transferParams = {
  requestId,
  source: { userId: 'payer' },
  destination: { userId: 'payee' },
  amount: 25.5,
  currency: 'usdc',
  chain: 'POLYGON',
  requireApproval: true,
};

export const batchParams = {
  requestId,
  source: { userId: 'payer' },
  destination: {
    batch: [
      { userId: 'a', amount: '0.01' },
      { walletAddress: '0xabc', amount: '1' },
    ],
  },
  currency: 'usdc',
  chain: 'POLYGON',
  requireApproval: false,
};

export const bridgeParams = {
  requestId,
  amount: 12.5,
  source: { userId: 'payer', chain: 'POLYGON', currency: 'usdc' },
  destination: { chain: 'BASE', currency: 'usdc', walletAddress: '0xabc' },
};

export const offrampParams = {
  requestId,
  purposeOfPayment: 'bills',
  source: { userId: 'payer', currency: 'usdc', chain: 'POLYGON', amount: 80 },
  destination: { currency: 'usd', accountId: 'a1', sameDayAch: true, achReference: 'INV 42' },
};

const accountHolder = {
  type: 'individual' as const,
  name: 'Ada Lovelace',
  phone: '+14155550123',
  email: 'ada@example.com',
  address: {
    addressLine1: '1 Engine Street',
    city: 'London',
    stateProvinceRegion: 'LDN',
    postalCode: 'EC1A 1BB',
    country: 'GBR',
  },
};

export const usParams = {
  rail: 'onramp' as const,
  type: 'us' as const,
  accountHolder,
  us: {
    transferType: 'ach' as const,
    accountType: 'checking' as const,
    accountNumber: '000123456789',
    routingNumber: '021000021',
    bankName: 'First Bank',
    currency: 'usd' as const,
  },
};

export const africaParams = {
  rail: 'onramp' as const,
  type: 'africa' as const,
  accountHolder: { ...accountHolder, type: 'business' as const },
  africa: {
    financialInstitute: 'MTN',
    accountType: 'momo' as const,
    accountNumber: '256700000000',
    currency: 'ugx',
    country: 'uga',
  },
};

const list = async (promise: PromiseLike<{ items: readonly unknown[] }>) => (await promise).items;

const listed: readonly OperationCase[] = [
  {
    name: 'onramps.create',
    method: 'POST',
    template: '/v2/onramps',
    path: '/v2/onramps',
    query: '',
    body: onrampParams,
    response: wire.withRequestId(wire.awaitingFunds, requestId),
    repeats: 'keyed',
    call: (client, options) => client.onramps.create(onrampParams, options),
  },
  {
    name: 'onramps.refreshQuote',
    method: 'POST',
    template: '/v2/onramps/{transferId}/quote/refresh',
    path: '/v2/onramps/t%20%3F%231/quote/refresh',
    query: '',
    body: undefined,
    response: wire.withTransferId(wire.openQuote, 't ?#1'),
    repeats: 'always',
    call: (client, options) => client.onramps.refreshQuote('t ?#1', options),
  },
  {
    name: 'accounts.create',
    method: 'POST',
    template: '/v2/users/{userId}/accounts',
    path: '/v2/users/u%3A1/accounts',
    query: '',
    body: usParams,
    response: wire.createdAccount,
    repeats: 'never',
    call: (client, options) => client.accounts.create('u:1', usParams, options),
  },
  {
    name: 'accounts.list',
    method: 'GET',
    template: '/v2/users/{userId}/accounts',
    path: '/v2/users/u%C3%A91/accounts',
    query: '?rail=onramp',
    body: undefined,
    response: { accounts: [wire.usAccount, wire.africaAccount] },
    repeats: 'always',
    call: (client, options) => list(client.accounts.list('ué1', { rail: 'onramp' }, options)),
  },
  {
    name: 'accounts.retrieve',
    method: 'GET',
    template: '/v2/users/{userId}/accounts/{accountId}',
    path: '/v2/users/u1/accounts/a%26b',
    query: '',
    body: undefined,
    response: { ...wire.usAccount, id: 'a&b' },
    repeats: 'always',
    call: (client, options) => client.accounts.retrieve('u1', 'a&b', options),
  },
  {
    name: 'accounts.delete',
    method: 'DELETE',
    template: '/v2/users/{userId}/accounts/{accountId}',
    path: '/v2/users/u1/accounts/50%25',
    query: '',
    body: undefined,
    response: { success: true, deleted: 'a1' },
    repeats: 'always',
    call: (client, options) => client.accounts.delete('u1', '50%', options),
  },
  {
    name: 'transfers.create',
    method: 'POST',
    template: '/v2/wallets/transfers',
    path: '/v2/wallets/transfers',
    query: '',
    body: transferParams,
    response: wire.heldTransfer,
    repeats: 'keyed',
    call: (client, options) => client.transfers.create(transferParams, options),
  },
  {
    name: 'transfers.createBatch',
    method: 'POST',
    template: '/v2/wallets/transfers/batches',
    path: '/v2/wallets/transfers/batches',
    query: '',
    body: batchParams,
    response: wire.batchTransfer,
    repeats: 'keyed',
    call: (client, options) => client.transfers.createBatch(batchParams, options),
  },
  {
    name: 'bridges.create',
    method: 'POST',
    template: '/v2/wallets/bridges',
    path: '/v2/wallets/bridges',
    query: '',
    body: bridgeParams,
    response: wire.bridgeTransfer,
    repeats: 'keyed',
    call: (client, options) => client.bridges.create(bridgeParams, options),
  },
  {
    name: 'offramps.create',
    method: 'POST',
    template: '/v2/offramps',
    path: '/v2/offramps',
    query: '',
    body: offrampParams,
    response: wire.offrampTransfer,
    repeats: 'keyed',
    call: (client, options) => client.offramps.create(offrampParams, options),
  },
  {
    name: 'approvals.list',
    method: 'GET',
    template: '/v2/transfer-approvals',
    path: '/v2/transfer-approvals',
    query: '?limit=2&offset=4',
    body: undefined,
    response: wire.approvalPage,
    repeats: 'always',
    call: (client, options) => list(client.approvals.list({ limit: 2, offset: 4 }, options)),
  },
  {
    name: 'approvals.approve',
    method: 'POST',
    template: '/v2/transfer-approvals/{approvalId}/approve',
    path: '/v2/transfer-approvals/ap%2B1/approve',
    query: '',
    body: { comment: 'fine' },
    response: { ...wire.approved, approvalId: 'ap+1' },
    repeats: 'never',
    call: (client, options) => client.approvals.approve('ap+1', { comment: 'fine' }, options),
  },
  {
    name: 'approvals.reject',
    method: 'POST',
    template: '/v2/transfer-approvals/{approvalId}/reject',
    path: '/v2/transfer-approvals/ap1/reject',
    query: '',
    body: {},
    response: { ...wire.rejected, approvalId: 'ap1' },
    repeats: 'never',
    call: (client, options) => client.approvals.reject('ap1', {}, options),
  },
  {
    name: 'reporting.retrieveResults',
    method: 'GET',
    template: '/v2/reporting/metrics/{id}/results',
    path: `/v2/reporting/metrics/${wire.metricId}/results`,
    query: '',
    body: undefined,
    response: wire.dailyVolume,
    repeats: 'always',
    call: (client, options) => client.reporting.retrieveResults(wire.metricId, options),
  },
  {
    name: 'kyc.retrieve',
    method: 'GET',
    template: '/v2/users/{userId}/kyc',
    path: '/v2/users/u1/kyc',
    query: '',
    body: undefined,
    response: { ...wire.kycRecord, userId: 'u1' },
    repeats: 'always',
    call: (client, options) => client.kyc.retrieve('u1', options),
  },
  {
    name: 'externalWallets.list',
    method: 'GET',
    template: '/v2/users/{userId}/wallets/external',
    path: '/v2/users/u1/wallets/external',
    query: '?createdBefore=2026-11-20T10%3A00%3A00.000Z&limit=2',
    body: undefined,
    response: wire.walletPage,
    repeats: 'always',
    call: (client, options) =>
      list(client.externalWallets.list('u1', { cursor: '2026-11-20T10:00:00.000Z', limit: 2 }, options)),
  },
];

/** All 16 operations of the spec's table, with the records of what was sent. */
export const operations: readonly OperationCase[] = listed.map((operation) => {
  const body = operation.body === undefined ? undefined : JSON.stringify(operation.body);
  const url = `http://localhost${operation.path}`;
  return { ...operation, response: matchingBody(operation.response, { url, body }) };
});

/** What a call gives back of a response: the items of a list, or the whole. */
export function expectedValue({ name, response }: OperationCase): unknown {
  if (!name.endsWith('.list')) return response;
  const lists = Object.values(response as Record<string, unknown>).filter(Array.isArray);
  return lists[0];
}

/** A call that a test makes with a client of its own. */
export type Call = (client: PaymentsClient) => PromiseLike<unknown>;

/** One call of each kind of retry: with an idempotency key, once, and a read. */
export const pay: Call = (client) => client.transfers.create(transferParams);
export const approve: Call = (client) => client.approvals.approve('ap1');
export const read: Call = (client) => client.kyc.retrieve('u1');
