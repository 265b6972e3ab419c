import { describe, expect, it } from 'vitest';
import { keyOfHalf, keyOfRound } from '../../src/payouts/rules/body.ts';
import { requestIdOf } from '../../src/payouts/rules/evidence.ts';
import { halvesOf } from '../../src/payouts/rules/halves.ts';
import { REASONS } from '../../src/payouts/rules/reasons.ts';
import type { TransferRecord } from '../../src/payouts/rules/record.ts';
import { nextRound } from '../../src/payouts/rules/rounds.ts';
import { rulesFrom } from '../../src/payouts/rules/rules.ts';
import { PAYOUT_STATES, type PayoutPart } from '../../src/payouts/rules/situation.ts';
import { move, toUndecided } from '../../src/payouts/rules/transition.ts';
import {
  applyFollowing,
  isDecidedByRecords,
  isFreedByPerson,
  isInQuestion,
  keysFollowing,
  keysOfPayment,
  readKept,
  sinceCommand,
  sinceWhen,
  type Told,
} from '../../src/payouts/rules/went-back.ts';
import { MINUTE, type Rig, type RigOptions, record, refusal, rigOf, START } from './rig.ts';

/** design.md, *A database that went back*: what the records say of a payment before its call. */
const HOUR = 60 * MINUTE;
const rules = rulesFrom({}, true);
const command = { number: 1, at: START + MINUTE, since: START - HOUR };
const WENT_BACK = REASONS.wentBack;

/** A payout a minute before a command, and after it. */
function inQuestion(
  change: (part: PayoutPart) => PayoutPart = (part) => part,
  options: RigOptions = {},
): Rig {
  const rig = rigOf({ answers: [record('COMPLETED')], ...options });
  const before = { ...rig.situation, parts: rig.situation.parts.map(change) };
  rig.situation = sinceCommand(before, 0, command);
  rig.now = command.at + 3 * MINUTE;
  return rig;
}
const partOf = ({ situation }: Rig): PayoutPart => {
  const [part] = situation.parts;
  if (part === undefined) throw new Error('no payment');
  return part;
};
const undecided = (reason: string) => (part: PayoutPart) => toUndecided(part, reason, START, rules);
const batch = (recipients: number): RigOptions => ({
  order: {
    recipients: Array.from({ length: recipients }, (_none, place) => ({
      userId: `to-${place}`,
      amount: '1',
    })),
  },
});
const own = (rig: Rig, status: string, more: object = {}): Told => ({
  kind: 'record',
  records: [record(status, { requestId: partOf(rig).requestId, ...more }).record],
});

const laterOf = ({ situation: { order, round } }: Rig): string =>
  keyOfRound(order.payer, order.id, round + 1);

describe('the command', () => {
  it.each([
    ['queued', (part: PayoutPart) => part, 'begin'],
    ['in a call', (part: PayoutPart) => ({ ...part, phase: 'call', token: 't', due: 0 }) as const, 'begin'],
    ['undecided', undecided('RETRIES_USED_UP'), 'look'],
  ])('puts a payment in question that is %s', (_name, change, phase) => {
    const part = partOf(inQuestion(change));
    expect(part).toMatchObject({ phase, token: null, wentBack: command.at, doubtSince: command.since });
    expect(part.due).toBe(
      phase === 'begin' && part.begun === null && _name === 'queued' ? START : command.at,
    );
  });

  it('keeps a pause, and an older doubt', () => {
    const part = partOf(inQuestion((one) => ({ ...one, due: START + HOUR, doubtSince: START - 2 * HOUR })));
    expect([part.due, part.doubtSince]).toEqual([START + HOUR, START - 2 * HOUR]);
  });

  it.each(['accepted', 'awaiting_approval', 'paid', 'rejected'] as const)(
    'leaves what is %s alone',
    (state) => {
      const rig = inQuestion((part) => move(part, state, null, 'event', START, rules));
      expect(partOf(rig).wentBack).toBeUndefined();
    },
  );

  it('is known to a row only once', () => {
    const { situation } = rigOf();
    expect(sinceCommand(situation, 1, command)).toBe(situation);
    expect(sinceCommand(situation, 0, null)).toBe(situation);
    expect(sinceCommand(situation, 1, { ...command, number: 2 })).not.toBe(situation);
  });

  it.each([
    ['the newest call, less an hour', [10 * HOUR], 9 * HOUR],
    ['a time before it, less an hour', [10 * HOUR, 5 * HOUR], 4 * HOUR],
    ['never a later time', [10 * HOUR, 20 * HOUR], 9 * HOUR],
    ['the time of an earlier command', [10 * HOUR, 5 * HOUR, 2 * HOUR], 2 * HOUR],
    ['never a later one', [10 * HOUR, 5 * HOUR, 8 * HOUR], 4 * HOUR],
    ['the beginning, without a call', [0, 5 * HOUR], 0],
  ] as const)('counts records from %s', (_name, [newest, given, earlier]: readonly number[], since) => {
    expect(sinceWhen(newest ?? 0, given, earlier)).toBe(since);
  });
});

