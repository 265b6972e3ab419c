import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PayoutMessage, PayoutSituation } from '../../src/payouts/index.ts';
import { beginPayout, callLost, checkPayouts, drivePayout, PAYOUT_STATES } from '../../src/payouts/index.ts';
import { whatToDoAbout } from '../../src/payouts/rules/advice.ts';
import {
  afterCall,
  mayCallFor,
  noBrake,
  type PayerBrake,
  type PayerEffect,
  wakesOf,
} from '../../src/payouts/rules/brake.ts';
import { type Settlement, settle } from '../../src/payouts/rules/person.ts';
import { movedNothing, nextRound } from '../../src/payouts/rules/rounds.ts';
import { lookAfter, pauseOf, rulesFrom } from '../../src/payouts/rules/rules.ts';
import { isFinal, isUnpaid, readSituation } from '../../src/payouts/rules/situation.ts';
import { ResponseMismatchError, ResponseValidationError } from '../../src/shared/errors/index.ts';
import { cases } from '../cases.ts';
import { invalid, known, lost, MINUTE, notSent, order, record, refusal, rigOf, START } from './rig.ts';

const batch = { recipients: ['a', 'b', 'c'].map((userId) => ({ userId, amount: '1' })) };
const absent = async () => null;

describe('what one call proves', () => {
  it.each([
    ['a completed transfer', record('COMPLETED'), 'paid -'],
    ['one that executes', record('PENDING'), 'accepted -'],
    ['one that waits for its approval', record('PENDING_APPROVAL'), 'awaiting_approval -'],
    [
      'one whose approval was rejected',
      record('PENDING_APPROVAL', { approval: { status: 'REJECTED' } }),
      'rejected APPROVAL_REJECTED',
    ],
    [
      'one whose approval expired',
      record('CANCELLED', { receipt: { approval: { status: 'EXPIRED' } } }),
      'expired APPROVAL_EXPIRED',
    ],
    ['one that was cancelled otherwise', record('CANCELLED'), 'rejected TRANSFER_CANCELLED'],
    ['one that failed', record('FAILED'), 'rejected TRANSFER_FAILED'],
    ['a status that is not documented', record('SUCCESS'), 'accepted STATUS_NOT_DOCUMENTED'],
    [
      'a record without an id',
      { record: { transferDetails: { status: 'COMPLETED' } } },
      'accepted RESPONSE_WITHOUT_TRANSFER_ID',
    ],
    [
      'a record of another amount',
      record('COMPLETED', { amount: 26 }),
      'undecided RECORD_OF_ANOTHER_PAYMENT',
    ],
    [
      'a mismatch that the client found',
      { error: new ResponseMismatchError('x', { path: 'amount' }) },
      'undecided RECORD_OF_ANOTHER_PAYMENT',
    ],
    [
      'a proven record with a departure',
      {
        error: new ResponseValidationError('x', {
          issues: [],
          body: record('COMPLETED').record,
          outcome: 'succeeded',
        }),
      },
      'paid -',
    ],
    ['a key that the service knows', { error: known() }, 'accepted KEY_KNOWN'],
    ['a refusal of the payment', { error: refusal(400, 'USER_NOT_FOUND') }, 'rejected USER_NOT_FOUND'],
    ['a refusal by number', { error: refusal(400, undefined) }, 'rejected HTTP_400'],
    ['what the client refuses to send', { error: invalid() }, 'rejected INVALID_REQUEST'],
    ['a request that was not sent', { error: notSent() }, 'queued CONNECTION'],
    ['a lost response', { error: lost() }, 'queued CONNECTION'],
    ['an empty balance', { error: refusal(400, 'INSUFFICIENT_BALANCE') }, 'queued INSUFFICIENT_BALANCE'],
    ['a refused token', { error: refusal(401, 'UNAUTHORIZED') }, 'queued UNAUTHORIZED'],
    ['a forbidden call', { error: refusal(403, 'X_NOT_DOCUMENTED') }, 'queued X_NOT_DOCUMENTED'],
    ['a forbidden payee', { error: refusal(403, 'USER_FROZEN') }, 'rejected USER_FROZEN'],
    // design.md: "A rule that guesses names of services is always wrong."
    ['a name that is not documented', { error: refusal(400, 'LOW_FUNDS') }, 'rejected LOW_FUNDS'],
    ['a page of a gateway', { error: refusal(403, undefined, { body: '<html>' }) }, 'queued HTTP_403'],
    [
      'a failure of the service',
      { error: refusal(500, 'INTERNAL_ERROR', { outcome: 'unknown' }) },
      'queued INTERNAL_ERROR',
    ],
    ['an error of no kind that is known', { error: new Error('x') }, 'queued CALL_FAILED'],
  ])('%s', async (_name, answer, state) => {
    const rig = rigOf({ answers: [answer] });
    await rig.settle();
    expect(rig.states()).toEqual([state]);
  });

  it('is in doubt, counts as a failure or pauses the payer, as the error says', async () => {
    const cameTo = async (error: unknown) => {
      const rig = rigOf({ answers: [{ error }] });
      await rig.settle();
      const [part] = rig.situation.parts;
      return [part?.doubtSince !== null, part?.failures, rig.effects.map(({ kind }) => kind).join()];
    };
    expect(await cameTo(lost())).toEqual([true, 1, '']);
    expect(await cameTo(refusal(500, 'X', { outcome: 'unknown' }))).toEqual([true, 1, '']);
    expect(await cameTo(refusal(502, undefined, { outcome: 'unknown' }))).toEqual([true, 0, '']);
    expect(await cameTo(notSent())).toEqual([false, 0, '']);
    expect(await cameTo(refusal(429, undefined, { retryAfter: 7 }))).toEqual([false, 0, 'slow']);
    expect(await cameTo(refusal(400, 'INSUFFICIENT_BALANCE'))).toEqual([false, 0, 'pause']);
    expect(await cameTo(refusal(400, 'INSUFFICIENT_BALANCE', { outcome: 'unknown' }))).toEqual([
      true,
      0,
      'pause',
    ]);
    expect(await cameTo(refusal(400, 'USER_NOT_FOUND'))).toEqual([false, 0, 'rejected']);
  });

  it('is a code, never a sentence of the service', async () => {
    for (const name of ['The payee 1234567 is unknown', 'ACCOUNT_12345678', 'x'.repeat(80)]) {
      const rig = rigOf({ answers: [{ error: refusal(400, name) }] });
      await rig.settle();
      expect(rig.states()).toEqual(['rejected HTTP_400']);
    }
  });
});

