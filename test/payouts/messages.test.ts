import { describe, expect, it } from 'vitest';
import type { PayoutMessage } from '../../src/payouts/index.ts';
import { hear } from '../../src/payouts/rules/hear.ts';
import { withoutNotices } from '../../src/payouts/rules/person.ts';
import { nextRound } from '../../src/payouts/rules/rounds.ts';
import { rulesFrom } from '../../src/payouts/rules/rules.ts';
import { type Answer, known, lost, type Rig, type RigOptions, record, refusal, rigOf, START } from './rig.ts';

const MINUTE = 60_000;
const QUIET = START + 3 * MINUTE;
const ANOTHER = '00000000-0000-5000-8000-000000000000';
const rules = rulesFrom({}, false);
const bad: Answer = { error: refusal(400, 'USER_NOT_FOUND') };

const batchOf = (...users: string[]) => ({
  recipients: users.map((userId) => ({ userId, amount: '1' })),
});

/** A payout after its first call, with its key. */
async function called(answer: Answer, options: RigOptions = {}): Promise<{ rig: Rig; requestId: string }> {
  const rig = rigOf({ answers: [answer], ...options });
  await rig.settle();
  return { rig, requestId: rig.situation.parts[0]?.requestId ?? '' };
}

/** A batch of a, b and c that was refused, and is two halves now, with the key that the batch had. */
async function split(answers: readonly Answer[] = [bad]): Promise<{ rig: Rig; requestId: string }> {
  const recipients = ['a', 'b', 'c'].map((userId) => ({ userId, amount: '1' }));
  const rig = rigOf({ order: { recipients }, answers });
  await rig.step();
  await rig.step();
  return { rig, requestId: rig.situation.split[0] ?? '' };
}

/** The states of the payments, the kinds of the notices, and `may` where money may have moved against the state. */
function told(rig: Rig): string {
  const { parts, notices } = rig.situation;
  const may = parts.some(({ mayHaveMoved }) => mayHaveMoved) ? ['may'] : [];
  return [...rig.states(), ...notices.map(({ kind }) => kind), ...may].join(' ');
}

const shown = (requestId: string, status: string, more: object = {}): PayoutMessage => ({
  type: 'record',
  record: { transferDetails: { id: 't1', requestId, status, ...more } },
});

