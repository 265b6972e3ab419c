import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyAbsence } from '../../src/payouts/rules/apply-lookup.ts';
import { rulesFrom } from '../../src/payouts/rules/rules.ts';
import { toUndecided } from '../../src/payouts/rules/transition.ts';
import { known, lost, type Rig, type RigOptions, record, refusal, rigOf, START } from './rig.ts';

// The waits without their random part.
beforeEach(() => vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const QUIET = START + 180_000;

/** A payout after its first call. */
async function called(options: RigOptions): Promise<Rig> {
  const rig = rigOf(options);
  await rig.settle();
  return rig;
}
const stepLater = async (rig: Rig, wait = rig.situation.wait) => {
  rig.now += wait;
  await rig.step();
  return rig.situation.wait;
};
/** A lookup that shows the payment's own transfer. */
const shows = (details: object) => (query: { readonly requestId: string }) =>
  Promise.resolve({ transferDetails: { id: 't1', requestId: query.requestId, ...details } });

describe('a lookup', () => {
  it('asks for the payment by its key, its transfer, its payer and the time of its first attempt', async () => {
    const queries: unknown[] = [];
    const lookup = async (query: object) => void queries.push(query);
    const rig = await called({ answers: [{ error: lost() }, record('PENDING')], lookup });
    rig.now += rig.situation.wait;
    await rig.settle();
    await stepLater(rig);
    const requestId = rig.situation.parts[0]?.requestId;
    expect(queries).toEqual([{ requestId, transferId: 't1', payer: 'payer', since: START }]);
  });

  it('of an undecided payment comes later each time, and once at the end of the quiet time', async () => {
    const times: number[] = [];
    const lookup = async () => void times.push((rig.now - START) / 1000);
    const rig = rigOf({ maxFailures: 1, lookup });
    await rig.settle();
    for (let turn = 0; turn < 12; turn += 1) await stepLater(rig);
    expect(times).toEqual([5, 15, 35, 75, 155, 180, 500, 1140, 2420, 4980, 8580, 12_180]);
    await stepLater(rig, 30 * DAY);
    expect(rig.states()).toEqual(['undecided RETRIES_USED_UP']);
  });

  it('of an accepted payment comes when its patience ends, too', async () => {
    const times: number[] = [];
    const lookup = async () => void times.push((rig.now - START) / 1000);
    const rig = rigOf({ answers: [record('PENDING')], lookup, patience: HOUR });
    await rig.settle();
    while (rig.states()[0] === 'accepted -') await stepLater(rig);
    // The end of the quiet time, 180, is that of a payment in doubt alone.
    expect(times).toEqual([5, 15, 35, 75, 155, 315, 635, 1275, 2555, 3600]);
    expect(rig.states()).toEqual(['undecided END_NOT_HEARD']);
  });

  it('of a payment that the service has does not come for the end of the quiet time', async () => {
    for (const [status, wait] of [
      ['PENDING', HOUR],
      ['PENDING_APPROVAL', HOUR],
    ] as const) {
      const rig = await called({ answers: [record(status)], look: DAY, lookup: async () => undefined });
      expect(rig.situation.wait).toBe(wait);
    }
  });

  it('that shows the same as before comes later each time, and is news of the payment', async () => {
    const rig = await called({ answers: [record('ODD')], lookup: shows({ status: 'PENDING' }) });
    const waits = [rig.situation.wait];
    for (let turn = 0; turn < 3; turn += 1) waits.push(await stepLater(rig));
    expect(waits).toEqual([5000, 10_000, 20_000, 40_000]);
    for (let turn = 0; turn < 60; turn += 1) await stepLater(rig);
    expect(rig.now).toBeGreaterThan(START + 2 * DAY);
    expect(rig.states()).toEqual(['accepted STATUS_NOT_DOCUMENTED']);
  });

  it('learns the transfer of a payment whose key the service knew', async () => {
    const rig = await called({ answers: [{ error: known() }], lookup: shows({ status: 'PENDING' }) });
    expect(rig.situation.parts).toMatchObject([{ transferId: null, doubtSince: START }]);
    await stepLater(rig);
    expect(rig.situation.parts).toMatchObject([{ state: 'accepted', transferId: 't1', doubtSince: null }]);
  });

  it('that shows a cancelled transfer ends a payment that waits for its approval', async () => {
    const lookup = shows({ status: 'CANCELLED' });
    const rig = await called({ answers: [record('PENDING_APPROVAL')], lookup });
    await stepLater(rig);
    expect(rig.states()).toEqual(['rejected TRANSFER_CANCELLED']);
  });

  it.each([
    ['an undecided payment as it is', [{ error: lost() }], 'undecided RETRIES_USED_UP'],
    ['an accepted payment to a person', [record('PENDING')], 'undecided RECORD_OF_ANOTHER_PAYMENT'],
  ])('that shows the record of another payment leaves %s, with a notice', async (_name, answers, state) => {
    const lookup = shows({ status: 'COMPLETED', amount: 99, currency: 'eurc' });
    const rig = await called({ answers, maxFailures: 1, lookup });
    await stepLater(rig);
    expect(rig.states()).toEqual([state]);
    expect(rig.situation.notices).toMatchObject([
      { kind: 'RECORD_OF_ANOTHER_PAYMENT', detail: 'lookup: amount, currency' },
    ]);
  });

  it.each(['', 7, null])('whose record shows %j as its key is not believed', async (requestId) => {
    const lookup = shows({ status: 'COMPLETED', requestId });
    const rig = await called({ answers: [{ error: known() }], lookup });
    await stepLater(rig);
    expect(rig.states()).toEqual(['undecided RECORD_OF_ANOTHER_PAYMENT']);
  });

  // "A record is what rows 8 to 11 call one, everywhere"
  it.each([
    ['an error', { success: false }, {}],
    ['a bare key', {}, { status: undefined }],
    ['a status of nothing', {}, { status: ' ' }],
    ['an id that cannot be stored', {}, { id: 'a\u0000b' }],
  ])('that shows %s proves nothing, and is told', async (_name, envelope, details) => {
    const lookup = async ({ requestId }: { readonly requestId: string }) => ({
      ...envelope,
      transferDetails: { id: 't1', status: 'COMPLETED', requestId, ...details },
    });
    const rig = await called({ answers: [{ error: known() }], lookup });
    await stepLater(rig);
    expect(rig.states()).toEqual(['accepted KEY_KNOWN']);
    expect(String(rig.errors[0])).toContain('`lookup` returned what is no record of a transfer');
  });

  it('that says nothing at the end of the quiet time is not repeated at once', async () => {
    const rig = await called({ maxFailures: 1, lookup: async () => undefined });
    rig.now = QUIET;
    await rig.step();
    expect(rig.situation.wait).toBeGreaterThan(0);
  });
});

describe('without a lookup, a payment is looked at', () => {
  it.each([
    ['accepted', [record('PENDING')], HOUR],
    ['undecided', [{ error: lost() }], DAY],
    ['awaiting_approval', [record('PENDING_APPROVAL')], DAY],
  ])('once a day, or when its patience ends: %s', async (state, answers, wait) => {
    const rig = await called({ answers, maxFailures: 1, patience: HOUR });
    expect(rig.situation).toMatchObject({ parts: [{ state }], wait });
  });

  it('at the end of the week in which its approval may come, and its patience', async () => {
    const rig = await called({ answers: [record('PENDING_APPROVAL')], patience: HOUR });
    expect(await stepLater(rig, 7 * DAY)).toBe(HOUR);
    await stepLater(rig);
    expect(rig.states()).toEqual(['undecided DECISION_NOT_HEARD']);
  });
});

describe('an absence', () => {
  const absent = async () => null;

  it('that was found before the quiet time ends is looked for once more when it ends', async () => {
    const rig = await called({ maxFailures: 1, lookup: absent });
    await stepLater(rig);
    expect(rig.situation).toMatchObject({ parts: [{ state: 'undecided', looks: 2 }], wait: 175_000 });
    expect(await stepLater(rig)).toBe(0);
    expect(rig.states()).toEqual(['rejected NOT_FOUND_BY_LOOKUP']);
  });

  it('of a transfer that waited for its approval is for a person', async () => {
    const rig = await called({ answers: [record('PENDING_APPROVAL')], lookup: absent });
    rig.now = QUIET;
    await rig.step();
    expect(rig.situation.parts).toMatchObject([
      { state: 'undecided', reason: 'NOT_FOUND_BY_LOOKUP', evidence: 'lookup' },
    ]);
  });

  it.each([
    ['RETRIES_USED_UP', 'rejected NOT_FOUND_BY_LOOKUP'],
    ['REFUSED_IN_DOUBT', 'rejected NOT_FOUND_BY_LOOKUP'],
    ['KEY_LIFETIME_OVER', 'rejected NOT_FOUND_BY_LOOKUP'],
    ['KEY_KNOWN_AFTER_REFUSAL', 'rejected NOT_FOUND_BY_LOOKUP'],
    ['CANCELLED_IN_DOUBT', 'cancelled CANCELLED'],
  ])('proves a payment unpaid that is undecided as %s', async (reason, result) => {
    const rules = rulesFrom({}, true);
    const { order, parts } = (await called({})).situation;
    const [part] = parts;
    if (part === undefined) throw new Error('no payment');
    const [ended] = applyAbsence(order, toUndecided(part, reason, START, rules), QUIET, QUIET, rules).parts;
    expect(`${ended?.state} ${ended?.reason}`).toBe(result);
    expect(ended).toMatchObject({ phase: 'done', evidence: 'lookup', doubtSince: null });
  });

  it.each([
    'NOT_FOUND_BY_LOOKUP',
    'RECORD_OF_ANOTHER_PAYMENT',
    'TRANSFER_OF_ANOTHER_PAYMENT',
    'TWO_TRANSFERS',
    'END_NOT_HEARD',
    'DECISION_NOT_HEARD',
    'BATCH_MAY_BE_PAID',
    'A_REASON_OF_A_LATER_RELEASE',
  ])('leaves a payment to a person that is undecided as %s', async (reason) => {
    const rules = rulesFrom({}, true);
    const { order, parts } = (await called({})).situation;
    const [part] = parts;
    if (part === undefined) throw new Error('no payment');
    const undecided = toUndecided(part, reason, START, rules);
    const after = applyAbsence(order, undecided, QUIET, QUIET, rules);
    expect(after.parts).toMatchObject([{ state: 'undecided', reason, doubtSince: START }]);
  });

  // design.md, *Rounds*: "An absence splits a batch as a certain refusal does."
  it('of a batch that was refused for one payee while in doubt splits it: the good ones are paid', async () => {
    const recipients = ['a', 'b', 'bad', 'c', 'd'].map((userId) => ({ userId, amount: '1' }));
    const names = ({ destination }: Record<string, unknown>) => JSON.stringify(destination);
    let isDown = true;
    const rig = rigOf({
      order: { recipients },
      lookup: absent,
      answers: (body) => {
        if (isDown) return { error: refusal(500, undefined, { outcome: 'unknown' }) };
        if (!names(body).includes('bad')) return record('COMPLETED', { id: `t${body.requestId}` });
        const outcome = rig.situation.split.length === 0 ? 'unknown' : 'rejected';
        return { error: refusal(400, 'USER_NOT_FOUND', { outcome }) };
      },
    });
    await rig.settle();
    isDown = false;
    for (let turn = 0; turn < 60 && !rig.situation.done; turn += 1) {
      rig.now += rig.situation.wait;
      await rig.step();
    }
    expect(rig.states()).toEqual(['paid -', 'rejected USER_NOT_FOUND', 'paid -']);
    expect(rig.situation.parts.map(({ places }) => places)).toEqual([[0, 1], [2], [3, 4]]);
  });
});
