import { describe, expect, it } from 'vitest';
import { transfersFrom } from '../../src/client/index.ts';
import { beginPayout, type PayoutPart, payoutSteps } from '../../src/payouts/index.ts';
import { applyWake } from '../../src/payouts/rules/apply-decision.ts';
import { applyAbsence } from '../../src/payouts/rules/apply-lookup.ts';
import { applyTakenTransfer } from '../../src/payouts/rules/apply-record.ts';
import { hear } from '../../src/payouts/rules/hear.ts';
import { applyOtherRound, movedNothing, paymentInTheWay } from '../../src/payouts/rules/rounds.ts';
import { rulesFrom } from '../../src/payouts/rules/rules.ts';
import { toUndecided } from '../../src/payouts/rules/transition.ts';
import { known, lost, record, refusal, rigOf, START } from './rig.ts';

const DAY = 86_400_000;
const rules = rulesFrom({}, false);

/** A payout after its first call. */
async function called(answer: { readonly record: object } | { readonly error: unknown }, more: object = {}) {
  const rig = rigOf({ answers: [answer], ...more });
  await rig.settle();
  const [part] = rig.situation.parts;
  if (part === undefined) throw new Error('no payment');
  return { rig, part };
}
const kinds = (notices: readonly { readonly kind: string }[] = []) => notices.map(({ kind }) => kind);

describe('a payment that waits for its approval', () => {
  it('is undecided a week and the patience after it was last heard of, and no sooner', async () => {
    const { rig } = await called(record('PENDING_APPROVAL'));
    rig.now = START + 8 * DAY - 1;
    await rig.step();
    expect(rig.states()).toEqual(['awaiting_approval -']);
    rig.now += 1;
    await rig.step();
    expect(rig.states()).toEqual(['undecided DECISION_NOT_HEARD']);
  });
});

describe('an event', () => {
  it('whose record has no id wakes the lookup up', async () => {
    const { rig, part } = await called(record('PENDING'), { lookup: async () => undefined });
    expect(rig.situation.wait).toBeGreaterThan(0);
    const { requestId } = part;
    await rig.step({ type: 'record', record: { transferDetails: { requestId, status: 'COMPLETED' } } });
    expect([rig.states(), rig.situation.wait]).toEqual([['accepted -'], 0]);
  });

  it('of a decision on a payment that was never sent changes nothing, with a notice', async () => {
    const rig = rigOf();
    const requestId = rig.situation.parts[0]?.requestId ?? '';
    await rig.step({ type: 'decision', decision: 'APPROVED', requestId });
    expect([rig.states(), kinds(rig.situation.notices)]).toEqual([['queued -'], ['CONTRADICTION']]);
    expect(rig.situation.notices[0]?.detail).toBe('no transfer APPROVED by event');
  });

  it('of a decision on a payment in doubt settles it', async () => {
    const { rig, part } = await called({ error: lost() });
    await rig.step({ type: 'decision', decision: 'REJECTED', requestId: part.requestId });
    expect(rig.states()).toEqual(['rejected APPROVAL_REJECTED']);
  });
});

describe('a second transfer of a payment', () => {
  it.each([
    ['rejected', { error: refusal(400, 'USER_NOT_FOUND') }, true],
    ['paid', record('COMPLETED'), false],
  ] as const)('after it was %s is a notice, and may be money that moved', async (state, answer, may) => {
    const { rig, part } = await called(answer);
    const before: PayoutPart = { ...part, transferId: 't1' };
    rig.situation = { ...rig.situation, parts: [before] };
    const { requestId } = part;
    const shown = { transferDetails: { id: 't2', requestId, status: 'COMPLETED' } };
    const heard = hear(rig.situation, { type: 'record', record: shown }, START, rules);
    expect(heard.parts).toMatchObject([{ state, transferId: 't1', mayHaveMoved: may }]);
    expect(kinds(heard.notices)).toEqual(['TWO_TRANSFERS']);
  });
});

describe('a transfer that settles another payment already', () => {
  it('makes this one undecided, in doubt since its call began', async () => {
    const { part } = await called(record('COMPLETED'));
    const before: PayoutPart = {
      ...part,
      state: 'queued',
      phase: 'call',
      transferId: null,
      doubtSince: null,
    };
    const { parts, notices } = applyTakenTransfer(before, 't1', START, rules);
    expect(parts).toMatchObject([
      { state: 'undecided', reason: 'TRANSFER_OF_ANOTHER_PAYMENT', transferId: null, doubtSince: START },
    ]);
    expect(notices).toMatchObject([{ kind: 'TRANSFER_OF_ANOTHER_PAYMENT', detail: 't1' }]);
    const doubted = applyTakenTransfer({ ...before, doubtSince: START - 5 }, 't1', START, rules);
    expect(doubted.parts).toMatchObject([{ doubtSince: START - 5 }]);
  });

  it('changes no final state', async () => {
    const { part } = await called({ error: refusal(400, 'USER_NOT_FOUND') });
    expect(applyTakenTransfer(part, 't1', START, rules).parts).toEqual([part]);
  });
});

