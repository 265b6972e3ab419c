import { reconcile } from 'stablecoin-payments';
import { PAYOUT_STATES, type PayoutState } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';
import type { PaymentBody } from '../../../src/payouts/rules/body.ts';
import type { Payment, RecordedState } from '../../../src/payouts/rules/payment.ts';
import { differences, type Reading, readRecord } from '../../../src/payouts/rules/record.ts';
import type { Finding } from '../../../src/payouts/rules/see-attempt.ts';
import { pauseOf, pausesFrom, seeAttempt } from '../../../src/payouts/rules/see-attempt.ts';
import { seeAbsence, seeDecision, seeReading } from '../../../src/payouts/rules/see-record.ts';

const row = (change: Partial<Payment> = {}): Payment => ({
  request_id: 'r1',
  size: 1,
  state: 'queued',
  reason: null,
  evidence: null,
  doubts: 1,
  refused: false,
  attempts: 1,
  fence: 0,
  failures: 0,
  pauses: 0,
  transfer_id: null,
  shown: false,
  ...change,
});

const transfer = (status: string, details: Record<string, unknown> = {}) => ({
  transferType: 'WALLET.TRANSFER',
  transferDetails: { id: 't1', status, ...details },
});

describe('what a transfer’s record proves', () => {
  test.each([
    ['COMPLETED', 'paid', undefined],
    ['APPROVED', 'accepted', undefined],
    ['NOT_INITIATED', 'accepted', undefined],
    ['CREATED', 'accepted', undefined],
    ['INITIATED', 'accepted', undefined],
    ['PENDING', 'accepted', undefined],
    ['FAILED', 'rejected', 'TRANSFER_FAILED'],
    ['REJECTED', 'rejected', 'APPROVAL_REJECTED'],
    ['EXPIRED', 'expired', 'APPROVAL_EXPIRED'],
    ['CANCELLED', 'rejected', 'TRANSFER_CANCELLED'],
    ['PENDING_APPROVAL', 'awaiting_approval', undefined],
    ['ON_THE_MOON', 'made', 'STATUS_NOT_DOCUMENTED'],
    ['UNKNOWN', 'made', 'STATUS_NOT_DOCUMENTED'],
  ])('%s means %s', (status, state, reason) => {
    expect(readRecord(transfer(status))).toEqual({
      transferId: 't1',
      state,
      ...(reason === undefined ? {} : { reason }),
    });
  });

  const approval = (status: string) => ({
    id: 'a1',
    transferId: 't1',
    transferType: 'WALLET.TRANSFER',
    status,
    createdAt: '2026-11-01T00:00:00Z',
  });

  test('a cancelled transfer ended as its approval did', () => {
    expect(readRecord(transfer('CANCELLED', { receipt: { approval: approval('EXPIRED') } }))).toMatchObject({
      state: 'expired',
      reason: 'APPROVAL_EXPIRED',
    });
    expect(readRecord(transfer('CANCELLED', { approval: approval('REJECTED') }))).toMatchObject({
      state: 'rejected',
      reason: 'APPROVAL_REJECTED',
    });
  });

  test('the approval is found at both places', () => {
    const expected = { transferId: 't1', state: 'awaiting_approval' };
    expect(readRecord(transfer('PENDING_APPROVAL', { receipt: { approval: approval('PENDING') } }))).toEqual(
      expected,
    );
    expect(readRecord(transfer('PENDING_APPROVAL', { approval: approval('PENDING') }))).toEqual(expected);
  });

  test('an approval that ended says nothing about a transfer that does not wait for it', () => {
    expect(readRecord(transfer('ON_THE_MOON', { approval: approval('EXPIRED') }))?.state).toBe('made');
    expect(readRecord(transfer('CREATED', { approval: approval('REJECTED') }))?.state).toBe('accepted');
  });

  test.each([
    ['PENDING_APPROVAL', 'EXPIRED', 'expired', 'APPROVAL_EXPIRED'],
    ['PENDING_APPROVAL', 'REJECTED', 'rejected', 'APPROVAL_REJECTED'],
    ['pending_approval', 'rejected', 'rejected', 'APPROVAL_REJECTED'],
    ['CANCELLED', 'PENDING', 'rejected', 'TRANSFER_CANCELLED'],
    ['CANCELLED', 'CANCELLED', 'rejected', 'TRANSFER_CANCELLED'],
    ['canceled', 'expired', 'expired', 'APPROVAL_EXPIRED'],
    ['completed', 'APPROVED', 'paid', undefined],
    ['QUOTE_FAILED', 'APPROVED', 'rejected', 'TRANSFER_FAILED'],
  ])(
    '%s with an approval that is %s means %s, as for `reconcile`',
    async (status, decided, state, reason) => {
      const record = transfer(status, { requestId: 'r1', receipt: { approval: approval(decided) } });
      expect(readRecord(record)).toMatchObject({ transferId: 't1', state, ...(reason && { reason }) });
      const { made } = await reconcile([{ requestId: 'r1' }], [record]);
      expect(made.map(({ ended }) => ended)).toEqual([state === 'paid' ? 'paid' : 'not-paid']);
    },
  );

  test('a record without an id proves no transfer that could be named', () => {
    expect(
      readRecord({ transferType: 'X', transferDetails: { id: '', status: 'COMPLETED' } }),
    ).toBeUndefined();
    for (const odd of [
      undefined,
      null,
      {},
      { transferDetails: null },
      { transferDetails: { status: 'COMPLETED' } },
    ]) {
      expect(Reflect.apply(readRecord, undefined, [odd])).toBeUndefined();
    }
  });
});

