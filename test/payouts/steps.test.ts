import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  beginPayout,
  callLost,
  checkPayouts,
  type PayoutOptions,
  type PayoutOrder,
  type PayoutSituation,
  payoutMessageOf,
  payoutSteps,
} from '../../src/payouts/index.ts';
import { whatToDoAbout } from '../../src/payouts/rules/advice.ts';
import { readBody } from '../../src/payouts/rules/body.ts';
import { proofOfError } from '../../src/payouts/rules/call-proof.ts';
import { settle } from '../../src/payouts/rules/person.ts';
import { REASONS } from '../../src/payouts/rules/reasons.ts';
import { otherResults } from '../../src/payouts/rules/recipients.ts';
import { rulesFrom } from '../../src/payouts/rules/rules.ts';
import { readSituation } from '../../src/payouts/rules/situation.ts';
import {
  ConfigurationError,
  ConflictError,
  ResponseMismatchError,
  ResponseValidationError,
} from '../../src/shared/errors/index.ts';
import { lost, order, type Rig, record, refusal, rigOf, START } from './rig.ts';

afterEach(() => vi.restoreAllMocks());

const situationOf = (more: Partial<PayoutOrder> = {}): PayoutSituation => {
  const [checked] = checkPayouts([order(more)]);
  if (checked === undefined) throw new Error('no order');
  return beginPayout(checked, { now: 0 });
};

/** Steps whose calls all end as told, with the calls that were made. */
function stepsOf(answer: () => object | Error, more: Partial<PayoutOptions> = {}) {
  const calls: unknown[] = [];
  const create = async (body: unknown) => {
    calls.push(body);
    const given = answer();
    if (given instanceof Error) throw given;
    return given;
  };
  const payments = { transfers: { create, createBatch: create } };
  const step = payoutSteps({ payments, onError: () => {}, ...more } as unknown as PayoutOptions);
  /** Stores an attempt, and sends it if it may be sent. */
  const pay = async (id: string) => {
    const begun = await step(situationOf({ id }));
    return begun.parts[0]?.phase === 'call' ? step(begun) : begun;
  };
  return { calls, step, pay };
}
const reasonOf = ({ parts }: PayoutSituation) => `${parts[0]?.state} ${parts[0]?.reason ?? '-'}`;