describe('an absence', () => {
  const asked = START + 10 * DAY;

  it('of a payment whose transfer was shown proves nothing', async () => {
    const { rig, part } = await called({ error: known() });
    const shown = toUndecided({ ...part, transferId: 't1' }, 'RETRIES_USED_UP', START, rules);
    expect(applyAbsence(rig.situation.order, shown, asked, asked, rules).parts).toMatchObject([
      { state: 'undecided' },
    ]);
  });

  it('of a payment that waits to be called again changes nothing', async () => {
    const { rig, part } = await called({ error: lost() });
    expect(applyAbsence(rig.situation.order, part, asked, asked, rules).parts).toEqual([part]);
  });

  it('that is told again keeps its evidence', async () => {
    const { rig, part } = await called({ error: known() });
    const [absent] = applyAbsence(rig.situation.order, part, asked, asked, rules).parts;
    if (absent === undefined) throw new Error('no payment');
    expect(absent).toMatchObject({ state: 'undecided', reason: 'NOT_FOUND_BY_LOOKUP', evidence: 'lookup' });
    expect(toUndecided(absent, 'NOT_FOUND_BY_LOOKUP', asked + 1, rules)).toMatchObject({
      evidence: 'lookup',
      since: asked,
    });
    expect(toUndecided(absent, 'END_NOT_HEARD', asked + 1, rules)).toMatchObject({
      evidence: null,
      since: asked,
    });
  });

  it('is not said by a list that may lack transfers, which is told', async () => {
    const transfers = transfersFrom(async () => [{ transferDetails: { id: 't7', createdAt: 'yesterday' } }]);
    const { rig } = await called({ error: lost() }, { maxFailures: 1, transfers });
    rig.now = START + DAY;
    await rig.step();
    expect(rig.states()).toEqual(['undecided RETRIES_USED_UP']);
    expect(rig.errors).toMatchObject([{ code: 'list_not_whole' }]);
  });

  it('is said by the list that is given as `transfers`, unless there is a `lookup`', async () => {
    const payments = { transfers: { create: async () => ({}), createBatch: async () => ({}) } } as never;
    const transfers = transfersFrom(async () => []);
    for (const [more, state] of [
      [{ transfers }, 'rejected NOT_FOUND_BY_LOOKUP'],
      [{ transfers, lookup: async () => undefined }, 'undecided RETRIES_USED_UP'],
    ] as const) {
      const { rig } = await called({ error: lost() }, { maxFailures: 1, ...more });
      rig.now = START + DAY;
      await rig.step();
      expect(rig.states()).toEqual([state]);
    }
    expect(() => payoutSteps({ payments, transfers: transfers.find as never })).toThrow(
      '`transfers` must be what `transfersFrom` returns',
    );
  });
});

describe('a batch that was split, and shows a transfer after all', () => {
  it('leaves each half in its state, and none of them is paid again', async () => {
    const recipients = ['a', 'b'].map((userId) => ({ userId, amount: '1' }));
    const bad = { error: refusal(400, 'USER_NOT_FOUND') };
    const rig = rigOf({ order: { recipients }, answers: [bad, record('COMPLETED'), bad] });
    await rig.settle();
    expect(rig.states()).toEqual(['paid -', 'rejected USER_NOT_FOUND']);
    const [requestId] = rig.situation.split;
    const shown = { transferDetails: { id: 't9', requestId, status: 'PENDING' } };
    const heard = hear(rig.situation, { type: 'record', record: shown }, START, rules);
    expect(heard.parts).toMatchObject([
      { state: 'paid', mayHaveMoved: true },
      { state: 'rejected', mayHaveMoved: true },
    ]);
    expect(heard.notices).toMatchObject([
      { kind: 'TRANSFER_AFTER_REJECTION', detail: `${requestId} PENDING` },
    ]);
  });
});

describe('a payout has certainly moved nothing', () => {
  it('only if each payment and each recipient ended unpaid, and nothing speaks against it', async () => {
    const { rig, part } = await called({ error: refusal(400, 'USER_NOT_FOUND') });
    const withPart = (more: Partial<PayoutPart>) =>
      movedNothing({ ...rig.situation, parts: [{ ...part, ...more }] });
    expect(withPart({})).toBe(true);
    expect(withPart({ mayHaveMoved: true })).toBe(false);
    expect(withPart({ state: 'queued' })).toBe(false);
    expect(withPart({ state: 'paid' })).toBe(false);
    const paid = [{ place: 0, state: 'paid', reason: 'RECIPIENT_PAID' }] as const;
    expect(withPart({ others: paid })).toBe(false);
    expect(withPart({ others: paid, places: [0, 1] })).toBe(false);
    const unpaid = [{ place: 0, state: 'rejected', reason: 'RECIPIENT_NOT_PAID' }] as const;
    expect(withPart({ state: 'paid', others: unpaid })).toBe(false);
    const parts = [part, { ...part, mayHaveMoved: true }];
    expect(movedNothing({ ...rig.situation, parts })).toBe(false);
    expect(movedNothing({ ...rig.situation, parts: [part, { ...part, state: 'paid' }] })).toBe(false);
    expect(movedNothing({ ...rig.situation, version: 2 })).toBe(false);
  });
});