/** How far along a payout is; a finding may never lead back. */
const RANK: Record<PayoutState, number> = {
  queued: 0,
  undecided: 0,
  made: 1,
  awaiting_approval: 2,
  accepted: 3,
  paid: 4,
  rejected: 4,
  expired: 4,
};
const TRANSFER_STATES: readonly RecordedState[] = [
  'made',
  'awaiting_approval',
  'accepted',
  'paid',
  'rejected',
  'expired',
];
const reading = (state: RecordedState, transferId = 't1'): Reading => ({ transferId, state });

describe('a payout moves forward only', () => {
  const every = PAYOUT_STATES.flatMap((from) => TRANSFER_STATES.map((to) => [from, to] as const));

  test.each(every)('%s, and its transfer is seen %s', (from, to) => {
    const before = row({ state: from, transfer_id: 't1', evidence: 'response' });
    const change = seeReading(before, reading(to), 'lookup');
    const forward = RANK[to] > RANK[from];
    if (forward)
      expect(change).toMatchObject({ state: to, evidence: 'lookup', doubts: 0, transfer_id: 't1' });
    else expect(change?.state).toBeUndefined();
    const moved = (state: PayoutState) => state === 'paid' || state === 'accepted';
    const ends = RANK[from] === 4 && from !== to && moved(from) !== moved(to) && RANK[to] >= 3;
    expect(change?.notice?.kind).toBe(ends ? 'CONTRADICTION' : undefined);
  });

  test('that was under way is no contradiction to its failure, unless it is so now', () => {
    const failed = row({
      state: 'rejected',
      reason: 'TRANSFER_FAILED',
      evidence: 'event',
      transfer_id: 't1',
    });
    expect(seeReading(failed, reading('accepted'), 'response')).toBeUndefined();
    expect(seeReading(failed, reading('accepted'), 'event')).toBeUndefined();
    const notice = { kind: 'CONTRADICTION', detail: 't1 accepted by lookup' };
    expect(seeReading(failed, reading('accepted'), 'lookup')).toEqual({ notice });
    const refused = row({ ...failed, reason: 'APPROVAL_REJECTED' });
    expect(seeReading(refused, reading('accepted'), 'event')?.notice?.kind).toBe('CONTRADICTION');
    expect(seeReading(failed, reading('paid'), 'response')?.notice?.kind).toBe('CONTRADICTION');
  });

  test('a second transfer for one payout is shown, and stops what has no end yet', () => {
    const open = seeReading(row({ state: 'accepted', transfer_id: 't1' }), reading('paid', 't2'), 'response');
    expect(open).toEqual({
      state: 'undecided',
      reason: 'TWO_TRANSFERS',
      shown: true,
      notice: { kind: 'TWO_TRANSFERS', detail: 't1 t2' },
    });
    for (const state of ['paid', 'rejected', 'expired'] as const) {
      const ended = seeReading(row({ state, transfer_id: 't1' }), reading('paid', 't2'), 'response');
      expect(ended).toEqual({ shown: true, notice: { kind: 'TWO_TRANSFERS', detail: 't1 t2' } });
    }
    const known = row({ state: 'undecided', reason: 'TWO_TRANSFERS', transfer_id: 't1' });
    expect(seeReading(known, reading('paid'), 'lookup')).toEqual({ shown: true });
    expect(seeDecision(known, 'APPROVED', false)).toBeUndefined();
  });

  test('a transfer that appears after a refusal is stronger than the refusal, but not than a person', () => {
    const refused = row({ state: 'rejected', evidence: 'response' });
    expect(seeReading(refused, reading('accepted'), 'response')).toMatchObject({
      state: 'accepted',
      notice: { kind: 'TRANSFER_AFTER_REJECTION', detail: 't1' },
    });
    const settled = row({ state: 'rejected', evidence: 'person' });
    expect(seeReading(settled, reading('paid'), 'lookup')).toEqual({
      shown: true,
      notice: { kind: 'CONTRADICTION', detail: 't1 paid by lookup' },
    });
  });

  test('a transfer that has not ended is shown where a person ended its payment without having seen it', () => {
    for (const state of ['rejected', 'expired'] as const) {
      const settled = row({ state, evidence: 'person' });
      for (const seen of ['made', 'awaiting_approval'] as const) {
        const notice = { kind: 'CONTRADICTION', detail: `t1 ${seen} by event` };
        expect(seeReading(settled, reading(seen), 'event')).toEqual({ transfer_id: 't1', notice });
        expect(seeReading({ ...settled, transfer_id: 't1' }, reading(seen), 'event')).toBeUndefined();
      }
      expect(seeReading(settled, reading('expired'), 'event')).toEqual({ transfer_id: 't1' });
    }
  });

  test('the id of the transfer is noted where the state is known already', () => {
    expect(seeReading(row({ state: 'made' }), reading('made'), 'lookup')).toEqual({ transfer_id: 't1' });
    expect(seeReading(row({ state: 'made', transfer_id: 't1' }), reading('made'), 'lookup')).toBeUndefined();
  });

  test('what a record says beside the state is kept', () => {
    expect(seeReading(row(), reading('paid'), 'response')).toStrictEqual({
      shown: true,
      state: 'paid',
      reason: null,
      evidence: 'response',
      doubts: 0,
      transfer_id: 't1',
    });
    const expiresAt = new Date('2026-11-08T00:00:00Z');
    const seen = { ...reading('awaiting_approval'), reason: 'WHY', approvalId: 'a1', expiresAt };
    expect(seeReading(row(), seen, 'response')).toEqual({
      state: 'awaiting_approval',
      reason: 'WHY',
      evidence: 'response',
      doubts: 0,
      transfer_id: 't1',
    });
  });
});

