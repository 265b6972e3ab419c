import { describe, expect, it } from 'vitest';
import { africaParams, usParams } from '../operations.ts';
import { type CallName, calls, having, paymentNames, payments, refused, sent } from './support.ts';

const recipient = 'destination.batch.1';
const shown = (path: string) => path.replace(/\.(\d+)/g, '[$1]');

describe('a required field', () => {
  const required: readonly [CallName, object, string][] = [
    ['onramp', payments.onramp, 'source.userId source.currency destination.currency destination.chain'],
    ['transfer', payments.transfer, 'source.userId currency chain'],
    ['batch', payments.batch, 'source.userId currency chain'],
    [
      'bridge',
      payments.bridge,
      'source.userId source.chain source.currency destination.chain destination.currency',
    ],
    ['offramp', payments.offramp, 'source.currency source.chain destination.currency destination.accountId'],
    ['account', usParams, 'rail type accountHolder.name us.bankName'],
    ['account', usParams, 'accountHolder.address.addressLine1 accountHolder.address.city'],
    ['account', usParams, 'accountHolder.address.stateProvinceRegion accountHolder.address.postalCode'],
    ['account', usParams, 'accountHolder.address.country us.accountNumber us.routingNumber'],
    ['account', africaParams, 'accountHolder.name africa.financialInstitute africa.currency africa.country'],
  ];
  const cases = required.flatMap(([call, params, paths]) =>
    paths.split(' ').map((path): [CallName, string, object] => [call, path, params]),
  );

  it.each(cases)('of a %s: %s', async (call, path, params) => {
    for (const [value, words] of [
      [undefined, 'but is missing'],
      [null, 'but is null'],
      ['', 'but is empty'],
      ['  ', 'but is empty'],
      [7, 'but is a number'],
      [['x'], 'but is an array'],
    ] as const) {
      const error = await refused(call, having(params, path, value));
      expect(error.field).toBe(path);
      expect(error.message).toContain('must be a non-empty string');
      expect(error.message).toContain(words);
    }
  });

  it('may be an object', async () => {
    for (const [call, params, field] of [
      ['transfer', payments.transfer, 'source'],
      ['transfer', payments.transfer, 'destination'],
      ['batch', payments.batch, 'destination'],
      ['account', usParams, 'accountHolder'],
      ['account', usParams, 'accountHolder.address'],
      ['account', usParams, 'us'],
      ['account', africaParams, 'africa'],
    ] as const)
      for (const value of [undefined, null, 7, [], 'text']) {
        const error = await refused(call, having(params, field, value));
        expect(error.field).toBe(field);
        expect(error.message).toContain(`\`${field}\` must be an object, but is`);
      }
  });

  it.each([undefined, null, 7, 'text', [], true, 1n, () => 1, new Date(0)])(
    'is not looked for in parameters that are no object: %s',
    async (params) => {
      for (const call of Object.keys(calls) as CallName[]) {
        const isOptional = !(call in payments) && call !== 'account';
        if (params === undefined && isOptional) continue;
        const error = await refused(call, params);
        expect(error.field).toBe('params');
        expect(error.message).toContain('the parameters must be an object, but are');
      }
    },
  );
});

describe('two alternatives', () => {
  const alternatives: readonly [CallName, object, string, string][] = [
    ['onramp', payments.onramp, 'source.amount', 'destination.amount'],
    ['onramp', payments.onramp, 'destination.userId', 'destination.externalWalletId'],
    ['transfer', payments.transfer, 'destination.userId', 'destination.walletAddress'],
    ['batch', payments.batch, `${recipient}.userId`, `${recipient}.walletAddress`],
    ['offramp', payments.offramp, 'source.amount', 'destination.amount'],
    ['offramp', payments.offramp, 'source.userId', 'source.externalWalletId'],
  ];

  it.each(alternatives)('of a %s: exactly one is given, %#', async (call, params, first, second) => {
    const value = first.endsWith('amount') ? 5 : 'x';
    const neither = having(having(params, first, undefined), second, undefined);
    expect(await refused(call, neither)).toMatchObject({ field: shown(first) });
    const both = await refused(call, having(having(params, first, value), second, value));
    expect(both.field).toBe(shown(second));
    expect(both.message).toContain('give only one of them');
    // Null is how a row of a database says that there is none.
    for (const none of [undefined, null]) {
      await sent(call, having(having(params, first, value), second, none));
      await sent(call, having(having(params, first, none), second, value));
    }
  });

  it('of a bridge may both be missing: it then arrives at the wallet of the payer', async () => {
    const { walletAddress: _address, ...destination } = payments.bridge.destination;
    await sent('bridge', { ...payments.bridge, destination });
    await sent('bridge', { ...payments.bridge, destination: { ...destination, userId: 'u2' } });
    const both = { ...payments.bridge.destination, userId: 'u2' };
    expect(await refused('bridge', { ...payments.bridge, destination: both })).toMatchObject({
      field: 'destination.walletAddress',
    });
  });

  it('of an account in the US may both be given', async () => {
    await sent('account', having(having(usParams, 'us.iban', 'GB1'), 'us.swiftCode', 'S'));
    for (const [first, second] of [
      ['us.accountNumber', 'us.iban'],
      ['us.routingNumber', 'us.swiftCode'],
    ] as const)
      expect((await refused('account', having(usParams, first, undefined))).message).toContain(
        `\`${second.slice(3)}\`; give one of them`,
      );
  });
});

