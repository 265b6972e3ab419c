import { describe, expect, it } from 'vitest';
import { refusalsOf } from '../../../src/shared/outcome/names.ts';
import type { OperationFacts } from '../../../src/shared/outcome/operation.ts';
import { ofSuccess } from '../../../src/shared/outcome/record.ts';
import { isErrorShape } from '../../../src/shared/outcome/refusal.ts';
import { type Kind, kinds } from './operations.ts';

const refusals = refusalsOf(['SEEN'], ['LIMIT_REACHED']);
const all: readonly Kind[] = ['payment', 'refresh', 'account', 'approve', 'reject', 'delete'];
const read = (kind: Kind, body: unknown, isJson = true) =>
  ofSuccess({ status: 200, body, isJson }, { ...kinds[kind], refusals });

describe('the shape of an error', () => {
  it.each<[unknown]>([
    [{ success: false }],
    [{ status: 'error' }],
    [{ status: 'fail' }],
    [{ status: 'failure' }],
    [{ status: 'failed' }],
    [{ status: 'ERROR' }],
    [{ status: 'Fail' }],
    [{ status: 'FAILURE' }],
    [{ success: 'no', status: 'FAILED' }],
    [{ status: 400 }],
    [{ statusCode: 422, requestId: 'k' }],
    [{ status: 500 }],
    [{ code: 'INSUFFICIENT_BALANCE' }],
    [{ code: 'RESOURCE_CONFLICT' }],
    [{ code: 'SEEN' }],
    [{ code: 'LIMIT_REACHED' }],
    [{ error: 'Not authorized' }],
    [{ error: { message: 'x' } }],
    [{ error: true }],
    [{ error: 500 }],
    [{ errors: ['x'] }],
    [{ errors: { amount: 'x' } }],
    [{ errorDetails: 'x' }],
  ])('is %j, and proves no operation', (body) => {
    expect(isErrorShape(body, refusals)).toBe(true);
    for (const kind of all) expect(read(kind, body).outcome, kind).toBe('unknown');
    if (!('code' in Object(body)))
      expect(read('payment', body)).toEqual({
        outcome: 'unknown',
        row: 8,
        remedy: 'function',
        issue: { path: '', code: 'error_shape' },
      });
  });

  // "Of an operation that the caller describes, a schema that passes outweighs a number in `status` or `statusCode`."
  it.each<[body: unknown, isCustom: boolean, passesSchema: boolean, issue: string, remedy?: string]>([
    [{ status: 400 }, true, true, 'none'],
    [{ statusCode: 422 }, true, true, 'none'],
    [{ status: 400 }, true, false, 'error_shape', 'schema'],
    [{ status: 400 }, false, true, 'error_shape', 'function'],
    [{ status: 400, error: 'x' }, true, true, 'error_shape', 'function'],
    [{ statusCode: 400, success: false }, true, false, 'error_shape', 'function'],
    [{ error: 'x' }, true, true, 'error_shape', 'function'],
  ])(
    '%j of an own operation: %s, of a schema that passes: %s',
    (body, isCustom, passesSchema, code, remedy) => {
      const operation = { ...kinds.payment.operation, isCustom, provesCall: () => undefined };
      const call = { ...kinds.payment, operation, refusals };
      const { issue, ...proof } = ofSuccess({ status: 200, body, isJson: true, passesSchema }, call);
      expect([issue?.code ?? 'none', proof.remedy]).toEqual([code, remedy]);
    },
  );

  it.each<[unknown]>([
    [{}],
    [{ success: true, error: null, errorDetails: '', errors: [] }],
    [{ error: {}, status: 200, code: 0 }],
    [{ error: false, errors: 0, errorDetails: ' ' }],
    [{ status: 'CREATED', code: 'OTHER' }],
    [{ status: '500', statusCode: 399 }],
    [{ success: 'no', status: 'ERRORS' }],
    [{ status: ['error'] }],
    [{ transferDetails: { error: 'AMOUNT_TOO_LOW', errorDetails: 'x' } }],
    [[{ error: 'x' }]],
    ['error'],
    [null],
  ])('is not %j', (body) => {
    expect(isErrorShape(body, refusals)).toBe(false);
  });
});