describe('a decision on the approval', () => {
  const waiting = row({ state: 'awaiting_approval', transfer_id: 't1', evidence: 'response' });
  test.each([
    ['APPROVED', { state: 'accepted', reason: null }],
    ['REJECTED', { state: 'rejected', reason: 'APPROVAL_REJECTED' }],
    ['EXPIRED', { state: 'expired', reason: 'APPROVAL_EXPIRED' }],
  ] as const)('%s moves a waiting payout', (decision, expected) => {
    for (const from of ['awaiting_approval', 'made', 'undecided'] as const) {
      const change = seeDecision({ ...waiting, state: from }, decision, false);
      expect(change).toEqual({ ...expected, evidence: 'event', doubts: 0 });
    }
  });

  test('heard again, it changes nothing', () => {
    expect(seeDecision({ ...waiting, state: 'accepted' }, 'APPROVED', false)).toBeUndefined();
    expect(seeDecision({ ...waiting, state: 'paid' }, 'APPROVED', false)).toBeUndefined();
    expect(seeDecision({ ...waiting, state: 'rejected' }, 'REJECTED', false)).toBeUndefined();
    expect(seeDecision({ ...waiting, state: 'expired' }, 'REJECTED', false)).toBeUndefined();
  });

  test('that it was approved is no contradiction to its failure', () => {
    const failed = { ...waiting, state: 'rejected', reason: 'TRANSFER_FAILED', evidence: 'lookup' } as const;
    expect(seeDecision(failed, 'APPROVED', false)).toBeUndefined();
    const notice = { kind: 'CONTRADICTION', detail: 't1 APPROVED and REJECTED' };
    expect(seeDecision(failed, 'APPROVED', true)).toEqual({ notice });
  });

  test('contradictory decisions are for the approvers', () => {
    const expected = {
      state: 'undecided',
      reason: 'CONTRADICTORY_DECISIONS',
      evidence: 'event',
    };
    const decided = { ...waiting, evidence: 'event' } as const;
    for (const state of ['awaiting_approval', 'made', 'accepted', 'rejected', 'expired'] as const) {
      expect(seeDecision({ ...decided, state }, 'APPROVED', true)).toEqual(expected);
    }
    expect(seeDecision({ ...decided, state: 'accepted' }, 'REJECTED', false)).toEqual(expected);
    for (const state of ['awaiting_approval', 'made', 'accepted'] as const) {
      expect(seeDecision({ ...waiting, state }, 'APPROVED', true)).toEqual(expected);
    }
    const known = { ...decided, state: 'undecided', reason: 'CONTRADICTORY_DECISIONS' } as const;
    expect(seeDecision(known, 'APPROVED', true)).toBeUndefined();
  });

  test('what a better witness than an event has settled stays, and the contradiction is shown', () => {
    for (const state of ['paid', 'rejected', 'expired'] as const) {
      const change = seeDecision({ ...waiting, state, evidence: 'lookup' }, 'APPROVED', true);
      expect(change).toEqual({ notice: { kind: 'CONTRADICTION', detail: 't1 APPROVED and REJECTED' } });
    }
    const expired = { ...waiting, state: 'expired', evidence: 'lookup' } as const;
    expect(seeDecision(expired, 'APPROVED', false)).toEqual({
      notice: { kind: 'CONTRADICTION', detail: 't1 APPROVED' },
    });
    const paid = { ...waiting, state: 'paid', evidence: 'lookup' } as const;
    expect(seeDecision(paid, 'REJECTED', false)).toEqual({
      notice: { kind: 'CONTRADICTION', detail: 't1 REJECTED' },
    });
  });

  test('after a person’s decision it is shown if it contradicts the person, and changes nothing', () => {
    const settled = { ...waiting, evidence: 'person' } as const;
    const notice = (detail: string) => ({ notice: { kind: 'CONTRADICTION', detail } });
    expect(seeDecision({ ...settled, state: 'rejected' }, 'APPROVED', false)).toEqual(notice('t1 APPROVED'));
    expect(seeDecision({ ...settled, state: 'paid' }, 'EXPIRED', false)).toEqual(notice('t1 EXPIRED'));
    for (const state of ['paid', 'rejected'] as const)
      expect(seeDecision({ ...settled, state }, 'APPROVED', true)?.notice?.detail).toContain('and REJECTED');
    expect(seeDecision({ ...settled, state: 'paid' }, 'APPROVED', false)).toBeUndefined();
    expect(seeDecision({ ...settled, state: 'rejected' }, 'EXPIRED', false)).toBeUndefined();
  });
});

