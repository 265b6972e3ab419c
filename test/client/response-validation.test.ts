import { describe, expect, it, vi } from 'vitest';
import type { ClientOptions, DriftEvent, PaymentsClient } from '../../src/client/index.ts';
import { ResponseValidationError } from '../../src/client/index.ts';
import * as wire from '../fixtures/index.ts';
import { operations, requestId } from './operations.ts';
import { bridge, clientOf, failure, json, scripted, text } from './support.ts';

const responding = (body: unknown, options: ClientOptions = {}) => clientOf(scripted(json(body)), options);

describe('strict validation', () => {
  type Row = [what: string, body: unknown, call: (client: PaymentsClient) => PromiseLike<unknown>];
  it.each<Row>([
    ...[wire.awaitingFunds, wire.openQuote, wire.failedOnramp, wire.onrampFromTheFuture].map(
      (onramp): Row => ['onramp', onramp, (client) => client.onramps.refreshQuote(onramp.transferDetails.id)],
    ),
    ...[wire.createdAccount, wire.rejectedAccount, wire.usAccount, wire.africaAccount].map(
      (account): Row => ['account', account, (client) => client.accounts.retrieve('u1', account.id)],
    ),
    ...[wire.kycRecord, wire.bareKycRecord, wire.kycFromTheFuture].map(
      (record): Row => ['KYC record', record, (client) => client.kyc.retrieve(record.userId)],
    ),
    ...[wire.dailyVolume, wire.brokenDownVolume].map(
      (metric): Row => ['metric', metric, (client) => client.reporting.retrieveResults('m1')],
    ),
  ])('accepts every %s of the spec (%#)', async (_what, body, call) => {
    expect(await call(responding(body, { responseValidation: 'strict' }))).toEqual(body);
  });

  it('throws on any departure, and names it by path and code without the value', async () => {
    const body = { ...wire.createdAccount, message: { planted: 'secret-value' } };
    const error = await failure(
      responding(body, { responseValidation: 'strict' }).accounts.retrieve('u', body.id),
    );
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({
      outcome: 'succeeded',
      operation: 'accounts.retrieve',
      attempts: 1,
      code: 'response_validation',
      issues: [{ path: 'message', code: 'invalid_type' }],
      body,
    });
    expect(error.message).toContain('`message`');
    expect(error.message).not.toContain('secret-value');
  });
});

describe('tolerant validation', () => {
  it('hands on what departs from the schema as it was received, and reports it', async () => {
    const drift: DriftEvent[] = [];
    const body = {
      ...wire.awaitingFunds,
      transferType: null,
      transferDetails: {
        id: 't1',
        status: 'CREATED',
        source: 'gone',
        amount: {},
        quoteInformation: { rate: 1 },
      },
    };
    const client = responding(body, { hooks: { drift: (event) => void drift.push(event) } });
    expect(await client.onramps.refreshQuote('t1')).toEqual(body);
    expect(drift).toHaveLength(1);
    expect(drift[0]?.operation).toBe('onramps.refreshQuote');
    expect(drift[0]?.issues).toContainEqual({ path: 'transferType', code: 'invalid_type' });
    expect(drift[0]?.issues).toContainEqual({ path: 'transferDetails.source', code: 'invalid_type' });
    expect(drift[0]?.issues).toContainEqual({
      path: 'transferDetails.quoteInformation.rate',
      code: 'invalid_type',
    });
  });

  it('reports nothing when there is no departure, unknown fields and values included', async () => {
    const drift = vi.fn();
    await responding(wire.onrampFromTheFuture, { hooks: { drift } }).onramps.refreshQuote('t1');
    await responding(wire.kycFromTheFuture, { hooks: { drift } }).kyc.retrieve('u1');
    await responding(wire.brokenDownVolume, { hooks: { drift } }).reporting.retrieveResults('m1');
    expect(drift).not.toHaveBeenCalled();
  });

  // What moves something succeeded only where the record's own id is there.
  const essential: readonly [operation: string, body: unknown, path: string, outcome?: string][] = [
    ['onramps.create', { transferDetails: { status: 'CREATED' } }, 'transferDetails.id', 'unknown'],
    ['onramps.create', { transferDetails: { id: 't1', status: 7 } }, 'transferDetails.status'],
    ['onramps.create', { transferDetails: { id: 't1' } }, 'transferDetails.status', 'unknown'],
    ['onramps.refreshQuote', { transferType: 'ONRAMP' }, 'transferDetails.id', 'unknown'],
    ['onramps.refreshQuote', [wire.openQuote], 'transferDetails.id', 'unknown'],
    ['accounts.create', 'text', 'id', 'unknown'],
    ['accounts.create', { status: 'PENDING' }, 'id', 'unknown'],
    ['accounts.create', { id: 'a1' }, 'status', 'unknown'],
    ['accounts.retrieve', [wire.usAccount], ''],
    ['accounts.list', { accounts: [wire.usAccount, 'text'] }, 'accounts.1'],
    ['transfers.create', { transferDetails: null }, 'transferDetails.id', 'unknown'],
    ['transfers.createBatch', 'text', 'transferDetails.id', 'unknown'],
    ['transfers.createBatch', { anything: 1 }, 'transferDetails.id', 'unknown'],
    ['bridges.create', { id: 'b1', status: 'CREATED' }, 'transferDetails.id', 'unknown'],
    ['offramps.create', { requestId, transferDetails: 'gone' }, 'transferDetails.id', 'unknown'],
    ['bridges.create', null, 'transferDetails.id', 'unknown'],
    ['offramps.create', 12, 'transferDetails.id', 'unknown'],
    ['approvals.list', { approvals: [{ id: 'x' }] }, 'approvals.0.status'],
    // "*Unusable* is […] of a documented read: one that […] shows none of its essential fields": here, the list itself.
    ['approvals.list', { success: true, approvals: 'none' }, 'approvals', 'unknown'],
    ['approvals.approve', { status: 'APPROVED' }, 'approvalId'],
    ['approvals.reject', { approvalId: 'ap1', status: null }, 'status', 'unknown'],
    ['reporting.retrieveResults', { status: 'success', data: {} }, 'data'],
    ['kyc.retrieve', { userId: 'u1', kycInfo: null }, 'kycInfo'],
    ['kyc.retrieve', { kycInfo: {} }, 'userId'],
    ['externalWallets.list', { count: 0 }, 'externalWallets', 'unknown'],
    ['externalWallets.list', { externalWallets: [null] }, 'externalWallets.0'],
  ];

  it.each(essential)(
    '%s throws where an essential part is wrong: %j',
    async (name, body, path, outcome = 'succeeded') => {
      const operation = operations.find((candidate) => candidate.name === name);
      const client = responding(body, { retries: 0 });
      const error = await failure(operation?.call(client) ?? Promise.resolve());
      expect(error).toBeInstanceOf(ResponseValidationError);
      expect(error).toMatchObject({ outcome, operation: name, body });
      expect((error as ResponseValidationError).issues.map((issue) => issue.path)).toContain(path);
    },
  );

  const nonessential: readonly [operation: string, body: unknown][] = [
    ['transfers.createBatch', { transferDetails: { id: 'b1', status: 'NEW' }, anything: 1 }],
    ['accounts.create', { id: 'a1', status: 'NEW' }],
    ['accounts.create', { accountId: 'a1', isValid: false }],
    ['accounts.retrieve', { id: 'a&b' }],
    ['accounts.retrieve', { status: false, isValid: 'yes', rail: 12 }],
    ['accounts.list', [wire.usAccount, { status: 'ACTIVE' }]],
    ['approvals.approve', { approvalId: 'ap+1', status: 'APPROVED' }],
    ['kyc.retrieve', { userId: 'u1', kycInfo: { email: 7, address: 'text' } }],
    ['reporting.retrieveResults', { status: 'success', data: [{ periodStart: null }] }],
  ];

  it.each(nonessential)('%s passes where a nonessential part is wrong: %j', async (name, body) => {
    const operation = operations.find((candidate) => candidate.name === name);
    expect(await operation?.call(responding(body))).toEqual(body);
  });
});