describe('an attempt', () => {
  it('is stored before the call, and sends the same bytes each time, without retries of the client', async () => {
    const rig = rigOf({ order: batch, answers: [{ error: lost() }, record('COMPLETED')] });
    await rig.step();
    expect(rig.calls).toEqual([]);
    expect(rig.situation.parts[0]).toMatchObject({ phase: 'call', begun: START });
    await rig.step();
    rig.now += rig.situation.wait;
    await rig.settle();
    expect(rig.states()).toEqual(['paid -']);
    const [first, second] = rig.calls;
    expect(JSON.stringify(second?.body)).toBe(JSON.stringify(first?.body));
    expect(JSON.stringify(first?.body)).toBe(rig.situation.parts[0]?.body);
    expect(first?.options).toEqual({ retries: 0, deadline: 55_000 });
    expect(second?.options).toEqual({ retries: 0, deadline: 55_000, inDoubt: true });
  });

  it('is called for by the process that stored it alone; the next one says that it is in doubt', async () => {
    const rig = rigOf({ answers: [record('COMPLETED')] });
    await rig.step();
    await rig.step(undefined, 'another');
    expect(rig.calls).toEqual([]);
    expect(rig.situation.parts[0]).toMatchObject({ phase: 'begin', doubtSince: START });
    await rig.settle();
    expect(rig.calls.map(({ options }) => options.inDoubt)).toEqual([true]);
  });

  it('is called for once, also by two steps of one process', async () => {
    const rig = rigOf({ answers: [record('COMPLETED')] });
    const begun = await rig.step();
    await rig.step();
    rig.situation = begun;
    await rig.step();
    expect(rig.calls).toHaveLength(1);
    expect(rig.situation.parts[0]?.doubtSince).toBe(START);
  });

  it('is not sent later than a minute after it was stored, and then is in no doubt', async () => {
    const rig = rigOf({ answers: [record('COMPLETED')] });
    await rig.step();
    rig.now += MINUTE;
    await rig.step();
    expect(rig.calls).toEqual([]);
    expect(rig.situation.parts[0]).toMatchObject({ phase: 'begin', doubtSince: null });
  });

  it('ends within the minute in which it may be sent, also where its token or its connection takes time', async () => {
    const rig = rigOf({ answers: [record('COMPLETED')] });
    await rig.step();
    rig.now += 50_000;
    await rig.step();
    expect(rig.calls.map(({ options }) => options.deadline)).toEqual([10_000]);
  });

  it('is not sent once a command stops it: asked before it is stored, and again before it is sent', async () => {
    const rig = rigOf({ answers: [record('COMPLETED')] });
    rig.gate = { may: 'wait' };
    await rig.step();
    expect(rig.situation).toMatchObject({ parts: [{ phase: 'begin', begun: null }] });
    rig.now += rig.situation.wait;
    rig.gate = { may: 'pay' };
    await rig.step();
    rig.gate = { may: 'cancel' };
    await rig.step();
    expect(rig.states()).toEqual(['cancelled CANCELLED']);
    expect(rig.calls).toEqual([]);
  });

  it('in doubt is cancelled as undecided', async () => {
    const rig = rigOf();
    await rig.settle();
    await rig.step({ type: 'cancel', by: 'Ada' });
    expect(rig.states()).toEqual(['undecided CANCELLED_IN_DOUBT']);
  });

  it('is not stored when the service may forget the key before it ends', async () => {
    const rig = rigOf({ answers: [{ error: lost() }], keyLifetime: 3_600_000, maxFailures: 1000 });
    await rig.settle();
    rig.now = START + 3_600_000 - 3 * MINUTE;
    await rig.step();
    expect(rig.situation.parts[0]).toMatchObject({ phase: 'call' });
    await rig.step();
    rig.now = START + 3_600_000 - 3 * MINUTE + 1;
    rig.situation = {
      ...rig.situation,
      parts: rig.situation.parts.map((part) => ({ ...part, due: rig.now })),
    };
    await rig.step();
    expect(rig.states()).toEqual(['undecided KEY_LIFETIME_OVER']);
    expect(rig.calls).toHaveLength(2);
  });

  it('that an engine lost is in doubt', async () => {
    const rig = rigOf({ answers: [record('COMPLETED')], once: true });
    const begun = await rig.step();
    expect(callLost(begun).parts[0]).toMatchObject({ phase: 'begin', doubtSince: START });
    // Given to one process once, a step of another process calls.
    await rig.step(undefined, 'another');
    expect(rig.states()).toEqual(['paid -']);
  });
});

describe('failures', () => {
  it('are retried with growing pauses, and undecided when they are used up', async () => {
    const rig = rigOf({ maxFailures: 3 });
    const waits: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await rig.settle();
      waits.push(rig.situation.wait);
      rig.now += rig.situation.wait;
    }
    expect(rig.states()).toEqual(['undecided RETRIES_USED_UP']);
    expect((waits[1] ?? 0) / (waits[0] ?? 1)).toBeGreaterThan(1.5);
  });

  it('are used up also where the service calls them by the name of that state', async () => {
    const error = refusal(500, 'RETRIES_USED_UP', { outcome: 'unknown' });
    const rig = rigOf({ answers: [{ error }], maxFailures: 2 });
    await rig.settle();
    rig.now += rig.situation.wait;
    await rig.settle();
    expect(rig.states()).toEqual(['undecided RETRIES_USED_UP']);
  });

  it('of the payer, the moment or a gateway use nothing up', async () => {
    for (const error of [
      notSent(),
      refusal(429),
      refusal(503, undefined, { outcome: 'unknown' }),
      refusal(400, 'PROFILE_FROZEN'),
    ]) {
      const rig = rigOf({ answers: [{ error }], maxFailures: 1 });
      await rig.settle();
      expect(rig.states()[0]).toMatch(/^queued/);
    }
  });

  it('Retry-After: 0 does not make a step call without rest, and a longer one is followed up to its limit', () => {
    const rules = rulesFrom({}, false, () => 0);
    expect(pauseOf(rules, 0, 0)).toBe(1000);
    expect(pauseOf(rules, 99, 0)).toBe(60_000);
    expect(pauseOf(rules, 0, 70_000)).toBe(70_000);
    expect(pauseOf(rules, 0, 1e9)).toBe(900_000);
    expect(pauseOf(rules, 3, 0)).toBe(8000);
    // Payments that paused together do not all come back at once.
    expect(
      pauseOf(
        rulesFrom({}, false, () => 0.5),
        0,
        0,
      ),
    ).toBe(1125);
  });

  it('and lookups wait longer each time, for an hour at most', () => {
    const rules = rulesFrom({}, true, () => 0);
    expect([0, 1, 3, 99].map((looks) => lookAfter(rules, looks))).toEqual([5000, 10_000, 40_000, 3_600_000]);
    expect(
      lookAfter(
        rulesFrom({}, true, () => 0.5),
        0,
      ),
    ).toBe(5625);
  });

  it('a refusal while an earlier attempt is in doubt rejects nothing', async () => {
    const rig = rigOf({ answers: [{ error: lost() }, { error: refusal(400, 'USER_NOT_FOUND') }] });
    await rig.settle();
    rig.now += rig.situation.wait;
    await rig.settle();
    expect(rig.situation.parts[0]).toMatchObject({ state: 'queued', refusal: 'USER_NOT_FOUND' });
  });

  it('a refusal by name that comes three times while an attempt is in doubt leaves it to a lookup', async () => {
    const rig = rigOf({ answers: [{ error: refusal(422, 'AMOUNT_TOO_SMALL', { outcome: 'unknown' }) }] });
    for (let turn = 0; turn < 3; turn += 1) {
      await rig.settle();
      rig.now += rig.situation.wait;
    }
    expect(rig.states()).toEqual(['undecided REFUSED_IN_DOUBT']);
    expect(rig.situation.parts[0]?.refusal).toBe('AMOUNT_TOO_SMALL');
    expect(whatToDoAbout('REFUSED_IN_DOUBT', 'AMOUNT_TOO_SMALL')).toContain('refusals.sure');
    const conflict = rigOf({ answers: [{ error: refusal(409, 'IN_USE', { outcome: 'unknown' }) }] });
    for (let turn = 0; turn < 4; turn += 1) {
      await conflict.settle();
      conflict.now += conflict.situation.wait;
    }
    expect(conflict.states()).toEqual(['queued IN_USE']);
  });

  it('a key that is known after a refusal proves no transfer', async () => {
    const rig = rigOf({ answers: [{ error: refusal(400, 'INSUFFICIENT_BALANCE') }, { error: known() }] });
    await rig.settle();
    rig.now += rig.situation.wait;
    await rig.settle();
    expect(rig.states()).toEqual(['undecided KEY_KNOWN_AFTER_REFUSAL']);
  });
});

