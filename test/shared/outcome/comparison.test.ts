import { describe, expect, it } from 'vitest';
import { recipientsIn } from '../../../src/shared/outcome/batch.ts';
import { detailsOf, mismatchesOf, otherIdentityIn, requestIdOf } from '../../../src/shared/outcome/record.ts';
import { plainId } from '../../../src/shared/values.ts';

/** The first field in which a record shows another payment. */
const differsFrom = (record: unknown, sent: unknown) => mismatchesOf(sent, detailsOf(record))[0];

const key = '5f0e1b1e-6f0a-4a51-9c55-2f3a4b5c6d7e';

/** Writes a value at a path such as `source.userId`. */
const at = (path: string, value: unknown): object =>
  Object(path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value));

/** The three forms in which services return records. */
const forms = (details: object): readonly unknown[] => [
  details,
  { transferType: 'WALLET.TRANSFER', transferDetails: details },
  { transferDetails: { ...details, status: 'COMPLETED', createdAt: '2026-01-01T00:00:00Z' } },
];

describe('a record of another payment', () => {
  it.each([
    ['requestId', key, '00000000-0000-4000-8000-000000000000'],
    // "*Shown* is a non-empty text or a number."
    ['requestId', key, 7],
    ['source.userId', 'alice', 7],
    ['amount', 25, 26],
    ['amount', 25, '25.01'],
    ['source.amount', 100, 99.5],
    ['destination.amount', '0.1', '0.2'],
    ['currency', 'usdc', 'usdt'],
    ['currency', 'test-coin-a', 'test-coin-b'],
    ['source.currency', 'usd', 'mxn'],
    ['destination.currency', 'usdc', 'USDT'],
    ['source.userId', 'alice', 'bob'],
    ['source.accountId', 'a1', 'a2'],
    ['source.externalWalletId', 'w1', 'w2'],
    ['destination.userId', 'alice', 'bob'],
    ['destination.walletAddress', '0xA', '0xB'],
    ['destination.externalWalletId', 'w1', 'w2'],
    ['destination.accountId', 'a1', 'a2'],
  ])('is found by its %s: %s sent, %s shown', (path, sent, shown) => {
    for (const record of forms(at(path, shown))) expect(differsFrom(record, at(path, sent))).toBe(path);
  });

  it.each([
    ['requestId', key, key.toUpperCase()],
    ['requestId', key, `{${key.replaceAll('-', '')}}`],
    ['requestId', key, `urn:uuid:${key}`],
    ['requestId', key, null],
    ['requestId', key, ''],
    ['amount', 25, '25.00'],
    ['amount', '1.0', '1.00'],
    ['amount', '01.5', 1.5],
    ['amount', '.50', '0.5'],
    ['amount', '5.', 5],
    ['amount', 0.3, 0.1 + 0.2],
    ['amount', 25, null],
    ['amount', 25, ''],
    ['amount', 25, 'N/A'],
    ['amount', 25, '25,00'],
    ['amount', 25, { value: 26 }],
    ['amount', undefined, 26],
    ['currency', 'usdc', 'USDC'],
    ['currency', 'usdc', ''],
    // JSON.parse reads 1e400 as infinite.
    ['amount', 25, Number.POSITIVE_INFINITY],
    // JSON.parse reads several ids as this number.
    ['source.userId', '9007199254740993', 2 ** 53],
    // Payers and payees stand in `source` and `destination`.
    ['userId', 'alice', 'bob'],
    ['currency', 'usdc', { code: 'usdt' }],
    ['source', { userId: 'alice' }, null],
    ['source.userId', 'alice', 'ALICE'],
    ['source.userId', 'alice', ''],
    ['source.userId', '', 'alice'],
    ['amount', Number.POSITIVE_INFINITY, 25],
    ['destination.userId', 'alice', null],
    ['destination.walletAddress', '0xAbC', '0xaBc'],
    ['destination', { userId: 'alice' }, { walletAddress: '0xA' }],
    ['chain', 'POLYGON', 'POLYGON_MAINNET'],
    ['purposeOfPayment', 'gift', 'other'],
  ])('is not proved by its %s: %s sent, %s shown', (path, sent, shown) => {
    for (const record of forms(at(path, shown))) expect(differsFrom(record, at(path, sent))).toBeUndefined();
  });

  it.each([
    ['0.000000000000000001', '0.000000000000000002'],
    ['90071992547409.93', '90071992547409.94'],
    ['9007199254740993', '9007199254740992'],
  ])('is found by a decimal that no number can hold: %s sent, %s shown', (sent, shown) => {
    expect(differsFrom({ amount: shown }, { amount: sent })).toBe('amount');
  });

  it('is not proved by an amount where a fee was sent', () => {
    const sent = { amount: 25, source: { amount: 25, userId: 'alice' }, fee: { type: 'FIX', value: 1 } };
    const record = { amount: 26, source: { amount: 26, userId: 'alice' } };
    expect(differsFrom(record, sent)).toBeUndefined();
    expect(differsFrom(record, { ...sent, fee: null })).toBe('amount');
    expect(differsFrom({ ...record, source: { userId: 'bob' } }, sent)).toBe('source.userId');
  });

  it('is told by all fields that differ', () => {
    const sent = { requestId: key, amount: 1, currency: 'usdc', destination: { userId: 'alice' } };
    const record = { amount: 2, currency: 'usdt', destination: { userId: 'bob' } };
    expect(mismatchesOf(sent, record)).toEqual(['amount', 'currency', 'destination.userId']);
  });

  it.each([undefined, null, 'text', 7, [], [{ amount: 26 }]])('is not proved by %j', (value) => {
    expect(differsFrom(value, { amount: 25 })).toBeUndefined();
    expect(differsFrom({ amount: 26 }, value)).toBeUndefined();
    expect(differsFrom({ transferDetails: value }, { amount: 25 })).toBeUndefined();
  });
});

