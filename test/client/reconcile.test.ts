import { describe, expect, it } from 'vitest';
import { createEmulator } from '../../src/emulator/index.ts';
import { InvalidRequestError, reconcile, requestIdFrom } from '../../src/index.ts';
import { clientOf, failure } from './support.ts';

const row = (number: number) => ({
  requestId: requestIdFrom('invoice', number),
  amount: '25.50',
  destination: { userId: 'payee' },
});
const record = (number: number, details: object = {}) => ({
  transferDetails: {
    id: `t${number}`,
    requestId: requestIdFrom('invoice', number),
    amount: 25.5,
    ...details,
  },
});

describe('reconcile', () => {
  it('tells made, missing, extra and differing payments apart', async () => {
    const records = [
      record(1, { status: 'COMPLETED' }),
      record(2, { status: 'FAILED' }),
      record(3, { amount: 26 }),
      record(4, { destination: { userId: 'somebody else' } }),
      record(9),
      { transferDetails: { id: 't10' } },
      null,
    ];
    const result = await reconcile([1, 2, 3, 4, 5].map(row), records);
    expect(result.made.map(({ row: { requestId }, ended }) => [requestId, ended])).toEqual([
      [row(1).requestId, 'paid'],
      [row(2).requestId, 'not-paid'],
    ]);
    expect(result.missing).toEqual([row(5)]);
    expect(result.differs.map(({ paths, record: found }) => [found, paths])).toEqual([
      [records[2], ['amount']],
      [records[3], ['destination.userId']],
    ]);
    expect(result.extra).toEqual(records.slice(4));
  });

  it.each<[sent: number | string, shown: unknown, isSame: boolean]>([
    ['1.0', '1.00', true],
    ['01.5', 1.5, true],
    ['.5', 0.5, true],
    ['.50', '0.5', true],
    ['5.', 5, true],
    ['.', '.', false],
    [0.3, 0.1 + 0.2, true],
    ['0.000000000000000001', '0.000000000000000002', false],
    ['90071992547409.93', '90071992547409.94', false],
    ['9007199254740993.01', '9007199254740993.02', false],
    ['9007199254740993', '9007199254740992', false],
    ['1.00', '1,00', false],
    ['1.00', 'n/a', false],
    ['abc', 'abc', false],
    ['1.00', { value: 1 }, false],
    ['1.00', `1.${'0'.repeat(100_000)}1`, false],
    ['1.00', '', true],
    ['1.00', null, true],
  ])('compares the amount %s with %s as money', async (amount, shown, isSame) => {
    const { requestId } = row(1);
    const { differs } = await reconcile([{ requestId, amount }], [record(1, { amount: shown })]);
    expect(differs.flatMap(({ paths }) => paths)).toEqual(isSame ? [] : ['amount']);
  });

  const other = (paths: string, sent: unknown, shown: unknown) =>
    paths.split(' ').map((path) => ({ path, sent, shown }));

  it.each([
    ...other('amount source.amount destination.amount', 25, 26),
    ...other('currency source.currency destination.currency', 'usdc', 'usdt'),
    ...other('source.userId source.externalWalletId destination.userId destination.walletAddress', 'a', 'b'),
    ...other('destination.externalWalletId destination.accountId', 'a', 'b'),
  ])('compares $path', async ({ path, sent, shown }) => {
    const { requestId } = row(1);
    const at = (value: unknown): object =>
      Object(path.split('.').reduceRight((inner, name) => ({ [name]: inner }), value));
    const { differs } = await reconcile(
      [{ requestId, ...at(sent) }],
      [{ id: 't1', requestId, ...at(shown) }],
    );
    expect(differs.flatMap(({ paths }) => paths)).toEqual([path]);
  });

  it.each(['FAILED', 'CANCELLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'QUOTE_FAILED'])(
    'says that a payment that is %s moved no money',
    async (status) => {
      const { made } = await reconcile([row(1)], [record(1, { status })]);
      expect(made.map(({ ended }) => ended)).toEqual(['not-paid']);
    },
  );

  it('compares the total of a batch with the amount that its record shows', async () => {
    const { requestId } = row(1);
    const destination = {
      batch: [
        { userId: 'a', amount: '0.1' },
        { userId: 'b', amount: 0.2 },
      ],
    };
    for (const [amount, paths] of [
      ['0.30', []],
      [0.4, ['amount']],
    ] as const) {
      const { differs } = await reconcile([{ requestId, destination }], [record(1, { amount })]);
      expect(differs.flatMap((one) => one.paths)).toEqual(paths);
    }
  });

  it.each<[what: string, shown: object, paths: readonly string[]]>([
    [
      'the same recipients in another order',
      {
        destination: {
          batch: [
            { userId: 'b', amount: 2.5 },
            { userId: 'a', amount: '1.50' },
          ],
        },
      },
      [],
    ],
    [
      'the same recipients under another name',
      {
        recipients: [
          { userId: 'a', amount: 1.5 },
          { userId: 'b', amount: 2.5 },
        ],
      },
      [],
    ],
    [
      'another payee',
      {
        destination: {
          batch: [
            { userId: 'a', amount: 1.5 },
            { userId: 'c', amount: 2.5 },
          ],
        },
      },
      ['destination.batch'],
    ],
    [
      'another share',
      {
        destination: {
          batch: [
            { userId: 'a', amount: 2.5 },
            { userId: 'b', amount: 1.5 },
          ],
        },
      },
      ['destination.batch'],
    ],
    ['one recipient less', { recipients: [{ userId: 'a', amount: 1.5 }] }, ['destination.batch']],
    [
      'one recipient twice',
      {
        recipients: [
          { userId: 'a', amount: 1.5 },
          { userId: 'a', amount: 1.5 },
          { userId: 'b', amount: 2.5 },
        ],
      },
      ['destination.batch'],
    ],
    [
      'a list that does not say who gets how much',
      { recipients: [{ userId: 'a' }, { userId: 'c', amount: 2.5 }] },
      [],
    ],
    ['no list', {}, []],
  ])('compares the recipients of a batch: %s', async (_what, shown, paths) => {
    const record = { transferDetails: { requestId: row(1).requestId, ...shown } };
    const sent = {
      batch: [
        { userId: 'a', amount: '1.5' },
        { userId: 'b', amount: '2.5' },
      ],
    };
    const { differs } = await reconcile([{ requestId: row(1).requestId, destination: sent }], [record]);
    expect(differs.flatMap((one) => one.paths)).toEqual(paths);
  });

  it.each<[what: string, shown: readonly object[], paths: readonly string[]]>([
    [
      'the same wallets',
      [
        { walletAddress: '0xB', amount: 2 },
        { walletAddress: '0xA', amount: 1 },
      ],
      [],
    ],
    [
      'the same wallets, with the users that they belong to',
      [
        { userId: 'a', walletAddress: '0xa', amount: 1 },
        { userId: 'b', walletAddress: '0xb', amount: 2 },
      ],
      [],
    ],
    [
      'another wallet',
      [
        { walletAddress: '0xA', amount: 1 },
        { walletAddress: '0xC', amount: 2 },
      ],
      ['destination.batch'],
    ],
    [
      'no wallets',
      [
        { userId: 'a', amount: 1 },
        { userId: 'b', amount: 2 },
      ],
      [],
    ],
  ])('compares the wallets of a batch: %s', async (_what, batch, paths) => {
    const sent = {
      batch: [
        { walletAddress: '0xA', amount: '1' },
        { walletAddress: '0xB', amount: '2' },
      ],
    };
    const { requestId } = row(1);
    const { differs } = await reconcile(
      [{ requestId, destination: sent }],
      [record(1, { amount: 3, destination: { batch } })],
    );
    expect(differs.flatMap((one) => one.paths)).toEqual(paths);
  });

  it.each<[what: string, shown: readonly object[], paths: readonly string[]]>([
    [
      'the same payees',
      [
        { walletAddress: '0xW', amount: 2 },
        { userId: 'a', walletAddress: '0xa', amount: 1 },
      ],
      [],
    ],
    [
      'the wallets of all',
      [
        { walletAddress: '0xA', amount: 1 },
        { walletAddress: '0xW', amount: 2 },
      ],
      [],
    ],
    [
      'the users of all',
      [
        { userId: 'a', amount: 1 },
        { userId: 'w', amount: 2 },
      ],
      [],
    ],
    [
      'other payees',
      [
        { userId: 'b', amount: 1 },
        { walletAddress: '0xV', amount: 2 },
      ],
      ['destination.batch'],
    ],
    [
      'other shares',
      [
        { userId: 'a', amount: 2 },
        { walletAddress: '0xW', amount: 1 },
      ],
      ['destination.batch'],
    ],
    ['one payee less', [{ userId: 'a', amount: 1 }], ['destination.batch']],
    [
      'one payee more',
      [
        { userId: 'a', amount: 1 },
        { walletAddress: '0xW', amount: 2 },
        { walletAddress: '0xV', amount: 2 },
      ],
      ['destination.batch'],
    ],
  ])('compares the payees of a batch to a user and a wallet: %s', async (_what, batch, paths) => {
    const sent = {
      batch: [
        { userId: 'a', amount: '1' },
        { walletAddress: '0xW', amount: '2' },
      ],
    };
    const { requestId } = row(1);
    const { differs } = await reconcile(
      [{ requestId, destination: sent }],
      [record(1, { amount: 3, destination: { batch } })],
    );
    expect(differs.flatMap((one) => one.paths)).toEqual(paths);
  });

  it.each([
    ['COMPLETED', [{ status: 'COMPLETED' }, { status: 'COMPLETED', failedReason: null }], 'paid'],
    ['COMPLETED', [{}, {}], 'paid'],
    ['COMPLETED', [{ status: 'COMPLETED' }, { status: 'FAILED' }], 'check'],
    ['COMPLETED', [{}, { failedReason: 'the wallet is frozen' }], 'check'],
    ['FAILED', [{ status: 'FAILED' }, {}], 'not-paid'],
    ['FAILED', [{ status: 'FAILED' }, { status: 'completed' }], 'check'],
    ['CANCELLED', [{ status: 'COMPLETED' }, {}], 'check'],
    ['PENDING', [{ status: 'COMPLETED' }, {}], undefined],
  ])('says how a batch that is %s with the recipients %j ended', async (status, batch, ended) => {
    for (const details of [{ destination: { batch } }, { recipients: batch }]) {
      const { made } = await reconcile([row(1)], [record(1, { status, ...details })]);
      expect(made.map((one) => one.ended)).toEqual([ended]);
    }
  });

  it.each<[what: string, sent: object, shown: object, paths: readonly string[]]>([
    ['another coin', { currency: 'usdc' }, { currency: 'USDT' }, ['currency']],
    [
      'other money on one side',
      { source: { currency: 'usd' }, destination: { currency: 'usdc' } },
      { source: { currency: 'mxn' }, destination: { currency: 'usdc' } },
      ['source.currency'],
    ],
    ['the same coin in capitals', { currency: 'usdc' }, { currency: 'USDC' }, []],
    ['a name that is no code', { currency: 'usdc' }, { currency: 'USD Coin' }, []],
    ['no currency', { currency: 'usdc' }, { currency: null }, []],
  ])('compares the currencies: %s', async (_what, sent, shown, paths) => {
    const { requestId } = row(1);
    const { differs } = await reconcile([{ requestId, ...sent }], [{ id: 't1', requestId, ...shown }]);
    expect(differs.flatMap((one) => one.paths)).toEqual(paths);
  });

  it('finds a payment that was made twice', async () => {
    const { made, extra } = await reconcile([row(1)], [record(1), record(1, { id: 't2' })]);
    expect(made).toHaveLength(1);
    expect(extra).toHaveLength(1);
  });

  it('reads the key in any spelling, at the top, and from a list that is walked', async () => {
    async function* walk() {
      yield { id: 't1', requestId: row(1).requestId.toUpperCase(), amount: '25.5' };
    }
    expect((await reconcile([row(1)], walk())).made).toHaveLength(1);
  });

  it('refuses two rows of one key', async () => {
    expect(await failure(reconcile([row(1), row(1)], []))).toBeInstanceOf(InvalidRequestError);
  });

  it.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['undefined', '"undefined"'],
    [undefined, 'missing'],
    [7, 'a number'],
  ])('refuses a row of the key %j, which would match records without a key', async (requestId, flaw) => {
    const records = [{ transferDetails: { id: 't1', status: 'COMPLETED' } }];
    const error = await failure(reconcile([row(1), { requestId } as never], records));
    expect(error).toMatchObject({ code: 'invalid_request', field: 'requestId' });
    expect(error.message).toContain(`must be a UUID string, but is ${flaw}`);
  });

  it('agrees with the emulator', async () => {
    const emulator = createEmulator();
    const { userId } = emulator.createUser();
    const payments = clientOf(emulator.fetch, { retries: 0 });
    const params = { source: { userId }, destination: { userId }, currency: 'usdc', chain: 'POLYGON' };
    const rows = [1, 2].map((number) => ({ ...params, requestId: row(number).requestId, amount: number }));
    for (const one of rows.slice(0, 1)) await payments.transfers.create(one);
    const { made, missing, extra, differs } = await reconcile(rows, emulator.state().transfers);
    expect([made.length, missing.length, extra.length, differs.length]).toEqual([1, 1, 0, 0]);
  });
});
