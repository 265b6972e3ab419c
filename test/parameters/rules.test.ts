import type { InvalidRequestError } from 'stablecoin-payments';
import { describe, expect, it } from 'vitest';
import {
  checkBatch,
  checkBridge,
  checkOfframp,
  checkPayment,
  checkSpelling,
  isAfricanCurrency,
} from '../../src/resources/checks/payments.ts';
import {
  checkEither,
  checkParams,
  oneOf,
  optional,
  ownParams,
  positiveAmount,
  positiveDecimal,
  readParams,
  requiredObject,
  requiredText,
  text,
  textUpTo,
  trueOrFalse,
  wholeNumber,
} from '../../src/resources/checks/rules.ts';
import { valueAt } from '../../src/shared/values.ts';

/** The field and the words of a problem, without its end, which is always the same. */
function told(problem: InvalidRequestError | undefined): [field: unknown, words: string] | undefined {
  if (problem === undefined) return undefined;
  expect(problem).toMatchObject({ outcome: 'not-sent' });
  expect(problem.message).toMatch(/[.?] Nothing was sent\.$/);
  return [
    problem.field,
    problem.message.replace(/([.?]) Nothing was sent\.$/, (_all, end) => (end === '?' ? '?' : '')),
  ];
}

describe('a rule of one field', () => {
  it.each<[string, (value: unknown) => string | undefined, unknown, string | undefined]>([
    ['text', requiredText, 'x', undefined],
    ['text', requiredText, ' ', 'must be a non-empty string, but is empty'],
    ['text', requiredText, 7, 'must be a non-empty string, but is a number'],
    ['text', requiredText, undefined, 'must be a non-empty string, but is missing'],
    ['any text', text, '', undefined],
    ['any text', text, null, 'must be a string, but is null'],
    ['an object', requiredObject, {}, undefined],
    ['an object', requiredObject, [], 'must be an object, but is an array'],
    ['an amount', positiveAmount, 0.01, undefined],
    ['an amount', positiveAmount, 0, 'must be above 0'],
    ['an amount', positiveAmount, -1, 'must be above 0'],
    ['an amount', positiveAmount, '1', 'must be a finite number above 0, but is a string'],
    ['an amount', positiveAmount, Number.NaN, 'must be a finite number above 0, but is NaN'],
    [
      'an amount',
      positiveAmount,
      Number.POSITIVE_INFINITY,
      'must be a finite number above 0, but is infinite',
    ],
    ...['1', '0.01', '.5', '.55', '5.', '10.00', '007'].map(
      (value): [string, typeof positiveDecimal, unknown, undefined] => [
        'a decimal',
        positiveDecimal,
        value,
        undefined,
      ],
    ),
    ...['', '1e5', '-1', '+1', '1,000', ' 1', '1 ', '.', '1.2.3', 'x1', '1x', '0x1'].map(
      (value): [string, typeof positiveDecimal, unknown, string] => [
        'a decimal',
        positiveDecimal,
        value,
        "must be a finite number above 0, or a decimal string such as '0.01'",
      ],
    ),
    ['a decimal', positiveDecimal, '0.00', 'must be above 0'],
    ['a decimal', positiveDecimal, 5, undefined],
    ['a decimal', positiveDecimal, 0, 'must be above 0'],
    ['a decimal', positiveDecimal, true, 'must be a finite number above 0, but is a boolean'],
    ['a choice', trueOrFalse, true, undefined],
    ['a choice', trueOrFalse, false, undefined],
    ['a choice', trueOrFalse, 'true', 'must be true or false, but is a string'],
    ['a whole number', wholeNumber(1, 100), 1, undefined],
    ['a whole number', wholeNumber(1, 100), 100, undefined],
    ['a whole number', wholeNumber(1, 100), 0, 'must be a whole number from 1 to 100'],
    ['a whole number', wholeNumber(1, 100), 101, 'must be a whole number from 1 to 100'],
    ['a whole number', wholeNumber(1, 100), 1.5, 'must be a whole number from 1 to 100'],
    ['a whole number', wholeNumber(1, 100), '1', 'must be a whole number from 1 to 100, but is a string'],
    ['a whole number', wholeNumber(0), 1e9, undefined],
    ['a whole number', wholeNumber(0), -1, 'must be a whole number from 0 on'],
    ['one of two', oneOf('ach', 'wire'), 'ACH', undefined],
    ['one of two', oneOf('ach', 'wire'), 'wire', undefined],
    ['one of two', oneOf('ach', 'wire'), 'sepa', "must be 'ach' or 'wire', but is another string"],
    ['one of two', oneOf('ach', 'wire'), 7, "must be 'ach' or 'wire', but is a number"],
    ['a short text', textUpTo(3), 'abc', undefined],
    ['a short text', textUpTo(3), '😀😀😀', undefined],
    ['a short text', textUpTo(3), 'abcd', 'must be a string of at most 3 characters, but has 4'],
    ['a short text', textUpTo(3), 7, 'must be a string of at most 3 characters, but is a number'],
    ['nothing', optional(requiredText), undefined, undefined],
    ['nothing', optional(requiredText), null, 'must be a non-empty string, but is null'],
  ])('for %s', (_what, rule, value, words) => {
    expect(rule(value)).toBe(words);
  });
});

