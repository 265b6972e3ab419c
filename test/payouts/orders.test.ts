import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginPayout, checkPayouts, type PayoutOrder } from '../../src/payouts/index.ts';
import { keyOfHalf } from '../../src/payouts/rules/body.ts';
import { fold } from '../../src/payouts/rules/checks.ts';
import { namesOf } from '../../src/payouts/rules/order.ts';
import { InvalidRequestError } from '../../src/shared/errors/index.ts';
import { cases } from '../cases.ts';
import { order } from './rig.ts';

const recipient = (more: object = {}) => ({ recipients: [{ userId: 'payee', amount: '1', ...more }] });

const notPlain = 'be a plain decimal such as 25.5: digits and a point';
const tooLong = 'have at most 15 significant digits; round it';
const notWritable = 'be at least 0.000001 and below 10^21, to be written without an exponent';
const amounts: readonly [amount: unknown, why: string][] = [
  [25.5, 'be decimal text such as "25.50", but is a number'],
  ['0.00', 'be above 0'],
  ['-1', 'be above 0'],
  ...['1e3', '.5', '1.', '1.5.5', '01', '1,5', '1 '].map((amount): [string, string] => [amount, notPlain]),
  ['1234567890.123456', tooLong],
  ['1000000.000000001', tooLong],
  ['0.0000001', notWritable],
  [`1${'0'.repeat(21)}`, notWritable],
  // More than a number holds.
  ['9'.repeat(310), notWritable],
];