describe('a lookup that finds nothing', () => {
  const absent = (change: Partial<Payment>) => seeAbsence(row(change));
  const nothing = { action: 'change', change: {} };

  test('proves a refusal that came after a lost response, and splits a batch instead of rejecting it', () => {
    const doubtful = { state: 'undecided', reason: 'REFUSED_AFTER_LOST_RESPONSE USER_NOT_FOUND' } as const;
    expect(absent(doubtful)).toEqual({
      action: 'change',
      change: { state: 'rejected', reason: 'USER_NOT_FOUND', evidence: 'lookup', doubts: 0 },
    });
    expect(absent({ ...doubtful, size: 20 })).toEqual({ action: 'split', reason: 'USER_NOT_FOUND' });
    expect(absent({ ...doubtful, transfer_id: 't1' })).toEqual(nothing);
  });

  test('is the proof that a new key needs', () => {
    const known = { state: 'undecided', reason: 'KEY_KNOWN_AFTER_REFUSAL' } as const;
    expect(absent(known)).toEqual({ action: 'rekey', reason: 'KEY_KNOWN_AFTER_REFUSAL' });
    for (const reason of ['RETRIES_USED_UP', 'KEY_LIFETIME_OVER']) {
      expect(absent({ state: 'undecided', reason })).toEqual({
        action: 'change',
        change: { reason: 'NOT_FOUND_BY_LOOKUP', evidence: 'lookup', doubts: 0 },
      });
    }
  });

  test('makes undecided what was thought to exist, and leaves all else', () => {
    for (const state of ['made', 'accepted', 'awaiting_approval'] as const) {
      const change = { state: 'undecided', reason: 'NOT_FOUND_BY_LOOKUP' };
      expect(absent({ state })).toEqual({ action: 'change', change });
    }
    for (const state of ['queued', 'paid', 'rejected', 'expired', 'replaced'] as const) {
      expect(absent({ state })).toEqual(nothing);
    }
    for (const reason of ['TWO_TRANSFERS', null])
      expect(absent({ state: 'undecided', reason })).toEqual(nothing);
  });
});

