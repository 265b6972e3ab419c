import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import * as sdk from '../../src/client/index.ts';
import { transferParams } from './operations.ts';
import { clientOf, failure, json, networkFailure, printedForms, scripted, text, token } from './support.ts';

const { requestId } = transferParams;
const shared = { operation: 'transfers.create', requestId, attempts: 2, outcome: 'unknown' } as const;
const api = {
  ...shared,
  headers: new Headers({ 'x-secret': 'planted' }),
  body: { planted: true },
  service: { error: 'USER_FROZEN', details: 'planted' },
};

const errors: readonly sdk.PaymentsError[] = [
  new sdk.ConfigurationError('no address', shared),
  new sdk.InvalidRequestError('wrong', {
    ...shared,
    field: 'amount',
  }),
  new sdk.ConnectionError('reset', {
    ...shared,
    cause: Object.assign(new Error('planted'), { code: 'ECONNRESET' }),
  }),
  new sdk.TimeoutError('late', 'attempt', shared),
  new sdk.TimeoutError('late', 'deadline', shared),
  new sdk.AbortedError('stopped', shared),
  new sdk.ResponseValidationError('odd', { ...shared, issues: [{ path: 'id', code: 'x' }], body: 'planted' }),
  new sdk.ResponseMismatchError('other', { ...shared, path: 'transferDetails.requestId' }),
  new sdk.PaginationError('again', shared),
  new sdk.AccountRejectedError('no', { ...shared, accountId: 'planted', invalidFields: ['planted'] }),
  new sdk.WebhookVerificationError('no', { ...shared, code: 'webhook_token_expired' }),
  new sdk.APIError('418', { ...api, status: 418 }),
  new sdk.BadRequestError('400', { ...api, status: 400 }),
  new sdk.AuthenticationError('401', { ...api, status: 401 }),
  new sdk.PermissionDeniedError('403', { ...api, status: 403 }),
  new sdk.NotFoundError('404', { ...api, status: 404 }),
  new sdk.ConflictError('known', { ...api, status: 400, code: 'request_id_known' }),
  new sdk.UnprocessableEntityError('422', { ...api, status: 422 }),
  new sdk.RateLimitError('429', { ...api, status: 429, retryAfter: 7 }),
  new sdk.InternalServerError('500', { ...api, status: 502 }),
];

describe('an error as JSON', () => {
  it.each(errors.map((error) => [error.name, error] as const))('is plain data: %s', (name, error) => {
    const written = JSON.stringify(error);
    expect(written).not.toContain('planted');
    const { message, code, outcome } = error;
    expect(JSON.parse(written)).toMatchObject({ name, message, code, outcome, requestId });
  });

  it.each([
    ['a refusal', json({ code: 400012, error: 'INSUFFICIENT_BALANCE', errorDetails: 'x' }, 400)],
    ['a lost response', networkFailure('ECONNRESET')],
    ['an unusable response', json({ transferDetails: { id: 't1' } })],
    ['a page of HTML', text('<html>', 502)],
  ])('of a call keeps its outcome and its key: %s', async (_what, step) => {
    const payments = clientOf(scripted(step), { retries: 0 });
    const error = await failure(payments.transfers.create(transferParams));
    const written = JSON.stringify(error);
    expect(JSON.parse(written)).toMatchObject({ outcome: error.outcome, requestId, code: error.code });
    expect(written).not.toContain(token);
  });

  it('survives a worker thread', async () => {
    const error = new sdk.TimeoutError('late', 'deadline', shared);
    const worker = new Worker(
      "require('node:worker_threads').parentPort.once('message', (m) => { require('node:worker_threads').parentPort.postMessage(m); })",
      { eval: true },
    );
    const message = new Promise((resolve) => worker.once('message', resolve));
    worker.postMessage(error.toJSON());
    expect(await message).toMatchObject({ name: 'TimeoutError', outcome: 'unknown', requestId });
    await worker.terminate();
  });
});

describe('an error that was copied by its prototype', () => {
  it('shows nothing and breaks nothing', () => {
    for (const error of errors) {
      const copy: sdk.PaymentsError = Object.create(error);
      expect(copy.originalError).toBe(error.originalError);
      expect(JSON.stringify(copy)).toContain(error.name);
      expect(printedForms(copy)).not.toContain('planted');
    }
  });
});
