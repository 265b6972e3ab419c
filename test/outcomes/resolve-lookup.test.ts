import { describe, expect, it, vi } from 'vitest';
import { createEmulator } from '../../src/emulator/index.ts';
import {
  AccountRejectedError,
  defineResource,
  errorFromJSON,
  type LookupResult,
  ofType,
  PaginationError,
  type PaymentsClient,
  ResponseMismatchError,
  type StandardSchema,
  TimeoutError,
  WebhookVerificationError,
} from '../../src/index.ts';
import { operations, transferParams } from '../client/operations.ts';
import { clientOf, failure, json, networkFailure, scripted } from '../client/support.ts';

const { requestId } = transferParams;
const lost = networkFailure('ECONNRESET');
const refused = json({ error: 'TRANSACTION_REQUEST_ALREADY_EXISTS' }, 400);

/** A client whose transfer got lost and whose id is known now, so that only a lookup can decide. */
async function knownPayment(): Promise<{ payments: PaymentsClient; error: unknown }> {
  const payments = clientOf(scripted(lost, refused), { retries: 0, sleep: () => undefined });
  await failure(payments.transfers.create(transferParams));
  return { payments, error: await failure(payments.transfers.create(transferParams)) };
}

/** A schema that no record passes. */
const textShape: StandardSchema<string> = {
  '~standard': { validate: () => ({ issues: [{}] }) },
};

const record = (details: object) => ({
  transferType: 'WALLET.TRANSFER',
  transferDetails: { id: 't1', requestId, status: 'PENDING', ...details },
});

describe('a lookup', () => {
  it.each<[string, unknown]>([
    ['false', false],
    ['true', true],
    ['zero', 0],
    ['an empty string', ''],
    ['a word', 'found'],
    ['not_made', 'not_made'],
    ['NOT-MADE', 'NOT-MADE'],
    ['notMade', 'notMade'],
    ['an empty list', []],
    ['a list of records', [record({})]],
    ['an empty object', {}],
    ['an envelope without items', { items: [] }],
    ['a page', { count: 1, transfers: [record({})] }],
    ['a response', Response.json(record({}))],
    ['an error', new Error('not found')],
    ['an error of this package', new TimeoutError('late', 'attempt', { requestId })],
    ['the echo of the id', { requestId }],
    ['a record without details', { requestId, transferDetails: null }],
    ['an object without an `id`', record({ id: '' })],
    ['an object without a `requestId`', record({ requestId: undefined })],
    ['a function', () => record({})],
    ['a symbol', Symbol('made')],
  ])('that returns %s ends in a clear error, and never in `made`', async (what, value) => {
    const { payments, error } = await knownPayment();
    const mistake = await failure(payments.resolve(error, { lookup: () => value as LookupResult }));
    expect(mistake).toMatchObject({
      name: 'InvalidRequestError',
      outcome: 'unknown',
      requestId,
      field: 'lookup',
      operation: 'transfers.create',
    });
    expect(mistake.message).toContain('`lookup` must return the record');
    if (what.startsWith('an object without')) expect(mistake.message).toContain(`returned ${what}`);
    expect(mistake.message).toContain('still unknown');
  });

  it.each<[string, object]>([
    ['another requestId', { requestId: '00000000-0000-4000-8000-000000000000' }],
    ['another amount', { amount: Number(transferParams.amount) + 1 }],
    ['another payee', { destination: { userId: 'somebody-else' } }],
    ['another currency', { currency: 'eurc' }],
    ['another payer', { source: { userId: 'somebody-else' } }],
  ])('that returns a record of %s ends in a clear error', async (_what, details) => {
    const { payments, error } = await knownPayment();
    const mistake = await failure(payments.resolve(error, { lookup: () => record(details) }));
    expect(mistake).toBeInstanceOf(ResponseMismatchError);
    expect(mistake).toMatchObject({ outcome: 'unknown', requestId });
    expect(mistake.message).toContain('a record of another call');
    expect(mistake.message).not.toContain('somebody-else');
  });

  it('decides by the same amount and payee, however they are written', async () => {
    const { payments, error } = await knownPayment();
    const { amount, destination } = transferParams;
    const same = {
      amount: `${amount}0`,
      destination: { ...destination },
      requestId: requestId?.toUpperCase(),
    };
    expect(await payments.resolve(error, { lookup: async () => record(same) })).toMatchObject({
      state: 'made',
      evidence: 'lookup',
    });
  });

  it.each(['FAILED', 'CANCELLED', 'REJECTED', 'EXPIRED', 'failed'])(
    'that finds a %s payment does not tell to keep it',
    async (status) => {
      const { payments, error } = await knownPayment();
      const resolution = await payments.resolve(error, { lookup: () => record({ status }) });
      expect(resolution).toMatchObject({ state: 'made', ended: 'not-paid' });
      expect(resolution.next).not.toContain('Do not send it again');
      expect(resolution.next).toContain(`No money moved (${status.toUpperCase()})`);
    },
  );

  it.each(['REJECTED', 'EXPIRED'])(
    'reads an approval that is %s as the end of its transfer',
    async (status) => {
      const { payments, error } = await knownPayment();
      for (const details of [{ approval: { status } }, { receipt: { approval: { status } } }]) {
        const found = record({ status: 'PENDING_APPROVAL', ...details });
        expect(await payments.resolve(error, { lookup: () => found })).toMatchObject({ ended: 'not-paid' });
      }
    },
  );

  it.each(['APPROVED', 'CREATED', 'INITIATED', 'PENDING', 'SOMETHING_NEW'])(
    'does not take a transfer that is %s for unpaid because its approval was refused',
    async (status) => {
      const { payments, error } = await knownPayment();
      const found = record({ status, approval: { status: 'REJECTED' } });
      const resolution = await payments.resolve(error, { lookup: () => found });
      expect(resolution).toMatchObject({ state: 'made' });
      expect(resolution.ended).toBeUndefined();
    },
  );

  it.each([
    ['COMPLETED', 'paid'],
    ['FIAT_RETURNED', 'check'],
    ['CRYPTO_FAILED', 'check'],
    ['DESTINATION_FAILED', 'check'],
    ['PENDING', undefined],
    ['SOMETHING_NEW', undefined],
  ])('that finds %s says how the payment ended: %s', async (status, ended) => {
    const { payments, error } = await knownPayment();
    const resolution = await payments.resolve(error, { lookup: () => record({ status }) });
    expect(resolution.state).toBe('made');
    expect(resolution.ended).toBe(ended);
  });

  it('that finds nothing does not outweigh a later call under the key that was answered', async () => {
    const payments = clientOf(scripted(lost, json(record({})), networkFailure('ECONNREFUSED')), {
      retries: 0,
      sleep: () => undefined,
    });
    const error = await failure(payments.transfers.create(transferParams));
    await payments.transfers.create(transferParams);
    const made = { state: 'made', evidence: 'error' };
    expect(await payments.resolve(error, { lookup: () => 'not-made' })).toMatchObject(made);
    expect(await payments.resolve(error, { lookup: () => undefined })).toMatchObject(made);
    expect(await payments.resolve(error, { lookup: () => record({}) })).toMatchObject({ evidence: 'lookup' });
    expect(await payments.resolve(error)).toMatchObject(made);
  });

  it('of a decision says what became of it', async () => {
    const payments = clientOf(scripted(lost), { retries: 0, sleep: () => undefined });
    const approve = await failure(payments.approvals.approve('a1'));
    const states = async (status: string, id = 'a1') =>
      (await payments.resolve(approve, { lookup: () => ({ id, status }) })).state;
    expect(await states('APPROVED')).toBe('made');
    expect(await states('REJECTED')).toBe('not-made');
    expect(await states('EXPIRED')).toBe('not-made');
    expect(await states('PENDING')).toBe('undecided');
    expect(await failure(states('APPROVED', 'a2'))).toBeInstanceOf(ResponseMismatchError);
    expect(await failure(states('DEFERRED'))).toMatchObject({
      name: 'InvalidRequestError',
      outcome: 'unknown',
      message: expect.stringContaining('an approval without a documented `status`'),
    });
    const reject = await failure(payments.approvals.reject('a1'));
    const resolution = await payments.resolve(reject, { lookup: () => ({ id: 'a1', status: 'APPROVED' }) });
    expect(resolution.state).toBe('not-made');
  });
});