describe('rules of several fields', () => {
  it('read own properties along a path', () => {
    expect(valueAt({ a: { b: 7 } }, 'a.b')).toBe(7);
    expect(valueAt({ a: { b: 7 } }, 'a')).toEqual({ b: 7 });
    for (const [value, path] of [
      [{ a: [7] }, 'a.0'],
      [{ a: 'text' }, 'a.length'],
      [Object.create({ a: 7 }), 'a'],
      [null, 'a'],
      [{}, 'a.b'],
    ] as const) {
      expect(valueAt(value, path)).toBeUndefined();
    }
    const own = ownParams({ a: 1 });
    expect([Object.getPrototypeOf(own), own.a]).toEqual([null, 1]);
  });

  it('give the first fault', () => {
    const rules = { a: requiredText, 'b.c': positiveAmount };
    expect(told(checkParams('x.create', { a: 'x', b: { c: 1 } }, rules))).toBeUndefined();
    expect(told(checkParams('x.create', { a: '', b: { c: 0 } }, rules))).toEqual([
      'a',
      'x.create: `a` must be a non-empty string, but is empty',
    ]);
    expect(told(checkParams('x.create', { a: 'x' }, rules))).toEqual([
      'b.c',
      'x.create: `b.c` must be a finite number above 0, but is missing',
    ]);
    for (const [params, kind] of [
      [null, 'null'],
      [[], 'an array'],
      ['x', 'a string'],
    ] as const) {
      expect(told(checkParams('x.create', params, {}))).toEqual([
        'params',
        `x.create: the parameters must be an object, but are ${kind}`,
      ]);
    }
  });

  it('want one of two fields, and each that is given to be right', () => {
    const either = (params: unknown) => told(checkEither('x.create', params, ['a', 'b'], requiredText));
    for (const params of [
      { a: 'x' },
      { b: 'x' },
      { a: 'x', b: 'y' },
      { a: null, b: 'x' },
      { a: 'x', b: null },
    ]) {
      expect(either(params)).toBeUndefined();
    }
    expect(either({ a: '', b: 'x' })).toEqual([
      'a',
      'x.create: `a` must be a non-empty string, but is empty',
    ]);
    expect(either({ a: 'x', b: 7 })).toEqual([
      'b',
      'x.create: `b` must be a non-empty string, but is a number',
    ]);
    expect(either({})).toEqual([
      'a',
      'x.create: `a` must be a non-empty string, but is missing, and so is `b`: give one of them',
    ]);
    expect(either({ a: null })).toEqual([
      'a',
      'x.create: `a` must be a non-empty string, but is null, and so is `b`: give one of them',
    ]);
  });
});

