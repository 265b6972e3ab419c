import { describe, expect, it } from 'vitest';
import { endOf, type PaymentResult, paymentResult } from '../../../src/shared/outcome/payment-record.ts';
import type { ApprovalStatus } from '../../../src/shared/service/approvals.ts';
import type { BridgeStatus } from '../../../src/shared/service/bridges.ts';
import type { OfframpStatus } from '../../../src/shared/service/offramps.ts';
import type { OnrampStatus } from '../../../src/shared/service/onramps.ts';
import type { TransferStatus } from '../../../src/shared/service/transfers.ts';

/** The compiler finds a status that is missing here. */
type Results<Status extends string> = Record<Status, PaymentResult | undefined>;

const transfers: Results<TransferStatus> = {
  NOT_INITIATED: undefined,
  PENDING_APPROVAL: undefined,
  APPROVED: undefined,
  CREATED: undefined,
  INITIATED: undefined,
  PENDING: undefined,
  UNKNOWN: undefined,
  COMPLETED: 'paid',
  REJECTED: 'not-paid',
  CANCELLED: 'not-paid',
  FAILED: 'not-paid',
};

const onramps: Results<OnrampStatus> = {
  NOT_INITIATED: undefined,
  CREATED: undefined,
  OPEN_QUOTE: undefined,
  FIAT_INITIATED: undefined,
  AWAITING_FUNDS: undefined,
  FIAT_PENDING: undefined,
  FIAT_PROCESSED: undefined,
  CRYPTO_INITIATED: undefined,
  CRYPTO_PENDING: undefined,
  UNKNOWN: undefined,
  COMPLETED: 'paid',
  QUOTE_FAILED: 'not-paid',
  EXPIRED: 'not-paid',
  CANCELLED: 'not-paid',
  FIAT_FAILED: 'check',
  FIAT_RETURNED: 'check',
  CRYPTO_FAILED: 'check',
};

const bridges: Results<BridgeStatus> = {
  ...transfers,
  OPEN_QUOTE: undefined,
  SOURCE_INITIATED: undefined,
  SOURCE_PENDING: undefined,
  SOURCE_PROCESSED: undefined,
  DESTINATION_INITIATED: undefined,
  DESTINATION_PENDING: undefined,
  QUOTE_FAILED: 'not-paid',
  SOURCE_FAILED: 'check',
  DESTINATION_FAILED: 'check',
};

const offramps: Results<OfframpStatus> = {
  ...transfers,
  OPEN_QUOTE: undefined,
  CRYPTO_INITIATED: undefined,
  CRYPTO_PENDING: undefined,
  FIAT_INITIATED: undefined,
  FIAT_PENDING: undefined,
  IN_REVIEW: undefined,
  QUOTE_FAILED: 'not-paid',
  EXPIRED: 'not-paid',
  CRYPTO_FAILED: 'check',
  FIAT_FAILED: 'check',
  FIAT_RETURNED: 'check',
};

/** Statuses that services add, or write in another way. */
const others: Results<string> = {
  '': undefined,
  SOMETHING_NEW: undefined,
  NOT_COMPLETED: undefined,
  COMPLETED_WITH_ERRORS: undefined,
  PAYOUT_FAILED_RETRYING: undefined,
  RETURNED_IN_PART: undefined,
  completed: 'paid',
  canceled: 'not-paid',
  DECLINED: 'not-paid',
  RETURNED: 'check',
  FIAT_REFUNDED: 'check',
  PAYOUT_FAILED: 'check',
};

const nouns: [noun: string, transferType: string, Results<string>][] = [
  ['a transfer', 'WALLET.TRANSFER', transfers],
  ['a batch', 'WALLET.TRANSFER.BATCH', transfers],
  ['an onramp', 'ONRAMP', onramps],
  ['a bridge', 'WALLET.BRIDGE', bridges],
  ['an offramp', 'OFFRAMP', offramps],
  ['a service with other words', 'WALLET.TRANSFER', others],
];

