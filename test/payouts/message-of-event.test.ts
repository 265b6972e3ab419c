import { expect, it } from 'vitest';
import { payoutMessageOf } from '../../src/payouts/index.ts';

const requestId = '3f1c1f0e-6a55-4d62-a6de-6a3c2d8a1d11';

it.each([
  [
    'an approval',
    'TRANSFER.APPROVAL.APPROVED',
    { transferId: 't1' },
    { type: 'decision', decision: 'APPROVED', transferId: 't1' },
  ],
  [
    'a rejection',
    'TRANSFER.APPROVAL.REJECTED',
    { transferId: 't1' },
    { type: 'decision', decision: 'REJECTED', transferId: 't1' },
  ],
  [
    'an expiry',
    'TRANSFER.APPROVAL.EXPIRED',
    { transferId: 't1' },
    { type: 'decision', decision: 'EXPIRED', transferId: 't1' },
  ],
  [
    'a pending approval',
    'TRANSFER.APPROVAL.PENDING',
    { transferId: 't1' },
    { type: 'wake', transferId: 't1' },
  ],
  [
    'a transfer without its status',
    'WALLET.TRANSFER.UPDATE',
    { id: 't1', requestId },
    { type: 'wake', requestId, transferId: 't1' },
  ],
  [
    // "an error shape, a log line or a bare key is none"
    'an error around a transfer',
    'WALLET.TRANSFER.UPDATE',
    { success: false, transferDetails: { id: 't1', requestId, status: 'COMPLETED' } },
    { type: 'wake', requestId, transferId: 't1' },
  ],
  [
    'a transfer whose key is no text',
    'WALLET.TRANSFER.UPDATE',
    { id: 't1', requestId: [requestId] },
    { type: 'wake', transferId: 't1' },
  ],
])('reads %s', (_name, eventType, data, message) => {
  expect(payoutMessageOf({ eventType, data })?.message).toEqual(message);
});

it('reads a record in each of its forms, without what may name a person', () => {
  const details = {
    id: 't1',
    requestId,
    status: 'COMPLETED',
    amount: 5,
    note: 'for Ann',
    source: { userId: 'p', user: { email: 'a@b' } },
  };
  const forms = [details, { ...details, id: undefined, transferId: 't1' }, { transferDetails: details }];
  for (const data of forms) {
    const heard = payoutMessageOf({ eventType: 'WALLET.TRANSFER.UPDATE', data });
    expect(heard).toMatchObject({ requestId, transferId: 't1', message: { type: 'record' } });
    expect(heard?.message).toMatchObject({
      record: { transferDetails: { id: 't1', status: 'COMPLETED', source: { userId: 'p' } } },
    });
    expect(JSON.stringify(heard)).not.toMatch(/Ann|a@b/);
  }
});

it.each([
  ['another kind', { eventType: 'ONRAMP.STATUS.COMPLETED', data: { id: 't1' } }],
  ['no transfer', { eventType: 'WALLET.TRANSFER.UPDATE', data: { status: 'COMPLETED' } }],
  [
    'an id that no database can store',
    { eventType: 'WALLET.TRANSFER.UPDATE', data: { id: 'a\u0000b', status: 'COMPLETED' } },
  ],
  ['no data', { eventType: 'WALLET.TRANSFER.UPDATE' }],
  ['no event', undefined],
])('says nothing of an event with %s', (_name, event) => {
  expect(payoutMessageOf(event)).toBeUndefined();
});