describe('the keys that say something of a payment', () => {
  it('are those of the halves that a refusal makes, and of theirs', async () => {
    const rig = rigOf({ ...batch(5), answers: [{ error: refusal(400, 'USER_NOT_FOUND') }] });
    const { halves } = keysOfPayment(rig.situation, partOf(rig), 5);
    await rig.settle();
    const made = [...rig.situation.split.slice(1), ...rig.situation.parts.map(({ requestId }) => requestId)];
    expect(halves.toSorted()).toEqual(made.toSorted());
  });

  it('are those of the rounds that follow, with the halves of the largest batch', () => {
    const { situation } = inQuestion();
    const part = partOf({ situation } as Rig);
    const ended = { ...situation, parts: [move(part, 'rejected', null, 'person', START, rules)] };
    const second = nextRound(ended, part.requestId, START);
    const { own: key, halves, later } = keysOfPayment(situation, part);
    // The order that was lost may have been a batch.
    expect([key, halves.length, later.length, later[0]]).toEqual([
      part.requestId,
      98,
      990,
      second.parts[0]?.requestId,
    ]);
    expect(new Set(later).size).toBe(990);
    // A person is shown what the order itself may have made.
    const { payer, id } = situation.order;
    expect(keysFollowing(situation, part)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((round) => keyOfRound(payer, id, round)),
    );
  });

  const keys = { own: 'a', halves: ['b', 'c'], later: ['d', 'e'] };
  const kept = (...of: string[]) => new Map(of.map((key) => [key, [{ transferDetails: { key } }]]));
  it.each<[string, string[], boolean, Told]>([
    [
      'its own record first',
      ['a', 'c', 'e'],
      true,
      { kind: 'record', records: [{ transferDetails: { key: 'a' } }] },
    ],
    [
      'a half before a later round',
      ['c', 'e'],
      true,
      { kind: 'half', records: [{ transferDetails: { key: 'c' } }] },
    ],
    ['a later round, by its key', ['e'], true, { kind: 'later', requestId: 'e' }],
    ['an absence in a whole walk', ['f'], true, { kind: 'absent' }],
    ['nothing in another walk', ['f'], false, { kind: 'unknown' }],
    ['a record in any walk', ['a'], false, { kind: 'record', records: [{ transferDetails: { key: 'a' } }] }],
  ])('show %s', (_name, of, isWhole, told) => {
    expect(readKept(keys, kept(...of), isWhole)).toEqual(told);
  });
});