describe('the rounds of a payout are one question', () => {
  /** Two rounds of a batch: the second one pays the recipient at place 1. */
  async function rounds(first: Partial<PayoutPart>, orderOfFirst: object = {}) {
    const recipients = ['a', 'b'].map((userId) => ({ userId, amount: '1' }));
    const rig = rigOf({ order: { recipients } });
    const [part] = rig.situation.parts;
    if (part === undefined) throw new Error('no payment');
    const own = beginPayout(rig.situation.order, { round: 2, places: [1], now: START });
    const [ownPart] = own.parts;
    if (ownPart === undefined) throw new Error('no payment');
    const other = {
      ...rig.situation,
      order: { ...rig.situation.order, ...orderOfFirst },
      parts: [{ ...part, state: 'rejected' as const, ...first }],
    };
    return { own, ownPart, other };
  }
  const others = [{ place: 1, state: 'paid', reason: 'RECIPIENT_PAID' }] as const;
  const OTHER = { id: 'another' };

  it.each<[string, Partial<PayoutPart>, object, boolean]>([
    ['ended unpaid', {}, {}, false],
    ['may have moved money', { mayHaveMoved: true }, {}, true],
    ['may have moved money for another recipient', { mayHaveMoved: true, places: [0] }, {}, false],
    [
      'may have moved money for another recipient of another order',
      { mayHaveMoved: true, places: [0] },
      OTHER,
      true,
    ],
    ['is paid', { state: 'paid' }, {}, true],
    ['is paid to another recipient', { state: 'paid', places: [0] }, {}, false],
    ['is undecided', { state: 'undecided' }, {}, true],
    ['is queued', { state: 'queued' }, {}, true],
    ['is paid to this recipient alone', { others }, {}, true],
    // A batch of which one recipient is unpaid has paid the other one.
    [
      'of another order is paid but for one recipient',
      { state: 'paid', others: [{ place: 0, state: 'rejected', reason: 'RECIPIENT_NOT_PAID' }] },
      OTHER,
      true,
    ],
    ['is expired', { state: 'expired' }, OTHER, false],
  ])('where a payment of another one %s', async (_case, first, orderOfFirst, isInTheWay) => {
    const { own, ownPart, other } = await rounds(first, orderOfFirst);
    const found = paymentInTheWay(own, ownPart, [other]);
    expect(found?.requestId).toBe(isInTheWay ? other.parts[0]?.requestId : undefined);
    expect(paymentInTheWay(own, ownPart, [{ ...other, parts: [] }, other])?.requestId).toBe(found?.requestId);
  });

  it('where a later release wrote another one', async () => {
    const { own, ownPart, other } = await rounds({});
    expect(paymentInTheWay(own, ownPart, [{ ...other, version: 2 }])?.requestId).toBe(
      other.parts[0]?.requestId,
    );
  });

  it('and a payment that is not called for it is undecided, with a notice that names it', async () => {
    const { ownPart } = await rounds({});
    const transition = applyOtherRound(ownPart, { requestId: 'r1', state: 'rejected' }, START, rules);
    expect(transition.parts).toMatchObject([
      { state: 'undecided', reason: 'ANOTHER_ROUND_MAY_BE_PAID', phase: 'look', doubtSince: null },
    ]);
    expect(transition.notices).toMatchObject([
      { requestId: ownPart.requestId, kind: 'ANOTHER_ROUND_MAY_BE_PAID', detail: 'r1 rejected', at: START },
    ]);
  });
});

describe('an event that wakes', () => {
  it.each<[string, Partial<PayoutPart>, string | undefined, boolean]>([
    ['a payment that ended unpaid, of a transfer that it does not have', {}, 't9', true],
    ['one that ended unpaid, of its own transfer', { transferId: 't9' }, 't9', false],
    ['one that ended unpaid, of no transfer', {}, undefined, false],
    ['one that is paid', { state: 'paid' }, 't9', false],
    ['one that is open', { state: 'undecided', phase: 'look' }, 't9', false],
  ])('%s', async (_case, more, transferId, contradicts) => {
    const { part } = await called({ error: refusal(400, 'USER_NOT_FOUND') });
    const { parts, notices } = applyWake({ ...part, ...more }, transferId, START);
    expect([parts[0]?.mayHaveMoved, kinds(notices)]).toEqual([
      contradicts,
      contradicts ? ['CONTRADICTION'] : [],
    ]);
    if (contradicts) expect(notices?.[0]?.detail).toBe('t9 by event');
  });
});