describe('payoutSteps', () => {
  it('pays, asks mayCall, and refuses options that do not exist', async () => {
    const transfers = {
      create: async () => record('COMPLETED').record,
      createBatch: async () => record('COMPLETED').record,
    };
    const options = { payments: { transfers }, mayCall: async () => 'cancel' } as unknown as Parameters<
      typeof payoutSteps
    >[0];
    const step = payoutSteps(options);
    const begun = situationOf();
    expect((await step(begun)).parts[0]?.state).toBe('cancelled');
    const paying = payoutSteps({ ...options, mayCall: async () => 'pay' });
    expect((await paying(await paying(begun))).parts[0]?.state).toBe('paid');
    expect(() => payoutSteps({ ...options, maxfailures: 3 } as never)).toThrow('Did you mean `maxFailures`?');
    expect(() => payoutSteps({ ...options, pause: { frst: 1 } } as never)).toThrow(
      '`pause`: `frst` is not an option',
    );
    for (const wrong of [{ quiet: 120 }, { keyLifetime: 24 }, { maxFailures: 0 }, { pause: { first: 1 } }])
      expect(() => payoutSteps({ ...options, ...wrong })).toThrow(ConfigurationError);
    expect(() => payoutSteps({ ...options, quiet: 120 })).toThrow(
      new ConfigurationError(
        'The options of `payoutSteps`: `quiet` must be a number of milliseconds from 1000 (a second) to 3153600000000, but is 120. For 120 seconds, write 120000.',
      ),
    );
    const limits = { quiet: 1000, look: 100, keyLifetime: 3_600_000, patience: 60_000 };
    const pause = { first: 100, most: 100, mostRetryAfter: 100 };
    expect(() => payoutSteps({ ...options, ...limits, maxFailures: 1, maxRefusals: 1, pause })).not.toThrow();
    const forty = 40 * 86_400_000;
    expect(() => payoutSteps({ ...options, keyLifetime: forty, patience: forty })).not.toThrow();
    expect(() => payoutSteps(undefined as never)).toThrow(
      new ConfigurationError('The options of `payoutSteps` must be an object, but are missing.'),
    );
  });

  it('pauses a payer whose balance is empty, and tries one call after the pause', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(START);
    const { calls, step, pay } = stepsOf(() => refusal(400, 'INSUFFICIENT_BALANCE'));
    expect(reasonOf(await pay('a'))).toBe('queued INSUFFICIENT_BALANCE');
    const waits = await pay('b');
    expect([reasonOf(waits), calls.length]).toEqual(['queued INSUFFICIENT_BALANCE', 1]);
    expect(waits.wait).toBeGreaterThanOrEqual(1000);
    vi.spyOn(Date, 'now').mockReturnValue(START + 10_000);
    const [tried, second] = await Promise.all(['c', 'd'].map((id) => step(situationOf({ id }))));
    if (tried === undefined || second === undefined) throw new Error('no steps');
    await step(tried);
    expect(reasonOf(await step(second))).toBe('queued INSUFFICIENT_BALANCE');
    expect(calls).toHaveLength(2);
  });

  it('holds a payer after maxRefusals, for as long as the process lives', async () => {
    const { calls, pay } = stepsOf(() => refusal(400, 'USER_NOT_FOUND'), { maxRefusals: 2 });
    await pay('a');
    await pay('b');
    expect(reasonOf(await pay('c'))).toBe('queued TOO_MANY_REFUSALS');
    expect(calls).toHaveLength(2);
  });

  it.each([
    ['wait', 'queued HELD'],
    ['cancel', 'cancelled CANCELLED'],
  ] as const)('asks mayCall, and obeys its %s without a call', async (may, state) => {
    const { calls, pay } = stepsOf(() => record('COMPLETED').record, { mayCall: async () => may });
    expect([reasonOf(await pay('a')), calls]).toEqual([state, []]);
  });

  it.each([
    ['an error', new TypeError('secret'), 'TypeError'],
    ['an error with a code', Object.assign(new Error('secret'), { code: 'ECONNRESET' }), 'Error ECONNRESET'],
    ['an error with a code that is no text', Object.assign(new Error('secret'), { code: 7 }), 'Error'],
    ['what is no error', 'secret', 'string'],
  ])('prints %s of a lookup by name and code, never by its message', async (_name, thrown, printed) => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const lookup = async () => Promise.reject(thrown);
    const { step, pay } = stepsOf(() => record('PENDING').record, { lookup, onError: undefined as never });
    const accepted = await pay('a');
    await step({ ...accepted, parts: accepted.parts.map((part) => ({ ...part, due: 0 })) });
    expect(print.mock.calls).toEqual([['payouts:', printed]]);
  });

  it('goes on where onError itself throws, and prints that it did', async () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {});
    const onError = () => {
      throw new RangeError('secret');
    };
    const { pay } = stepsOf(() => new Error('x'), { onError });
    expect(reasonOf(await pay('a'))).toBe('queued CALL_FAILED');
    expect(print.mock.calls).toEqual([['payouts: onError threw', 'RangeError']]);
  });
});

describe('what is stored and cannot be paid', () => {
  /** Takes the steps of a payout whose stored body is another one. */
  const withBody = async (body: string): Promise<Rig> => {
    const rig = rigOf({ answers: [record('COMPLETED')] });
    rig.situation = { ...rig.situation, parts: rig.situation.parts.map((part) => ({ ...part, body })) };
    await rig.settle();
    return rig;
  };

  it.each([
    ['no JSON', '{', 'rejected BODY_NOT_READABLE'],
    ['no body', '{"requestId":"x"}', 'rejected BODY_NOT_READABLE'],
    [
      'neither a transfer nor a batch',
      '{"requestId":"x","source":{},"destination":{"userId":"a"}}',
      'queued CALL_FAILED',
    ],
  ])('is not sent: %s', async (_name, body, state) => {
    const rig = await withBody(body);
    expect([rig.states(), rig.calls]).toEqual([[state], []]);
  });

  it('is not compared with a record that is heard of it', async () => {
    const rig = rigOf();
    await rig.settle();
    const [part] = rig.situation.parts;
    if (part === undefined) throw new Error('no payment');
    rig.situation = { ...rig.situation, parts: [{ ...part, body: '{' }] };
    await rig.step({
      type: 'record',
      record: { transferDetails: { id: 't1', requestId: part.requestId, status: 'COMPLETED' } },
    });
    expect(rig.states()).toEqual(['queued CONNECTION']);
    expect(rig.situation.notices).toMatchObject([{ detail: expect.stringContaining('body') }]);
  });
});