describe('a response that shows nothing', () => {
  it('fails a read without JSON, and a list without a list', async () => {
    const html = clientOf(scripted(text('<html></html>')), { retries: 0 });
    expect(await failure(html.kyc.retrieve('u1'))).toMatchObject({
      name: 'ResponseValidationError',
      body: '<html></html>',
      issues: [{ path: '', code: 'invalid_json' }],
    });
    const noList = responding({ success: true }, { retries: 0 });
    expect(await failure(noList.approvals.list())).toMatchObject({
      issues: [{ path: 'approvals', code: 'list_not_found' }],
    });
  });
});

describe('a response that is too large', () => {
  /** The limit of 10 MiB. */
  const most = 10 * 1024 * 1024;
  /** JSON of two bytes a letter. */
  const ofSize = (bytes: number) => text(`"${'é'.repeat((bytes - 2) / 2)}"`);

  it('is given up at 10 MiB, which counts bytes, not characters', async () => {
    const client = clientOf(scripted(ofSize(most + 2)));
    expect(await failure(client.bridges.create(bridge))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      issues: [{ path: '', code: 'too_large' }],
      body: undefined,
    });
    const fits = clientOf(scripted(ofSize(most)));
    expect(await fits.request({ method: 'GET', path: '/v2/text' })).toHaveLength((most - 2) / 2);
  });
});

describe('a list in an envelope that the spec does not show', () => {
  it.each(Object.entries(wire.accountEnvelopes))('is found: %s', async (_key, body) => {
    const fetch = scripted(json(body));
    const accounts = await clientOf(fetch, { responseValidation: 'strict' }).accounts.list('u1').toArray();
    expect(accounts).toEqual([wire.usAccount, wire.africaAccount]);
    expect(fetch.seen).toHaveLength(1);
  });
});

describe('drift', () => {
  it('may fail in the watcher without failing the call', async () => {
    const drift = vi.fn().mockImplementationOnce(() => {
      throw new Error('the watcher failed');
    });
    const client = responding({ userId: 'u1', kycInfo: { email: 7 } }, { hooks: { drift } });
    expect((await client.kyc.retrieve('u1')).userId).toBe('u1');
    drift.mockImplementationOnce(() => Promise.reject(new Error('the watcher failed later')));
    expect((await client.kyc.retrieve('u1')).userId).toBe('u1');
    expect(drift).toHaveBeenCalledTimes(2);
  });
});