describe('a record of another batch', () => {
  const user = (userId: string, amount: unknown) => ({ userId, amount });
  const wallet = (walletAddress: string, amount: unknown) => ({ walletAddress, amount });
  const sent = (...batch: readonly object[]) => ({ destination: { batch } });
  const [a, b] = [user('a', '1.5'), user('b', '2.5')];

  it.each<[what: string, shown: readonly object[]]>([
    ['the recipients in another order', [user('B', 2.5), user('a', '1.50')]],
    ['users with their wallets', [{ ...a, ...wallet('0xA', 1.5) }, b]],
    ['wallets for users', [wallet('0xA', 1.5), wallet('0xB', 2.5)]],
    ['a recipient without an amount', [{ userId: 'a' }, user('b', 2.5)]],
    ['recipients without amounts', [{ userId: 'b' }, { walletAddress: '0xA' }]],
    ['amounts without recipients', [{ amount: 2.5 }, { amount: 1.5 }]],
    ['a wallet beside one with an amount', [wallet('0xA', 1.5), { walletAddress: '0xB' }]],
    ['recipients that show nothing', [{}, null as never]],
    ['an amount that cannot be compared', [user('a', 'N/A'), b]],
    ['an empty list', []],
  ])('is not proved by %s', (_what, batch) => {
    for (const shown of [{ destination: { batch } }, { recipients: batch }])
      for (const record of forms(shown)) expect(differsFrom(record, sent(a, b))).toBeUndefined();
  });

  it.each<[what: string, shown: readonly object[]]>([
    ['another payee', [a, user('c', 2.5)]],
    ['another share', [user('a', 2.5), user('b', 1.5)]],
    ['one recipient less', [a]],
    ['one recipient twice', [a, a]],
    ['one recipient more', [a, b, b]],
    ['another payee with its wallet', [a, { ...user('c', 2.5), ...wallet('0xC', 2.5) }]],
    ['another payee among wallets', [wallet('0xA', 1.5), user('c', 2.5)]],
    // "of a batch the payees one by one, also where no amounts are shown, and as many as were sent"
    ['another payee without an amount', [{ userId: 'a' }, { userId: 'c' }]],
    ['another payee beside one without an amount', [{ userId: 'a' }, user('c', 2.5)]],
    ['one payee twice without amounts', [{ userId: 'a' }, { userId: 'a' }]],
    ['one recipient less without an amount', [{ userId: 'a' }]],
    ['one recipient more that shows nothing', [a, b, {}]],
    ['another amount of a wallet', [wallet('0xA', 9), wallet('0xB', 2.5)]],
  ])('is found by %s', (_what, batch) => {
    for (const shown of [{ destination: { batch } }, { recipients: batch }])
      for (const record of forms(shown)) expect(differsFrom(record, sent(a, b))).toBe('destination.batch');
  });

  it('is found by another wallet, beside a user', () => {
    const wanted = sent(user('a', '1'), wallet('0xW', '2'));
    const shown = (...batch: readonly object[]) => ({ destination: { batch } });
    expect(differsFrom(shown(wallet('0xw', 2), user('a', 1)), wanted)).toBeUndefined();
    expect(differsFrom(shown(wallet('0xV', 2), user('a', 1)), wanted)).toBe('destination.batch');
    // Without amounts, too: the user is shown, so the other one is no wallet of it.
    const payees = [{ walletAddress: '0xV' }, { userId: 'a' }];
    for (const batch of [payees, payees.toReversed()])
      expect(differsFrom({ destination: { batch } }, wanted)).toBe('destination.batch');
  });

  it('is not proved where each recipient fits one that was sent, whatever the order', () => {
    const wanted = sent(user('a', '1'), user('a', '2'), user('a', '3'), wallet('0xW', '4'));
    const batch = [{ userId: 'a' }, user('a', 2), user('a', 1), { userId: 'u' }];
    for (const turn of batch.keys()) {
      const turned = [...batch.slice(turn), ...batch.slice(0, turn)];
      expect(differsFrom({ destination: { batch: turned } }, wanted)).toBeUndefined();
      const other = turned.map((one) => (one.userId === 'u' ? user('u', 3) : one));
      expect(differsFrom({ destination: { batch: other } }, wanted)).toBe('destination.batch');
    }
  });

  it('is found by another payee where a fee was sent, whatever the amounts', () => {
    const wanted = { ...sent(a, b), fee: { type: 'FIX', value: 1 } };
    expect(differsFrom({ destination: { batch: [user('a', 2), user('b', 3)] } }, wanted)).toBeUndefined();
    expect(differsFrom({ destination: { batch: [a, user('c', '2.5')] } }, wanted)).toBe('destination.batch');
  });

  it('is found by another total', () => {
    const wanted = sent(user('a', '0.1'), user('b', 0.2));
    expect(differsFrom({ amount: '0.30' }, wanted)).toBeUndefined();
    expect(differsFrom({ amount: 0.4 }, wanted)).toBe('amount');
    expect(differsFrom({ amount: 0.2 }, wanted)).toBe('amount');
    for (const shown of [null, 'N/A', { value: 1 }])
      expect(differsFrom({ amount: shown }, wanted)).toBeUndefined();
  });

  it('is not found by a total that differs in the last digit for each recipient', () => {
    const wanted = sent(user('a', '0.5'), user('b', '0.5'));
    expect(differsFrom({ amount: 1 + 2 * Number.EPSILON }, wanted)).toBeUndefined();
    expect(differsFrom({ amount: 1 + 3 * Number.EPSILON }, wanted)).toBe('amount');
  });
});