it('a call that an engine lost is in doubt since it began, or since it was due, and other payments stay', () => {
  const [part] = situationOf().parts;
  if (part === undefined) throw new Error('no payment');
  const called = { ...part, phase: 'call' as const, begun: null, due: START };
  const lostOnes = callLost({ ...situationOf(), parts: [called, { ...called, begun: START - 5 }, part] });
  expect(lostOnes.parts).toMatchObject([
    { phase: 'begin', doubtSince: START },
    { phase: 'begin', doubtSince: START - 5 },
    part,
  ]);
});

it('a step that an engine lost tells its news once', async () => {
  const rig = rigOf({ answers: [record('PENDING')] });
  await rig.settle();
  expect(rig.situation.news).toHaveLength(1);
  expect(callLost(rig.situation).news).toEqual([]);
});

it('a lookup whose record has no id is told of, and one that says nothing is not', async () => {
  for (const [shown, errors] of [
    [{ transferDetails: { status: 'COMPLETED' } }, 1],
    [undefined, 0],
  ] as const) {
    const rig = rigOf({ answers: [record('PENDING')], lookup: async () => shown });
    await rig.settle();
    rig.now += rig.situation.wait;
    await rig.step();
    expect([rig.states(), rig.errors.length]).toEqual([['accepted -'], errors]);
  }
});

describe('orders', () => {
  it.each([
    ['no list', 'orders', 'orders must be an array of orders. Nothing was enqueued.'],
    ['what is no order', [null], 'Payout number 1 must be an object, but is null. Nothing was enqueued.'],
    [
      'an order without a name',
      [order(), { ...order(), id: 7 }],
      'Payout number 2: `id` must be a non-empty string, but is a number. Nothing was enqueued.',
    ],
  ])('are refused as %s, before anything is stored', (_name, orders, message) => {
    expect(() => checkPayouts(orders as PayoutOrder[])).toThrow(message);
  });

  it('that cannot be read are refused by the field', () => {
    const broken = Object.defineProperty({ ...order() }, 'recipients', {
      enumerable: true,
      get: () => {
        throw new TypeError('broken');
      },
    });
    expect(() => checkPayouts([broken])).toThrow(
      '`recipients` cannot be read: its getter throws. Nothing was enqueued.',
    );
  });
});

describe('a person', () => {
  it.each([
    [
      'a state that is none',
      { state: 'done', by: 'Ada' },
      "`state` must be 'paid', 'rejected', 'expired' or 'cancelled'",
    ],
    ['paid without the transfer', { state: 'paid', by: 'Ada' }, 'transferId must name the transfer'],
    [
      'nobody',
      { state: 'paid', by: 1 },
      'The settlement: `by` must name the person who decides, but is a number',
    ],
    ['nothing', undefined, 'The settlement must be an object, but is missing.'],
  ])('is refused who says %s', (_name, settlement, message) => {
    const [part] = situationOf().parts;
    if (part === undefined) throw new Error('no payment');
    const said = () => settle(part, settlement as never, START, rulesFrom({}, false));
    expect(said).toThrow(message);
    expect(said).toThrow(/[.] Nothing was changed[.]$/);
  });

  it('who cancels leaves a call under way alone', async () => {
    const rig = rigOf({ answers: [record('COMPLETED')] });
    const begun = await rig.step();
    await rig.step({ type: 'cancel', by: 'Ada' });
    expect(rig.situation.parts).toEqual(begun.parts);
  });
});

