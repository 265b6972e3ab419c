import {
  createPayouts,
  type Database,
  PAYOUT_STATES,
  type Payouts,
  type PayoutsOptions,
} from 'stablecoin-payments/payouts';
import { describe, expect, test, vi } from 'vitest';

const sql = { query: () => Promise.reject(new Error('nothing is asked in these tests')) };
const db: Database = { ...sql, transaction: (work) => work(sql) };
const never = () => expect.unreachable('nothing is paid in these tests');
const create = (options: Partial<PayoutsOptions> = {}) =>
  createPayouts({
    db,
    payments: { transfers: { create: never, createBatch: never }, approvals: { list: never } },
    userId: 'payer',
    ...options,
  });

describe('the options of payouts', () => {
  test.each([
    [{ userId: '' }, 'userId must name the user who pays.'],
    [{ userId: ' ' }, 'userId must name the user who pays.'],
    [{ userId: 7 }, 'userId must name the user who pays.'],
    [{ maxFailures: 0 }, 'maxFailures must be a whole number of at least 1.'],
    [{ maxFailures: 1.5 }, 'maxFailures must be a whole number of at least 1.'],
    [{ batchAmounts: 'cents' }, 'batchAmounts must be "text" or "number".'],
    [{ maxFailure: 1 }, '`maxFailure` is not an option. Did you mean `maxFailures`?'],
    [{ pause: { firstSecond: 2 } }, 'pause: `firstSecond` is not an option. Did you mean `first`?'],
    [{ pause: { first: 0 } }, 'pause.first must be a number of milliseconds from 1 to 86,400,000, a day.'],
    [{ keyLifetime: 86_400 }, 'keyLifetime must be a number of milliseconds from 3,600,000, an hour.'],
  ])('%j are refused', (options, message) => {
    const wrong: Partial<PayoutsOptions> = JSON.parse(JSON.stringify(options));
    expect(() => create(wrong)).toThrow(new RangeError(message));
  });

  test.each([{}, { maxFailures: 1 }, { batchAmounts: 'text' }, { batchAmounts: 'number' }] as const)(
    '%j are taken',
    (options) => expect(() => create(options)).not.toThrow(),
  );
});

const monthly: Readonly<Record<string, (payouts: Payouts, month: string) => Promise<unknown>>> = {
  summary: (payouts, month) => payouts.summary(month),
  list: (payouts, month) => payouts.list({ month })[Symbol.asyncIterator]().next(),
  review: (payouts, month) => payouts.review(month),
  acknowledge: (payouts, month) => payouts.acknowledge({ month }),
  payAgain: (payouts, month) => payouts.payAgain({ month }, 'same'),
};

describe.each(Object.entries(monthly))('%s', (_name, ask) => {
  test.each(['2026-1', '11-2026', ''])('refuses the month %j, instead of finding nothing', async (month) => {
    const payouts = create();
    await expect(ask(payouts, month)).rejects.toThrow(RangeError);
    await expect(ask(payouts, month)).rejects.toThrow(/^month must/);
  });
});

test.each<[name: string, ask: (payouts: Payouts) => Promise<unknown>, message: string]>([
  [
    'list',
    (payouts) =>
      payouts.list(JSON.parse('{ "month": "2026-11", "sate": "paid" }'))[Symbol.asyncIterator]().next(),
    '`sate` is not an option. Did you mean `state`?',
  ],
  [
    'list',
    (payouts) =>
      payouts.list(JSON.parse('{ "month": "2026-11", "state": "Paid" }'))[Symbol.asyncIterator]().next(),
    `state must be one of ${PAYOUT_STATES.join(', ')}.`,
  ],
])('%s refuses a wrong name or state before the database is asked', async (_name, ask, message) => {
  await expect(ask(create())).rejects.toThrow(new RangeError(message));
});

const undefinedField = (name: string) =>
  `${name} is undefined. Give it a value, or leave it out to decide about all.`;