describe('a record', () => {
  const single = {
    requestId: 'k1',
    source: { userId: 'payer' },
    destination: { userId: 'payee' },
    amount: 10.5,
    currency: 'usdc',
    chain: 'POLYGON',
    requireApproval: false,
  };
  const { amount: _amount, ...common } = single;
  const batch: PaymentBody = {
    ...common,
    destination: {
      batch: [
        { userId: 'p1', amount: '1' },
        { userId: 'p2', amount: '2.5' },
      ],
    },
  };
  const shown = {
    id: 't1',
    requestId: 'K1',
    amount: 10.5,
    source: { userId: 'payer' },
    destination: { userId: 'payee' },
  };
  const differing = (
    details: object,
    body: PaymentBody = single,
    transferId?: string,
    from: 'response' | 'lookup' = 'lookup',
  ) => differences({ transferDetails: details }, body, transferId, from);

  test('is matched with its payment by key, amount, currency, payee and payer, where it shows them', () => {
    expect(differing(shown)).toEqual([]);
    expect(differing({ ...shown, amount: '10.50' })).toEqual([]);
    const [requestId, bare] = ['6fa459ea-ee8a-4ca4-894e-db77e160355e', '6FA459EAEE8A4CA4894EDB77E160355E'];
    expect(differing({ ...shown, requestId: bare }, { ...single, requestId })).toEqual([]);
    expect(differing({ ...shown, amount: null, source: null, destination: {} })).toEqual([]);
    expect(differing({ ...shown, requestId: 'k2' })).toEqual(['requestId']);
    expect(differing({ ...shown, amount: 10.500001 })).toEqual(['amount']);
    expect(differing({ ...shown, currency: 'USDC' })).toEqual([]);
    expect(differing({ ...shown, currency: 'usdt' })).toEqual(['currency']);
    expect(differing({ ...shown, destination: { userId: 'other' } })).toEqual(['payee']);
    expect(differing({ ...shown, source: { userId: 'other' } })).toEqual(['payer']);
  });

  test('of a lookup must show the key, or the id that is known', () => {
    const { requestId: _requestId, ...nameless } = shown;
    expect(differing(nameless)).toEqual(['requestId']);
    expect(differing(nameless, single, 't1')).toEqual([]);
    expect(differing(nameless, single, 't2')).toEqual(['requestId']);
    expect(differing(nameless, single, undefined, 'response')).toEqual([]);
  });

  test('of a batch is matched by its recipients, in any order', () => {
    const details = { id: 't1', requestId: 'k1', amount: '3.5' };
    const recipients = [
      { userId: 'p2', amount: '2.50' },
      { userId: 'p1', amount: 1 },
    ];
    expect(differing(details, batch)).toEqual([]);
    expect(differing({ ...details, destination: { batch: recipients } }, batch)).toEqual([]);
    expect(differing({ ...details, destination: { batch: recipients.slice(1) } }, batch)).toEqual([
      'recipients',
    ]);
    expect(differing({ ...details, recipients: [{ userId: 'p3', amount: 1 }] }, batch)).toEqual([
      'recipients',
    ]);
    expect(differing({ ...details, amount: 3 }, batch)).toEqual(['amount']);
    expect(differing({ ...details, destination: { batch: [{ walletAddress: '0x' }] } }, batch)).toEqual([]);
  });

  const ofRecipients = (status: string, recipients: readonly object[]) =>
    readRecord({ transferDetails: { id: 't1', requestId: 'k1', status, recipients } }, batch)?.recipients ??
    [];
  const [p1, p2] = [{ userId: 'p1' }, { userId: 'p2' }];

  test.each<[status: string, recipients: object[], results: unknown[]]>([
    [
      'COMPLETED',
      [
        { ...p1, status: 'COMPLETED' },
        { ...p2, status: 'FAILED' },
      ],
      [[1, 'not-paid']],
    ],
    [
      'COMPLETED',
      [
        { ...p2, status: 'PENDING' },
        { ...p1, status: 'completed' },
      ],
      [[1, 'under-way']],
    ],
    ['COMPLETED', [{ ...p1, failedReason: 'frozen' }, p2], [[0, 'not-paid']]],
    [
      'COMPLETED',
      [
        { ...p1, status: 'Completed', failedReason: null },
        { ...p2, failedReason: '' },
      ],
      [],
    ],
    [
      'FAILED',
      [
        { ...p1, status: 'FAILED' },
        { ...p2, status: 'completed' },
      ],
      [[1, 'paid']],
    ],
    ['EXPIRED', [{ ...p1, status: 'COMPLETED' }, p2], [[0, 'paid']]],
    ['FAILED', [{ ...p1, status: 'FAILED' }, p2], []],
    [
      'PENDING',
      [
        { ...p1, status: 'FAILED' },
        { ...p2, status: 'COMPLETED' },
      ],
      [[1, 'paid']],
    ],
    // Who is meant is not known.
    [
      'COMPLETED',
      [{ status: 'COMPLETED' }, { status: 'FAILED' }],
      [
        [0, 'unclear'],
        [1, 'unclear'],
      ],
    ],
    [
      'COMPLETED',
      [
        { ...p1, status: 'COMPLETED' },
        { ...p1, status: 'FAILED' },
      ],
      [[0, 'unclear']],
    ],
  ])('of a batch that is %s says of each recipient what became of it: %j', (status, recipients, results) => {
    expect(ofRecipients(status, recipients).map(({ place, result }) => [place, result])).toEqual(results);
  });

  test.each(['SUCCESS', 'PAID', 'CONFIRMED', 'DONE'])(
    'of a completed batch with recipients that say %s says nothing else of them',
    (status) =>
      expect(
        ofRecipients(
          'COMPLETED',
          [p1, p2].map((one) => ({ ...one, status })),
        ),
      ).toEqual([]),
  );

  test('with an id that no database can store names no transfer', () => {
    for (const id of ['a\u0000b', '\ud800', 'x'.repeat(201), 7]) {
      expect(readRecord({ transferDetails: { id, status: 'COMPLETED' } })).toBeUndefined();
    }
  });
});

