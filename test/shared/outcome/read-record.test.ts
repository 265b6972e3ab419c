import { describe, expect, it } from 'vitest';
import { recordIn } from '../../../src/shared/outcome/read-record.ts';

const details = { id: 't1', status: 'CREATED', requestId: 'r1' };
const event = (data: unknown) => ({ eventType: 'WALLET.TRANSFER.UPDATE', data });

describe('a record, wherever it is read,', () => {
  it.each<[what: string, found: unknown, shown: unknown]>([
    ['has its details in their documented place', { transferType: 'X', transferDetails: details }, details],
    [
      'may have numbers for its id and its status',
      { transferDetails: { id: 7, status: 1 } },
      { id: 7, status: 1 },
    ],
    [
      'may have a status that the service added',
      { transferDetails: { ...details, status: 'ODD' } },
      { ...details, status: 'ODD' },
    ],
    ['may show why it failed', { transferDetails: { ...details, error: 'X' } }, { ...details, error: 'X' }],
    ['may have its fields at the top', details, details],
    [
      'may have failed, with its fields at the top',
      { ...details, status: 'FAILED' },
      { ...details, status: 'FAILED' },
    ],
    ['stands in an event', event({ transferDetails: details }), details],
    ['may have a field of events beside it', { eventType: 'X', ...details }, { eventType: 'X', ...details }],
    ['may be the data of an event', event({ ...details, error: 'X' }), { ...details, error: 'X' }],
    [
      'may name its transfer in an event',
      event({ transferId: 't1', status: 'ODD' }),
      { id: 't1', transferId: 't1', status: 'ODD' },
    ],
  ])('%s', (_what, found, shown) => {
    expect(recordIn(found)).toEqual(shown);
  });

  it.each<[what: string, found: unknown]>([
    ['a bare key', { requestId: 'r1' }],
    ['a key in its place', { transferDetails: { requestId: 'r1' } }],
    ['details without a status', { transferDetails: { id: 't1', requestId: 'r1' } }],
    ['details without an id', { transferDetails: { status: 'COMPLETED', requestId: 'r1' } }],
    ['an error', { status: 'error', error: { code: 'X' }, requestId: 'r1' }],
    ['an error with an id', { id: 'e1', status: 'error', requestId: 'r1' }],
    ['an error that failed', { id: 'e1', status: 'failed', requestId: 'r1' }],
    ['an error that failed, in capitals', { id: 'e1', status: 'FAILED', error: 'X', requestId: 'r1' }],
    ['an error by its number', { ...details, statusCode: 500 }],
    ['an error around a record', { success: false, transferDetails: details }],
    ['an error by a documented name', { code: 'INSUFFICIENT_BALANCE', transferDetails: details }],
    [
      'a line of a log',
      { level: 'info', id: 'l1', status: 'ok', message: 'transfer created', requestId: 'r1' },
    ],
    ['a line of a log with a number', { id: 'l1', status: 201, requestId: 'r1' }],
    ['an error in an event', event({ success: false, transferDetails: details })],
    ['an event without a status', event({ transferId: 't1' })],
    ['an event without data', event(null)],
    ['data without the kind of an event', { data: details }],
    ['a list', [details]],
    ['a text', 't1'],
    ['nothing', null],
    ['inherited fields', Object.create(details)],
  ])('is not %s', (_what, found) => {
    expect(recordIn(found)).toBeUndefined();
  });
});
