import { describe, expect, it } from 'vitest';
import type { PayoutOrder } from '../../src/payouts/index.ts';
import { known, record, refusal, rigOf } from './rig.ts';

const batchOf = (...names: string[]): Partial<PayoutOrder> => ({
  recipients: names.map((userId) => ({ userId, amount: '1' })),
});

describe('the record of a transfer proves by its status alone', () => {
  const approval = (status: string) => ({ approval: { status } });
  it.each([
    ['APPROVED', {}, 'accepted -'],
    ['NOT_INITIATED', {}, 'accepted -'],
    ['CREATED', {}, 'accepted -'],
    ['INITIATED', {}, 'accepted -'],
    ['PENDING', {}, 'accepted -'],
    ['pending', {}, 'accepted -'],
    ['COMPLETED', {}, 'paid -'],
    ['FAILED', {}, 'rejected TRANSFER_FAILED'],
    ['DECLINED', {}, 'rejected TRANSFER_FAILED'],
    ['QUOTE_FAILED', {}, 'rejected TRANSFER_FAILED'],
    ['REJECTED', {}, 'rejected APPROVAL_REJECTED'],
    ['EXPIRED', {}, 'expired APPROVAL_EXPIRED'],
    ['CANCELLED', {}, 'rejected TRANSFER_CANCELLED'],
    ['CANCELED', {}, 'rejected TRANSFER_CANCELLED'],
    ['SETTLED', {}, 'accepted STATUS_NOT_DOCUMENTED'],
    ['', {}, 'accepted STATUS_NOT_DOCUMENTED'],
    // The approval counts where the transfer waits for it, or was cancelled.
    ['PENDING_APPROVAL', approval('PENDING'), 'awaiting_approval -'],
    ['PENDING_APPROVAL', approval('APPROVED'), 'awaiting_approval -'],
    ['PENDING_APPROVAL', approval('EXPIRED'), 'expired APPROVAL_EXPIRED'],
    ['PENDING_APPROVAL', approval('CANCELLED'), 'rejected TRANSFER_CANCELLED'],
    ['CANCELLED', approval('REJECTED'), 'rejected APPROVAL_REJECTED'],
    ['CANCELED', approval('EXPIRED'), 'expired APPROVAL_EXPIRED'],
    ['COMPLETED', approval('REJECTED'), 'paid -'],
    ['PENDING', approval('REJECTED'), 'accepted -'],
    ['FAILED', approval('EXPIRED'), 'rejected TRANSFER_FAILED'],
    ['NOT_CANCELLED', approval('EXPIRED'), 'accepted STATUS_NOT_DOCUMENTED'],
    ['CANCELLED_LATER', approval('EXPIRED'), 'accepted STATUS_NOT_DOCUMENTED'],
  ])('%s %j', async (status, more, state) => {
    const rig = rigOf({ answers: [record(status, more)] });
    await rig.settle();
    expect(rig.states()).toEqual([state]);
  });

  it.each([
    ['a number', 7],
    ['a list', ['t1']],
    ['an empty text', ''],
    ['a text that no database can store', 'a\u0000b'],
    ['a text of 201 characters', 'x'.repeat(201)],
  ])('and by an id that can be stored, not by %s', async (_name, id) => {
    const rig = rigOf({ answers: [record('COMPLETED', { id })] });
    await rig.settle();
    expect(rig.states()).toEqual(['accepted RESPONSE_WITHOUT_TRANSFER_ID']);
  });

  it('and by an id of 200 characters', async () => {
    const rig = rigOf({ answers: [record('COMPLETED', { id: 'x'.repeat(200) })] });
    await rig.settle();
    expect(rig.states()).toEqual(['paid -']);
  });
});

const completed = (userId: string, more: object = {}) => ({ userId, status: 'COMPLETED', ...more });
const failed = (userId: string, more: object = {}) => ({ userId, status: 'FAILED', ...more });