describe('a batch', () => {
  it('that is surely refused is split under keys of its own, until only the bad one is rejected', async () => {
    const paid = record('COMPLETED');
    const bad = { error: refusal(400, 'USER_NOT_FOUND') };
    // a, b, c; then a, b; then c.
    const rig = rigOf({ order: batch, answers: [bad, paid, bad] });
    await rig.settle();
    expect(rig.states()).toEqual(['paid -', 'rejected USER_NOT_FOUND']);
    const bodies = rig.calls.map(({ body }) => body);
    expect(bodies.map(({ destination }) => destination)).toEqual([
      { batch: ['a', 'b', 'c'].map((userId) => ({ userId, amount: '1' })) },
      { batch: ['a', 'b'].map((userId) => ({ userId, amount: '1' })) },
      { userId: 'c' },
    ]);
    expect(new Set(bodies.map(({ requestId }) => requestId)).size).toBe(3);
    expect(rig.situation.split).toEqual([bodies[0]?.requestId]);
    // A batch counts once.
    expect(rig.effects.filter(({ kind }) => kind === 'rejected')).toHaveLength(1);
  });

  it('of a later round that pays some of its recipients counts as a refusal, too', async () => {
    const rig = rigOf({ order: batch, answers: [{ error: refusal(400, 'USER_NOT_FOUND') }] });
    rig.situation = beginPayout(rig.situation.order, { round: 2, places: [0, 2], now: START });
    await rig.settle();
    expect(rig.effects.filter(({ kind }) => kind === 'rejected')).toHaveLength(1);
  });

  it('in doubt is not split', async () => {
    const rig = rigOf({
      order: batch,
      answers: [{ error: lost() }, { error: refusal(400, 'USER_NOT_FOUND') }],
    });
    await rig.settle();
    rig.now += rig.situation.wait;
    await rig.settle();
    expect(rig.situation.parts).toHaveLength(1);
  });

  it('that shows a transfer after it was split stops its halves', async () => {
    const rig = rigOf({ order: batch, answers: [{ error: refusal(400, 'USER_NOT_FOUND') }] });
    await rig.step();
    await rig.step();
    const [requestId] = rig.situation.split;
    await rig.step({
      type: 'record',
      record: { transferDetails: { id: 't9', requestId, status: 'COMPLETED' } },
    });
    expect(rig.states()).toEqual(['undecided BATCH_MAY_BE_PAID', 'undecided BATCH_MAY_BE_PAID']);
    expect(rig.situation.notices).toMatchObject([{ kind: 'TRANSFER_AFTER_REJECTION' }]);
  });

  it.each<[string, object]>([
    ['a decision', { type: 'decision', decision: 'APPROVED' }],
    ['an event without the record', { type: 'wake', transferId: 't9' }],
  ])('stops its halves also where %s tells of its transfer', async (_name, message) => {
    const rig = rigOf({ order: batch, answers: [{ error: refusal(400, 'USER_NOT_FOUND') }] });
    await rig.step();
    await rig.step();
    const [requestId] = rig.situation.split;
    await rig.step({ ...message, requestId } as PayoutMessage);
    expect(rig.states()).toEqual(['undecided BATCH_MAY_BE_PAID', 'undecided BATCH_MAY_BE_PAID']);
    expect(rig.situation.notices).toMatchObject([{ kind: 'TRANSFER_AFTER_REJECTION' }]);
  });

  it('that is woken up by hand after it was split goes on with its halves', async () => {
    const rig = rigOf({ order: batch, answers: [{ error: refusal(400, 'USER_NOT_FOUND') }] });
    await rig.step();
    await rig.step();
    const [requestId = ''] = rig.situation.split;
    await rig.step({ type: 'wake', requestId });
    expect(rig.states()).toEqual(['queued -', 'queued -']);
    expect(rig.situation.notices).toMatchObject([{ kind: 'MESSAGE_NOT_HEARD' }]);
  });

  it('that is paid but for one recipient shows that recipient as unpaid, with a notice', async () => {
    const shown = [
      { userId: 'a', status: 'COMPLETED' },
      { userId: 'b', status: 'FAILED' },
      { userId: 'c', status: 'COMPLETED' },
    ];
    const rig = rigOf({ order: batch, answers: [record('COMPLETED', { recipients: shown })] });
    await rig.settle();
    expect(rig.situation.parts[0]).toMatchObject({
      state: 'paid',
      others: [{ place: 1, state: 'rejected', reason: 'RECIPIENT_NOT_PAID' }],
    });
    expect(rig.situation.notices).toMatchObject([{ kind: 'RECIPIENT_NOT_PAID', detail: 'recipient 2' }]);
    expect(movedNothing(rig.situation)).toBe(false);
  });

  it('that failed keeps the recipient paid whom its record shows as paid, and never pays that one again', async () => {
    const recipients = [
      { userId: 'a', status: 'COMPLETED' },
      { userId: 'b' },
      { userId: 'c', status: 'FAILED' },
    ];
    const rig = rigOf({ order: batch, answers: [record('FAILED', { recipients })] });
    await rig.settle();
    expect(nextRound(rig.situation, rig.situation.parts[0]?.requestId ?? '', START).parts[0]?.places).toEqual(
      [1, 2],
    );
  });
});