describe('a decision on the approval of a payment', () => {
  it.each<[string, Answer, 'APPROVED' | 'REJECTED' | 'EXPIRED', string]>([
    ['that waits for it', record('PENDING_APPROVAL'), 'APPROVED', 'accepted -'],
    ['that waits for it', record('PENDING_APPROVAL'), 'REJECTED', 'rejected APPROVAL_REJECTED'],
    ['that waits for it', record('PENDING_APPROVAL'), 'EXPIRED', 'expired APPROVAL_EXPIRED'],
    // A transfer is approved before it executes: what says otherwise contradicts.
    ['that executes', record('PENDING'), 'APPROVED', 'accepted -'],
    ['that executes', record('PENDING'), 'REJECTED', 'accepted - CONTRADICTION'],
    ['that executes', record('PENDING'), 'EXPIRED', 'accepted - CONTRADICTION'],
    ['in a state that is not documented', record('ODD'), 'REJECTED', 'rejected APPROVAL_REJECTED'],
    ['that the service knows', { error: known() }, 'EXPIRED', 'expired APPROVAL_EXPIRED'],
    ['in doubt', { error: lost() }, 'APPROVED', 'accepted -'],
    // A final state never changes.
    ['that is paid', record('COMPLETED'), 'APPROVED', 'paid -'],
    ['that is paid', record('COMPLETED'), 'REJECTED', 'paid - CONTRADICTION'],
    ['that is paid', record('COMPLETED'), 'EXPIRED', 'paid - CONTRADICTION'],
    ['that failed', record('FAILED'), 'APPROVED', 'rejected TRANSFER_FAILED'],
    ['that failed', record('FAILED'), 'REJECTED', 'rejected TRANSFER_FAILED'],
    ['that failed', record('FAILED'), 'EXPIRED', 'rejected TRANSFER_FAILED CONTRADICTION'],
    ['that expired', record('EXPIRED'), 'EXPIRED', 'expired APPROVAL_EXPIRED'],
    ['that expired', record('EXPIRED'), 'REJECTED', 'expired APPROVAL_EXPIRED CONTRADICTION'],
    ['that expired', record('EXPIRED'), 'APPROVED', 'expired APPROVAL_EXPIRED CONTRADICTION may'],
    ['that was rejected', record('REJECTED'), 'APPROVED', 'rejected APPROVAL_REJECTED CONTRADICTION may'],
    ['that was cancelled', record('CANCELLED'), 'APPROVED', 'rejected TRANSFER_CANCELLED CONTRADICTION may'],
  ])('%s, %j: %s: %s', async (_name, answer, decision, result) => {
    // The key names the payment, with the transfer or without it.
    for (const more of [{}, { transferId: 't1' }]) {
      const { rig, requestId } = await called(answer);
      await rig.step({ type: 'decision', decision, requestId, ...more });
      expect(told(rig)).toBe(result);
    }
  });

  it('that contradicts it is a notice with the transfer, and wakes the lookup up', async () => {
    const { rig, requestId } = await called(record('PENDING'), { lookup: async () => undefined });
    await rig.step({ type: 'decision', decision: 'REJECTED', requestId });
    expect(rig.situation.notices).toEqual([
      { requestId, kind: 'CONTRADICTION', detail: 't1 REJECTED by event', at: START },
    ]);
    expect(rig.situation.wait).toBe(0);
  });

  it('that says nothing new is heard: the patience begins again, and the lookup wakes up', async () => {
    const { rig, requestId } = await called({ error: known() }, { lookup: async () => undefined });
    rig.now += MINUTE;
    await rig.step({ type: 'decision', decision: 'APPROVED', requestId, transferId: 't1' });
    expect(rig.situation.parts).toMatchObject([
      { state: 'accepted', reason: 'KEY_KNOWN', transferId: 't1', heard: rig.now, due: rig.now, looks: 0 },
    ]);
  });

  it('ends the doubt about it', async () => {
    const { rig, requestId } = await called({ error: lost() });
    rig.now += MINUTE;
    await rig.step({ type: 'decision', decision: 'APPROVED', requestId });
    expect(rig.situation.parts).toMatchObject([
      { state: 'accepted', evidence: 'event', doubtSince: null, transferId: null, heard: rig.now },
    ]);
  });

  it('decides nothing where the service shows two transfers', async () => {
    const { rig, requestId } = await called(record('PENDING_APPROVAL'));
    await rig.step({ type: 'decision', decision: 'APPROVED', requestId, transferId: 't2' });
    await rig.step({ type: 'decision', decision: 'REJECTED', requestId, transferId: 't1' });
    expect(told(rig)).toBe('undecided TWO_TRANSFERS TWO_TRANSFERS CONTRADICTION may');
  });
});