describe('the parameters of a list', () => {
  const rules = { limit: optional(wholeNumber(1)), offset: optional(wholeNumber(0)) };

  it('have no prototype', () => {
    const { read, problem } = readParams('x.list', { limit: 5 } as object, rules);
    expect(problem).toBeUndefined();
    expect(Object.getPrototypeOf(read)).toBeNull();
    expect({ ...read }).toEqual({ limit: 5 });
  });

  it('are none where one is wrong, where they are no object, or where they throw', () => {
    const throwing = Object.defineProperty({}, 'limit', {
      enumerable: true,
      get() {
        throw new Error('mine');
      },
    });
    for (const [params, field] of [
      [{ limit: 0 }, 'limit'],
      [null, 'params'],
      ['x', 'params'],
      [[1], 'params'],
      [throwing, 'limit'],
      [() => 7, 'params'],
      [7n, 'params'],
    ] as const) {
      const { read, problem } = readParams('x.list', params as never, rules);
      expect([problem?.field, Object.getPrototypeOf(read), Object.keys(read)]).toEqual([field, null, []]);
    }
  });
});

it('says what parameters are that are no plain object', () => {
  const wordsFor = (params: unknown) => readParams('x.list', params as never, {}).problem?.message;
  expect(wordsFor(() => 7)).toBe(
    'x.list: the parameters must be an object, but are a function. Nothing was sent.',
  );
  expect(wordsFor(new Map())).toContain('`params`');
});

it('does not take a mistake in a rule for one of the caller', () => {
  const rule = () => {
    throw new TypeError('bug');
  };
  expect(() => readParams('x.list', {}, { limit: rule })).toThrow(TypeError);
});

describe('a misspelled field that keeps money safe', () => {
  const unknown = (field: string, meant: string) => [
    field,
    `x.create: \`${field}\` is unknown: did you mean ${meant}?`,
  ];

  it.each([
    ['requestid', '`requestId`'],
    ['request_id', '`requestId`'],
    ['reqestId', '`requestId`'],
    ['requestIdd', '`requestId`'],
    ['rqeuestId', '`requestId`'],
    ['requestIf', '`requestId`'],
    ['clientRequestId', '`requestId`'],
    ['dedupeKey', '`requestId`'],
    ['idempotencyKey', '`requestId`'],
    ['idempotency-key', '`requestId`'],
    ['idempotncyKey', '`requestId`'],
    ['idempotentKey', '`requestId`'],
    ['idempotency', '`requestId`'],
    ['idempotencyId', '`requestId`'],
    ['idempotentToken', '`requestId`'],
    ['needsApproval', '`requireApproval`'],
    ['approvalRequired', '`requireApproval`'],
    ['requiresApproval', '`requireApproval`'],
    ['requireAproval', '`requireApproval`'],
    ['requireApprovla', '`requireApproval`'],
    ['RequireAprovals', '`requireApproval`'],
    ['amuont', '`amount`'],
    ['amounts', '`amount`'],
    ['Amount', '`amount`'],
    ['amout', '`amount`'],
    ['xamount', '`amount`'],
    ['sorce', '`source`'],
    ['destinations', '`destination`'],
    ['dstinaton', '`destination`'],
    ['destinatoin', '`destination`'],
  ])('is %s', (field, meant) => {
    expect(told(checkSpelling('x.create', { [field]: 1 }))).toEqual(unknown(field, meant));
  });

  it.each([
    ...[
      'requestId',
      'requireApproval',
      'amount',
      'source',
      'destination',
      'amountIn',
      'amoxxt',
      'amuxnt',
      'amxont',
      'mauont',
      'count',
      'memo',
    ],
    ...[
      'sourceType',
      'destinationId',
      'request',
      'requestedAt',
      'approval',
      'requireApprovalBy',
      'dstinatn',
      '',
    ],
  ])('is not %j', (field) => {
    expect(checkSpelling('x.create', { [field]: 1 })).toBeUndefined();
  });

  it('is found in the two sides and in each recipient, where requestId does not belong', () => {
    const check = (body: object) => told(checkSpelling('x.create', { ...body }));
    expect(check({ source: { amuont: 1 } })).toEqual(unknown('source.amuont', '`amount`'));
    expect(check({ destination: { amuont: 1 } })).toEqual(unknown('destination.amuont', '`amount`'));
    expect(check({ destination: { batch: [{ amount: 1 }, { amuont: 1 }] } })).toEqual(
      unknown('destination.batch[1].amuont', '`amount`'),
    );
    expect(check({ source: { requestId: 'r' } })).toEqual(
      unknown('source.requestId', '`requestId` at the top of the parameters'),
    );
    expect(check({ destination: { batch: [{ requiresApproval: true }] } })).toEqual(
      unknown('destination.batch[0].requiresApproval', '`requireApproval` at the top of the parameters'),
    );
    expect(check({ source: { amount: 1, sorce: 1 }, destination: { batch: ['x', null] } })).toBeUndefined();
    expect(check({ source: 'x', destination: null })).toBeUndefined();
    expect(check({ source: { destination: 1 }, destination: { batch: 'x' } })).toBeUndefined();
  });
});