describe('a lookup', () => {
  const undecided = async (
    lookup: () => Promise<object | null | undefined>,
    answers = [{ error: lost() }],
  ) => {
    const rig = rigOf({ answers, maxFailures: 1, lookup });
    await rig.settle();
    return rig;
  };
  const quiet = START + MINUTE + 120_000;

  it('that finds nothing counts only if it was asked after the quiet time', async () => {
    const rig = await undecided(absent);
    rig.now = quiet - 1;
    await rig.step();
    expect(rig.states()).toEqual(['undecided RETRIES_USED_UP']);
    rig.now = quiet;
    await rig.step();
    expect(rig.states()).toEqual(['rejected NOT_FOUND_BY_LOOKUP']);
  });

  it('that was asked before the quiet time proves nothing when it is answered after it', async () => {
    const rig = await undecided(async () => {
      rig.now = quiet + 1;
      return null;
    });
    rig.now = quiet - 1;
    await rig.step();
    expect(rig.states()).toEqual(['undecided RETRIES_USED_UP']);
  });

  it('that finds nothing after a refusal gives the refusal as the reason', async () => {
    const rig = await undecided(absent, [{ error: refusal(400, 'USER_FROZEN', { outcome: 'unknown' }) }]);
    rig.now = quiet;
    await rig.step();
    expect(rig.states()).toEqual(['rejected USER_FROZEN']);
  });

  it('that no longer finds a transfer which was there is for a person, and stays so', async () => {
    const rig = rigOf({ answers: [{ error: known() }], lookup: absent });
    await rig.settle();
    for (const later of [quiet, quiet + 3_600_000]) {
      rig.now = later;
      await rig.step();
      expect(rig.states()).toEqual(['undecided NOT_FOUND_BY_LOOKUP']);
    }
  });

  it('that finds the transfer is believed, whatever it was', async () => {
    const found = { transferDetails: { id: 't1', status: 'COMPLETED', requestId: '' } };
    const rig = await undecided(async () => ({
      transferDetails: { ...found.transferDetails, requestId: rig.situation.parts[0]?.requestId },
    }));
    rig.now += rig.situation.wait;
    await rig.step();
    expect(rig.states()).toEqual(['paid -']);
  });

  it('that shows neither the key nor the known transfer is not believed', async () => {
    const rig = rigOf({ answers: [{ error: known() }], lookup: async () => record('COMPLETED').record });
    await rig.settle();
    rig.now += rig.situation.wait;
    await rig.step();
    expect(rig.states()).toEqual(['undecided RECORD_OF_ANOTHER_PAYMENT']);
    expect(rig.situation.notices).toMatchObject([{ detail: 'lookup: requestId' }]);
  });

  it('comes later each time, also where a person must find out which of two transfers is right', async () => {
    for (const shown of ['t1', 't2']) {
      const rig = rigOf({
        answers: [record('PENDING')],
        lookup: async () => {
          const requestId = rig.situation.parts[0]?.requestId;
          return { transferDetails: { id: shown, requestId, status: 'PENDING' } };
        },
      });
      await rig.settle();
      const requestId = rig.situation.parts[0]?.requestId;
      await rig.step({
        type: 'record',
        record: { transferDetails: { id: 't2', requestId, status: 'PENDING' } },
      });
      expect(rig.states()).toEqual(['undecided TWO_TRANSFERS']);
      const waits: number[] = [];
      for (let turn = 0; turn < 4; turn += 1) {
        rig.now += rig.situation.wait;
        await rig.step();
        waits.push(rig.situation.wait);
      }
      expect(rig.states()).toEqual(['undecided TWO_TRANSFERS']);
      expect(waits[0]).toBeGreaterThanOrEqual(5000);
      expect((waits[3] ?? 0) / (waits[0] ?? 1)).toBeGreaterThan(4);
    }
  });

  it('that fails, or says nothing, changes nothing and is told of', async () => {
    const rig = await undecided(async () => {
      throw new Error('away');
    });
    rig.now = quiet;
    await rig.step();
    expect(rig.states()).toEqual(['undecided RETRIES_USED_UP']);
    expect(rig.errors).toHaveLength(1);
  });

  it('an accepted payout that nobody hears of becomes undecided after its patience, and no sooner', async () => {
    const rig = rigOf({ answers: [record('PENDING')], patience: 3_600_000 });
    await rig.settle();
    rig.now = START + 3_600_000 - 1;
    await rig.step();
    expect(rig.states()).toEqual(['accepted -']);
    rig.now += 1;
    await rig.step();
    expect(rig.states()).toEqual(['undecided END_NOT_HEARD']);
  });
});