describe('an event with the record of a payment', () => {
  it.each<[Answer, string, string]>([
    [record('PENDING_APPROVAL'), 'PENDING', 'accepted -'],
    [record('PENDING_APPROVAL'), 'FAILED', 'rejected TRANSFER_FAILED'],
    [record('PENDING'), 'CANCELLED', 'rejected TRANSFER_CANCELLED'],
    [record('PENDING'), 'EXPIRED', 'expired APPROVAL_EXPIRED'],
    [{ error: lost() }, 'PENDING_APPROVAL', 'awaiting_approval -'],
    [{ error: known() }, 'PENDING_APPROVAL', 'accepted KEY_KNOWN'],
    [record('COMPLETED'), 'COMPLETED', 'paid -'],
    [record('COMPLETED'), 'EXPIRED', 'paid - CONTRADICTION'],
    [record('FAILED'), 'EXPIRED', 'rejected TRANSFER_FAILED'],
    [record('EXPIRED'), 'FAILED', 'expired APPROVAL_EXPIRED'],
    [record('FAILED'), 'COMPLETED', 'rejected TRANSFER_FAILED CONTRADICTION may'],
    // The service refused it, and shows a transfer of it: it must not be paid again.
    [bad, 'PENDING', 'rejected USER_NOT_FOUND CONTRADICTION may'],
    [bad, 'COMPLETED', 'rejected USER_NOT_FOUND CONTRADICTION may'],
    [bad, 'FAILED', 'rejected USER_NOT_FOUND'],
    [bad, 'EXPIRED', 'rejected USER_NOT_FOUND'],
  ])('%j, then %s: %s', async (answer, status, result) => {
    const { rig, requestId } = await called(answer);
    await rig.step(shown(requestId, status));
    expect(told(rig)).toBe(result);
    if (result.endsWith('may'))
      expect(() => nextRound(rig.situation, requestId, START)).toThrow('may have moved money');
  });

  it('that contradicts its end is a notice with the transfer and its state', async () => {
    const { rig, requestId } = await called(bad);
    await rig.step(shown(requestId, 'PENDING'));
    expect(rig.situation.notices).toMatchObject([{ requestId, detail: 't1 accepted by event' }]);
    expect(rig.situation.parts).toMatchObject([{ transferId: 't1' }]);
  });

  it('whose approval ended otherwise wakes the lookup up, which tells how', async () => {
    const { rig, requestId } = await called(record('PENDING_APPROVAL'), { lookup: async () => undefined });
    expect(rig.situation.wait).toBeGreaterThan(0);
    await rig.step(shown(requestId, 'CANCELLED'));
    expect([told(rig), rig.situation.wait]).toEqual(['awaiting_approval -', 0]);
  });

  it('that is that of another payment does not keep this one from being called', async () => {
    const { rig, requestId } = await called({ error: lost() });
    const { parts } = rig.situation;
    await rig.step(shown(requestId, 'COMPLETED', { amount: 99, currency: 'eurc' }));
    expect(rig.situation.parts).toEqual(parts);
    expect(rig.situation.notices).toMatchObject([{ detail: 'event: amount, currency' }]);
    rig.now += rig.situation.wait;
    await rig.settle();
    expect(rig.calls).toHaveLength(2);
  });

  it('that is that of another payment changes no final state', async () => {
    const { rig, requestId } = await called(bad);
    const { parts } = rig.situation;
    await rig.step(shown(requestId, 'COMPLETED', { amount: 99 }));
    expect(rig.situation.parts).toEqual(parts);
  });

  it('of a second transfer leaves a payment that no person can call unpaid and pay again', async () => {
    const { rig, requestId } = await called(record('PENDING'));
    await rig.step(shown(requestId, 'PENDING', { id: 't2' }));
    expect(rig.situation.parts).toMatchObject([{ requestId, transferId: 't1' }]);
    rig.now = QUIET;
    await rig.step({ type: 'person', requestId, state: 'rejected', by: 'Ada' });
    expect(told(rig)).toBe('rejected SETTLED_BY_A_PERSON TWO_TRANSFERS may');
    expect(() => nextRound(rig.situation, requestId, QUIET)).toThrow('may have moved money');
  });
});

describe('a command to cancel', () => {
  it('ends what waits to be called', async () => {
    const rig = rigOf();
    await rig.step({ type: 'cancel', by: 'Ada' });
    expect(rig.situation.parts).toMatchObject([
      { state: 'cancelled', reason: 'CANCELLED', evidence: 'person', phase: 'done' },
    ]);
  });

  it('leaves what is in doubt to a lookup or a person, in doubt since then', async () => {
    const { rig, requestId } = await called({ error: lost() });
    await rig.step({ type: 'cancel', by: 'Ada' });
    expect(rig.situation.parts).toMatchObject([
      { requestId, state: 'undecided', reason: 'CANCELLED_IN_DOUBT', doubtSince: START, phase: 'look' },
    ]);
  });

  it.each<[Answer]>([
    [record('PENDING_APPROVAL')],
    [record('PENDING')],
    [record('COMPLETED')],
    [bad],
    [record('COMPLETED', { amount: 99 })],
  ])('has no effect on what is never called again: %j', async (answer) => {
    const { rig } = await called(answer);
    const { parts } = rig.situation;
    await rig.step({ type: 'cancel', by: 'Ada' });
    expect(rig.situation.parts).toEqual(parts);
  });
});

