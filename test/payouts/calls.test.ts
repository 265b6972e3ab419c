import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PayoutPart } from '../../src/payouts/index.ts';
import { AbortedError } from '../../src/shared/errors/index.ts';
import { type Answer, known, lost, notSent, record, refusal, rigOf, START } from './rig.ts';

// The pauses without their random part.
beforeEach(() => vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

const DAY = 86_400_000;
/** The call takes three seconds after its attempt was stored. */
const LATER = START + 3000;
const unknown = { outcome: 'unknown' } as const;

/** Calls once for a payment whose attempt is stored, and returns the fields that the call changed. */
async function afterCallOf(answer: Answer, before: Partial<PayoutPart> = {}) {
  const rig = rigOf({ answers: [answer] });
  const begun = await rig.step();
  rig.situation = { ...begun, parts: begun.parts.map((part) => ({ ...part, ...before })) };
  const [stored] = rig.situation.parts;
  rig.now = LATER;
  await rig.step();
  const [part] = rig.situation.parts;
  const old = new Map<string, unknown>(Object.entries(stored ?? {}));
  const changed = Object.entries(part ?? {}).filter(
    ([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value),
  );
  expect(Object.keys(part ?? {})).toEqual([...old.keys()]);
  return { changes: Object.fromEntries(changed), rig };
}

/** What each call changes: it is over, and the payment waits for the next one. */
const paused = (reason: string, more: Partial<PayoutPart> = {}) => ({
  phase: 'begin',
  token: null,
  pauses: 1,
  reason,
  due: LATER + 1000,
  ...more,
});
const moved = (state: PayoutPart['state'], more: Partial<PayoutPart>) => ({
  state,
  phase: 'look',
  token: null,
  since: LATER,
  heard: LATER,
  looks: 1,
  due: LATER + DAY,
  ...more,
});
const final = (state: PayoutPart['state'], more: Partial<PayoutPart>) => {
  const { looks, ...fields } = moved(state, { phase: 'done', due: LATER, ...more });
  return fields;
};
const pauseFor = (reason: string) => [{ kind: 'pause', reason, retryAfter: 0 }];
const slowFor = (reason: string, isTooFast: boolean, retryAfter = 7000) => [
  { kind: 'slow', reason, retryAfter, isTooFast },
];
const earlier = START - 5000;

describe('a call leaves its payment', () => {
  it.each<[string, Answer, Partial<PayoutPart>, object, object[]]>([
    [
      'in doubt since its attempt was stored, where the response is lost',
      { error: lost() },
      {},
      paused('CONNECTION', { doubtSince: START, failures: 1 }),
      [],
    ],
    [
      'in doubt since the first attempt in doubt, with what was known before',
      { error: lost() },
      { doubtSince: earlier, failures: 3, pauses: 2, refusal: 'USER_FROZEN', refusedKey: true },
      paused('CONNECTION', { failures: 4, pauses: 3, due: LATER + 4000 }),
      [],
    ],
    ['in no doubt, where nothing was sent', { error: notSent() }, {}, paused('CONNECTION'), []],
    [
      'with a key that was refused before, where nothing was sent',
      { error: notSent() },
      { refusedKey: true },
      paused('CONNECTION'),
      [],
    ],
    [
      'in doubt without a failure, where its caller ended it',
      { error: new AbortedError('x') },
      {},
      paused('ABORTED', { doubtSince: START }),
      [],
    ],
    [
      'in no doubt after a 429, and its payer slower',
      { error: refusal(429, undefined, { retryAfter: 7 }) },
      {},
      paused('HTTP_429', { due: LATER + 7000 }),
      slowFor('HTTP_429', true),
    ],
    [
      // Issue 63: "A 429 without `Retry-After` pauses nobody."
      'in no doubt after a 429 without Retry-After, and its payer slower',
      { error: refusal(429) },
      {},
      paused('HTTP_429'),
      slowFor('HTTP_429', true, 0),
    ],
    [
      'in doubt after a 429 that stays unknown',
      { error: refusal(429, undefined, unknown) },
      {},
      paused('HTTP_429', { doubtSince: START }),
      slowFor('HTTP_429', true, 0),
    ],
    [
      'waiting for its payer after a refused token, whatever its name',
      { error: refusal(401, 'NOT_DOCUMENTED') },
      {},
      paused('NOT_DOCUMENTED', { refusedKey: true }),
      pauseFor('NOT_DOCUMENTED'),
    ],
    [
      'waiting for its payer after a 403 without a name',
      { error: refusal(403) },
      {},
      paused('HTTP_403', { refusedKey: true }),
      pauseFor('HTTP_403'),
    ],
    [
      'waiting for the gateway after a 403 with its page',
      { error: refusal(403, undefined, { body: '<html>' }) },
      {},
      paused('HTTP_403'),
      [],
    ],
    [
      'waiting for the gateway after a 400 with its page',
      { error: refusal(400, undefined, { body: '<html>' }) },
      {},
      paused('HTTP_400'),
      [],
    ],
    [
      'in doubt and waiting for its payer, where the balance is empty at a retry',
      { error: refusal(400, 'INSUFFICIENT_BALANCE', unknown) },
      { doubtSince: earlier },
      paused('INSUFFICIENT_BALANCE', { refusedKey: true }),
      pauseFor('INSUFFICIENT_BALANCE'),
    ],
    [
      'in doubt with a failure of the service',
      { error: refusal(500, 'INTERNAL_ERROR', { ...unknown, retryAfter: 7 }) },
      {},
      paused('INTERNAL_ERROR', { doubtSince: START, failures: 1, due: LATER + 7000 }),
      slowFor('INTERNAL_ERROR', false),
    ],
    [
      'in doubt without a failure of the service, where a gateway answers',
      { error: refusal(502, undefined, unknown) },
      {},
      paused('HTTP_502', { doubtSince: START }),
      [],
    ],
    [
      'in doubt without a failure of the service, where a page says 500',
      { error: refusal(500, undefined, { ...unknown, body: '<html>' }) },
      {},
      paused('HTTP_500', { doubtSince: START }),
      [],
    ],
    [
      'in doubt with the name of a refusal',
      { error: refusal(422, 'AMOUNT_TOO_SMALL', unknown) },
      {},
      paused('AMOUNT_TOO_SMALL', {
        doubtSince: START,
        failures: 1,
        refusal: 'AMOUNT_TOO_SMALL',
        refusedKey: true,
      }),
      [],
    ],
    [
      'undecided after the third refusal by name',
      { error: refusal(422, 'AMOUNT_TOO_SMALL', unknown) },
      { failures: 2 },
      moved('undecided', {
        reason: 'REFUSED_IN_DOUBT',
        doubtSince: START,
        failures: 3,
        refusal: 'AMOUNT_TOO_SMALL',
        refusedKey: true,
      }),
      [],
    ],
    [
      'to be tried again after a third refusal without a name',
      { error: refusal(422, undefined, unknown) },
      { failures: 2, refusal: 'USER_FROZEN' },
      paused('HTTP_422', { doubtSince: START, failures: 3, refusedKey: true }),
      [],
    ],
    [
      'to be tried again after a third timeout of the service',
      { error: refusal(408, 'TOO_SLOW', unknown) },
      { failures: 2 },
      paused('TOO_SLOW', { doubtSince: START, failures: 3, refusedKey: true }),
      [],
    ],
    [
      'to be tried again, where a refusal comes while an attempt is in doubt',
      { error: refusal(400, 'USER_NOT_FOUND') },
      { doubtSince: earlier },
      paused('USER_NOT_FOUND', { failures: 1, refusal: 'USER_NOT_FOUND', refusedKey: true }),
      [],
    ],
    [
      'rejected by a refusal',
      { error: refusal(400, 'USER_NOT_FOUND') },
      {},
      final('rejected', { reason: 'USER_NOT_FOUND', refusal: 'USER_NOT_FOUND', evidence: 'response' }),
      [{ kind: 'rejected' }],
    ],
    [
      'accepted by a key that the service knows',
      { error: known() },
      {},
      moved('accepted', { reason: 'KEY_KNOWN', evidence: 'response', doubtSince: START }),
      [],
    ],
    [
      'undecided by a key that the service knows after it refused it',
      { error: known() },
      { refusedKey: true },
      moved('undecided', { reason: 'KEY_KNOWN_AFTER_REFUSAL', doubtSince: START }),
      [],
    ],
    [
      'paid by a completed transfer, without the doubt of before',
      record('COMPLETED'),
      { doubtSince: earlier },
      final('paid', { transferId: 't1', evidence: 'response', doubtSince: null }),
      [{ kind: 'accepted' }],
    ],
    [
      'accepted by a transfer that executes',
      record('PENDING'),
      {},
      moved('accepted', { transferId: 't1', evidence: 'response' }),
      [{ kind: 'accepted' }],
    ],
    [
      'accepted and in doubt by a response without the id of a transfer',
      record('COMPLETED', { id: undefined }),
      {},
      moved('accepted', {
        reason: 'RESPONSE_WITHOUT_TRANSFER_ID',
        evidence: 'response',
        doubtSince: START,
      }),
      [{ kind: 'accepted' }],
    ],
    [
      'undecided by the record of another payment',
      record('COMPLETED', { amount: 26, currency: 'eurc' }),
      {},
      moved('undecided', { reason: 'RECORD_OF_ANOTHER_PAYMENT', doubtSince: START }),
      [{ kind: 'accepted' }],
    ],
  ])('%s', async (_name, answer, before, changes, effects) => {
    const after = await afterCallOf(answer, before);
    expect(after.changes).toEqual(changes);
    expect(after.rig.effects).toEqual(effects);
  });

  it('with a notice of each field in which a response is that of another payment', async () => {
    const { rig } = await afterCallOf(record('COMPLETED', { amount: 26, currency: 'eurc' }));
    const requestId = rig.situation.parts[0]?.requestId;
    expect(rig.situation.notices).toEqual([
      { requestId, kind: 'RECORD_OF_ANOTHER_PAYMENT', detail: 'amount, currency', at: LATER },
    ]);
  });

  it.each([
    'INSUFFICIENT_BALANCE',
    'PROFILE_FROZEN',
    'INVALID_API_KEY',
    'UNAUTHORIZED',
    'KEY_DOES_NOT_EXIST',
    'METHOD_NOT_ALLOWED',
  ])('queued, with a pause of its payer, where the payer is refused as %s', async (name) => {
    const { rig } = await afterCallOf({ error: refusal(400, name) });
    expect([rig.states(), rig.effects]).toEqual([[`queued ${name}`], pauseFor(name)]);
  });
});

it('a payout with several payments waits for the one that is due first', async () => {
  const recipients = ['a', 'b'].map((userId) => ({ userId, amount: '1' }));
  const answers = [{ error: refusal(400, 'USER_NOT_FOUND') }, { error: lost() }, record('PENDING')];
  const rig = rigOf({ order: { recipients }, answers });
  await rig.settle();
  expect(rig.states()).toEqual(['queued CONNECTION', 'accepted -']);
  expect(rig.situation.wait).toBe(1000);
});

describe('the reason of a refusal', () => {
  const reasonOf = async (service: object) => {
    const { rig } = await afterCallOf({
      error: Object.defineProperty(refusal(400), 'service', { value: service }),
    });
    return rig.situation.parts[0]?.reason;
  };

  it.each(['X', 'KYC2_NOT-DONE.YET', 'A'.repeat(60), 'ACCOUNT_123456'])('is its name: %s', async (name) => {
    expect(await reasonOf({ error: name })).toBe(name);
  });

  it.each([
    'A'.repeat(61),
    'ACCOUNT_1234567',
    'Ann OWES',
    'OWES Ann',
    'USER_',
    '_USER',
    'uSER',
    '1USER',
    'USER NOT_FOUND',
    7,
    null,
  ])('is never what may contain a value that was sent: %s', async (error) => {
    expect(await reasonOf({ error })).toBe('HTTP_400');
  });

  it.each([
    ['the name before the code', { error: 'A_NAME', code: 'ANOTHER_NAME' }, 'A_NAME'],
    ['a name in the code', { error: 'The payee is unknown', code: 'USER_UNKNOWN' }, 'USER_UNKNOWN'],
    ['a number', { code: 100_001 }, '100001'],
    ['a number of one digit', { code: 7 }, '7'],
    ['no number that is the status', { code: 400 }, 'HTTP_400'],
    ['no number that is the status, as text', { code: '400' }, 'HTTP_400'],
    ['no number that may be an account', { code: 1_234_567_890 }, 'HTTP_400'],
    ['no text with a number', { code: 'a12' }, 'HTTP_400'],
    ['no number with a text', { code: '12a' }, 'HTTP_400'],
  ])('is %s', async (_name, service, reason) => {
    expect(await reasonOf(service)).toBe(reason);
  });
});

describe('an attempt that nobody knows of', () => {
  it('is in doubt since it was stored, or since the first attempt in doubt', async () => {
    const rig = rigOf();
    await rig.step();
    rig.now = START + 5000;
    await rig.step(undefined, 'another');
    expect(rig.situation.parts[0]).toMatchObject({ phase: 'begin', due: START + 5000, doubtSince: START });
    await rig.step();
    rig.now = START + 9000;
    await rig.step(undefined, 'another');
    expect(rig.situation.parts[0]).toMatchObject({ begun: START + 5000, doubtSince: START });
  });

  it('leaves the reason of the failure before it, where it is not sent', async () => {
    const rig = rigOf();
    await rig.settle();
    rig.now += rig.situation.wait;
    await rig.step();
    rig.now += 60_000;
    await rig.step();
    expect(rig.states()).toEqual(['queued CONNECTION']);
    expect(rig.calls).toHaveLength(1);
  });
});