describe('a message', () => {
  const accepted = async (status = 'PENDING_APPROVAL') => {
    const rig = rigOf({ answers: [record(status)] });
    await rig.settle();
    return rig;
  };

  it.each([
    ['APPROVED', 'accepted -'],
    ['REJECTED', 'rejected APPROVAL_REJECTED'],
    ['EXPIRED', 'expired APPROVAL_EXPIRED'],
  ] as const)('of a decision %s settles the payment that it names', async (decision, state) => {
    const rig = await accepted();
    await rig.step({ type: 'decision', decision, transferId: 'another' });
    expect(rig.states()).toEqual(['awaiting_approval -']);
    expect(rig.situation.notices).toMatchObject([{ kind: 'MESSAGE_NOT_HEARD' }]);
    await rig.step({ type: 'decision', decision, transferId: 't1' });
    expect(rig.states()).toEqual([state]);
  });

  it('of a decision about another transfer, or under another key, decides nothing about this one', async () => {
    const rig = await accepted();
    const requestId = rig.situation.parts[0]?.requestId ?? '';
    const another = '00000000-0000-5000-8000-000000000000';
    await rig.step({ type: 'decision', decision: 'REJECTED', requestId: another, transferId: 't1' });
    expect(rig.states()).toEqual(['awaiting_approval -']);
    expect(rig.situation.notices).toMatchObject([{ kind: 'MESSAGE_NOT_HEARD' }]);
    await rig.step({ type: 'decision', decision: 'REJECTED', requestId, transferId: 't2' });
    expect(rig.states()).toEqual(['undecided TWO_TRANSFERS']);
    expect(rig.situation.notices[1]).toMatchObject({ kind: 'TWO_TRANSFERS', detail: 't1 t2' });
  });

  it('of a decision that names both tells the transfer of a payment whose response was lost', async () => {
    const rig = rigOf();
    await rig.settle();
    const requestId = rig.situation.parts[0]?.requestId ?? '';
    await rig.step({ type: 'decision', decision: 'APPROVED', requestId, transferId: 't1' });
    expect(rig.situation.parts).toMatchObject([{ state: 'accepted', transferId: 't1' }]);
  });

  it('that contradicts another is a notice, and changes no state', async () => {
    const rig = await accepted();
    await rig.step({ type: 'decision', decision: 'REJECTED', transferId: 't1' });
    await rig.step({ type: 'decision', decision: 'APPROVED', transferId: 't1' });
    expect(rig.states()).toEqual(['rejected APPROVAL_REJECTED']);
    expect(rig.situation.notices).toMatchObject([{ kind: 'CONTRADICTION' }]);
    // What may have moved is not paid again.
    expect(() => nextRound(rig.situation, rig.situation.parts[0]?.requestId ?? '', START)).toThrow(
      'may have moved money',
    );
  });

  it.each([
    ['PENDING', 'COMPLETED', 'paid -'],
    ['PENDING', 'FAILED', 'rejected TRANSFER_FAILED'],
    ['PENDING', 'PENDING_APPROVAL', 'accepted -'],
    ['PENDING_APPROVAL', 'CANCELLED', 'awaiting_approval -'],
    ['COMPLETED', 'PENDING', 'paid -'],
    ['COMPLETED', 'FAILED', 'paid - CONTRADICTION'],
    ['FAILED', 'PENDING', 'rejected TRANSFER_FAILED'],
    ['FAILED', 'COMPLETED', 'rejected TRANSFER_FAILED CONTRADICTION'],
  ])('with a record, after %s: %s', async (first, then, result) => {
    const rig = await accepted(first);
    await rig.step({ type: 'record', record: record(then).record });
    const notices = rig.situation.notices.map(({ kind }) => ` ${kind}`);
    expect(`${rig.states().join()}${notices.join('')}`).toBe(result);
  });

  it('with the record of another payment is a notice', async () => {
    const rig = await accepted();
    await rig.step({ type: 'record', record: record('COMPLETED', { amount: 99 }).record });
    expect(rig.states()).toEqual(['awaiting_approval -']);
    expect(rig.situation.notices).toMatchObject([{ detail: 'event: amount' }]);
  });

  it('with a second transfer of the payment stops it for a person', async () => {
    const rig = await accepted();
    const requestId = rig.situation.parts[0]?.requestId;
    await rig.step({
      type: 'record',
      record: { transferDetails: { id: 't2', requestId, status: 'COMPLETED' } },
    });
    expect(rig.states()).toEqual(['undecided TWO_TRANSFERS']);
    await rig.step({ type: 'record', record: record('COMPLETED').record });
    expect(rig.states()).toEqual(['undecided TWO_TRANSFERS']);
  });

  it('never shortens a pause between calls, and wakes a lookup up', async () => {
    const rig = rigOf({ answers: [{ error: lost() }] });
    await rig.settle();
    const [part] = rig.situation.parts;
    await rig.step({ type: 'wake', ...(part && { requestId: part.requestId }) });
    expect(rig.situation.parts[0]?.due).toBe(part?.due);
    const looking = await accepted();
    await looking.step({ type: 'wake', transferId: 't1' });
    expect(looking.situation.wait).toBe(0);
  });

  it('that cannot be read is read with a notice', async () => {
    const rig = await accepted();
    const strange = [
      { type: 'greeting' },
      { type: 'record' },
      { type: 'wake', requestId: 7 },
      { type: 'person' },
      null,
    ];
    for (const message of strange) {
      rig.situation = { ...rig.situation, notices: [] };
      await rig.step(message as unknown as PayoutMessage);
      expect(rig.situation.notices).toMatchObject([{ kind: 'MESSAGE_NOT_READABLE' }]);
    }
  });

  it('does not swallow the news of the step before', async () => {
    const rig = await accepted();
    expect(rig.situation.news).toMatchObject([{ from: 'queued', to: 'awaiting_approval' }]);
    await rig.step({ type: 'decision', decision: 'APPROVED', transferId: 't1' });
    expect(rig.situation.news).toMatchObject([
      { from: 'awaiting_approval', to: 'accepted', transferId: 't1' },
    ]);
    await rig.step({ type: 'decision', decision: 'APPROVED', transferId: 't1' });
    expect(rig.situation.news).toEqual([]);
  });
});