describe('an amount', () => {
  const places: readonly [CallName, object, string][] = [
    ['onramp', payments.onramp, 'source.amount'],
    ['onramp', having(payments.onramp, 'source.amount', undefined), 'destination.amount'],
    ['transfer', payments.transfer, 'amount'],
    ['batch', payments.batch, `${recipient}.amount`],
    ['bridge', payments.bridge, 'amount'],
    ['offramp', payments.offramp, 'source.amount'],
    ['offramp', having(payments.offramp, 'source.amount', undefined), 'destination.amount'],
  ];
  // The last ones stand for other numbers than the ones that were written.
  const wrong = [0, -0.01, Number.NaN, Number.POSITIVE_INFINITY, true, [1], {}, 10n, '', 'ten', '-1', '1e3'];
  const inexact = [Number('9999999999.999999'), 0.1 + 0.2, 2 ** 53, 1 + Number.EPSILON];

  it.each(places)('of a %s is finite and above 0, %#', async (call, params, path) => {
    for (const value of [...wrong, ...inexact])
      expect(await refused(call, having(params, path, value))).toMatchObject({ field: shown(path) });
    for (const value of inexact) {
      const { message } = await refused(call, having(params, path, value));
      expect(message).toContain('at most 15 significant digits; round it');
      expect(message).not.toContain(String(value));
    }
    // *Amounts*: "plain digits (…; not `.5`, `5.`, `00.1`, `1e21`)".
    expect((await refused(call, having(params, path, 1e21))).message).toContain('without an exponent');
    // *Amounts*: "Sent is what the spec shows (a JSON number; text in batches), with the same value."
    for (const value of [0.01, 25, 1e15, 123456789.123456, 999999999999.999]) {
      const form = call === 'batch' ? String(value) : value;
      expect(await sent(call, having(params, path, value))).toEqual(having(params, path, form));
    }
  });

  // *Amounts*: "a number or a decimal string everywhere".
  it.each(places)('of a %s is a decimal string, too, %#', async (call, params, path) => {
    for (const value of ['0.01', '1', '25.50']) {
      const form = call === 'batch' ? value : Number(value);
      expect(await sent(call, having(params, path, value))).toEqual(having(params, path, form));
    }
    for (const value of ['.5', '25.', '0012.50', '0', '0.00', '.', '1,5', '1_000', ' 1', '0x1', 'NaN'])
      await refused(call, having(params, path, value));
  });

  // As the libraries for decimals write themselves: as text, or with their inner fields.
  class Decimal {
    readonly digits = [5];
    toNumber = () => 5;
    toString = () => '5';
  }
  class SelfWriting extends Decimal {
    toJSON = () => '5e-7';
  }

  it.each([new Decimal(), new SelfWriting()])(
    'that is a decimal object is refused with the remedy: %#',
    async (value) => {
      // Methods of prototypes, as in the libraries.
      const amount = Object.assign(Object.create({ toJSON: Reflect.get(value, 'toJSON') }), { digits: [5] });
      for (const [call, params, path] of places) {
        const error = await refused(call, having(params, path, amount));
        expect(error.field).toBe(shown(path));
        expect(error.message).toContain(call === 'batch' ? '`.toString()`' : '`.toNumber()`');
      }
    },
  );

  it('of 50,000 characters holds no process', async () => {
    const from = performance.now();
    for (const value of [`${'0'.repeat(50_000)}!`, `${'0'.repeat(50_000)}1`, `1.${'0'.repeat(50_000)}!`])
      await Promise.allSettled([refused('batch', having(payments.batch, `${recipient}.amount`, value))]);
    // Backtracking takes many seconds.
    expect(performance.now() - from).toBeLessThan(5_000);
  });
});