describe('what is no payment', () => {
  const callAgain = 'This error is not about a payment: call again.';
  it.each([
    ['a rejected account', new AccountRejectedError('no', { accountId: 'a1', invalidFields: [] })],
    ['a walk through pages', new PaginationError('again', { operation: 'approvals.list' })],
    ['a delivery', new WebhookVerificationError('no')],
    ['a signature', new WebhookVerificationError('no', { code: 'webhook_bad_signature' })],
  ])('is not made: %s', async (_what, error) => {
    const payments = clientOf(scripted(json({})));
    expect(await payments.resolve(error)).toMatchObject({ state: 'undecided', next: callAgain });
  });

  it('is not made: the page after the last one of a list that has no method', async () => {
    const payments = clientOf(scripted(json({ transfers: [{ id: 't1' }] })));
    const last = await payments.paginate({ path: '/v2/transfers', next: () => undefined });
    const error = await failure(last.nextPage());
    // design.md: "`PaginationError` is `not-sent` where no request was made, else `unknown`."
    expect(error).toMatchObject({ code: 'no_next_page', outcome: 'not-sent' });
    expect(await payments.resolve(error)).toMatchObject({ state: 'undecided', next: callAgain });
  });

  it('is not made: a read that you declare, whose error comes from another process', async () => {
    const lookup = { method: 'GET', path: '/v2/transfers/{transferId}', response: textShape } as const;
    const { own } = clientOf(scripted(json({ id: 't1' }))).with({ own: defineResource('own', { lookup }) });
    const error = await failure(own.lookup('t1'));
    expect(error).toMatchObject({ code: 'response_validation', outcome: 'succeeded' });
    const copy = errorFromJSON(JSON.parse(JSON.stringify(error)));
    expect(await clientOf(scripted(json({}))).resolve(copy)).toMatchObject({ state: 'undecided' });
  });

  it('is not made: a read whose response is unusable', async () => {
    const fetch = scripted(json({ userId: 'u1' }));
    const payments = clientOf(fetch);
    const error = await failure(payments.kyc.retrieve('u1'));
    expect(await payments.resolve(error)).toMatchObject({ state: 'undecided' });
    expect(fetch.seen).toHaveLength(1);
  });

  it('is not made: a wait for an account whose state cannot be read', async () => {
    const payments = clientOf(scripted(json({ id: 'a1', userId: 'u1' }), json({ accounts: [] })));
    const error = await failure(payments.accounts.waitUntilActive('u1', 'a1'));
    expect(error).toMatchObject({ code: 'response_validation', outcome: 'succeeded' });
    expect(await payments.resolve(error)).toMatchObject({ state: 'undecided', next: callAgain });
  });

  it.each(operations.filter(({ method }) => method === 'GET'))(
    'is not made: $name, whose error comes from another process',
    async ({ name, call }) => {
      const payments = clientOf(
        scripted(() => new Response('<html>')),
        { retries: 0 },
      );
      const error = await failure(call(payments));
      expect(error.operation).toBe(name);
      const copy = errorFromJSON({ ...error.toJSON(), outcome: 'succeeded' });
      expect(await payments.resolve(copy)).toMatchObject({ state: 'undecided', next: callAgain });
    },
  );
});