describe('a person', () => {
  const rules = rulesFrom({}, false);
  const undecided = async () => {
    const rig = rigOf({ maxFailures: 1 });
    await rig.settle();
    const [part] = rig.situation.parts;
    if (part === undefined) throw new Error('no part');
    return part;
  };
  const quiet = START + MINUTE + 120_000;

  it('calls a payment unpaid only if it is undecided, and not before the quiet time', async () => {
    const part = await undecided();
    const says = { state: 'rejected', by: 'Ada' } as const;
    expect(() => settle(part, says, quiet - 1, rules)).toThrow(new Date(quiet).toISOString());
    for (const state of ['rejected', 'expired', 'cancelled'] as const)
      expect(settle(part, { state, by: 'Ada' }, quiet, rules).parts).toMatchObject([
        { state, evidence: 'person', reason: 'SETTLED_BY_A_PERSON' },
      ]);
    // Of a payment that was never called for there is nothing to wait for.
    expect(settle({ ...part, begun: null }, says, 0, rules).parts).toMatchObject([{ state: 'rejected' }]);
    for (const state of ['queued', 'accepted', 'awaiting_approval'] as const)
      expect(() => settle({ ...part, state }, says, quiet, rules)).toThrow('only an undecided payment');
  });

  it('gets an error that names the field of a bad input, or leaves open what earlier calls came to', async () => {
    const part = await undecided();
    const refused = (found: object) => () => settle(part, found as Settlement, START, rules);
    const naming = (more: object) => expect.objectContaining({ code: 'invalid_request', ...more });
    expect(refused({ state: 'rejected', by: '' })).toThrow(naming({ field: 'by', outcome: 'not-sent' }));
    expect(refused({ state: 'rejected', by: 'Ada' })).toThrow(
      naming({ field: undefined, outcome: 'unknown' }),
    );
  });

  it('calls a payment paid with its transfer, and not while it may be called for', async () => {
    const part = await undecided();
    expect(() => settle(part, { state: 'paid', by: 'Ada' }, quiet, rules)).toThrow('transferId must name');
    const says = { state: 'paid', by: 'Ada', transferId: 't7' } as const;
    expect(() => settle({ ...part, state: 'queued' }, says, quiet, rules)).toThrow('Cancel the payout first');
    expect(() => settle({ ...part, transferId: 't8' }, says, quiet, rules)).toThrow('its transfer is t8');
    for (const known of [{}, { transferId: 't7' }, { transferId: 't8', reason: 'TWO_TRANSFERS' }])
      expect(settle({ ...part, ...known }, says, quiet, rules).parts).toMatchObject([
        {
          state: 'paid',
          transferId: 't7',
          evidence: 'person',
          reason: 'SETTLED_BY_A_PERSON',
          requestId: part.requestId,
        },
      ]);
  });

  it('changes no final state, and must have a name', async () => {
    const part = { ...(await undecided()), state: 'paid' } as const;
    expect(() => settle(part, { state: 'rejected', by: 'Ada' }, quiet, rules)).toThrow(
      `Payment ${part.requestId} is paid (RETRIES_USED_UP), which is final. Nothing was changed.`,
    );
    expect(() => settle({ ...part, reason: null }, { state: 'rejected', by: 'Ada' }, quiet, rules)).toThrow(
      `Payment ${part.requestId} is paid, which is final.`,
    );
    expect(() => settle(part, { state: 'paid', by: ' ' }, quiet, rules)).toThrow('`by` must name');
    expect(settle(part, { state: 'paid', by: 'Ada' }, quiet, rules).parts).toEqual([part]);
    const known = { ...part, transferId: 't1' };
    const says = { state: 'paid', by: 'Ada', transferId: 't2' } as const;
    expect(() => settle(known, says, quiet, rules)).toThrow('its transfer is t1. Nothing was changed.');
    expect(settle(known, { ...says, transferId: 't1' }, quiet, rules).parts).toEqual([known]);
    expect(settle(known, { state: 'paid', by: 'Ada' }, quiet, rules).parts).toEqual([known]);
    expect(settle(part, says, quiet, rules).parts).toEqual([part]);
  });

  it('whose decision is refused is answered with a notice where nobody listens', async () => {
    const rig = rigOf({ maxFailures: 1 });
    await rig.settle();
    const requestId = rig.situation.parts[0]?.requestId ?? '';
    await rig.step({ type: 'person', requestId, state: 'rejected', by: 'Ada' });
    expect(rig.situation.notices).toMatchObject([{ kind: 'PERSON_NOT_HEARD' }]);
  });

  it('pays again only what certainly moved no money, in a new round under a new key', async () => {
    const rig = rigOf({ answers: [{ error: refusal(400, 'USER_NOT_FOUND') }] });
    const requestId = rig.situation.parts[0]?.requestId ?? '';
    expect(() => nextRound(rig.situation, requestId, START)).toThrow(
      'once each payment of the payout is final',
    );
    await rig.settle();
    expect(() => nextRound(rig.situation, '00000000-0000-5000-8000-000000000000', START)).toThrow(
      'latest round',
    );
    const next = nextRound(rig.situation, requestId, START);
    expect(next).toMatchObject({ round: 2, parts: [{ state: 'queued' }] });
    expect(next.parts[0]?.requestId).not.toBe(requestId);
    const paid = rigOf({ answers: [record('COMPLETED')] });
    await paid.settle();
    expect(() => nextRound(paid.situation, paid.situation.parts[0]?.requestId ?? '', START)).toThrow(
      'Every recipient of payout "O-1" is paid. Nothing was changed.',
    );
  });

  it('pays again no recipient of a batch that was paid, whatever its record says of the recipient', async () => {
    const refused = { error: refusal(400, 'USER_NOT_FOUND') };
    const paid = record('COMPLETED', { recipients: [{ userId: 'a', status: 'FAILED' }, { userId: 'b' }] });
    const rig = rigOf({ order: batch, answers: [refused, paid, refused] });
    await rig.settle();
    expect(rig.states()).toEqual(['paid -', 'rejected USER_NOT_FOUND']);
    // The key of the batch that was split names the payout, too.
    const next = nextRound(rig.situation, rig.situation.split[0] ?? '', START);
    expect(next.parts.map(({ places }) => places)).toEqual([[2]]);
    const begun = beginPayout(rig.situation.order, { round: 2, places: [2], now: START });
    expect(next).toEqual(begun);
  });
});