describe('a record', () => {
  it.each<[details: unknown, absent: string | undefined]>([
    [{ id: 't1', status: 'CREATED' }, undefined],
    [{ id: 't1', status: 'A_NEW_STATUS', error: 'AMOUNT_TOO_LOW' }, undefined],
    [{ id: 't1' }, 'transferDetails.status'],
    [{ id: 't1', status: null }, 'transferDetails.status'],
    [{ id: ' ', status: 'CREATED' }, 'transferDetails.id'],
    [{ requestId: 'r1', status: 'CREATED' }, 'transferDetails.id'],
    [['t1'], 'transferDetails.id'],
  ])('of a transfer shows its id and its status: %j', (transferDetails, absent) => {
    expect(read('payment', { transferDetails }).issue?.path).toBe(absent);
  });

  it('may have numbers in their place', () => {
    expect(read('payment', { transferDetails: { id: 7, status: 1 } }).outcome).toBe('succeeded');
  });

  it('is read in its documented place alone', () => {
    for (const kind of ['payment', 'refresh'] as const)
      for (const body of [
        { id: 't1', status: 'CREATED' },
        { data: { transferDetails: { id: 't1', status: 'x' } } },
      ])
        expect(read(kind, body)).toMatchObject({ outcome: 'unknown', row: 11 });
    // A trace id under the name of the key is no other key.
    const shown = { requestId: 'trace-1', transferDetails: { id: 't1', status: 'CREATED' } };
    expect(read('payment', shown).outcome).toBe('succeeded');
  });

  it.each<[record: unknown, absent: string | undefined]>([
    [{ id: 'a1', status: 'PENDING' }, undefined],
    [{ accountId: 'a1', isValid: false }, undefined],
    [{ id: 'a1', invalidFields: [] }, undefined],
    [{ id: 'a1', rail: 'onramp' }, undefined],
    [{ accountId: 'a1', accountType: 'us' }, undefined],
    [{ id: 'a1' }, 'status'],
    [{ id: 'a1', status: null, message: 'x' }, 'status'],
    [{ status: 'ACTIVE' }, 'id'],
    [{ id: '', status: 'ACTIVE' }, 'id'],
    [[], 'id'],
  ])('of an account shows an id and a field that only accounts have: %j', (body, absent) => {
    expect(read('account', body).issue?.path).toBe(absent);
  });
});

describe('the response of a decision and of a deletion', () => {
  it('names the field that does not show the record', () => {
    expect(read('approve', { approvalId: 'ap1', status: 'REJECTED' }).issue).toEqual({
      path: 'status',
      code: 'no_record',
    });
    expect(read('delete', 'ok').issue).toEqual({ path: '', code: 'no_record' });
    expect(read('delete', { deleted: false }).issue).toEqual({ path: 'deleted', code: 'contradicts_call' });
    for (const field of ['id', 'accountId'])
      expect(read('delete', { [field]: 'a1', status: 'ACTIVE' }).issue).toEqual({
        path: 'status',
        code: 'contradicts_call',
      });
  });

  it('of a deletion proves it without an account, whatever its status', () => {
    expect(read('delete', { status: 'ACTIVE' }).outcome).toBe('succeeded');
    expect(read('delete', { status: 'ok', id: null }).outcome).toBe('succeeded');
  });
});

