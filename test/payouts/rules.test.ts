import { PAYOUT_STATES, readTransfer } from 'stablecoin-payments/payouts';
import { describe, expect, test } from 'vitest';
import { pauseSeconds, pausesFrom } from '../../src/payouts/rules/pause.ts';
import type { TransferReading } from '../../src/payouts/rules/read-transfer.ts';
import type { PayoutRow } from '../../src/payouts/rules/row.ts';
import { seeDecision } from '../../src/payouts/rules/see-decision.ts';
import { seeResult } from '../../src/payouts/rules/see-result.ts';
import { seeNoTransfer, seeTransfer } from '../../src/payouts/rules/see-transfer.ts';
import type { PayoutState, TransferState } from '../../src/payouts/rules/states.ts';

const row = (change: Partial<PayoutRow> = {}): PayoutRow => ({
  month: '2026-11',
  employee: 'E1',
  batch: null,
  request_id: 'r1',
  state: 'queued',
  reason: null,
  evidence: null,
  doubts: 1,
  refused_before: false,
  attempts: 1,
  fence: 0,
  failures: 0,
  pauses: 0,
  again: 0,
  transfer_id: null,
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
    expect(readTransfer(transfer(status))).toEqual({
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
    expect(readTransfer(transfer('CANCELLED', { receipt: { approval: approval('EXPIRED') } }))).toMatchObject(
      {
        state: 'expired',
        reason: 'APPROVAL_EXPIRED',
      },
    );
    expect(readTransfer(transfer('CANCELLED', { approval: approval('REJECTED') }))).toMatchObject({
      state: 'rejected',
      reason: 'APPROVAL_REJECTED',
    });
  });

  test('the approval is found at both places, with its time', () => {
    const expected = {
      transferId: 't1',
      state: 'awaiting_approval',
      approvalId: 'a1',
      expiresAt: new Date('2026-11-08T00:00:00Z'),
    };
    expect(
      readTransfer(transfer('PENDING_APPROVAL', { receipt: { approval: approval('PENDING') } })),
    ).toEqual(expected);
    expect(readTransfer(transfer('PENDING_APPROVAL', { approval: approval('PENDING') }))).toEqual(expected);
  });

  test('an approval that has expired says nothing about a transfer that did not end', () => {
    expect(readTransfer(transfer('ON_THE_MOON', { approval: approval('EXPIRED') }))?.state).toBe('made');
    expect(readTransfer(transfer('PENDING_APPROVAL', { approval: approval('EXPIRED') }))?.state).toBe(
      'awaiting_approval',
    );
  });

  test('the time of an approval that does not show its kind or its start is not known', () => {
    for (const odd of [{ createdAt: 5 }, { transferType: null }, { createdAt: null, transferType: null }]) {
      const pending = transfer('PENDING_APPROVAL', { approval: { ...approval('PENDING'), ...odd } });
      expect(readTransfer(pending)).toStrictEqual({
        transferId: 't1',
        state: 'awaiting_approval',
        approvalId: 'a1',
      });
    }
  });

  test('a record without an id proves no transfer that could be named', () => {
    expect(
      readTransfer({ transferType: 'X', transferDetails: { id: '', status: 'COMPLETED' } }),
    ).toBeUndefined();
    for (const odd of [
      undefined,
      null,
      {},
      { transferDetails: null },
      { transferDetails: { status: 'COMPLETED' } },
    ]) {
      expect(Reflect.apply(readTransfer, undefined, [odd])).toBeUndefined();
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
const TRANSFER_STATES: readonly TransferState[] = [
  'made',
  'awaiting_approval',
  'accepted',
  'paid',
  'rejected',
  'expired',
];
const reading = (state: TransferState, transferId = 't1'): TransferReading => ({ transferId, state });

describe('a payout moves forward only', () => {
  const every = PAYOUT_STATES.flatMap((from) => TRANSFER_STATES.map((to) => [from, to] as const));

  test.each(every)('%s, and its transfer is seen %s', (from, to) => {
    const before = row({ state: from, transfer_id: 't1', evidence: 'response' });
    const change = seeTransfer(before, reading(to), 'lookup');
    const forward = RANK[to] > RANK[from] && !(from === 'accepted' && to === 'expired');
    if (forward)
      expect(change).toMatchObject({ state: to, evidence: 'lookup', doubts: 0, transfer_id: 't1' });
    else expect(change?.state).toBeUndefined();
    const moved = (state: PayoutState) => state === 'paid' || state === 'accepted';
    const ends = RANK[from] === 4 && from !== to && moved(from) !== moved(to) && RANK[to] >= 3;
    expect(change?.notice?.kind).toBe(ends ? 'CONTRADICTION' : undefined);
  });

  test('a second transfer for one payout is shown, and stops what has no end yet', () => {
    const open = seeTransfer(
      row({ state: 'accepted', transfer_id: 't1' }),
      reading('paid', 't2'),
      'response',
    );
    expect(open).toEqual({
      state: 'undecided',
      reason: 'TWO_TRANSFERS',
      undecided_for: 'operator',
      notice: { kind: 'TWO_TRANSFERS', detail: 't1 t2' },
    });
    for (const state of ['paid', 'rejected', 'expired'] as const) {
      const ended = seeTransfer(row({ state, transfer_id: 't1' }), reading('paid', 't2'), 'response');
      expect(ended).toEqual({ notice: { kind: 'TWO_TRANSFERS', detail: 't1 t2' } });
    }
    const known = row({ state: 'undecided', reason: 'TWO_TRANSFERS', transfer_id: 't1' });
    expect(seeTransfer(known, reading('paid'), 'lookup')).toBeUndefined();
    expect(seeDecision(known, 'APPROVED', false)).toBeUndefined();
  });

  test('a transfer that appears after a refusal is stronger than the refusal, but not than a person', () => {
    const refused = row({ state: 'rejected', evidence: 'response' });
    expect(seeTransfer(refused, reading('accepted'), 'response')).toMatchObject({
      state: 'accepted',
      notice: { kind: 'TRANSFER_AFTER_REJECTION', detail: 't1' },
    });
    const settled = row({ state: 'rejected', evidence: 'person' });
    expect(seeTransfer(settled, reading('paid'), 'lookup')).toEqual({
      notice: { kind: 'CONTRADICTION', detail: 't1 paid by lookup' },
    });
  });

  test('the id of the transfer is noted where the state is known already', () => {
    expect(seeTransfer(row({ state: 'made' }), reading('made'), 'lookup')).toEqual({ transfer_id: 't1' });
    expect(seeTransfer(row({ state: 'made', transfer_id: 't1' }), reading('made'), 'lookup')).toBeUndefined();
  });

  test('what a record says beside the state is kept', () => {
    expect(seeTransfer(row(), reading('paid'), 'response')).toStrictEqual({
      state: 'paid',
      reason: null,
      evidence: 'response',
      doubts: 0,
      transfer_id: 't1',
    });
    const expiresAt = new Date('2026-11-08T00:00:00Z');
    const seen = { ...reading('awaiting_approval'), reason: 'WHY', approvalId: 'a1', expiresAt };
    expect(seeTransfer(row(), seen, 'response')).toEqual({
      state: 'awaiting_approval',
      reason: 'WHY',
      evidence: 'response',
      doubts: 0,
      transfer_id: 't1',
      approval_id: 'a1',
      expires_at: '2026-11-08T00:00:00.000Z',
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

  test('contradictory decisions are for the approvers', () => {
    const expected = {
      state: 'undecided',
      reason: 'CONTRADICTORY_DECISIONS',
      evidence: 'event',
      undecided_for: 'approvers',
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
      expect(change).toEqual({ notice: { kind: 'CONTRADICTION', detail: 'APPROVED and REJECTED' } });
    }
    const expired = { ...waiting, state: 'expired', evidence: 'lookup' } as const;
    expect(seeDecision(expired, 'APPROVED', false)).toEqual({
      notice: { kind: 'CONTRADICTION', detail: 'APPROVED' },
    });
    const paid = { ...waiting, state: 'paid', evidence: 'lookup' } as const;
    expect(seeDecision(paid, 'REJECTED', false)).toEqual({
      notice: { kind: 'CONTRADICTION', detail: 'REJECTED' },
    });
  });

  test('after a person’s decision it is shown, and changes nothing', () => {
    for (const state of ['paid', 'rejected'] as const) {
      expect(seeDecision({ ...waiting, state, evidence: 'person' }, 'APPROVED', false)).toEqual({
        notice: { kind: 'EVENT_AFTER_PERSON', detail: 'APPROVED' },
      });
    }
  });
});

describe('a lookup that finds nothing', () => {
  test('proves a refusal that came after a lost response', () => {
    const doubtful = row({ state: 'undecided', reason: 'REFUSED_AFTER_LOST_RESPONSE USER_NOT_FOUND' });
    expect(seeNoTransfer(doubtful)).toEqual({
      state: 'rejected',
      reason: 'USER_NOT_FOUND',
      evidence: 'lookup',
      doubts: 0,
    });
  });

  test('makes undecided what was thought to exist, and leaves all else', () => {
    for (const state of ['made', 'accepted', 'awaiting_approval'] as const) {
      expect(seeNoTransfer(row({ state }))).toEqual({
        state: 'undecided',
        reason: 'NOT_FOUND_BY_LOOKUP',
        undecided_for: 'operator',
      });
    }
    for (const state of ['queued', 'paid', 'rejected', 'expired'] as const) {
      expect(seeNoTransfer(row({ state }))).toBeUndefined();
    }
    expect(seeNoTransfer(row({ state: 'undecided', reason: 'RETRIES_USED_UP' }))).toBeUndefined();
    expect(seeNoTransfer(row({ state: 'undecided', reason: null }))).toBeUndefined();
    const withTransfer = {
      state: 'undecided',
      transfer_id: 't1',
      reason: 'REFUSED_AFTER_LOST_RESPONSE X',
    } as const;
    expect(seeNoTransfer(row(withTransfer))).toBeUndefined();
  });
});

describe('what came of an attempt', () => {
  const pauses = pausesFrom({ firstSeconds: 1, mostSeconds: 60 });
  const rules = { pauses, maxFailures: 3, random: 0 };
  const reject = { verdict: { action: 'reject', reason: 'NO' } } as const;
  const wait = { verdict: { action: 'wait', reason: 'BUSY' } } as const;
  const retry = { verdict: { action: 'retry', reason: 'LOST', counts: true } } as const;
  const known = { verdict: { action: 'made', reason: 'KNOWN' } } as const;
  const only = (before: PayoutRow, result: Parameters<typeof seeResult>[2], attempt = 1) => {
    const resolution = seeResult([before], attempt, result, rules);
    return resolution.action === 'change' ? resolution.changes[0] : resolution.action;
  };

  test('a certain refusal rejects; one while another attempt is in doubt does not', () => {
    expect(only(row(), reject)).toEqual({ state: 'rejected', reason: 'NO', evidence: 'response', doubts: 0 });
    expect(only(row({ doubts: 2, attempts: 2 }), reject, 2)).toEqual({
      state: 'undecided',
      reason: 'REFUSED_AFTER_LOST_RESPONSE NO',
      undecided_for: 'operator',
      doubts: 1,
    });
  });

  test('a refusal of an earlier attempt only takes its doubt away', () => {
    expect(only(row({ doubts: 2, attempts: 2 }), reject, 1)).toEqual({ doubts: 1 });
    expect(only(row({ doubts: 2, attempts: 2 }), wait, 1)).toEqual({ doubts: 1 });
    expect(only(row({ doubts: 2, attempts: 2 }), retry, 1)).toBeUndefined();
  });

  test('a stale result changes nothing once the payout has moved on, or was given back by hand', () => {
    for (const result of [reject, wait, retry, known]) {
      for (const state of PAYOUT_STATES.filter((one) => one !== 'queued')) {
        expect(only(row({ state }), result)).toBeUndefined();
      }
      expect(only(row({ fence: 1, attempts: 1 }), result)).toBeUndefined();
      expect(only(row({ fence: 1, attempts: 2, doubts: 1 }), result, 1)).toBeUndefined();
    }
  });

  test('a pause uses no attempt, grows, and takes its own doubt away', () => {
    expect(only(row({ doubts: 2, pauses: 2 }), wait)).toEqual({
      reason: 'BUSY',
      doubts: 1,
      pauses: 3,
      refused_before: false,
      due_in: 4,
    });
    const refused = { verdict: { action: 'wait', reason: 'EMPTY', refused: true, retryAfter: 30 } } as const;
    expect(only(row(), refused)).toMatchObject({ refused_before: true, due_in: 30 });
    expect(only(row({ refused_before: true }), wait)).toMatchObject({ refused_before: true });
  });

  test('a lost response stays in doubt, and is undecided when the failures are used up', () => {
    expect(only(row(), retry)).toEqual({ reason: 'LOST', failures: 1, pauses: 1, due_in: 1 });
    expect(only(row({ failures: 1, pauses: 3 }), retry)).toMatchObject({ failures: 2, due_in: 8 });
    expect(only(row({ failures: 2 }), retry)).toEqual({
      state: 'undecided',
      reason: 'RETRIES_USED_UP',
      undecided_for: 'operator',
      failures: 3,
    });
    const gateway = {
      verdict: { action: 'retry', reason: 'HTTP_502', counts: false, retryAfter: 9 },
    } as const;
    expect(only(row({ failures: 2, pauses: 5 }), gateway)).toMatchObject({ failures: 2, due_in: 32 });
  });

  test('a known key means that the transfer exists', () => {
    const made = { state: 'made', reason: 'KNOWN', evidence: 'response', doubts: 0 };
    expect(only(row(), known)).toEqual(made);
    expect(only(row({ doubts: 3, attempts: 3 }), known, 2)).toEqual(made);
  });

  test('a key that may stand for another payment is for a person', () => {
    const look = { verdict: { action: 'look', reason: 'REUSED' } } as const;
    expect(only(row(), look)).toEqual({ state: 'undecided', reason: 'REUSED', undecided_for: 'operator' });
    expect(only(row({ state: 'paid' }), look)).toBeUndefined();
    expect(only(row({ fence: 1 }), look)).toBeUndefined();
  });

  test('but after a refusal of the same key it proves nothing', () => {
    expect(only(row({ refused_before: true }), known)).toBe('rekey');
    expect(only(row({ refused_before: true, doubts: 2 }), known)).toEqual({
      state: 'undecided',
      reason: 'KEY_KNOWN_AFTER_REFUSAL',
      undecided_for: 'operator',
    });
    expect(only(row({ refused_before: true, attempts: 2 }), known)).toMatchObject({ state: 'undecided' });
  });

  test('the transfer in a response is the evidence', () => {
    expect(only(row(), { reading: reading('paid') })).toEqual({
      state: 'paid',
      reason: null,
      evidence: 'response',
      doubts: 0,
      transfer_id: 't1',
    });
  });

  test('an accepted request without a transfer in its response exists', () => {
    expect(only(row(), { reading: undefined })).toMatchObject({
      state: 'made',
      reason: 'RESPONSE_WITHOUT_TRANSFER_ID',
      evidence: 'response',
    });
    expect(only(row({ state: 'paid' }), { reading: undefined })).toBeUndefined();
  });

  test('a batch that surely did nothing is split; one in doubt is not', () => {
    const batch = (change: Partial<PayoutRow>) => [row(change), row({ employee: 'E2', ...change })];
    expect(seeResult(batch({}), 1, reject, rules)).toEqual({ action: 'split' });
    for (const doubtful of [{ doubts: 2 }, { attempts: 2 }, { fence: 1 }, { state: 'paid' }] as const) {
      expect(seeResult(batch(doubtful), 1, reject, rules).action).toBe('change');
    }
    expect(seeResult([row(), row({ employee: 'E2', state: 'paid' })], 1, reject, rules).action).toBe(
      'change',
    );
    expect(seeResult(batch({}), 1, wait, rules)).toMatchObject({
      action: 'change',
      changes: [
        { reason: 'BUSY', due_in: 1 },
        { reason: 'BUSY', due_in: 1 },
      ],
    });
    const half = [row({ refused_before: true }), row({ employee: 'E2' })];
    expect(seeResult(half, 1, known, rules)).toEqual({ action: 'rekey' });
  });
});

describe('a pause', () => {
  const pauses = pausesFrom({ firstSeconds: 2, mostSeconds: 10, mostRetryAfterSeconds: 20 });
  test('doubles up to its most, whatever the service asks', () => {
    expect([0, 1, 2, 3, 2000].map((earlier) => pauseSeconds(pauses, earlier, 0, 0))).toEqual([
      2, 4, 8, 10, 10,
    ]);
    expect(pauseSeconds(pauses, 0, 15, 0)).toBe(15);
    expect(pauseSeconds(pauses, 0, 86_400, 0)).toBe(20);
    expect(pauseSeconds(pauses, 0, undefined, 1)).toBe(2.5);
    const random = pauseSeconds(pauses, 0);
    expect(random).toBeGreaterThanOrEqual(2);
    expect(random).toBeLessThanOrEqual(2.5);
  });
  test('has defaults and limits', () => {
    expect(pausesFrom()).toEqual({ firstSeconds: 1, mostSeconds: 60, mostRetryAfterSeconds: 900 });
    expect(pausesFrom({ mostSeconds: 86_400 }).mostSeconds).toBe(86_400);
    for (const wrong of [0, -1, 86_401, Number.NaN]) {
      expect(() => pausesFrom({ firstSeconds: wrong })).toThrow('pause.firstSeconds must be');
    }
  });
});