describe('a payment in question', () => {
  it('is not called for three minutes, and asks the records then', async () => {
    const rig = inQuestion();
    rig.told = { kind: 'absent' };
    rig.now = command.at + 3 * MINUTE - 1;
    await rig.step();
    expect([rig.calls, partOf(rig).due]).toEqual([[], command.at + 3 * MINUTE]);
    rig.now += 1;
    await rig.settle();
    expect([rig.calls.length, rig.states()]).toEqual([1, ['paid -']]);
    // It is not in doubt.
    expect(rig.calls[0]?.options.inDoubt).toBeUndefined();
    expect(partOf(rig).wentBack).toBeUndefined();
  });

  it('waits while the list fails', async () => {
    for (const change of [(part: PayoutPart) => part, undecided('RETRIES_USED_UP')]) {
      const rig = inQuestion(change);
      rig.told = { until: rig.now + MINUTE };
      await rig.step();
      expect([rig.calls, partOf(rig).due, partOf(rig).wentBack]).toEqual([[], rig.now + MINUTE, command.at]);
    }
  });

  it('waits for a hold first', async () => {
    const rig = inQuestion();
    rig.told = { kind: 'absent' };
    rig.gate = { may: 'wait' };
    await rig.step();
    expect([rig.states(), partOf(rig).wentBack]).toEqual([['queued HELD'], command.at]);
  });

  it.each<[string, string, string]>([
    ['COMPLETED', 'paid -', 'lookup'],
    ['FAILED', 'rejected TRANSFER_FAILED', 'lookup'],
    ['PENDING', 'accepted -', 'lookup'],
  ])('ends as its own record shows: %s', async (status, state, evidence) => {
    for (const change of [(part: PayoutPart) => part, undecided(WENT_BACK)]) {
      const rig = inQuestion(change);
      rig.told = own(rig, status);
      await rig.step();
      expect([rig.states(), partOf(rig).evidence, partOf(rig).wentBack, rig.calls]).toEqual([
        [state],
        evidence,
        undefined,
        [],
      ]);
      expect(rig.situation.notices).toEqual([]);
    }
  });

  it('is for a person where its key has the record of another payment, or two transfers', async () => {
    const other = inQuestion();
    other.told = own(other, 'COMPLETED', { amount: '99' });
    await other.step();
    expect([other.states(), partOf(other).wentBack]).toEqual([
      ['undecided RECORD_OF_ANOTHER_PAYMENT'],
      command.at,
    ]);
    const two = inQuestion();
    const requestId = partOf(two).requestId;
    two.told = {
      kind: 'record',
      records: ['t1', 't2'].map((id) => record('PENDING', { requestId, id }).record),
    };
    await two.step();
    expect(two.states()).toEqual(['undecided TWO_TRANSFERS']);
    expect(two.situation.notices.map(({ kind }) => kind)).toEqual(['TWO_TRANSFERS']);
  });

  it('is never called where its record says nothing', async () => {
    const rig = inQuestion();
    rig.told = { kind: 'record', records: [{ transferDetails: { status: 'COMPLETED' } }] };
    await rig.settle();
    expect([rig.states(), rig.calls]).toEqual([[`undecided ${WENT_BACK}`], []]);
    expect(rig.situation.notices).toEqual([]);
  });

  // A service may call its failures by any name.
  it('is never called where nothing tells, whatever the service called its last failure', async () => {
    for (const reason of ['CANCELLED_IN_DOUBT', 'RETRIES_USED_UP']) {
      const rig = inQuestion((part) => ({ ...part, reason }));
      rig.told = { kind: 'unknown' };
      await rig.settle();
      expect([rig.states(), rig.calls]).toEqual([[`undecided ${WENT_BACK}`], []]);
    }
  });

  it('is one that is queued or undecided, whatever the service called its refusal', () => {
    const part = { ...partOf(inQuestion()), reason: 'RETRIES_USED_UP' };
    for (const state of PAYOUT_STATES)
      expect(isInQuestion({ ...part, state })).toBe(state === 'queued' || state === 'undecided');
  });

  /** The record of a half, or of a half of that. */
  const ofHalf = (rig: Rig, path: 1 | 2 | 11 | 12, ...users: string[]): TransferRecord => {
    const key = (from: string, half: string) => keyOfHalf(from, half === '1' ? 1 : 2);
    const requestId = [...String(path)].reduce(key, partOf(rig).requestId);
    const [userId] = users;
    const destination =
      users.length > 1 ? { batch: users.map((one) => ({ userId: one, amount: '1' })) } : { userId };
    return record('COMPLETED', { requestId, destination }).record;
  };

  it('is split by the record of a half of a half', async () => {
    const rig = inQuestion((part) => part, batch(3));
    rig.told = { kind: 'half', records: [ofHalf(rig, 12, 'to-1')] };
    await rig.step();
    expect(rig.situation.parts.map(({ places }) => places)).toEqual([[0, 1], [2]]);
  });

  it.each<[string, number, (rig: Rig) => TransferRecord[]]>([
    ['a half', 3, (rig) => [ofHalf(rig, 1, 'to-1', 'to-2')]],
    ['a half of a half', 3, (rig) => [ofHalf(rig, 2, 'to-2'), ofHalf(rig, 11, 'to-2')]],
    ['a half that this order does not make', 2, (rig) => [ofHalf(rig, 11, 'to-0')]],
    ['a half, and is a single payment', 1, (rig) => [ofHalf(rig, 1, 'to-0')]],
  ])('is left to a person where %s paid others than the order says', async (_name, recipients, records) => {
    for (const change of [(part: PayoutPart) => part, undecided('RETRIES_USED_UP')]) {
      const rig = inQuestion(change, batch(recipients));
      const told: Told = { kind: 'half', records: records(rig) };
      rig.told = told;
      await rig.settle();
      expect([rig.states(), rig.calls]).toEqual([[`undecided ${WENT_BACK}`], []]);
      const shown = records(rig).at(-1)?.transferDetails as { requestId: string };
      expect(rig.situation.notices).toMatchObject([
        { kind: 'RECORD_OF_ANOTHER_PAYMENT', detail: shown.requestId },
      ]);
      // A person decides. Whatever that is, part of the order was paid: it is not paid again.
      expect(isDecidedByRecords(rig.situation.order, partOf(rig), told, rig.now, rules)).toBe(false);
      expect(rig.situation.parts).toMatchObject([{ mayHaveMoved: true }]);
    }
  });

  it('is left to a person with the keys of all records that it does not make', async () => {
    const rig = inQuestion((part) => part, batch(2));
    const records = [ofHalf(rig, 1, 'to-0'), ofHalf(rig, 11, 'to-0'), ofHalf(rig, 12, 'to-1')];
    rig.told = { kind: 'half', records };
    await rig.step();
    const [, ...keys] = records.map((one) => requestIdOf(one.transferDetails));
    expect(rig.situation.notices.map(({ detail }) => detail)).toEqual([keys.join(', ')]);
  });

  it('that is undecided is decided by records that end it or split it, and by no others', () => {
    const rig = inQuestion(undecided(WENT_BACK), batch(2));
    const isDecided = (told: Told, part = partOf(rig)) =>
      isDecidedByRecords(rig.situation.order, part, told, rig.now, rules);
    const half: Told = { kind: 'half', records: [ofHalf(rig, 1, 'to-0')] };
    const other = own(rig, 'COMPLETED', { currency: 'usdt' });
    const told: Told[] = [own(rig, 'COMPLETED'), half, other, { kind: 'absent' }, { kind: 'unknown' }];
    expect(told.map((one) => isDecided(one))).toEqual([true, true, false, false, false]);
    // What is final is confirmed by its own state.
    const final = move(partOf(rig), 'rejected', null, 'person', START, rules);
    expect(isDecided(half, final)).toBe(false);
    // Nor do they decide about what the service contradicts.
    expect(isDecided(half, undecided('TWO_TRANSFERS')(partOf(rig)))).toBe(false);
  });

  it.each([{ kind: 'absent' }, { kind: 'unknown' }] as const)(
    'whose transfer an event shows is looked up like any other: %j',
    async (told) => {
      const rig = inQuestion((part) => part, { lookup: async () => undefined });
      rig.told = told;
      rig.now = command.at + MINUTE;
      const { requestId } = partOf(rig);
      await rig.step({ type: 'record', ...record('PENDING', { requestId }) });
      expect(rig.states()).toEqual(['accepted -']);
      rig.now += 10 * MINUTE;
      await rig.step();
      expect(rig.states()).toEqual(['accepted -']);
    },
  );

  it('whose transfer an event shows is absent no sooner than after the quiet time of the command', async () => {
    const rig = inQuestion((part) => part, { lookup: async () => null });
    rig.told = { kind: 'absent' };
    rig.now = command.at + MINUTE;
    const { requestId } = partOf(rig);
    await rig.step({ type: 'record', ...record('PENDING', { requestId }) });
    rig.now = partOf(rig).due;
    await rig.step();
    expect([rig.states(), partOf(rig).due]).toEqual([['accepted -'], command.at + 3 * MINUTE]);
    rig.now = partOf(rig).due;
    await rig.step();
    expect(rig.states()).toEqual(['undecided NOT_FOUND_BY_LOOKUP']);
  });

  it('is split by the record of a half, and each half asks', async () => {
    const rig = inQuestion((part) => part, batch(3));
    const { requestId } = partOf(rig);
    rig.told = { kind: 'half', records: [ofHalf(rig, 1, 'to-0', 'to-1'), ofHalf(rig, 2, 'to-2')] };
    await rig.step();
    expect(rig.situation.split).toEqual([requestId]);
    expect(
      rig.situation.parts.map(({ places, wentBack, doubtSince }) => [places, wentBack, doubtSince]),
    ).toEqual([
      [[0, 1], command.at, command.since],
      [[2], command.at, command.since],
    ]);
    rig.told = { kind: 'unknown' };
    await rig.settle();
    await rig.settle();
    expect([rig.states(), rig.calls]).toEqual([[`undecided ${WENT_BACK}`, `undecided ${WENT_BACK}`], []]);
  });

  it('that a person cancelled is split by the record of a half, and stays cancelled', async () => {
    const rig = inQuestion((part) => part, batch(2));
    await rig.step({ type: 'cancel', by: 'Ada' });
    expect(rig.states()).toEqual(['undecided CANCELLED_IN_DOUBT']);
    rig.now = partOf(rig).due;
    rig.told = { kind: 'half', records: [ofHalf(rig, 1, 'to-0')] };
    // The records come first: it cannot be called unpaid before its halves have asked.
    expect(isDecidedByRecords(rig.situation.order, partOf(rig), rig.told, rig.now, rules)).toBe(true);
    await rig.step();
    rig.told = { kind: 'absent' };
    for (let turn = 0; turn < 4; turn += 1) {
      rig.now += rig.situation.wait;
      await rig.settle();
    }
    expect([rig.calls, rig.states()]).toEqual([[], ['cancelled CANCELLED', 'cancelled CANCELLED']]);
  });

  it.each<Told>([{ kind: 'later', requestId: 'next' }, { kind: 'unknown' }])(
    'is left to a person: %j',
    async (told) => {
      const rig = inQuestion();
      rig.told = told;
      await rig.settle();
      expect([rig.states(), rig.calls, partOf(rig).wentBack]).toEqual([
        [`undecided ${WENT_BACK}`],
        [],
        command.at,
      ]);
      expect(rig.situation.notices.map(({ kind, detail }) => `${kind} ${detail}`)).toEqual(
        told.kind === 'later' ? [`${WENT_BACK} next`] : [],
      );
    },
  );

  it('is left to a person without records', async () => {
    const rig = inQuestion();
    await rig.settle();
    expect(rig.states()).toEqual([`undecided ${WENT_BACK}`]);
  });

  it.each([
    [WENT_BACK, 'rejected NOT_FOUND_BY_LOOKUP'],
    ['RETRIES_USED_UP', 'rejected NOT_FOUND_BY_LOOKUP'],
    ['CANCELLED_IN_DOUBT', 'cancelled CANCELLED'],
    // A person decides about what the service contradicts.
    ['TWO_TRANSFERS', 'undecided TWO_TRANSFERS'],
  ])('that is undecided as %s ends by an absence, and never returns to the queue', async (reason, state) => {
    const rig = inQuestion(undecided(reason), batch(2));
    rig.told = { kind: 'absent' };
    await rig.step();
    expect(rig.states()).toEqual([state]);
    expect(partOf(rig).evidence).toBe(reason === 'TWO_TRANSFERS' ? null : 'lookup');
  });

  it.each([
    ['RETRIES_USED_UP', WENT_BACK],
    ['CANCELLED_IN_DOUBT', 'CANCELLED_IN_DOUBT'],
    ['TWO_TRANSFERS', 'TWO_TRANSFERS'],
  ])('that is undecided as %s stays so where nothing tells', async (reason, stays) => {
    const rig = inQuestion(undecided(reason), { lookup: async () => null });
    rig.told = { kind: 'unknown' };
    await rig.step();
    expect([rig.states(), partOf(rig).wentBack]).toEqual([[`undecided ${stays}`], command.at]);
  });

  it('may be found by a lookup of its own key', async () => {
    const rig: Rig = inQuestion(undecided(WENT_BACK), {
      lookup: async ({ requestId }) => record('COMPLETED', { requestId }).record,
    });
    rig.told = { kind: 'unknown' };
    await rig.step();
    expect(rig.states()).toEqual(['paid -']);
  });

  it('is called unpaid by a person after the quiet time of the command', async () => {
    const rig = inQuestion(undecided(WENT_BACK));
    const found = { type: 'person', requestId: partOf(rig).requestId, state: 'rejected', by: 'Ada' } as const;
    rig.now = command.at + 3 * MINUTE - 1;
    await rig.step(found);
    expect([rig.states(), rig.situation.notices.length]).toEqual([[`undecided ${WENT_BACK}`], 1]);
    rig.now += 1;
    await rig.step(found);
    expect(rig.states()).toEqual(['rejected SETTLED_BY_A_PERSON']);
  });

  it('asks again when a record of a key is heard that follows from it', async () => {
    const rig = inQuestion(undecided(WENT_BACK), batch(2));
    rig.told = { kind: 'unknown' };
    await rig.step();
    expect(rig.situation.wait).toBeGreaterThan(0);
    const part = partOf(rig);
    for (const [requestId, isOurs] of [
      [keysFollowing(rig.situation, part)[0] ?? '', true],
      ['f47ac10b-58cc-4372-a567-0e02b2c3d479', false],
    ] as const) {
      const { situation } = rig;
      const heard = await rig.step({ type: 'record', ...record('COMPLETED', { requestId }) });
      expect(applyFollowing(situation, part, requestId.toUpperCase(), rig.now) !== undefined).toBe(isOurs);
      expect(heard.notices.map(({ kind }) => kind)).toEqual(isOurs ? [] : ['MESSAGE_NOT_HEARD']);
      expect(heard.wait === 0).toBe(isOurs);
      rig.situation = situation;
    }
    // Without a record there is nothing to ask for.
    const [half = ''] = keysFollowing(rig.situation, part);
    const woken = await rig.step({ type: 'wake', requestId: half });
    expect([woken.notices.map(({ kind }) => kind), woken.wait > 0]).toEqual([['MESSAGE_NOT_HEARD'], true]);
    expect(applyFollowing(rig.situation, part, undefined, rig.now)).toBeUndefined();
    expect(applyFollowing(rig.situation, { ...part, wentBack: undefined }, half, rig.now)).toBeUndefined();
  });

  it.each([
    ['a half', 'cancelled', (rig: Rig) => keyOfHalf(partOf(rig).requestId, 1), 'CONTRADICTION', true],
    [
      'a half of a half',
      'cancelled',
      (rig: Rig) => keyOfHalf(keyOfHalf(partOf(rig).requestId, 2), 1),
      'CONTRADICTION',
      true,
    ],
    // The round that a person orders finds it.
    ['a later round', 'cancelled', (rig: Rig) => laterOf(rig), WENT_BACK, false],
    ['a half', 'paid', (rig: Rig) => keyOfHalf(partOf(rig).requestId, 1), 'CONTRADICTION', false],
    ['a later round', 'paid', (rig: Rig) => laterOf(rig), 'CONTRADICTION', false],
  ] as const)(
    'has a notice where a record of %s is heard after it was %s',
    async (_name, state, keyOf, kind, mayHaveMoved) => {
      const rig = inQuestion(undecided(WENT_BACK), batch(4));
      const { requestId } = partOf(rig);
      await rig.step({
        type: 'person',
        requestId,
        state,
        by: 'Ada',
        ...(state === 'paid' && { transferId: 't1' }),
      });
      const key = keyOf(rig);
      await rig.step({ type: 'record', ...record('COMPLETED', { id: 't2', requestId: key }) });
      expect(rig.situation.notices).toMatchObject([{ requestId, kind }]);
      expect(rig.situation.notices[0]?.detail.startsWith(key)).toBe(true);
      expect([partOf(rig).state, partOf(rig).mayHaveMoved]).toEqual([state, mayHaveMoved]);
      if (mayHaveMoved)
        expect(() => nextRound(rig.situation, requestId, rig.now)).toThrow('may have moved money');
    },
  );

  it.each([
    ['undecided', REASONS.roundMayBePaid],
    ['undecided', REASONS.otherRecord],
    ['undecided', REASONS.batchMayBePaid],
    ['accepted', null],
  ] as const)('has a notice of a half where it asks no records: %s %s', async (state, reason) => {
    const rig = inQuestion((part) => part, batch(4));
    const part = move(partOf(rig), state, reason, null, rig.now, rules);
    rig.situation = { ...rig.situation, parts: [{ ...part, due: rig.now + HOUR }] };
    const { requestId } = part;
    await rig.step({
      type: 'record',
      ...record('COMPLETED', { id: 't2', requestId: keyOfHalf(requestId, 1) }),
    });
    expect(rig.situation.notices).toMatchObject([{ requestId, kind: 'CONTRADICTION' }]);
    expect(partOf(rig)).toMatchObject({ state, mayHaveMoved: true, due: rig.now });
  });

  it('that is paid keeps what was known of it where a record of a half is heard', async () => {
    const rig = inQuestion(undecided(WENT_BACK), batch(2));
    const paid = move({ ...partOf(rig), mayHaveMoved: true }, 'paid', null, 'event', rig.now, rules);
    rig.situation = { ...rig.situation, parts: [paid] };
    const half = keyOfHalf(paid.requestId, 1);
    await rig.step({ type: 'record', ...record('COMPLETED', { id: 't2', requestId: half }) });
    expect(partOf(rig)).toMatchObject({ state: 'paid', mayHaveMoved: true });
  });

  it.each([
    ['rejected', [WENT_BACK]],
    ['paid', ['CONTRADICTION', 'CONTRADICTION']],
  ] as const)('has a later round that may have paid its other half, which is %s', async (state, kinds) => {
    const rig = inQuestion(undecided(WENT_BACK), batch(2));
    const [first, second] = halvesOf(rig.situation.order, partOf(rig), rig.now) ?? [];
    if (first === undefined || second === undefined) throw new Error('no halves');
    const parts = [
      move({ ...first, wentBack: command.at }, 'paid', null, 'event', rig.now, rules),
      move({ ...second, wentBack: command.at }, state, null, 'event', rig.now, rules),
    ];
    rig.situation = { ...rig.situation, parts };
    await rig.step({ type: 'record', ...record('COMPLETED', { id: 't2', requestId: laterOf(rig) }) });
    expect(rig.situation.notices.map(({ kind }) => kind)).toEqual(kinds);
  });

  it('is not called unpaid by a message where a half has a record that is kept', async () => {
    const rig = inQuestion(undecided('CANCELLED_IN_DOUBT'), batch(2));
    rig.kept = async () => ({ kind: 'half', records: [ofHalf(rig, 1, 'to-0')] });
    const { requestId } = partOf(rig);
    rig.situation = { ...rig.situation, parts: [{ ...partOf(rig), due: rig.now + HOUR }] };
    await rig.step({ type: 'person', requestId, state: 'cancelled', by: 'Ada' });
    expect(rig.states()).toEqual(['undecided CANCELLED_IN_DOUBT']);
    expect(rig.situation.notices).toMatchObject([
      {
        kind: 'PERSON_NOT_HEARD',
        detail: expect.stringContaining(`shows a transfer of payment ${requestId}`),
      },
    ]);
    // It asks the records at once.
    expect(partOf(rig).due).toBe(rig.now);
    // Nothing speaks against a person who found the transfer.
    await rig.step({ type: 'person', requestId, state: 'paid', transferId: 't9', by: 'Ada' });
    expect(rig.states()).toEqual(['paid SETTLED_BY_A_PERSON']);
  });
});