describe('a payment', () => {
  it('is checked for its spelling first, and then by its rules', () => {
    const rules = { amount: positiveAmount };
    expect(told(checkPayment('x.create', { amuont: 1 }, rules))?.[0]).toBe('amuont');
    expect(told(checkPayment('x.create', { amount: 0 }, rules))).toEqual([
      'amount',
      'x.create: `amount` must be above 0',
    ]);
    expect(checkPayment('x.create', { amount: 1 }, rules)).toBeUndefined();
  });

  it('that the spec does not show may have its amount at three places', () => {
    const bridge = (body: object) => told(checkBridge({ ...body }));
    for (const path of ['amount', 'source.amount', 'destination.amount']) {
      const body = (amount: unknown) => {
        const [side, name] = path.split('.');
        return name === undefined ? { amount } : { [side ?? '']: { amount } };
      };
      for (const amount of [1, '0.5', null, {}, undefined]) expect(bridge(body(amount))).toBeUndefined();
      expect(bridge(body(0))).toEqual([path, `bridges.create: \`${path}\` must be above 0`]);
      expect(bridge(body('x'))?.[0]).toBe(path);
    }
    expect(bridge({ requireApproval: true })).toBeUndefined();
    expect(bridge({ requireApproval: 'yes' })).toEqual([
      'requireApproval',
      'bridges.create: `requireApproval` must be true or false, but is a string',
    ]);
    expect(bridge({ sorce: {} })?.[0]).toBe('sorce');
  });

  it('to a bank has an amount and somebody who pays', () => {
    const offramp = (body: object) => told(checkOfframp({ ...body }));
    const payer = { userId: 'u' };
    expect(offramp({ source: { ...payer, amount: 1 } })).toBeUndefined();
    expect(offramp({ source: payer, destination: { amount: '5' } })).toBeUndefined();
    expect(offramp({ amount: 5, source: { externalWalletId: 'w' } })).toBeUndefined();
    expect(offramp({ source: payer })).toEqual([
      'source.amount',
      'offramps.create: `source.amount` must be a finite number above 0, but is missing, and so is ' +
        '`destination.amount`: give one of them',
    ]);
    expect(offramp({ amount: 5 })).toEqual([
      'source.userId',
      'offramps.create: `source.userId` must be a non-empty string, but is missing, and so is ' +
        '`source.externalWalletId`: give one of them',
    ]);
    expect(offramp({ amount: 0, source: payer })?.[0]).toBe('amount');
  });
});