it('messages that name no payment are notices, also without any name', async () => {
  const rig = rigOf();
  await rig.step({ type: 'wake' });
  await rig.step({ type: 'record', record: {} });
  expect(rig.situation.notices.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
    'MESSAGE_NOT_HEARD: no requestId',
  ]);
});

it('events keep whether a transfer or a recipient failed, and not why', () => {
  const data = {
    id: 't1',
    status: 'FAILED',
    failedReason: 'Ann has no account',
    recipients: [
      { userId: 'a', status: 'PENDING', failedReason: 'Ann has no account' },
      { userId: 'b', status: 'COMPLETED', failedReason: '' },
    ],
  };
  const heard = payoutMessageOf({ eventType: 'WALLET.TRANSFER.UPDATE', data });
  expect(JSON.stringify(heard)).not.toContain('Ann');
  expect(heard?.message).toMatchObject({
    record: {
      transferDetails: {
        failedReason: 'given',
        recipients: [
          { userId: 'a', status: 'FAILED' },
          { userId: 'b', status: 'COMPLETED' },
        ],
      },
    },
  });
});

describe('the recipients of a batch that was paid', () => {
  const body = JSON.parse(
    situationOf({ recipients: ['a', 'b'].map((userId) => ({ userId, amount: '1' })) }).parts[0]?.body ?? '',
  );
  const a = { userId: 'a', amount: 1, status: 'COMPLETED' };
  it.each([
    [
      'one under way',
      [a, { userId: 'b', amount: null, status: 'PENDING' }],
      ['undecided RECIPIENT_NOT_ENDED'],
    ],
    ['one that failed', [a, { userId: 'b', failedReason: 'x' }], ['rejected RECIPIENT_NOT_PAID']],
    ['no status that is known', [a, { userId: 'b', status: 'SUCCESS' }], []],
    [
      'one twice, with two results',
      [a, { ...a, status: 'FAILED' }, { userId: 'b', status: 'COMPLETED' }],
      ['undecided RECIPIENT_UNCLEAR'],
    ],
    ['a stranger that failed', [a, { userId: 'c', status: 'FAILED' }], ['undecided RECIPIENT_UNCLEAR']],
    ['what is no recipient', [a, 'b'], []],
  ])('are told apart: %s', (_name, recipients, results) => {
    expect(
      otherResults({ recipients }, body, [0, 1], 'paid').map(({ state, reason }) => `${state} ${reason}`),
    ).toEqual(results);
  });
});

it('a recipient of a batch that failed is not surely unpaid where its own status is not documented', () => {
  const recipients = ['a', 'b', 'c'].map((userId) => ({ userId, amount: '1' }));
  const body = JSON.parse(situationOf({ recipients }).parts[0]?.body ?? '');
  const shown = [{ userId: 'a', status: 'SUCCESS' }, { userId: 'b', status: 'FAILED' }, { userId: 'c' }];
  expect(otherResults({ recipients: shown }, body, [0, 1, 2], 'not-paid')).toEqual([
    { place: 0, state: 'undecided', reason: 'RECIPIENT_UNCLEAR' },
  ]);
});

describe('an error that lacks what it usually has', () => {
  const body = JSON.parse(situationOf().parts[0]?.body ?? '');
  const details = { status: 409, headers: new Headers(), body: {}, outcome: 'unknown' } as const;
  it.each([
    [
      'a known key without the name of the service',
      new ConflictError('x', { ...details, code: 'request_id_known', service: {} }),
      { kind: 'known' },
    ],
    [
      'a success without a body',
      new ResponseValidationError('x', { issues: [], body: 'x', outcome: 'succeeded' }),
      { kind: 'record', reading: undefined },
    ],
    ['a mismatch', new ResponseMismatchError('x', { path: '' }), { kind: 'record', reading: undefined }],
    [
      'a mismatch of the payer',
      new ResponseMismatchError('x', { path: 'transferDetails.source.userId' }),
      { kind: 'record', reading: undefined, differs: ['payer'] },
    ],
    ['no error of the client', new Error('x'), { kind: 'open', reason: 'CALL_FAILED', counts: true }],
    [
      'a number of the service',
      Object.defineProperty(refusal(400), 'service', { value: { code: 1234 } }),
      { kind: 'refused', reason: '1234' },
    ],
    [
      'a refusal without the fields of the service',
      Object.defineProperty(refusal(400), 'service', { value: undefined }),
      { kind: 'refused', reason: 'HTTP_400' },
    ],
    ['a lost response has no status', lost(), { kind: 'open', counts: true }],
  ])('proves no more than it says: %s', (_name, error, proof) => {
    expect(proofOfError(error, body, [0])).toMatchObject(proof);
  });
});

