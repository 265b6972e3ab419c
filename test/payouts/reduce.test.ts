import { PaymentsClient } from 'stablecoin-payments';
import {
  type KnownPayment,
  newPayment,
  type PaymentBody,
  type PaymentSight,
  reducePayment,
} from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';
import { refusal, responding } from './support.ts';

const body: PaymentBody = {
  requestId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  source: { userId: 'payer' },
  destination: { userId: 'payee' },
  ...{ amount: 10, currency: 'usdc', chain: 'POLYGON', requireApproval: false },
};
const batch: PaymentBody = {
  ...{
    ...body,
    destination: {
      batch: [
        { userId: 'p1', amount: '1' },
        { userId: 'p2', amount: '2' },
      ],
    },
  },
};
const recordOf = (status: string, id = 't1') => ({
  transferDetails: { id, requestId: body.requestId, status },
});

/** The error of a call that the service answers like this. */
const errorOf = (fetch: typeof globalThis.fetch) =>
  new PaymentsClient({ baseUrl: 'https://service.test', accessToken: 'token', retries: 0, fetch }).transfers
    .create({ ...body, destination: { userId: 'payee' }, amount: 10 })
    .catch((error: unknown) => error);
const lost = () => errorOf(() => Promise.reject(new TypeError('terminated')));

/** What is known after these sights. */
const knownAfter = (seen: readonly PaymentSight[], start = newPayment(body.requestId)): KnownPayment =>
  seen.reduce((payment, one) => reducePayment(payment, one).payment, start);
const begin = { type: 'begin' } as const;

describe('the reducer of payments', () => {
  test('counts an attempt before it is made, and takes its record for what it shows', () => {
    expect(knownAfter([begin])).toMatchObject({ state: 'queued', attempts: 1, doubts: 1 });
    const made = { type: 'response', attempt: 1, body, record: recordOf('CREATED') } as const;
    expect(knownAfter([begin, made])).toMatchObject({ state: 'accepted', transferId: 't1', doubts: 0 });
    const found = { type: 'lookup', body, record: recordOf('COMPLETED') } as const;
    expect(knownAfter([begin, made, found])).toMatchObject({
      state: 'paid',
      evidence: 'lookup',
      shown: true,
    });
  });

  test('keeps a lost response in doubt, and then believes no refusal', async () => {
    const failed = { type: 'error', attempt: 1, error: await lost() } as const;
    const step = reducePayment(knownAfter([begin]), failed);
    expect(step).toMatchObject({ payment: { state: 'queued', doubts: 1 }, retryIn: expect.any(Number) });
    const refused = await errorOf(responding(400, refusal('USER_FROZEN')));
    expect(knownAfter([begin, failed, begin, { type: 'error', attempt: 2, error: refused }])).toMatchObject({
      state: 'undecided',
      reason: 'REFUSED_AFTER_LOST_RESPONSE USER_FROZEN',
    });
    expect(knownAfter([begin, { type: 'error', attempt: 1, error: refused }])).toMatchObject({
      state: 'rejected',
    });
  });

  test('says when a batch is to be split, and when a key is to be replaced', async () => {
    const refused = {
      type: 'error',
      attempt: 1,
      error: await errorOf(responding(400, refusal('USER_FROZEN'))),
    } as const;
    const two = knownAfter([begin], newPayment(body.requestId, 2));
    expect(reducePayment(two, refused)).toMatchObject({ next: 'split' });
    const none = { type: 'lookup', body, record: null } as const;
    const known: KnownPayment = {
      ...knownAfter([begin]),
      state: 'undecided',
      reason: 'KEY_KNOWN_AFTER_REFUSAL',
    };
    expect(reducePayment(known, none)).toMatchObject({ next: 'rekey' });
  });

  test('takes no record of another payment, and no person’s word against a record', () => {
    const other = {
      transferDetails: { id: 't9', requestId: body.requestId, status: 'COMPLETED', amount: 11 },
    };
    const step = reducePayment(knownAfter([begin]), { type: 'event', body, record: other });
    expect(step).toMatchObject({ payment: { state: 'queued' }, notice: { detail: 'event: amount' } });
    const paid = knownAfter([begin, { type: 'event', body, record: recordOf('COMPLETED') }]);
    expect(
      knownAfter([{ type: 'person', state: 'rejected' }], { ...paid, state: 'undecided' }),
    ).toMatchObject({
      state: 'undecided',
    });
    const open = knownAfter([begin, { type: 'person', state: 'rejected' }]);
    expect(open).toMatchObject({ state: 'rejected', evidence: 'person', doubts: 0, fence: 1 });
  });

  test('follows the decision on an approval', () => {
    const waiting = {
      type: 'response',
      attempt: 1,
      body: batch,
      record: recordOf('PENDING_APPROVAL'),
    } as const;
    const decided = (decision: 'APPROVED' | 'REJECTED' | 'EXPIRED') =>
      knownAfter([begin, waiting, { type: 'decision', decision }]).state;
    expect([decided('APPROVED'), decided('REJECTED'), decided('EXPIRED')]).toEqual([
      'accepted',
      'rejected',
      'expired',
    ]);
  });

  test('is JSON through and through', () => {
    const known = knownAfter([begin, { type: 'response', attempt: 1, body, record: recordOf('COMPLETED') }]);
    expect(JSON.parse(JSON.stringify(known))).toEqual(known);
  });
});