describe('a notice of the record of another payment names', () => {
  const wallet = { recipients: [{ walletAddress: '0xab', amount: '1' }] };
  const others = ['a', 'c'].map((userId) => ({ userId, amount: '1' }));
  it.each<[string, Partial<PayoutOrder>, object]>([
    ['payer', {}, { source: { userId: 'another' } }],
    ['payee', {}, { destination: { userId: 'another' } }],
    ['payee', wallet, { destination: { walletAddress: '0xcd' } }],
    ['recipients', batchOf('a', 'b'), { recipients: others }],
    // "of a batch the payees one by one, also where no amounts are shown, and as many as were sent"
    ['recipients', batchOf('a', 'b'), { recipients: [{ userId: 'a' }, { userId: 'c' }] }],
    ['recipients', batchOf('a', 'b'), { recipients: [completed('a')] }],
    ['recipients', batchOf('a', 'b'), { recipients: [completed('a'), completed('b', { amount: 2 })] }],
    ['currency', {}, { currency: 'eurc' }],
  ])('the %s', async (name, order, details) => {
    const rig = rigOf({ order, answers: [{ error: known() }] });
    await rig.settle();
    const requestId = rig.situation.parts[0]?.requestId;
    await rig.step({ type: 'record', record: record('COMPLETED', { requestId, ...details }).record });
    expect(rig.states()).toEqual(['accepted KEY_KNOWN']);
    expect(rig.situation.notices).toMatchObject([{ detail: `event: ${name}` }]);
  });
});

/** The results of a batch of a, b and so on, as its record shows them: `name state reason` of those that differ from it. */
async function resultsOf(status: string, recipients: unknown, order = batchOf('a', 'b'), more: object = {}) {
  const rig = rigOf({ order, answers: [record(status, { recipients, ...more })] });
  await rig.settle();
  const [part] = rig.situation.parts;
  expect(rig.errors).toEqual([]);
  expect(rig.situation.notices.map(({ kind, detail }) => `${kind} of ${detail}`)).toEqual(
    part?.others.map(({ place, reason }) => `${reason} of recipient ${place + 1}`),
  );
  return part?.others.map(({ place, state, reason }) => `${'abc'[place]} ${state} ${reason}`);
}