describe('a person who comes too late', () => {
  it.each<[Answer, string]>([
    [record('PENDING_APPROVAL'), 'awaiting_approval - PERSON_NOT_HEARD'],
    [record('PENDING'), 'accepted - PERSON_NOT_HEARD'],
    [record('COMPLETED'), 'paid - PERSON_NOT_HEARD'],
    [bad, 'rejected USER_NOT_FOUND'],
    [record('COMPLETED', { amount: 99 }), 'undecided RECORD_OF_ANOTHER_PAYMENT RECORD_OF_ANOTHER_PAYMENT'],
  ])('to cancel is told so by a notice, unless it is unpaid or for a person: %j', async (answer, after) => {
    const { rig } = await called(answer);
    await rig.step({ type: 'cancel', by: 'Ada' });
    expect(told(rig)).toBe(after);
  });

  it('to cancel a call under way is told so by a notice', async () => {
    const rig = rigOf();
    await rig.step();
    await rig.step({ type: 'cancel', by: 'Ada' });
    expect(told(rig)).toBe('queued - PERSON_NOT_HEARD');
    const requestId = rig.situation.parts[0]?.requestId;
    const detail = `Payment ${requestId} is in a call: it was not cancelled.`;
    expect(rig.situation.notices).toMatchObject([{ requestId, detail }]);
  });

  it('to cancel a payment is told its state', async () => {
    const { rig, requestId } = await called(record('COMPLETED'));
    await rig.step({ type: 'cancel', by: 'Ada' });
    const detail = `Payment ${requestId} is paid: it was not cancelled.`;
    expect(rig.situation.notices).toMatchObject([{ requestId, detail }]);
  });

  // A lost call is in no row.
  it('to cancel a payment of a database that went back leaves it in doubt, though no call is known', async () => {
    const rig = rigOf();
    const parts = rig.situation.parts.map((part) => ({
      ...part,
      state: 'undecided' as const,
      phase: 'look' as const,
      reason: 'DATABASE_WENT_BACK',
    }));
    rig.situation = { ...rig.situation, parts };
    await rig.step({ type: 'cancel', by: 'Ada' });
    expect(rig.situation.parts).toMatchObject([
      { state: 'undecided', reason: 'CANCELLED_IN_DOUBT', doubtSince: null },
    ]);
  });

  it('to call a paid payment unpaid takes no notice away, nor does a record that says it once more', async () => {
    const { rig, requestId } = await called(record('COMPLETED'));
    await rig.step({ type: 'decision', decision: 'REJECTED', requestId });
    await rig.step(shown(requestId, 'COMPLETED'));
    expect(told(rig)).toBe('paid - CONTRADICTION');
    await rig.step({ type: 'person', requestId, state: 'rejected', by: 'Ada' });
    expect(told(rig)).toBe('paid - CONTRADICTION PERSON_NOT_HEARD');
  });
});

describe('a batch', () => {
  const absences = { maxFailures: 1, lookup: async () => null };

  it('that is cancelled while it is undecided is not split by an absence, and nobody is paid', async () => {
    const { rig } = await called({ error: lost() }, { ...absences, order: batchOf('a', 'b') });
    expect(told(rig)).toBe('undecided RETRIES_USED_UP');
    await rig.step({ type: 'cancel', by: 'Ada' });
    rig.now = QUIET;
    await rig.settle();
    expect([rig.calls.length, told(rig)]).toEqual([1, 'cancelled CANCELLED']);
  });
});