describe('the halves of a batch in question', () => {
  it('are called unpaid each by itself', async () => {
    const rig = inQuestion(undecided(WENT_BACK), batch(2));
    const halves = (halvesOf(rig.situation.order, partOf(rig), START) ?? []).map(undecided(WENT_BACK));
    rig.situation = sinceCommand({ ...rig.situation, parts: halves }, 0, command);
    const [first, second] = halves.map(({ requestId }) => requestId);
    rig.kept = async (_situation, { requestId }) =>
      requestId === second
        ? { kind: 'record', records: [record('COMPLETED', { requestId }).record] }
        : { kind: 'unknown' };
    for (const requestId of [first, second])
      await rig.step({ type: 'person', requestId: requestId ?? '', state: 'rejected', by: 'Ada' });
    expect(rig.states()).toEqual(['rejected SETTLED_BY_A_PERSON', `undecided ${WENT_BACK}`]);
  });

  it('ask again where a record says something of them: of one alone, or of the payout', async () => {
    const rig = inQuestion(undecided(WENT_BACK), batch(4));
    rig.situation = { ...rig.situation, parts: halvesOf(rig.situation.order, partOf(rig), START) ?? [] };
    rig.situation = sinceCommand(rig.situation, 0, command);
    rig.told = { kind: 'unknown' };
    await rig.settle();
    const { situation } = rig;
    const asking = async (requestId: string) => {
      rig.situation = situation;
      const heard = await rig.step({ type: 'record', ...record('COMPLETED', { requestId }) });
      return heard.parts.map(({ due }) => due === rig.now);
    };
    expect(situation.parts.map(({ due }) => due > rig.now)).toEqual([true, true]);
    const [first, second] = situation.parts.map(({ requestId }) => keyOfHalf(requestId, 1));
    expect(await asking(first ?? '')).toEqual([true, false]);
    expect(await asking(second ?? '')).toEqual([false, true]);
    const [later = ''] = keysOfPayment(situation, partOf(rig)).later;
    expect(await asking(later)).toEqual([true, true]);
  });
});

