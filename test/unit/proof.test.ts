import { describe, expect, it } from 'vitest';
import { refusalsOf } from '../../src/evidence/error-response.ts';
import { isErrorShape, showsAccount, showsTransfer } from '../../src/evidence/proof.ts';

const nothing = [undefined, null, '', 'text', 7, [], {}];

describe('a transfer', () => {
  it.each<[details: unknown, absent: string | undefined]>([
    [{ id: 't1', status: 'CREATED' }, undefined],
    [{ id: 7, status: 'A_NEW_STATUS' }, undefined],
    [{ id: 't1' }, 'transferDetails.status'],
    [{ id: 't1', status: null }, 'transferDetails.status'],
    [{ id: ' ', status: 'CREATED' }, 'transferDetails.id'],
    [{ requestId: 'k', status: 'CREATED' }, 'transferDetails.id'],
    [['t1'], 'transferDetails.id'],
  ])('is shown by its id and its status: %j', (transferDetails, absent) => {
    expect(showsTransfer({ transferDetails })?.path).toBe(absent);
  });

  it('is not shown at the top, or by nothing', () => {
    for (const body of [...nothing, { id: 't1', status: 'CREATED' }])
      expect(showsTransfer(body)).toEqual({ path: 'transferDetails.id', code: 'no_record' });
  });
});

describe('an account', () => {
  it.each<[record: unknown, absent: string | undefined]>([
    [{ id: 'a1', status: 'PENDING' }, undefined],
    [{ accountId: 'a1', isValid: false }, undefined],
    [{ id: 'a1', invalidFields: [] }, undefined],
    [{ id: 'a1', rail: 'onramp' }, undefined],
    [{ accountId: 'a1', accountType: 'us' }, undefined],
    [{ id: 'a1' }, 'status'],
    [{ id: 'a1', status: null, message: 'x' }, 'status'],
    [{ status: 'ACTIVE' }, 'id'],
  ])('is shown by an id and a field that only accounts have: %j', (record, absent) => {
    expect(showsAccount(record)?.path).toBe(absent);
  });

  it('is not shown by nothing', () => {
    for (const body of nothing) expect(showsAccount(body)).toEqual({ path: 'id', code: 'no_record' });
  });
});

describe('the shape of an error', () => {
  const refusals = refusalsOf(['SEEN'], ['LIMIT_REACHED']);

  it.each<[unknown]>([
    [{ success: false }],
    [{ status: 'error' }],
    [{ success: 'false' }],
    [{ status: 'fail' }],
    [{ status: 'failure' }],
    [{ status: 400 }],
    [{ statusCode: 422, requestId: 'k' }],
    [{ status: 500 }],
    [{ code: 'INSUFFICIENT_BALANCE' }],
    [{ code: 'SEEN' }],
    [{ code: 'LIMIT_REACHED' }],
    [{ error: 'Not authorized' }],
    [{ error: { message: 'x' } }],
    [{ error: true }],
    [{ errors: ['x'] }],
    [{ errorDetails: 'x' }],
  ])('is %j', (body) => {
    expect(isErrorShape(body, refusals)).toBe(true);
  });

  it.each<[unknown]>([
    [{}],
    [{ success: true, error: null, errorDetails: '', errors: [] }],
    [{ error: {}, status: 200, code: 0 }],
    [{ status: 'CREATED', code: 'OTHER' }],
    [{ transferDetails: { error: 'AMOUNT_TOO_LOW', errorDetails: 'x' } }],
    [[{ error: 'x' }]],
    ['error'],
    [null],
  ])('is not %j', (body) => {
    expect(isErrorShape(body, refusals)).toBe(false);
  });
});