describe('a batch', () => {
  const batch = (body: object) => told(checkBatch({ ...body }));
  const to = (count: number, item: object = { userId: 'u', amount: 1 }) =>
    Array.from({ length: count }, () => item);
  const inBatch = (items: unknown[], more: object = {}) => batch({ destination: { batch: items }, ...more });

  it('has 1 to 50 recipients', () => {
    expect(inBatch(to(1))).toBeUndefined();
    expect(inBatch(to(50))).toBeUndefined();
    expect(inBatch([])).toEqual([
      'destination.batch',
      'transfers.createBatch: `destination.batch` must have from 1 to 50 recipients, but has 0',
    ]);
    expect(inBatch(to(51))).toEqual([
      'destination.batch',
      'transfers.createBatch: `destination.batch` must have from 1 to 50 recipients, but has 51',
    ]);
  });

  it('has an amount for each recipient, or one for all', () => {
    expect(inBatch([{ userId: 'u' }])).toEqual([
      'destination.batch[0].amount',
      'transfers.createBatch: `destination.batch[0].amount` must be a finite number above 0, but is missing',
    ]);
    expect(inBatch([{ userId: 'u' }], { amount: 5 })).toBeUndefined();
    expect(inBatch([...to(1), { userId: 'u', amount: 0 }], { amount: 5 })).toEqual([
      'destination.batch[1].amount',
      'transfers.createBatch: `destination.batch[1].amount` must be above 0',
    ]);
    expect(batch({ recipients: [{ sum: 1 }] })).toBeUndefined();
    expect(batch({ recipients: [{ amount: 0 }] })).toEqual([
      'recipients[0].amount',
      'transfers.createBatch: `recipients[0].amount` must be above 0',
    ]);
  });

  it('has somebody to pay in each', () => {
    const words = (index: number) =>
      `transfers.createBatch: \`destination.batch[${index}]\` must have a \`userId\` or a \`walletAddress\` that is a ` +
      'non-empty string';
    expect(inBatch([...to(1), { amount: 1 }])).toEqual(['destination.batch[1].userId', words(1)]);
    expect(inBatch([{ amount: 1, walletAddress: '' }])).toEqual([
      'destination.batch[0].walletAddress',
      words(0),
    ]);
    expect(inBatch([{ amount: 1, walletAddress: '0x1' }])).toBeUndefined();
    expect(batch({ recipients: [{ amount: 1 }] })).toBeUndefined();
  });

  it.each([
    ...['recipients', 'batch', 'destinations', 'transfers', 'payouts', 'payments', 'items'],
    ...[
      'destination.recipients',
      'destination.transfers',
      'destination.payouts',
      'destination.payments',
      'destination.destinations',
      'destination.items',
      'destination',
    ],
  ])('may list its recipients under %s', (path) => {
    const [outer = '', inner] = path.split('.');
    const body = inner === undefined ? { [outer]: [] } : { [outer]: { [inner]: [] } };
    const problem = checkBatch(body);
    // `destinations` is taken for a misspelled `destination`.
    expect(problem?.field).toBe(path);
  });

  it('is the documented list before any other', () => {
    expect(inBatch(to(1), { recipients: [] })).toBeUndefined();
  });

  it('is left to the service where no list is recognized, and checked like any payment', () => {
    expect(batch({ others: [] })).toBeUndefined();
    expect(batch({ requestid: 'r', destination: { batch: [] } })?.[0]).toBe('requestid');
  });
});

it('knows the currencies of Africa, in either case', () => {
  const african =
    'aoa bif bwp cdf cve djf dzd egp ern etb ghs gmd gnf kes kmf lrd lsl lyd mad mga mru mur mwk mzn nad ngn ' +
    'rwf scr sdg sle sos ssp stn szl tnd tzs ugx xaf xof zar zmw zwg';
  for (const code of african.split(' ')) expect(isAfricanCurrency(code)).toBe(true);
  expect(isAfricanCurrency('NGN')).toBe(true);
  for (const other of ['usd', '', undefined, 7, null, ['ngn']]) expect(isAfricanCurrency(other)).toBe(false);
});