describe('a recipient of a batch that was paid', () => {
  const notEnded = 'b undecided RECIPIENT_NOT_ENDED';
  const notPaid = 'b rejected RECIPIENT_NOT_PAID';
  const unclear = 'b undecided RECIPIENT_UNCLEAR';
  it.each<[string, unknown, string[]]>([
    ['is paid with it', [completed('a'), completed('b')], []],
    ['is paid with it where no status is shown of it', [completed('a'), { userId: 'b' }], []],
    [
      'is paid with it where its status is not documented',
      [completed('a'), { userId: 'b', status: 'SUCCESS' }],
      [],
    ],
    ['is paid with it where its reason is empty', [completed('a'), { userId: 'b', failedReason: '' }], []],
    ['is paid with it where its reason is no text', [completed('a'), { userId: 'b', failedReason: 7 }], []],
    ['is not paid where it failed', [completed('a'), failed('b')], [notPaid]],
    ['is not paid where it has a reason', [completed('a'), { userId: 'b', failedReason: 'x' }], [notPaid]],
    [
      'has not ended where it is not initiated',
      [completed('a'), { userId: 'b', status: 'NOT_INITIATED' }],
      [notEnded],
    ],
    ['has not ended where it is created', [completed('a'), { userId: 'b', status: 'CREATED' }], [notEnded]],
    [
      'has not ended where it is initiated',
      [completed('a'), { userId: 'b', status: 'INITIATED' }],
      [notEnded],
    ],
    ['has not ended where it is pending', [completed('a'), { userId: 'b', status: 'PENDING' }], [notEnded]],
    [
      'has not ended where it waits for its approval',
      [completed('a'), { userId: 'b', status: 'PENDING_APPROVAL' }],
      [notEnded],
    ],
    ['is known whatever the form of its id', [completed('a'), failed('{B}')], [notPaid]],
    ['is known by its amount', [completed('a'), failed('b', { amount: '1.0' })], [notPaid]],
    ['is known without an amount', [completed('a'), failed('b', { amount: null })], [notPaid]],
    [
      'is unclear where a wallet failed',
      [completed('a'), { walletAddress: '0xB', status: 'FAILED' }],
      [unclear],
    ],
    [
      'is paid with it where a wallet is paid',
      [completed('a'), { walletAddress: '0xB', status: 'COMPLETED' }],
      [],
    ],
    [
      'is paid with it where another one failed beside a wallet that is paid',
      [failed('b'), { walletAddress: '0xA', status: 'COMPLETED' }],
      [notPaid],
    ],
    ['is paid with it where no recipients are shown', ['b', null], []],
    ['is paid with it where the list is none', 'b', []],
  ])('%s', async (_name, recipients, results) => {
    expect(await resultsOf('COMPLETED', recipients)).toEqual(results);
  });

  it('is told from one that looks alike by nothing', async () => {
    const alike = batchOf('b', 'b');
    expect(await resultsOf('COMPLETED', [completed('b'), failed('b')], alike)).toEqual([
      'a undecided RECIPIENT_UNCLEAR',
      unclear,
    ]);
    expect(await resultsOf('COMPLETED', [failed('b'), failed('b')], alike)).toEqual([
      'a rejected RECIPIENT_NOT_PAID',
      notPaid,
    ]);
  });

  it('is told from another payment of the same user by its amount', async () => {
    const recipients = ['1', '2'].map((amount) => ({ userId: 'b', amount }));
    const shown = [completed('b', { amount: '1.00' }), failed('b', { amount: 2 })];
    expect(await resultsOf('COMPLETED', shown, { recipients })).toEqual([notPaid]);
  });

  it('is unclear where one of two wallets failed', async () => {
    const wallets = ['COMPLETED', 'FAILED'].map((status, number) => ({
      walletAddress: `0x${number}`,
      status,
    }));
    expect(await resultsOf('COMPLETED', [completed('a'), ...wallets], batchOf('a', 'b', 'c'))).toEqual([
      unclear,
      'c undecided RECIPIENT_UNCLEAR',
    ]);
  });

  it('is known by its wallet, also where a record shows its user, too', async () => {
    const wallets = { recipients: ['0xa', '0xb'].map((walletAddress) => ({ walletAddress, amount: '1' })) };
    const shown = [
      { userId: 'u1', walletAddress: '0xA', status: 'COMPLETED' },
      { userId: 'u2', walletAddress: '0xB', status: 'FAILED' },
    ];
    expect(await resultsOf('COMPLETED', shown, wallets)).toEqual([notPaid]);
  });
});

describe('a recipient of a batch that was not paid', () => {
  const paid = 'a paid RECIPIENT_PAID';
  it.each<[string, string, object]>([
    ['was rejected', 'FAILED', {}],
    ['expired', 'PENDING_APPROVAL', { approval: { status: 'EXPIRED' } }],
  ])('is paid where its batch %s and its own status says so', async (_name, status, more) => {
    expect(await resultsOf(status, [completed('a'), failed('b')], undefined, more)).toEqual([paid]);
  });

  it('is unclear where its own status is not documented, and unpaid where it has none', async () => {
    const shown = [{ userId: 'a', status: 'SUCCESS' }, { userId: 'b' }];
    expect(await resultsOf('FAILED', shown)).toEqual(['a undecided RECIPIENT_UNCLEAR']);
  });
});

it('the recipients of a batch that is under way are not read', async () => {
  expect(await resultsOf('PENDING', [completed('a'), failed('b')])).toEqual([]);
});

it('recipients that the record of a single transfer shows are not read', async () => {
  const single = { recipients: [{ userId: 'a', amount: '1' }] };
  expect(await resultsOf('COMPLETED', [failed('a')], single)).toEqual([]);
});

it('a recipient of a later half has its place in the order', async () => {
  const halves = [record('COMPLETED'), record('COMPLETED', { recipients: [completed('c'), failed('d')] })];
  const rig = rigOf({
    order: batchOf('a', 'b', 'c', 'd'),
    answers: [{ error: refusal(400, 'USER_NOT_FOUND') }, ...halves],
  });
  await rig.settle();
  expect(rig.situation.parts[1]?.others).toMatchObject([{ place: 3, state: 'rejected' }]);
});