describe('the next round is free', () => {
  const by = (evidence: 'person' | 'lookup', wentBack?: number) => (part: PayoutPart) => ({
    ...move(part, 'rejected', null, evidence, START, rules),
    wentBack,
  });
  const paid = (part: PayoutPart) => move(part, 'paid', null, 'response', START, rules);
  it.each<[string, (part: PayoutPart) => PayoutPart, Told[], boolean]>([
    ['where a person called everything unpaid', by('person', command.at), [{ kind: 'unknown' }], true],
    ['where the rest was paid', paid, [], true],
    ['not where a lookup did', by('lookup', command.at), [{ kind: 'unknown' }], false],
    ['not for a later command', by('person', command.at - 1), [{ kind: 'unknown' }], false],
    ['not before the command', by('person'), [], false],
    [
      'not where a record speaks against it',
      by('person', command.at),
      [{ kind: 'later', requestId: 'x' }],
      false,
    ],
  ])('%s', (_name, change, told, isFree) => {
    const { situation } = rigOf();
    const parts = situation.parts.map(change);
    expect(isFreedByPerson({ ...situation, parts }, command, told)).toBe(isFree);
    // It is each of the payments that counts.
    const more = { ...situation, parts: [...situation.parts.map(paid), ...parts] };
    expect(isFreedByPerson(more, command, told)).toBe(isFree);
  });
});