describe('a batch that was refused and split', () => {
  it('and shows a transfer while a half is undecided does not pay those of the half again', async () => {
    const answers = [bad, { error: lost() }, record('COMPLETED')];
    const rig = rigOf({
      order: batchOf('a', 'b', 'c', 'd'),
      answers,
      maxFailures: 1,
      lookup: async () => null,
    });
    await rig.settle();
    expect(told(rig)).toBe('undecided RETRIES_USED_UP paid -');
    const [requestId = ''] = rig.situation.split;
    await rig.step(shown(requestId, 'COMPLETED', { id: 't9' }));
    rig.now = QUIET;
    await rig.settle();
    expect(rig.calls).toHaveLength(3);
    expect(rig.situation.parts.every(({ mayHaveMoved }) => mayHaveMoved)).toBe(true);
  });

  it.each<[string, (requestId: string) => PayoutMessage]>([
    ['a record', (requestId) => shown(requestId, 'PENDING')],
    ['a decision', (requestId) => ({ type: 'decision', decision: 'APPROVED', requestId })],
    ['the transfer alone', (requestId) => ({ type: 'wake', requestId, transferId: 't9' })],
  ])('and shows a transfer by %s stops its halves, which are never paid again', async (_name, message) => {
    const { rig, requestId } = await split();
    await rig.step(message(requestId));
    expect(told(rig)).toBe(
      'undecided BATCH_MAY_BE_PAID undecided BATCH_MAY_BE_PAID TRANSFER_AFTER_REJECTION may',
    );
    expect(rig.situation.parts).toMatchObject([{ mayHaveMoved: true }, { mayHaveMoved: true }]);
    expect(rig.situation.notices).toMatchObject([{ requestId: rig.situation.parts[0]?.requestId }]);
  });

  it('and shows a transfer leaves the half that is in a call to its call', async () => {
    const { rig, requestId } = await split();
    await rig.step();
    const [inCall] = rig.situation.parts;
    expect(inCall?.phase).toBe('call');
    await rig.step(shown(requestId, 'PENDING'));
    expect(rig.situation.parts).toEqual([
      { ...inCall, mayHaveMoved: true },
      expect.objectContaining({ state: 'undecided', mayHaveMoved: true }),
    ]);
  });

  it.each<[string, (requestId: string) => PayoutMessage]>([
    ['a person', (requestId) => ({ type: 'person', requestId, state: 'paid', transferId: 't9', by: 'Ada' })],
    ['a wake without the transfer', (requestId) => ({ type: 'wake', requestId })],
    ['a record of no payment', () => ({ type: 'record', record: { transferDetails: { id: 't9' } } })],
    ['a record under another key', () => shown(ANOTHER, 'COMPLETED')],
  ])('goes on with its halves after %s, with a notice', async (_name, message) => {
    const { rig, requestId } = await split();
    await rig.step(message(requestId));
    expect(told(rig)).toBe('queued - queued - MESSAGE_NOT_HEARD');
  });
});