describe('the brake of a payer', () => {
  const rules = rulesFrom({ maxRefusals: 2 }, false, () => 0);
  const refused = { kind: 'pause', reason: 'INSUFFICIENT_BALANCE', retryAfter: 0 } as const;
  const tooFast = { kind: 'slow', reason: 'HTTP_429', retryAfter: 0, isTooFast: true } as const;
  /** A payer whose calls see the brake at the time at which they begin. */
  const payer = () => {
    let brake = noBrake;
    return {
      brake: () => brake,
      /** Begins a call, and returns how it ends; undefined where it may not begin. */
      call(now: number) {
        const verdict = mayCallFor(brake, now);
        if (verdict !== 'pay' && 'waitUntil' in verdict) return undefined;
        if (verdict !== 'pay') brake = verdict.take;
        const seen = brake.since;
        return (effect: PayerEffect, at: number) => {
          const after = afterCall(brake, effect, seen, at, rules);
          brake = after.brake;
          return after.isHeld;
        };
      },
      waitsAt: (now: number) => {
        const verdict = mayCallFor(brake, now);
        return verdict !== 'pay' && 'waitUntil' in verdict ? verdict.waitUntil - now : 0;
      },
    };
  };

  it('pauses longer each time, tries one call after it, and ends with the first that is taken', () => {
    const one = payer();
    one.call(START)?.(refused, START);
    expect(one.brake()).toEqual({
      ...noBrake,
      pausedUntil: START + 1000,
      reason: refused.reason,
      pauses: 1,
      since: START,
    });
    expect(one.waitsAt(START)).toBe(1000);
    const second = one.call(START + 1000);
    // Whoever waits for the call that is tried waits as long as the pause was, and not for its limit.
    expect([one.call(START + 1000), one.waitsAt(START + 1000)]).toEqual([undefined, 1000]);
    // A second refusal sets its own pause, and not the limit of the call that was tried.
    second?.(refused, START + 1000);
    expect(one.waitsAt(START + 1000)).toBe(2000);
    const third = one.call(START + 3000);
    expect(third?.({ kind: 'accepted' }, START + 3000)).toBe(false);
    expect([one.waitsAt(START + 3000), one.brake().pauses]).toEqual([0, 0]);
  });

  it('tries another call where the one that was tried is lost, or tells nothing of the payer', () => {
    const one = payer();
    one.call(START)?.(refused, START);
    const lostOne = one.call(START + 1000);
    expect(one.waitsAt(START + 120_500)).toBe(500);
    expect(one.call(START + 120_999)).toBeUndefined();
    const next = one.call(START + 121_000);
    next?.({ kind: 'unclear' }, START + 122_000);
    // The same pause, and no limit.
    expect(one.waitsAt(START + 122_000)).toBe(1000);
    // What was lost says nothing any more.
    lostOne?.({ kind: 'accepted' }, START + 122_500);
    expect(one.waitsAt(START + 122_500)).toBe(500);
    const last = one.call(START + 123_000);
    last?.({ kind: 'rejected' }, START + 123_000);
    expect(one.waitsAt(START + 123_000)).toBe(1000);
  });

  it('is not released by a call that began before the pause was stored, whatever the clocks say', () => {
    for (const effect of [
      { ...refused, retryAfter: 5000 },
      { ...tooFast, retryAfter: 5000 },
    ]) {
      const one = payer();
      const calls = [1, 2].map(() => one.call(START + 10));
      calls[0]?.(effect, START);
      calls[1]?.({ kind: 'accepted' }, START + 20);
      expect(one.waitsAt(START + 20)).toBe(4980);
      one.call(START + 5000)?.({ kind: 'accepted' }, START + 5001);
      expect(one.waitsAt(START + 5001)).toBe(0);
    }
  });

  it('follows a Retry-After that comes while a call is tried, whatever becomes of that call', () => {
    for (const effect of [
      { kind: 'accepted' },
      { kind: 'unclear' },
      { kind: 'rejected' },
      refused,
    ] as const) {
      const one = payer();
      const slow = one.call(START);
      one.call(START)?.(refused, START);
      const tried = one.call(START + 1000);
      slow?.({ ...tooFast, retryAfter: 30_000 }, START + 2000);
      tried?.(effect, START + 3000);
      expect(one.waitsAt(START + 3000)).toBe(29_000);
      expect(one.call(START + 32_000)).toBeDefined();
      // It is a call that is tried again.
      expect(one.waitsAt(START + 32_000)).toBe(30_000);
    }
  });

  it('sets one pause for the calls that were under way together', () => {
    for (const [effect, pauses] of [
      [refused, 1],
      [tooFast, 0],
    ] as const) {
      const one = payer();
      const calls = Array.from({ length: 30 }, () => one.call(START));
      for (const call of calls) call?.(effect, START);
      // Each further 429 of them would halve the pace once more.
      const { pace } = one.brake();
      expect([one.waitsAt(START), one.brake().pauses, pace]).toEqual([1000, pauses, pauses === 1 ? 0 : 128]);
      // One of them that names a time is followed.
      const late = payer();
      const two = [1, 2].map(() => late.call(START));
      two[0]?.(effect, START);
      two[1]?.({ ...effect, retryAfter: 9000 }, START);
      expect(late.waitsAt(START)).toBe(9000);
    }
  });

  it('sets a pause for a refusal of a call that began before an earlier pause, once that one is over', () => {
    const one = payer();
    const slow = one.call(START);
    one.call(START)?.(refused, START);
    one.call(START + 1000)?.({ kind: 'accepted' }, START + 1000);
    slow?.(refused, START + 5000);
    expect(one.waitsAt(START + 5000)).toBe(1000);
    const early = payer();
    const last = early.call(START);
    early.call(START)?.(tooFast, START);
    expect(early.waitsAt(START + 1000)).toBe(0);
    last?.(tooFast, START + 1000);
    expect(early.waitsAt(START + 1000)).toBe(1000);
  });

  it('sets no pause of its own for a refusal of a call that began before it, while another one is tried', () => {
    const one = payer();
    const slow = [1, 2, 3].map(() => one.call(START));
    one.call(START)?.(refused, START);
    one.call(START + 1000);
    const tried = one.brake();
    slow[0]?.(refused, START + 5000);
    expect(one.brake()).toEqual(tried);
    // A time that the service names is followed, and the call that is tried has not seen it.
    slow[1]?.({ ...refused, retryAfter: 7000 }, START + 5000);
    const longer = { ...tried, pausedUntil: START + 12_000, trialUntil: 0, since: START + 5000 };
    expect(one.brake()).toEqual(longer);
    slow[2]?.({ ...refused, retryAfter: 6000 }, START + 6000);
    expect(one.brake()).toEqual(longer);
  });

  it('follows Retry-After up to a limit without counting it', () => {
    const one = payer();
    const calls = [1, 2].map(() => one.call(START));
    calls[0]?.({ ...tooFast, retryAfter: 1e9 }, START);
    expect([one.waitsAt(START), one.brake().pauses]).toEqual([900_000, 0]);
    // A shorter one does not end a longer one.
    calls[1]?.({ ...tooFast, retryAfter: 5000 }, START);
    expect(one.waitsAt(START)).toBe(900_000);
    expect(one.call(START + 900_000)).toBeDefined();
  });

  it('halves the pace of a payer at each 429, and raises it by one call a second in each second without', () => {
    const one = payer();
    one.call(START)?.(tooFast, START);
    expect([one.waitsAt(START), one.brake().pace]).toEqual([1000, 128]);
    let now = START + 1000;
    one.call(now)?.(tooFast, now);
    expect(one.brake().pace).toBe(64);
    // A 503 that asks for a pause says nothing about the pace.
    now += 1000;
    one.call(now)?.({ ...tooFast, isTooFast: false, retryAfter: 1000 }, now);
    expect(one.brake().pace).toBe(64);
    now += 1000;
    const begun: number[] = [];
    for (const end = now + 10_000; now < end; now += 1)
      // A pace that is not kept ends the loop, too.
      for (let call = one.call(now); call !== undefined && begun.length < 1000; call = one.call(now)) {
        begun.push(now);
        call({ kind: 'accepted' }, now);
      }
    expect(one.brake().pace).toBeGreaterThan(73);
    expect(one.brake().pace).toBeLessThan(76);
    // A second of calls may begin at once, and then as many as the pace.
    expect(begun.length).toBeGreaterThan(640 + 64);
    expect(begun.length).toBeLessThan(750 + 64);
  });

  it('keeps no pace above the fastest, and calls at least once in the longest pause', () => {
    const one = payer();
    let now = START;
    for (let turn = 0; turn < 30; turn += 1) {
      now += 100_000;
      one.call(now)?.(tooFast, now);
    }
    expect(one.brake().pace).toBe(1 / 60);
    now += 1000;
    one.call(now)?.({ kind: 'unclear' }, now);
    expect(one.waitsAt(now)).toBe(59_000);
    // A pace below one doubles with each call that is taken.
    for (let turn = 0; turn < 6; turn += 1) {
      now += 60_000;
      one.call(now)?.({ kind: 'accepted' }, now);
    }
    expect(one.brake().pace).toBeCloseTo(64 / 60);
    for (let turn = 0; turn < 256 * 256; turn += 1) {
      now += 1000;
      one.call(now)?.({ kind: 'accepted' }, now);
    }
    expect([one.brake().pace, one.brake().next]).toEqual([0, 0]);
  });

  it('keeps no pace of 256 calls a second', () => {
    const paceFrom = (pace: number) =>
      afterCall({ ...noBrake, pace }, { kind: 'accepted' }, 0, START, rules).brake.pace;
    const last = 255.996_093_690_393_54;
    expect(last + 1 / last).toBe(256);
    expect([paceFrom(255), paceFrom(last)]).toEqual([255 + 1 / 255, 0]);
  });

  it('lets the calls of a second begin at once, and no more', () => {
    const paced = { ...noBrake, pace: 4, next: START + 1000 };
    expect(mayCallFor(paced, START)).toEqual({ take: { ...paced, next: START + 1250 } });
    expect(mayCallFor({ ...paced, next: START + 1001 }, START)).toEqual({ waitUntil: START + 1 });
  });

  it.each<[string, Partial<PayerBrake>, number, number]>([
    ['one payout a second while there is a pause', { pauses: 1, pace: 128 }, 1, 1000],
    ['a thousand payouts without a pace', {}, 1000, 0],
    ['as many payouts a second as the pace', { pace: 5 }, 5, 1000],
    ['whole payouts, and the next ones when the pace lets them', { pace: 2.5 }, 3, 1200],
    ['a payout a minute at the slowest', { pace: 1 / 60 }, 1, 60_000],
  ])('wakes %s', (_name, brake, count, pause) => {
    expect(wakesOf({ ...noBrake, ...brake })).toEqual({ count, pause });
  });

  it('holds the payer after so many payouts rejected in a row', () => {
    const rejected = { kind: 'rejected' } as const;
    const one = payer();
    expect(one.call(START)?.(rejected, START)).toBe(false);
    expect(one.call(START)?.(rejected, START)).toBe(true);
    // Whoever resumes the payer begins to count again.
    expect(one.call(START)?.(rejected, START)).toBe(false);
    const early = one.call(START);
    one.call(START)?.(refused, START);
    early?.({ kind: 'accepted' }, START);
    expect(one.call(START + 1000)?.(rejected, START + 1000)).toBe(false);
  });
});

