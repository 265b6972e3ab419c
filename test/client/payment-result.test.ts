import { describe, expect, it } from 'vitest';
import { paymentResult } from '../../src/index.ts';

const record = (details: object) => ({
  transferType: 'WALLET.TRANSFER',
  transferDetails: { id: 't1', status: 'PENDING', ...details },
});

describe('the final result of a payment', () => {
  it.each([
    ['COMPLETED', 'paid'],
    ['FAILED', 'not-paid'],
    ['CANCELLED', 'not-paid'],
    ['REJECTED', 'not-paid'],
    ['EXPIRED', 'not-paid'],
    ['QUOTE_FAILED', 'not-paid'],
    ['failed', 'not-paid'],
    ['FIAT_RETURNED', 'check'],
    ['CRYPTO_FAILED', 'check'],
    ['DESTINATION_FAILED', 'check'],
    ['PENDING', undefined],
    ['SOMETHING_NEW', undefined],
  ])('follows from the status %s: %s', (status, result) => {
    expect(paymentResult(record({ status }))).toBe(result);
  });

  it.each(['REJECTED', 'EXPIRED'])('is that of its approval while it waits for one: %s', (status) => {
    for (const details of [{ approval: { status } }, { receipt: { approval: { status } } }])
      expect(paymentResult(record({ status: 'PENDING_APPROVAL', ...details }))).toBe('not-paid');
  });

  it.each(['APPROVED', 'CREATED', 'INITIATED', 'PENDING', 'SOMETHING_NEW'])(
    'is not that of a refused approval where the transfer is %s',
    (status) => {
      expect(paymentResult(record({ status, approval: { status: 'REJECTED' } }))).toBeUndefined();
    },
  );

  it.each([undefined, null, 'COMPLETED', 7, [], {}, { transferDetails: null }])(
    'is unknown for %j',
    (value) => {
      expect(paymentResult(value)).toBeUndefined();
    },
  );
});