describe.each(nouns)('the final result of %s', (_noun, transferType, results) => {
  it.each(Object.entries(results))('with the status %s is %s', (status, result) => {
    const transferDetails = { id: 't1', requestId: 'r1', status };
    expect(paymentResult({ transferType, transferDetails })).toBe(result);
    // An event, or a list of another form, has the fields at the top.
    expect(paymentResult(transferDetails)).toBe(result);
    // The status that says so, in upper case.
    const ended = result && { ended: result, status: status.toUpperCase() };
    expect(endOf(transferDetails)).toEqual(ended);
  });
});

describe('while a transfer waits for an approval', () => {
  const approvals: Results<ApprovalStatus> = {
    PENDING: undefined,
    APPROVED: undefined,
    REJECTED: 'not-paid',
    EXPIRED: 'not-paid',
  };

  it.each(Object.entries(approvals))('its final result with the approval %s is %s', (status, result) => {
    for (const details of [{ approval: { status } }, { receipt: { approval: { status } } }])
      expect(paymentResult({ transferDetails: { id: 't1', status: 'PENDING_APPROVAL', ...details } })).toBe(
        result,
      );
  });

  it.each(['APPROVED', 'CREATED', 'INITIATED', 'PENDING', 'UNKNOWN'])(
    'a refused approval proves nothing once the transfer is %s',
    (status) => {
      for (const decision of ['REJECTED', 'EXPIRED'])
        expect(
          paymentResult({ transferDetails: { id: 't1', status, approval: { status: decision } } }),
        ).toBeUndefined();
    },
  );
});

describe('a batch', () => {
  const batch = (status: string, ...recipients: readonly object[]) => ({
    transferType: 'WALLET.TRANSFER.BATCH',
    transferDetails: { id: 't1', status, destination: { batch: recipients } },
  });

  it.each<[what: string, record: object, result: PaymentResult]>([
    ['whose recipients show nothing', batch('COMPLETED', {}, {}), 'paid'],
    ['that was paid to all', batch('COMPLETED', { status: 'COMPLETED' }), 'paid'],
    ['that was paid to none', batch('FAILED', { status: 'FAILED' }), 'not-paid'],
    [
      'without a reason of a failure',
      batch('COMPLETED', { failedReason: '' }, { failedReason: null }),
      'paid',
    ],
    [
      'that failed, whatever its recipients show but a payment',
      batch('FAILED', { status: 'PENDING' }, { failedReason: 'frozen' }),
      'not-paid',
    ],
    ['with a recipient who failed', batch('COMPLETED', {}, { status: 'FAILED' }), 'check'],
    ['with a reason of a failure', batch('COMPLETED', { failedReason: 'frozen' }), 'check'],
    ['that failed after a recipient was paid', batch('FAILED', { status: 'COMPLETED' }), 'check'],
  ])('%s', (_what, record, result) => {
    expect(paymentResult(record)).toBe(result);
  });
});

it.each([
  undefined,
  null,
  'COMPLETED',
  7,
  [],
  {},
  { status: 7 },
  { transferDetails: null },
  // "A record is what rows 8 to 11 call one, everywhere": it shows its id and its status, and has no error shape.
  { status: 'COMPLETED' },
  { transferDetails: { status: 'COMPLETED', requestId: 'r1' } },
  { success: false, transferDetails: { id: 't1', status: 'COMPLETED' } },
  { id: 'e1', status: 'FAILED', error: 'NO_SUCH_TRANSFER' },
])('%j shows no final result', (value) => {
  expect(paymentResult(value)).toBeUndefined();
});

it('refuses a promise, and says what to write', () => {
  expect(() => paymentResult(Promise.resolve({}) as never)).toThrow('Write `paymentResult(await …)`');
});

it('reads own fields only', () => {
  expect(paymentResult(Object.create({ status: 'COMPLETED' }))).toBeUndefined();
});