describe('an order', () => {
  it.each([
    ['an unknown field', { ammount: 1 }, 'Payout "O-1": `ammount` is not a field'],
    ['a word of payrolls', { month: '2026-11' }, '`month` is not a field. Did you mean `group`?'],
    ['another one', { employee: 'Ann' }, '`employee` is not a field. Did you mean `recipients[].id`?'],
    ['an empty id', { id: ' ' }, '`id` must be a non-empty string, but is empty'],
    ['the text of a missing value', { id: ' undefined ' }, '`id` must not be the text of a missing value'],
    ['the same in another form', { group: '[object \u212aey]' }, 'must not be the text of a missing value'],
    ['an id of null', recipient({ id: null }), '`recipients[0].id` must be a non-empty string, but is null'],
    ['a long name', { id: 'x'.repeat(201) }, '`id` must have at most 200 characters'],
    ['a control character', { group: 'a\nb' }, '`group` must not contain control characters'],
    [
      'a long name of a recipient',
      recipient({ id: 'x'.repeat(201) }),
      '`recipients[0].id` must have at most 200 characters',
    ],
    ['half a character', { group: 'a\ud800' }, '`group` must not contain control characters'],
    ['no payer', { payer: undefined }, '`payer` must be a non-empty string, but is missing'],
    ['no currency', { currency: undefined }, '`currency` must be a non-empty string, but is missing'],
    ['no chain', { chain: undefined }, '`chain` must be a non-empty string, but is missing'],
    ['an empty group', { group: '' }, '`group` must be a non-empty string, but is empty'],
    ['a group of null', { group: null }, '`group` must be a non-empty string, but is null'],
    [
      'recipients that are no list',
      { recipients: 'payee' },
      '`recipients` must be a list of recipients, but is a string',
    ],
    [
      'a user that is no text',
      recipient({ userId: 7 }),
      '`recipients[0].userId` must be a non-empty string, but is a number',
    ],
    [
      'an empty wallet',
      recipient({ userId: undefined, walletAddress: '' }),
      '`recipients[0].walletAddress` must be a non-empty string, but is empty',
    ],
    ['no recipients', { recipients: [] }, '`recipients` must be a list of 1 to 50; split'],
    [
      '51 recipients',
      { recipients: Array.from({ length: 51 }, () => ({ userId: 'p', amount: '1' })) },
      'split a longer one',
    ],
    [
      'an odd approval',
      { requireApproval: 'yes' },
      '`requireApproval` must be true or false, but is a string',
    ],
    ['an unknown field of a recipient', recipient({ name: 'x' }), '`recipients[0]`: `name` is not a field'],
    ['a recipient that is no object', { recipients: ['payee'] }, '`recipients[0]` must be an object'],
    [
      'no payee',
      { recipients: [{ amount: '1' }] },
      '`recipients[0]` must have a `userId` or a `walletAddress`, and not both. Nothing',
    ],
    [
      'two payees',
      recipient({ walletAddress: '0x1' }),
      '`recipients[0]` must have a `userId` or a `walletAddress`, and not both. Nothing',
    ],
    ...amounts.map(([amount, why]): [string, object, string] => [
      `the amount ${JSON.stringify(amount)}`,
      recipient({ amount }),
      `\`recipients[0].amount\` must ${why}`,
    ]),
  ])('with %s is refused before anything is stored', (_name, more, message) => {
    expect(() => checkPayouts([order(more as Partial<PayoutOrder>)])).toThrow(message);
    expect(() => checkPayouts([order(more as Partial<PayoutOrder>)])).toThrow(
      /[^.][.?] Nothing was enqueued[.]$/,
    );
  });

  it.each([
    ['the field that is wrong', order(recipient({ amount: '0' })), 'recipients[0].amount'],
    ['no field where it is no order', 7, undefined],
  ])('is refused by an error with %s', (_name, given, field) => {
    const refused = () => checkPayouts([given as PayoutOrder]);
    expect(refused).toThrow(InvalidRequestError);
    expect(refused).toThrow(expect.objectContaining({ field, outcome: 'not-sent' }));
  });

  it.each([
    ['100', '100'],
    ['10.0', '10'],
    ['2.00', '2'],
    ['1.500', '1.5'],
    ['1.05', '1.05'],
    ['0.10', '0.1'],
    ['0.000001', '0.000001'],
    ['0.00123456789012345', '0.00123456789012345'],
    ['123456789.012345', '123456789.012345'],
    [`1${'0'.repeat(16)}`, `1${'0'.repeat(16)}`],
  ])('has its amount %s as %s', (amount, text) => {
    expect(checkPayouts([order(recipient({ amount }))])[0]?.recipients[0]?.amount).toBe(text);
  });

  it('has names of at most 200 characters, and 50 recipients at most', () => {
    const id = 'x'.repeat(200);
    expect(checkPayouts([order({ id })])[0]?.id).toBe(id);
    const recipients = Array.from({ length: 50 }, () => ({ userId: 'p', amount: '1' }));
    expect(checkPayouts([order({ recipients })])[0]?.recipients).toHaveLength(50);
  });

  it('is refused where it comes twice, or its names differ from others only in their format', () => {
    expect(() => checkPayouts([order(), order()])).toThrow(
      'Payout "O-1": id is in the file twice for this payer. Nothing was enqueued.',
    );
    for (const id of ['e 1', 'E\u200b1', '\uff251'])
      expect(() => checkPayouts([order({ id: 'E1', group: 'g' }), order({ id, group: 'g' })])).toThrow(
        `id ${JSON.stringify(id)} differs from the known "E1" only in case, white space or Unicode form; use one of them. Nothing was enqueued.`,
      );
    const inGroup = (id: string, name: string) => order({ id, group: 'g', ...recipient({ id: name }) });
    expect(() => checkPayouts([inGroup('a', 'Ann'), inGroup('b', 'Ann')])).toThrow(
      'Payout "b": the recipient "Ann" is already in the group. Nothing was enqueued.',
    );
    const same = [1, 2].map(() => ({ userId: 'p', id: 'Ann', amount: '1' }));
    expect(() => checkPayouts([order({ recipients: same })])).toThrow(
      'Payout "O-1": the recipient "Ann" is in the order twice. Nothing was enqueued.',
    );
    const twice = [
      { userId: 'p', id: 'Ann' },
      { userId: 'p', id: 'ann' },
    ].map((one) => ({ ...one, amount: '1' }));
    expect(() => checkPayouts([order({ recipients: twice })])).toThrow(
      'the recipient "ann" differs from the known "Ann" only in case',
    );
    expect(() => checkPayouts([order({ payer: 'A-1' }), order({ payer: 'a1' })])).toThrow(
      'payer "a1" differs from the known "A-1" only in case or hyphens; use one of them. Nothing was enqueued.',
    );
    expect(checkPayouts([inGroup('a', 'Ann'), { ...inGroup('b', 'Ann'), group: 'h' }])).toHaveLength(2);
    expect(checkPayouts([order(), order({ payer: 'another' })])).toHaveLength(2);
    // Without a group, a recipient may be in several orders.
    const { group, ...first } = inGroup('a', 'Ann');
    expect(checkPayouts([first, { ...first, id: 'b' }])).toHaveLength(2);
    // A recipient may have the name of an order.
    expect(checkPayouts([inGroup('Ann', 'Bob'), inGroup('b', 'Ann')])).toHaveLength(2);
    expect(group).toBe('g');
  });

  it('has one form, however its amount and its names are written', () => {
    const [one] = checkPayouts([order({ id: ' Jose\u0301 ', ...recipient({ amount: '1.50' }) })]);
    const [other] = checkPayouts([order({ id: 'Jos\u00e9', ...recipient({ amount: '1.5' }) })]);
    expect(one).toEqual(other);
  });

  it('has names that the database compares in a form that stays', () => {
    expect(fold('Ann\u00a0\u200bSTRA\u00dfE \ufb01')).toBe('annstra\u00dfefi');
    const [checked] = checkPayouts([order({ group: 'g', payer: 'A-1' })]);
    expect(checked && namesOf(checked)).toEqual([
      { kind: 'id', scope: '["id","a1","g"]', name: 'O-1', payer: 'A-1' },
      { kind: 'recipient', scope: '["recipient","a1","g"]', name: 'O-1', payer: 'A-1' },
    ]);
  });

  it('names its recipients by itself', () => {
    const two = [
      { userId: 'a', amount: '1' },
      { walletAddress: '0x1', amount: '2', id: 'Ann' },
    ];
    const [checked] = checkPayouts([order({ recipients: two })]);
    expect(checked?.recipients.map(({ id }) => id)).toEqual(['O-1/1', 'Ann']);
    expect(checkPayouts([order()])[0]?.recipients[0]?.id).toBe('O-1');
  });

  it('keeps its amount to the last unit, as a number in a transfer and as text in a batch', () => {
    const amounts = fc.tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 999_999 }));
    fc.assert(
      fc.property(amounts, ([whole, fraction]) => {
        const amount = `${whole}.${String(fraction).padStart(6, '0')}`;
        const [single] = checkPayouts([order(recipient({ amount }))]);
        const [batch] = checkPayouts([
          order({ recipients: [...recipient({ amount }).recipients, { userId: 'b', amount }] }),
        ]);
        if (single === undefined || batch === undefined) throw new Error('no order');
        const body: { amount: number } = JSON.parse(beginPayout(single).parts[0]?.body ?? '');
        const text: { destination: { batch: { amount: string }[] } } = JSON.parse(
          beginPayout(batch).parts[0]?.body ?? '',
        );
        expect(body.amount.toFixed(6)).toBe(amount);
        expect(Number(text.destination.batch[0]?.amount).toFixed(6)).toBe(amount);
      }),
      { numRuns: cases(100, 2000) },
    );
  });

  it('has a key of its payer, its id and its round', () => {
    const keyOf = (more: Partial<PayoutOrder>, round = 1) => {
      const [checked] = checkPayouts([order(more)]);
      return checked && beginPayout(checked, { round }).parts[0]?.requestId;
    };
    const keys = [keyOf({}), keyOf({ id: 'O-2' }), keyOf({ payer: 'b' }), keyOf({}, 2)];
    expect(new Set(keys).size).toBe(4);
    expect(keyOf({ group: 'other' })).toBe(keys[0]);
    // Fixed for ever: another derivation would pay what is known a second time.
    expect(keys[0]).toBe('5ec20da1-9ea0-5fe2-a9ec-87d3035ba9d8');
    expect([1, 2].map((half) => keyOfHalf(keys[0] ?? '', half === 1 ? 1 : 2))).toEqual([
      'ef0375c3-0e74-560a-802b-cb7425dec86c',
      '7ec18e08-bdea-55bb-9311-ec6bd448cd52',
    ]);
  });
});