describe('a situation', () => {
  it('begins with nothing known, in the form in which it is stored', () => {
    const [checked] = checkPayouts([order()]);
    if (checked === undefined) throw new Error('no order');
    const requestId = '5ec20da1-9ea0-5fe2-a9ec-87d3035ba9d8';
    const body = {
      requestId,
      source: { userId: 'payer' },
      destination: { userId: 'payee' },
      amount: 25.5,
      currency: 'usdc',
      chain: 'POLYGON',
      requireApproval: false,
    };
    expect(beginPayout(checked, { now: START })).toEqual({
      version: 1,
      order: {
        id: 'O-1',
        group: null,
        payer: 'payer',
        recipients: [{ id: 'O-1', payee: { userId: 'payee' }, amount: '25.5' }],
        currency: 'usdc',
        chain: 'POLYGON',
        requireApproval: false,
      },
      round: 1,
      parts: [
        {
          requestId,
          places: [0],
          body: JSON.stringify(body),
          state: 'queued',
          reason: null,
          evidence: null,
          since: START,
          heard: START,
          transferId: null,
          phase: 'begin',
          due: START,
          token: null,
          begun: null,
          firstBegun: null,
          doubtSince: null,
          refusedKey: false,
          refusal: null,
          failures: 0,
          pauses: 0,
          looks: 0,
          mayHaveMoved: false,
          others: [],
        },
      ],
      split: [],
      notices: [],
      news: [],
      wait: 0,
      done: false,
    });
  });

  it('is in one of eight states, of which four are final, and three of them unpaid', () => {
    expect(PAYOUT_STATES.map((state) => [state, isFinal(state), isUnpaid(state)])).toEqual([
      ['queued', false, false],
      ['awaiting_approval', false, false],
      ['accepted', false, false],
      ['undecided', false, false],
      ['paid', true, false],
      ['rejected', true, true],
      ['expired', true, true],
      ['cancelled', true, true],
    ]);
  });

  it('that is done waits for nothing', async () => {
    const rig = rigOf({ answers: [record('COMPLETED')] });
    await rig.settle();
    expect(rig.situation).toMatchObject({ done: true, wait: 0 });
  });

  it('of a later release is left alone, and looked at again later', async () => {
    const rig = rigOf();
    const later = { ...rig.situation, version: 99 };
    rig.situation = later;
    expect(await rig.step()).toEqual({ ...later, wait: MINUTE });
    expect(readSituation(JSON.stringify(later))).toEqual(later);
    expect(movedNothing({ ...later, parts: [] })).toBe(false);
  });

  it('of an earlier release is read with caution: what it lacks is in doubt', async () => {
    const rig = rigOf();
    await rig.step();
    const { doubtSince, refusedKey, mayHaveMoved, ...part } = rig.situation.parts[0] ?? {};
    const read = readSituation(JSON.stringify({ ...rig.situation, version: 0, parts: [part] }));
    expect(read.parts[0]).toMatchObject({ doubtSince: START, refusedKey: true });
  });

  it('moves forward only, whatever is heard and answered, and a final state never changes', async () => {
    const answers = fc.constantFrom(
      ...[record('COMPLETED'), record('PENDING'), record('FAILED'), { error: lost() }, { error: known() }],
      { error: refusal(400, 'USER_NOT_FOUND') },
    );
    const statuses = fc.constantFrom(
      'COMPLETED',
      'PENDING',
      'FAILED',
      'PENDING_APPROVAL',
      'CANCELLED',
      'ODD',
    );
    const messages: fc.Arbitrary<PayoutMessage> = fc.oneof(
      statuses.map((status) => ({ type: 'record' as const, record: record(status).record })),
      fc.constantFrom('APPROVED' as const, 'REJECTED' as const, 'EXPIRED' as const).map((decision) => ({
        type: 'decision' as const,
        decision,
        transferId: 't1',
      })),
      fc.constant({ type: 'cancel' as const, by: 'Ada' }),
    );
    const turns = fc.array(fc.oneof(messages, fc.constantFrom(0, 1000, 200_000)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(answers, { minLength: 1, maxLength: 4 }), turns, async (given, acts) => {
        const rig = rigOf({ answers: given, maxFailures: 2, lookup: absent });
        let before = rig.situation;
        for (const act of acts) {
          if (typeof act === 'number') {
            rig.now += act;
            await rig.step();
          } else if (rig.situation.parts.every(({ phase }) => phase !== 'call')) await rig.step(act);
          expect(backward(before, rig.situation)).toEqual([]);
          before = rig.situation;
        }
      }),
      { numRuns: cases(300, 5000) },
    );
  });
});

const RANK = { queued: 0, awaiting_approval: 1, accepted: 2, undecided: 3 } as const;

/** The moves that lead back: from a final state, or to one that a payment has left. Evidence may lead out of `undecided`. */
const backward = (before: PayoutSituation, after: PayoutSituation): string[] =>
  before.parts.flatMap(({ requestId, state }) => {
    const now = after.parts.find((part) => part.requestId === requestId)?.state;
    if (now === undefined || now === state || state === 'undecided') return [];
    const isBack =
      isFinal(state) || (!isFinal(now) && RANK[now as keyof typeof RANK] < RANK[state as keyof typeof RANK]);
    return isBack ? [`${state} to ${now}`] : [];
  });

describe('drivePayout', () => {
  it('takes steps until the payout is done, and waits for messages between them', async () => {
    const rig = rigOf({ answers: [record('PENDING_APPROVAL')] });
    const waits: number[] = [];
    const situation = await drivePayout(
      {
        advance: async (given, message) => {
          rig.situation = given;
          return rig.step(message);
        },
        waitFor: async (milliseconds) => {
          waits.push(milliseconds);
          return { type: 'decision', decision: 'EXPIRED', transferId: 't1' };
        },
      },
      { ...rig.situation.order },
    );
    expect(situation.parts[0]?.state).toBe('expired');
    expect(waits).toHaveLength(1);
  });
});