describe('the echoes of a path', () => {
  const echoes = { userId: ['userId', '[].userId', '*.[].userId'], accountId: ['id', 'accountId'] };
  const path = { userId: 'u-1', accountId: 'a1' };

  it.each<[body: unknown, other: string | undefined]>([
    [{ userId: 'U1', id: 'a1' }, undefined],
    [{}, undefined],
    [null, undefined],
    [{ userId: 'u2' }, 'userId'],
    [{ userId: null, id: '' }, undefined],
    // One of the values must be the one that was sent.
    [{ id: 'x', accountId: 'a1' }, undefined],
    [{ id: 'a1', accountId: 'x' }, undefined],
    [{ id: 'x', accountId: 'y' }, 'id'],
    [{ id: null, accountId: 'y' }, 'accountId'],
    [{ id: 'x', accountId: null }, 'id'],
    [{ id: 7 }, 'id'],
    // Of a list each must be.
    [[{ userId: 'u1' }, { userId: 'u2' }], '[].userId'],
    [[{ userId: 'u1' }, {}, 7], undefined],
    [{ wallets: [{ userId: 'u1' }, { userId: 'u2' }] }, '*.[].userId'],
    [{ userId: 'u1', wallets: [{ userId: 'u2' }] }, '*.[].userId'],
    [{ wallets: { first: { userId: 'u2' } } }, undefined],
    [[[{ userId: 'u2' }]], undefined],
    [Object.create({ userId: 'u2' }), undefined],
  ])('in %j show another one at %s', (body, other) => {
    expect(otherIdentityIn(body, echoes, path)).toBe(other);
  });

  it('below a record must each be the one that was sent', () => {
    const body = { first: { userId: 'u1' }, second: { userId: 'u2' } };
    expect(otherIdentityIn(body, { userId: ['*.userId'] }, path)).toBe('*.userId');
  });

  it('may be the items of a list', () => {
    for (const [userIds, other] of [
      [['u1'], undefined],
      [['u1', 'u2'], 'userIds.[]'],
      ['u2', undefined],
    ])
      expect(otherIdentityIn({ userIds }, { userId: ['userIds.[]'] }, path)).toBe(other);
  });

  it('are not looked for where nothing was sent', () => {
    for (const sent of [undefined, {}])
      expect(otherIdentityIn({ userId: 'u2' }, echoes, sent)).toBeUndefined();
  });
});

describe('the key of a record', () => {
  it.each<[record: unknown, id: string | undefined]>([
    [{ requestId: 'r1' }, 'r1'],
    [{ transferDetails: { requestId: 'r1' } }, 'r1'],
    [{ requestId: 'r2', transferDetails: { requestId: 'r1' } }, 'r1'],
    [{ requestId: 'r2', transferDetails: { id: 't1' } }, 'r2'],
    [{ requestId: '' }, undefined],
    [{ requestId: 7 }, undefined],
    [{}, undefined],
    ['r1', undefined],
  ])('%j is %s', (record, id) => {
    expect(requestIdOf(record)).toBe(id);
  });
});

it.each([
  ['A1', 'a1'],
  ['{a-1}', 'a1'],
  [' a 1 ', 'a1'],
  [' urn:uuid:a-1', 'a1'],
  ['x:urn:uuid:a1', 'x:urn:uuid:a1'],
])('an id is compared in one form: %j', (id, plain) => {
  expect(plainId(id)).toBe(plain);
});

it('a record without recipients shows none', () => {
  for (const details of [undefined, {}, { recipients: 'a' }, { destination: { batch: {} } }])
    expect(recipientsIn(details)).toEqual([]);
});