describe('a record of something else', () => {
  const details = { id: 't1', status: 'CREATED' };
  const paying = (shown: object, sent: object) =>
    ofSuccess(
      { status: 200, body: { transferDetails: { ...details, ...shown } }, isJson: true },
      { operation: kinds.payment.operation, refusals, path: {}, sent },
    ).mismatch;

  it.each<[sent: object, shown: object, path: string | undefined]>([
    [{ requestId: 'AB-c' }, { requestId: 'abC' }, undefined],
    [{ requestId: 'abc' }, { requestId: 'abd' }, 'requestId'],
    [{ requestId: 'abc' }, { requestId: null }, undefined],
    [{ requestId: 'abc' }, { requestId: ' ' }, undefined],
    [{}, { requestId: 'abd' }, undefined],
    [{ amount: 25.5 }, { amount: '25.50' }, undefined],
    [{ amount: '0.30' }, { amount: 0.3 }, undefined],
    [{ amount: 25.5 }, { amount: 25.51 }, 'amount'],
    [{ amount: '0.1' }, { amount: '0.10000000000000000001' }, 'amount'],
    [{ amount: 25.5 }, { amount: 'about 20' }, undefined],
    [{ amount: 25.5, fee: { type: 'FIX', value: 1 } }, { amount: 26.5 }, undefined],
    [{ amount: 25.5, fee: null }, { amount: 26.5 }, 'amount'],
    [{ currency: 'usdc' }, { currency: 'USDC' }, undefined],
    [{ currency: 'usdc' }, { currency: 'usdt' }, 'currency'],
    [{ source: { userId: 'u1' } }, { source: { userId: 'U-1' } }, undefined],
    [{ source: { userId: 'u1' } }, { source: { userId: 'u2' } }, 'source.userId'],
    [{ source: { userId: 'u1' } }, { source: { userId: 17 } }, 'source.userId'],
    [{ source: { userId: '17' } }, { source: { userId: 17 } }, undefined],
    [{ destination: { walletAddress: '0xAB' } }, { destination: { walletAddress: '0xab' } }, undefined],
    [
      { destination: { walletAddress: '0xAB' } },
      { destination: { walletAddress: '0xac' } },
      'destination.walletAddress',
    ],
    [{ destination: { userId: 'u1' } }, { destination: { walletAddress: '0xac' } }, undefined],
    [{ source: { amount: 5 } }, { source: { amount: 6 } }, 'source.amount'],
    [
      { destination: { amount: 5, currency: 'usd' } },
      { destination: { currency: 'eur' } },
      'destination.currency',
    ],
    [
      {
        destination: {
          batch: [
            { userId: 'a', amount: '1' },
            { userId: 'b', amount: 2 },
          ],
        },
      },
      { amount: 3 },
      undefined,
    ],
    [
      {
        destination: {
          batch: [
            { userId: 'a', amount: '1' },
            { userId: 'b', amount: 2 },
          ],
        },
      },
      { amount: 4 },
      'amount',
    ],
    [
      { destination: { batch: [{ userId: 'a', amount: '1' }] } },
      { destination: { batch: [{ userId: 'b', amount: '1' }] } },
      'destination.batch',
    ],
  ])('%j is not shown by %j: %s', (sent, shown, path) => {
    expect(paying(shown, sent)).toBe(path);
  });

  it('is looked for in the ids of the path, too', () => {
    expect(read('account', { id: 'a1', status: 'PENDING', userId: 'U-1' }).outcome).toBe('succeeded');
    expect(read('account', { id: 'a1', status: 'PENDING', userId: 'u2' })).toMatchObject({
      row: 9,
      mismatch: 'userId',
    });
    expect(read('delete', { id: 'x', accountId: 'a1' }).outcome).toBe('succeeded');
    expect(read('delete', { id: 'x', accountId: 'y' })).toMatchObject({ row: 9, mismatch: 'id' });
    expect(read('refresh', { transferDetails: { id: 't2', status: 'OPEN_QUOTE' } })).toMatchObject({
      row: 9,
      mismatch: 'transferDetails.id',
    });
  });

  it('is nothing that an operation of the caller’s is held to', () => {
    const operation: OperationFacts = { name: 'request', retrySafety: 'keyed', isCustom: true };
    for (const body of [undefined, null, {}, [], 'ok', { transferDetails: { requestId: 'another' } }])
      expect(
        ofSuccess(
          { status: 200, body, isJson: true },
          { operation, refusals, path: {}, sent: { requestId: 'r1' } },
        ),
      ).toMatchObject({ outcome: 'succeeded' });
    const page = { status: 200, body: '<html>', isJson: false };
    expect(ofSuccess(page, { operation, refusals, path: {}, sent: {} })).toMatchObject({
      outcome: 'unknown',
    });
    const error = { status: 200, body: { success: false }, isJson: true };
    expect(ofSuccess(error, { operation, refusals, path: {}, sent: {} })).toMatchObject({ row: 8 });
  });
});

describe('a documented read', () => {
  const operation: OperationFacts = {
    name: 'kyc.retrieve',
    retrySafety: 'read',
    essential: ['userId', 'kycInfo'],
    identity: { userId: ['userId'] },
  };
  const reading = (body: unknown, { isJson = true, status = 200 } = {}) =>
    ofSuccess({ status, body, isJson }, { operation, refusals, path: { userId: 'u1' }, sent: undefined });

  it('is unusable if it is empty, no JSON, an error, or shows none of its essential fields', () => {
    expect(reading('<html>', { isJson: false }).issue).toEqual({ path: '', code: 'invalid_json' });
    for (const body of [undefined, null, {}])
      expect(reading(body).issue).toEqual({ path: '', code: 'empty' });
    expect(reading({ success: false, userId: 'u1' }).issue?.code).toBe('error_shape');
    expect(reading({ message: 'x' }).issue).toEqual({ path: 'userId', code: 'no_record' });
    for (const body of [[], 7, 'x', {}]) expect(reading(body).outcome).toBe('unknown');
  });

  it('is usable with one of them, and with a 204', () => {
    expect(reading({ userId: 'u1' }).outcome).toBe('succeeded');
    expect(reading({ kycInfo: {} }).outcome).toBe('succeeded');
    expect(reading(undefined, { status: 204 }).outcome).toBe('succeeded');
  });

  it('without essential fields is usable with any', () => {
    const own: OperationFacts = { name: 'accounts.retrieve', retrySafety: 'read' };
    expect(
      ofSuccess(
        { status: 200, body: { message: 'x' }, isJson: true },
        { operation: own, refusals, path: {}, sent: undefined },
      ),
    ).toEqual({ outcome: 'succeeded' });
  });

  it('that shows another id is a mismatch', () => {
    expect(reading({ userId: 'u2' })).toMatchObject({ outcome: 'unknown', mismatch: 'userId' });
  });

  it('of the caller’s gives whatever came', () => {
    const own: OperationFacts = { name: 'request', retrySafety: 'read', isCustom: true };
    for (const body of [undefined, { success: false }, { error: 'x' }, 'text'])
      expect(
        ofSuccess(
          { status: 200, body, isJson: false },
          { operation: own, refusals, path: {}, sent: undefined },
        ),
      ).toEqual({ outcome: 'succeeded' });
  });
});