describe('the result of an attempt', () => {
  const rules = { pauses: pausesFrom({ first: 1000, most: 60000 }), maxFailures: 3, random: 0 };
  const refused: Finding = { finding: 'refused', reason: 'NO', about: 'payment' };
  const empty: Finding = { finding: 'refused', reason: 'EMPTY', about: 'payer' };
  const busy: Finding = { finding: 'not-reached', reason: 'BUSY' };
  const lost: Finding = { finding: 'open', reason: 'LOST', counts: true };
  const known: Finding = { finding: 'known', reason: 'KNOWN' };
  const made = (state: RecordedState): Finding => ({ finding: 'made', reading: reading(state) });
  const only = (before: Payment, finding: Finding, attempt = 1) => {
    const resolution = seeAttempt(before, attempt, finding, rules);
    return resolution.action === 'change' ? resolution.change : resolution.action;
  };

  test('a certain refusal rejects; one while another attempt is in doubt does not', () => {
    expect(only(row(), refused)).toMatchObject({
      state: 'rejected',
      reason: 'NO',
      evidence: 'response',
      doubts: 0,
    });
    expect(only(row({ doubts: 2, attempts: 2 }), refused, 2)).toMatchObject({
      state: 'undecided',
      reason: 'REFUSED_AFTER_LOST_RESPONSE NO',
      doubts: 1,
    });
  });

  test('a refusal of an earlier attempt only takes its doubt away', () => {
    for (const finding of [refused, busy]) {
      const change = only(row({ doubts: 2, attempts: 2 }), finding, 1);
      expect(change).toEqual({ doubts: 1, refused: finding === refused });
    }
    expect(only(row({ doubts: 2, attempts: 2 }), lost, 1)).toEqual({});
  });

  test('when the last attempt in doubt proves to have done nothing, the refusal that came before it holds', () => {
    const waiting = { state: 'undecided', reason: 'REFUSED_AFTER_LOST_RESPONSE NO', attempts: 2 } as const;
    expect(only(row(waiting), busy)).toMatchObject({ state: 'rejected', reason: 'NO' });
    expect(only(row({ ...waiting, size: 5 }), busy)).toBe('split');
    expect(only(row({ ...waiting, doubts: 2 }), busy)).toEqual({ doubts: 1, refused: false });
  });

  test('a stale result changes no state once the payment has moved on, or was given back by a person', () => {
    for (const finding of [refused, busy, lost, known, empty]) {
      for (const state of PAYOUT_STATES.filter((one) => one !== 'queued')) {
        expect(Object.keys(only(row({ state }), finding))).not.toContain('state');
      }
      expect(Object.keys(only(row({ fence: 1 }), finding))).not.toContain('state');
    }
  });

  test('a late result of a key that was replaced is a notice', () => {
    const past = row({ state: 'replaced' });
    const notice = (detail: string) => ({ doubts: 0, notice: { kind: 'LATE_RESULT', detail } });
    expect(only(past, made('paid'))).toEqual(notice('r1 t1'));
    expect(only(past, known)).toEqual(notice('r1 KNOWN'));
    expect(only(past, refused)).toEqual({ doubts: 0 });
    expect(only(past, lost)).toEqual({});
  });

  test('a pause uses no attempt, grows, and takes its own doubt away', () => {
    expect(only(row({ doubts: 2, pauses: 2 }), busy)).toEqual({
      reason: 'BUSY',
      doubts: 1,
      pauses: 3,
      refused: false,
      due_in: 4000,
    });
    expect(only(row(), { ...busy, retryAfter: 30_000 })).toMatchObject({ due_in: 30_000 });
    expect(only(row(), { ...busy, isStopped: true })).toEqual({ doubts: 0, refused: false, due_in: 0 });
    expect(only(row(), empty)).toMatchObject({ reason: 'EMPTY', refused: true, doubts: 0, due_in: 1000 });
  });

  test('a lost response stays in doubt, and is undecided when the failures are used up', () => {
    expect(only(row(), lost)).toEqual({ reason: 'LOST', failures: 1, pauses: 1, due_in: 1000 });
    expect(only(row({ failures: 2 }), lost)).toMatchObject({ state: 'undecided', reason: 'RETRIES_USED_UP' });
    const gateway: Finding = { finding: 'open', reason: 'HTTP_502', counts: false, retryAfter: 9000 };
    expect(only(row({ failures: 2, pauses: 5 }), gateway)).toMatchObject({ failures: 2, due_in: 32_000 });
  });

  test('a known key means that the service has the request, unless it refused the key before', () => {
    // Without `doubts`: what was in doubt before still is.
    const exists = { state: 'made', reason: 'KNOWN', evidence: 'response' };
    expect(only(row(), known)).toEqual(exists);
    expect(only(row({ state: 'undecided', doubts: 2 }), known)).toEqual({});
    expect(only(row({ state: 'undecided', doubts: 2, refused: true }), known)).toEqual({ doubts: 1 });
    expect(only(row({ doubts: 3, attempts: 3 }), known, 2)).toEqual(exists);
    expect(only(row({ refused: true }), known)).toMatchObject({
      state: 'undecided',
      reason: 'KEY_KNOWN_AFTER_REFUSAL',
    });
  });

  test('the transfer in a response is the evidence, if it is the transfer of this payment', () => {
    expect(only(row(), made('paid'))).toMatchObject({
      state: 'paid',
      evidence: 'response',
      transfer_id: 't1',
    });
    const other: Finding = { finding: 'made', reading: reading('paid'), differs: ['amount'] };
    const notice = { kind: 'RECORD_OF_ANOTHER_PAYMENT', detail: 'amount' };
    expect(only(row(), other)).toEqual({
      state: 'undecided',
      reason: 'RECORD_OF_ANOTHER_PAYMENT',
      notice,
    });
    expect(only(row({ state: 'accepted', doubts: 1 }), other)).toEqual({ notice });
  });

  test('an accepted request without a transfer in its response exists', () => {
    const nameless: Finding = { finding: 'made', reading: undefined };
    expect(only(row(), nameless)).toMatchObject({ state: 'made', reason: 'RESPONSE_WITHOUT_TRANSFER_ID' });
    expect(only(row({ state: 'paid' }), nameless)).toEqual({ doubts: 0 });
    const notice = { kind: 'LATE_RESULT', detail: 'r1 no id' };
    for (const state of ['rejected', 'expired'] as const) {
      expect(only(row({ state }), nameless)).toEqual({ doubts: 0, notice });
      expect(only(row({ state, transfer_id: 't1' }), nameless)).toEqual({ doubts: 0 });
      expect(only(row({ state, evidence: 'person' }), made('paid'))).toMatchObject({
        notice: { kind: 'CONTRADICTION' },
      });
    }
  });

  test('a batch that surely did nothing is split; one in doubt is not', () => {
    expect(only(row({ size: 20 }), refused)).toBe('split');
    for (const change of [{ doubts: 2 }, { attempts: 2 }, { fence: 1 }, { state: 'paid' }] as const) {
      expect(only(row({ size: 20, ...change }), refused)).not.toBe('split');
    }
    expect(only(row({ size: 20 }), busy)).toMatchObject({ reason: 'BUSY', due_in: 1000 });
  });
});

describe('a pause', () => {
  const pauses = pausesFrom({ first: 2000, most: 10000, mostRetryAfter: 20000 });
  test('doubles up to its most, whatever the service asks', () => {
    expect([0, 1, 2, 3, 2000].map((earlier) => pauseOf(pauses, earlier, 0, 0))).toEqual([
      2000, 4000, 8000, 10_000, 10_000,
    ]);
    expect(pauseOf(pauses, 0, 15_000, 0)).toBe(15_000);
    expect(pauseOf(pauses, 0, 86_400_000, 0)).toBe(20_000);
    expect(pauseOf(pauses, 0, undefined, 1)).toBe(2500);
    const random = pauseOf(pauses, 0);
    expect(random).toBeGreaterThanOrEqual(2000);
    expect(random).toBeLessThanOrEqual(2500);
  });
  test('has defaults and limits', () => {
    expect(pausesFrom()).toEqual({ first: 1000, most: 60000, mostRetryAfter: 900000 });
    expect(pausesFrom({ most: 86_400_000 }).most).toBe(86_400_000);
    for (const wrong of [0, 0.5, -1, 86_400_001, Number.NaN]) {
      expect(() => pausesFrom({ first: wrong })).toThrow('pause.first must be');
    }
  });
});