describe('a deadline of resolve', () => {
  it('holds with a sleep that returns at once', async () => {
    const emulator = createEmulator();
    const sleep = (milliseconds: number) => emulator.clock.advance(milliseconds);
    const payments = clientOf(emulator.fetch, { retries: 0, sleep });
    emulator.faults.inject({ operation: 'transfers.create', kind: 'reset-before-commit', times: 10_000 });
    const error = await failure(payments.transfers.create(transferParams));
    const lookup = vi.fn(() => undefined);
    expect(await payments.resolve(error, { lookup })).toMatchObject({ state: 'undecided' });
    // One minute, two seconds apart.
    expect(lookup.mock.calls.length).toBeGreaterThan(25);
    expect(lookup.mock.calls.length).toBeLessThan(32);
  });

  it('holds for a call that is retried, with a sleep that returns at once', async () => {
    const fetch = scripted(json({}, 500));
    const payments = clientOf(fetch, { retries: 100, sleep: () => undefined, deadline: 20_000 });
    await failure(payments.kyc.retrieve('u1'));
    expect(fetch.seen.length).toBeLessThan(10);
  });

  it('holds while a response schema never ends', async () => {
    const payments = clientOf(scripted(lost, json({ requestId, id: 't1' })), { retries: 0 });
    const schema = {
      '~standard': { ...ofType()['~standard'], validate: () => new Promise<never>(() => undefined) },
    };
    const error = await failure(
      payments.request({ method: 'POST', path: '/v2/x', body: { requestId }, retrySafety: 'keyed', schema }),
    );
    expect(await payments.resolve(error, { deadline: 100, interval: 5 })).toMatchObject({
      state: 'undecided',
    });
  });
});

describe('an error without its memory', () => {
  it.each([
    ['a refusal', json({ error: 'INSUFFICIENT_BALANCE' }, 400), 'rejected'],
    ['a refused connection', networkFailure('ECONNREFUSED'), 'not-sent'],
    ['a lost response', lost, 'unknown'],
  ])('leaves it undecided: %s, of another copy of the package', async (_what, step, outcome) => {
    vi.resetModules();
    const copy = await import('../../src/index.ts');
    const options = { baseUrl: 'http://127.0.0.1:4010', accessToken: 'token', retries: 0 };
    const other = new copy.PaymentsClient({ ...options, fetch: scripted(step) });
    const error = await failure(other.transfers.create(transferParams));
    const fetch = scripted(json({}));
    const payments = clientOf(fetch);
    expect(error.outcome).toBe(outcome);
    expect(await payments.resolve(error)).toMatchObject({ state: 'undecided', evidence: 'none' });
    expect(fetch.seen).toHaveLength(0);
    const found = await payments.resolve(error, { lookup: () => record({}) });
    expect(found).toMatchObject({ state: 'made', evidence: 'lookup' });
  });

  it('still proves the record that it carries', async () => {
    vi.resetModules();
    const copy = await import('../../src/index.ts');
    const fetch = scripted(json({ transferType: 7, transferDetails: { id: 't1', status: 'CREATED' } }));
    const strict = { fetch, responseValidation: 'strict' } as const;
    const options = { baseUrl: 'http://127.0.0.1:4010', accessToken: 'token', ...strict };
    const other = new copy.PaymentsClient(options);
    const error = await failure(other.transfers.create(transferParams));
    const resolution = await clientOf(scripted(json({}))).resolve(error);
    expect(resolution).toMatchObject({ state: 'made', evidence: 'error' });
    expect(resolution.record).toMatchObject({ transferDetails: { id: 't1' } });
  });
});