describe('a message', () => {
  it('finds its payment by the key in any form, and by the transfer where it has no key', async () => {
    for (const isByKey of [true, false]) {
      const { rig, requestId } = await called(record('PENDING_APPROVAL'));
      const key = requestId.toUpperCase().replaceAll('-', '');
      const address = isByKey ? { requestId: key } : { transferId: 't1' };
      await rig.step({ type: 'decision', decision: 'EXPIRED', ...address });
      expect(told(rig)).toBe('expired APPROVAL_EXPIRED');
    }
  });

  it.each([
    ['no form', { type: 'greeting' }],
    ['no record', { type: 'record', requestId: ANOTHER }],
    ['a key that is no text', { type: 'wake', requestId: 7 }],
    ['a transfer that is no text', { type: 'wake', transferId: 7 }],
    ['no decision', { type: 'decision' }],
    ['an unknown decision', { type: 'decision', decision: 'POSTPONED' }],
    ['a person without a payment', { type: 'person', state: 'paid', by: 'Ada' }],
    ['nothing', null],
  ])('with %s changes nothing, with a notice', async (_name, message) => {
    const { rig, requestId } = await called(record('PENDING_APPROVAL'));
    const { parts } = rig.situation;
    const named =
      message === null || 'requestId' in message || message.type === 'person' ? {} : { requestId };
    await rig.step((message && { ...message, ...named }) as unknown as PayoutMessage);
    expect(rig.situation.parts).toEqual(parts);
    expect(rig.situation.notices).toEqual([
      { requestId, kind: 'MESSAGE_NOT_READABLE', detail: 'unknown form', at: START },
    ]);
  });

  it.each<[string, PayoutMessage, string]>([
    ['its key and its status', shown(ANOTHER, 'COMPLETED'), `${ANOTHER} COMPLETED`],
    ['its key and 40 characters', shown(ANOTHER, 'x'.repeat(50)), `${ANOTHER} ${'x'.repeat(40)}`],
    [
      'its key and its type',
      { type: 'decision', decision: 'APPROVED', requestId: ANOTHER },
      `${ANOTHER} decision`,
    ],
    [
      'its key in any form and its status',
      shown(ANOTHER.replaceAll('-', '').toUpperCase(), 'COMPLETED'),
      `${ANOTHER.replaceAll('-', '').toUpperCase()} COMPLETED`,
    ],
    ['what is no key alone', shown('order-7', 'COMPLETED'), 'order-7'],
    ['what is longer than a key alone', shown(`${ANOTHER}0`, 'COMPLETED'), `${ANOTHER}0`],
    ['what only ends like a key alone', shown(`0${ANOTHER}`, 'COMPLETED'), `0${ANOTHER}`],
    ['the lack of a key', { type: 'wake', transferId: 't9' }, 'no requestId'],
  ])('about no payment of the payout is a notice with %s', async (_name, message, detail) => {
    const { rig, requestId } = await called(record('PENDING_APPROVAL'));
    await rig.step(message);
    expect(rig.situation.notices).toEqual([{ requestId, kind: 'MESSAGE_NOT_HEARD', detail, at: START }]);
  });

  it('of a person that is refused leaves the payment as it is, with the reason', async () => {
    const { rig, requestId } = await called({ error: lost() }, { maxFailures: 1 });
    const { parts } = rig.situation;
    await rig.step({ type: 'person', requestId, state: 'rejected', by: 'Ada' });
    expect(rig.situation.parts).toEqual(parts);
    expect(rig.situation.notices).toMatchObject([
      { kind: 'PERSON_NOT_HEARD', detail: expect.stringContaining(new Date(QUIET).toISOString()) },
    ]);
  });

  it('that cannot be read throws its own error', async () => {
    const { rig, requestId } = await called(record('PENDING'));
    const broken = Object.defineProperty({ type: 'person', requestId }, 'state', {
      enumerable: true,
      get: () => {
        throw new TypeError('broken');
      },
    });
    expect(() => hear(rig.situation, broken as unknown as PayoutMessage, START, rules)).toThrow(TypeError);
  });
});

describe('the notices of a payout', () => {
  it('are 50 at most, and the first stay: a service that contradicts itself must not fill the row', async () => {
    const { rig } = await called(record('PENDING'));
    for (let turn = 0; turn < 55; turn += 1)
      await rig.step({ type: 'wake', requestId: ANOTHER.replace(/^00/, String(turn + 10)) });
    expect(rig.situation.notices).toHaveLength(50);
    expect(rig.situation.notices[0]?.detail).toMatch(/^10/);
  });

  it('are told once, with the time of the first', async () => {
    const { rig } = await called(record('PENDING'));
    for (let turn = 0; turn < 3; turn += 1) {
      rig.now += 1000;
      await rig.step({ type: 'wake', requestId: ANOTHER });
    }
    expect(rig.situation.notices).toMatchObject([{ at: START + 1000 }]);
  });

  it('of one payment go once a person has seen them, those of another stay', async () => {
    const { rig, requestId } = await called(bad);
    await rig.step(shown(requestId, 'COMPLETED'));
    const seen = withoutNotices(rig.situation, requestId.toUpperCase());
    expect(seen).toEqual({ ...rig.situation, notices: [] });
    expect(withoutNotices(rig.situation, ANOTHER)).toEqual(rig.situation);
    // One that came after the person spoke was not seen.
    const message = { type: 'person', requestId, state: 'rejected', by: 'Ada' } as const;
    expect(hear(rig.situation, message, rig.now, rules, rig.now - 1).notices).toHaveLength(1);
    expect(hear(rig.situation, message, rig.now, rules).notices).toEqual([]);
    // Who says another state is refused, and confirms nothing.
    const other = hear(rig.situation, { ...message, state: 'expired' }, rig.now, rules);
    expect(other.notices.map(({ kind }) => kind)).toEqual(['CONTRADICTION', 'PERSON_NOT_HEARD']);
  });
});