describe('a decision that is not valid is refused by the name of its field, before the database is asked', () => {
  const key = '00000000-0000-4000-8000-000000000000';
  const rejected = { state: 'rejected', by: 'Ada' };
  const aKey = 'requestId must be the idempotency key of a payment, a UUID. Nothing was changed.';
  test.each<[method: Exclude<keyof Payouts, 'webhookHandlers'>, args: unknown[], message: string]>([
    [
      'settleByHand',
      [key, { ...rejected, state: 'queued' }],
      'state must be what a person can find: paid, rejected or expired.',
    ],
    [
      'settleByHand',
      [key, { by: 'Ada' }],
      'state must be what a person can find: paid, rejected or expired.',
    ],
    ['settleByHand', [key, { ...rejected, by: ' ' }], 'by must name the person who settles the payout.'],
    ['settleByHand', [key, { state: 'rejected' }], 'by must name the person who settles the payout.'],
    [
      'settleByHand',
      [key, { ...rejected, state: 'paid' }],
      'transferId must be the id of the transfer that paid the payout.',
    ],
    [
      'settleByHand',
      [key, { ...rejected, transferId: '' }],
      'transferId must be the id of the transfer that paid the payout.',
    ],
    [
      'settleByHand',
      [{}, { ...rejected, transferIds: 't1' }],
      '`transferIds` is not a field. Did you mean `transferId`?',
    ],
    ['settleByHand', ['undefined', rejected], aKey],
    ['settleByHand', [{ requestId: undefined }, rejected], undefinedField('requestId')],
    ['acknowledge', [{ employee: undefined }], undefinedField('employee')],
    ['acknowledge', [{ state: 'Paid' }], `state must be one of ${PAYOUT_STATES.join(', ')}.`],
    ['cancel', [{ requestId: undefined, by: undefined }], undefinedField('requestId')],
    ['cancel', [{ month: undefined }], undefinedField('month')],
    ['cancel', [{ requestId: null }], aKey],
    ['hold', [{ payer: undefined }], undefinedField('payer')],
    ['resume', [{ requestId: 'E1' }], aKey],
    ['payAgain', [{ state: undefined }, 'derived'], undefinedField('state')],
    ['payAgain', [{ reason: undefined }, 'same'], undefinedField('reason')],
    ['payAgain', [{ reason: null }, 'same'], 'reason must be text.'],
    ['payAgain', ['undefined', 'same'], aKey],
    ['payAgain', [key, 'new'], 'key must be "same" or "derived".'],
  ])('%s(...%j): %s', async (method, args, message) => {
    const asked = Reflect.apply(create()[method], undefined, args);
    await expect(asked).rejects.toThrow(RangeError);
    await expect(asked).rejects.toThrow(message);
  });
});

test('an unknown payment is refused by the name of its parameter', async () => {
  const transaction: Database['transaction'] = (work) => work({ query: () => Promise.resolve({ rows: [] }) });
  const asked = create({ db: { ...db, transaction } }).payAgain(
    '00000000-0000-4000-8000-000000000000',
    'same',
  );
  await expect(asked).rejects.toThrow(
    'No payout has the requestId "00000000-0000-4000-8000-000000000000". Nothing was changed.',
  );
});

test('a sweep that another process does is left to it', async () => {
  const query = () => Promise.resolve({ rows: [] });
  expect(await create({ db: { ...db, query } }).sweep()).toEqual({ swept: false });
});

describe('the options of a sweep', () => {
  test.each<[options: Readonly<Record<string, number>>, message: string]>([
    [{ lease: 0 }, 'lease must be a number of milliseconds of at least 1,000.'],
    [{ lookupsPerSecond: -1 }, 'lookupsPerSecond must be above 0.'],
    [{ keepEvents: 30 }, 'keepEvents must be a number of milliseconds of at least 3,600,000.'],
    [{ grace: -1 }, 'grace must be a number of milliseconds of at least 1,000.'],
    [{ quiet: 120 }, 'quiet must be a number of milliseconds of at least 1,000.'],
    [{ quietSeconds: 60 }, '`quietSeconds` is not an option. Did you mean `quiet`?'],
  ])('%o are refused before the database is asked', async (options, message) => {
    await expect(create().sweep(options)).rejects.toThrow(new RangeError(message));
  });
});

describe('the options of a worker', () => {
  test.each([
    [{ concurrency: 0 }, 'concurrency must be a whole number from 1 to 1,000.'],
    [{ concurrency: 1001 }, 'concurrency must be a whole number from 1 to 1,000.'],
    [{ concurrency: 1.5 }, 'concurrency must be a whole number from 1 to 1,000.'],
    [{ pollInterval: 0.5 }, 'pollInterval must be a number of milliseconds from 1.'],
  ])('%j are refused', (options, message) => {
    expect(() => create().startWorker(options)).toThrow(new RangeError(message));
  });

  test.each([undefined, { concurrency: 1 }, { concurrency: 1000 }])('%j are taken', async (options) => {
    await create().startWorker(options).stop();
  });

  test.each([
    [Object.assign(new Error('planted'), { code: '57P01' }), 'Error 57P01'],
    [Object.assign(new TypeError('planted'), { code: 7 }), 'TypeError'],
    ['planted', 'string'],
    [null, 'object'],
  ])('without `onError`, the worker prints the name and the code of a failure', async (failure, printed) => {
    const print = vi.spyOn(console, 'error').mockReturnValue();
    const worker = create({ db: { ...sql, transaction: () => Promise.reject(failure) } }).startWorker();
    await vi.waitFor(() => expect(print).toHaveBeenCalledWith('payouts:', printed));
    await worker.stop();
    print.mockRestore();
  });

  test('an `onError` that throws is printed and does not end the worker', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue();
    const told: unknown[] = [];
    const onError = (error: unknown) => {
      told.push(error);
      throw new TypeError('the log is full');
    };
    const worker = create({ db: { ...sql, transaction: () => Promise.reject('down') } }).startWorker({
      onError,
    });
    await vi.waitFor(() => expect(told).toEqual(['down', 'down']), { timeout: 5000 });
    expect(print).toHaveBeenCalledWith('payouts: onError threw', 'TypeError');
    await worker.stop();
    print.mockRestore();
  });
});