it.each([
  { source: {}, destination: {} },
  { requestId: 'r' },
  { requestId: 'r', source: {} },
  { requestId: 'r', destination: {} },
  7,
  null,
])('what is no body of a payment is not read as one: %j', (stored) => {
  expect(readBody(JSON.stringify(stored))).toBeUndefined();
});

it('a situation of an earlier release is filled up, and what it says stays', () => {
  const { split, notices, news, ...earlier } = situationOf();
  const [part] = earlier.parts;
  const { since, doubtSince, refusedKey, ...first } = { ...part, begun: START };
  const read = readSituation(JSON.stringify({ ...earlier, version: 0, parts: [first] }));
  expect(read).toMatchObject({ version: 1, split: [], notices: [], news: [] });
  expect(read.parts).toEqual([{ ...part, begun: START, doubtSince: START, refusedKey: true }]);
  expect([split, notices, news, since, doubtSince, refusedKey]).toEqual([[], [], [], 0, null, false]);
});

it.each([
  ['rejected', START, true],
  ['expired', START, true],
  ['rejected', undefined, true],
  ['rejected', null, false],
  ['paid', START, false],
  ['queued', START, false],
] as const)(
  'what an earlier release calls %s, called at %s, may have moved money: %s',
  (state, begun, may) => {
    const { mayHaveMoved, ...part } = situationOf().parts[0] ?? {};
    const text = JSON.stringify({ ...situationOf(), version: 0, parts: [{ ...part, state, begun }] });
    expect(readSituation(text).parts).toMatchObject([{ mayHaveMoved: may }]);
  },
);

describe('what to do', () => {
  const inNoNeed: readonly string[] = ['CANCELLED', 'KEY_KNOWN', 'SETTLED_BY_A_PERSON'];
  const notices = [
    ['RECIPIENT_NOT_PAID', 'RECIPIENT_NOT_ENDED', 'RECIPIENT_UNCLEAR', 'CONTRADICTION'],
    ['TRANSFER_AFTER_REJECTION', 'MESSAGE_NOT_HEARD', 'MESSAGE_NOT_READABLE', 'PERSON_NOT_HEARD'],
  ].flat();
  const undecided = Object.values(REASONS).filter((reason) => !inNoNeed.includes(reason));
  const later = 'Ask the service about the requestId, then settle it.';

  it.each([...undecided, ...notices])('about %s is said in sentences of its own', (code) => {
    const advice = whatToDoAbout(code);
    expect(advice).toMatch(/^[A-Z][^A-Z]{2}.*[a-z][.]$/);
    expect(advice).not.toBe(later);
    expect(advice).not.toMatch(/ {2}|[A-Z]{3}|refusals/);
  });

  it.each(undecided)('about a payment that is undecided as %s ends with settling it', (reason) => {
    expect(whatToDoAbout(reason)).toMatch(
      /ask the (?:service|approvers).* settle (?:it|each half)[.]|settles it/i,
    );
  });

  it('about a reason of a later release is to ask the service', () => {
    expect(whatToDoAbout('LATER')).toBe(later);
  });

  it('after a refusal names the option that may settle payments like it', () => {
    expect(whatToDoAbout('LATER', 'USER_CLOSED')).toMatch(
      /^Ask the service.* refused it as USER_CLOSED: .*refusals[.]sure/,
    );
  });
});