describe('an idempotency key', () => {
  it.each(paymentNames)('of a %s is a UUID', async (call) => {
    for (const key of [
      null,
      '',
      ' ',
      7,
      {},
      'invoice-42',
      'undefined',
      '6fa459ea-ee8a-4ca4-894e',
      `${payments.transfer.requestId} `,
    ]) {
      const error = await refused(call, { ...payments[call], requestId: key });
      expect(error.field).toBe('requestId');
      expect(error.message).toContain('must be a UUID');
      expect(error.message).toContain("requestIdFrom('invoice', id)");
    }
    for (const key of ['6FA459EA-EE8A-4CA4-894E-DB77E160355E', '00000000-0000-7000-8000-000000000001'])
      expect(await sent(call, { ...payments[call], requestId: key })).toMatchObject({ requestId: key });
  });

  it.each(paymentNames)(
    'of a %s may be left out, but not be undefined: a misspelled column',
    async (call) => {
      const { requestId: _own, ...params } = payments[call];
      expect(await sent(call, params)).toEqual({
        ...params,
        requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      });
      const error = await refused(call, { ...params, requestId: undefined });
      expect(error.field).toBe('requestId');
      expect(error.message).toContain('`requestIdFrom');
    },
  );
});

describe('a limit', () => {
  it.each([0, 101, -1, 1.5, '20', null, []])('of %j records a page is not sent', async (limit) => {
    for (const call of ['approvals', 'accounts'] as const) {
      const error = await refused(call, { limit });
      expect(error.field).toBe('limit');
      expect(error.message).toContain('must be a whole number from 1 to 100');
    }
  });

  it('of wallets a page is in no documentation', async () => {
    expect((await refused('wallets', { limit: 0 })).message).toContain('must be a whole number from 1 on');
    expect(await refused('wallets', { cursor: '' })).toMatchObject({ field: 'cursor' });
    await sent('wallets', { limit: 1_000 });
  });

  it('of an offset is 0', async () => {
    for (const offset of [-1, 0.5, '0'])
      expect(await refused('approvals', { offset })).toMatchObject({ field: 'offset' });
    await sent('approvals', { limit: 100, offset: 12_345 });
  });

  it('of a comment is 1000 characters, a pair of surrogates being one', async () => {
    for (const call of ['approve', 'reject'] as const) {
      for (const comment of ['x'.repeat(1001), 7, null])
        expect((await refused(call, { comment })).message).toContain(
          '`comment` must be a string of at most 1000',
        );
      for (const comment of ['😀'.repeat(1000), ''])
        expect(await sent(call, { comment })).toEqual({ comment });
    }
  });

  it('of a batch is 50 recipients', async () => {
    const of = (count: number) =>
      having(payments.batch, 'destination.batch', Array(count).fill({ userId: 'u', amount: '1' }));
    expect((await refused('batch', of(51))).message).toContain(
      'must be a list of from 1 to 50 recipients, but has 51',
    );
    expect(await refused('batch', of(0))).toMatchObject({ field: 'destination.batch' });
    await sent('batch', of(50));
  });
});

describe('other rules', () => {
  it('requireApproval is true or false', async () => {
    for (const call of ['transfer', 'batch', 'bridge', 'offramp'] as const)
      for (const requireApproval of ['true', 1, null])
        expect((await refused(call, { ...payments[call], requireApproval })).message).toContain(
          '`requireApproval` must be true or false, but is',
        );
  });

  it.each(['ugx', 'KES', 'ngn', 'zar'])('an onramp in %s needs a registered account', async (currency) => {
    const params = having(payments.onramp, 'source.currency', currency);
    expect((await refused('onramp', params)).message).toContain(
      '`source.accountId` is missing: African currencies need an active account',
    );
    await sent('onramp', having(params, 'source.accountId', 'a1'));
  });

  it.each([
    [usParams, 'accountHolder.type', "'individual' or 'business'"],
    [usParams, 'us.transferType', "'ach' or 'wire' or 'swift'"],
    [usParams, 'us.accountType', "'checking' or 'savings'"],
    [usParams, 'us.currency', "'usd'"],
    [africaParams, 'africa.accountType', "'momo' or 'bank'"],
  ])('an account has known values, in any case: %#', async (params, path, values) => {
    const error = await refused('account', having(params, path, 'other'));
    expect(error.message).toContain(`\`${path}\` must be ${values}`);
    const word = values.replace(/'(\w+)'.*/, '$1').toUpperCase();
    await sent('account', having(params, path, word));
  });

  it('an account has the details of its own region alone', async () => {
    expect((await refused('account', { ...usParams, africa: africaParams.africa })).message).toContain(
      "`africa` does not go with `type: 'us'`",
    );
    for (const type of ['us', 'africa', 'brazil', 'mexicoGlobalNetwork', 'chinaGlobalNetwork'])
      expect(await refused('account', { rail: 'offramp', type })).toMatchObject({ field: type });
  });
});
