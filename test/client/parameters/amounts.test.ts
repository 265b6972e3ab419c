import { describe, expect, it } from 'vitest';
import { type CallName, having, payments, refused, sent } from './support.ts';

interface Place {
  readonly call: CallName;
  readonly params: object;
  readonly path: string;
  /** How the spec shows the amount. */
  readonly form: 'number' | 'text' | 'as given';
}

const withoutSource = (params: object) => having(params, 'source.amount', undefined);
const { onramp, transfer, batch, bridge, offramp } = payments;
const withFee = (params: object) => having(params, 'fee', { type: 'FIX', value: 1 });

const places: readonly Place[] = [
  { call: 'onramp', params: onramp, path: 'source.amount', form: 'number' },
  { call: 'onramp', params: withoutSource(onramp), path: 'destination.amount', form: 'number' },
  { call: 'transfer', params: transfer, path: 'amount', form: 'number' },
  { call: 'batch', params: batch, path: 'destination.batch.0.amount', form: 'text' },
  { call: 'bridge', params: bridge, path: 'amount', form: 'number' },
  { call: 'offramp', params: offramp, path: 'source.amount', form: 'number' },
  { call: 'offramp', params: withoutSource(offramp), path: 'destination.amount', form: 'number' },
  { call: 'onramp', params: withFee(onramp), path: 'fee.value', form: 'as given' },
  { call: 'transfer', params: withFee(transfer), path: 'fee.value', form: 'as given' },
];

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => Object(inner)[name], value);

/** As the service receives it. */
const received = async ({ call, params, path }: Place, value: unknown): Promise<unknown> =>
  at(await sent(call, having(params, path, value)), path);

const refusal = ({ call, params, path }: Place, value: unknown) => refused(call, having(params, path, value));

// The lists of issue 49, and more.
const taken: readonly [given: number | string, number: number, text: string][] = [
  [25.5, 25.5, '25.5'],
  ['25.50', 25.5, '25.50'],
  ['0.01', 0.01, '0.01'],
  ['123456789012.345', 123456789012.345, '123456789012.345'],
  [1e-6, 0.000001, '0.000001'],
  [1, 1, '1'],
  ['7', 7, '7'],
  [1e15, 1e15, '1000000000000000'],
  ['100000000000000000000', 1e20, '100000000000000000000'],
  ['0.100', 0.1, '0.100'],
  [999999999999.999, 999999999999.999, '999999999999.999'],
];
const refusedValues: readonly [given: unknown, why: string][] = [
  ['.5', 'plain decimal'],
  ['5.', 'plain decimal'],
  ['00.1', 'plain decimal'],
  ['1e21', 'plain decimal'],
  [1e21, 'must be at least 0.000001 and below 10^21'],
  ['9'.repeat(310), 'must be at least 0.000001 and below 10^21'],
  ['1000000000000000000000', 'must be at least 0.000001 and below 10^21'],
  [0.1 + 0.2, 'at most 15 significant digits; round it'],
  ['1234567890.1234567', 'at most 15 significant digits; round it'],
  [2 ** 53, 'at most 15 significant digits; round it'],
  [`1.${'0'.repeat(300_000)}1`, 'at most 15 significant digits; round it'],
  [1e-7, 'must be at least 0.000001 and below 10^21'],
  ['0.0000001', 'must be at least 0.000001 and below 10^21'],
  [Number.NaN, 'must be finite, but is NaN'],
  [Number.POSITIVE_INFINITY, 'must be finite, but is infinite'],
  [' 5', 'plain decimal'],
  ['5 ', 'plain decimal'],
  ['1,5', 'plain decimal'],
  ['1_000', 'plain decimal'],
  ['+5', 'plain decimal'],
  ['0x10', 'plain decimal'],
  ['NaN', 'plain decimal'],
  ['', 'but is empty'],
  [true, 'must be a number or a decimal string such as 25.5, but is a boolean'],
  [[5], 'but is an array'],
  [{}, 'but is an object'],
];
describe.each(places)('an amount of a $call, in $path,', (place) => {
  it.each(taken)('takes %j', async (given, number, text) => {
    const forms = { number, text, 'as given': given };
    expect(await received(place, given)).toBe(forms[place.form]);
  });

  it.each(refusedValues)('refuses %j', async (given, why) => {
    expect(await refusal(place, given)).toMatchObject({
      message: expect.stringContaining(why),
      field: place.path.replace(/\.(\d+)/g, '[$1]'),
    });
  });

  it('is above 0, and a fee may be 0', async () => {
    const isFee = place.form === 'as given';
    for (const value of [0, '0', '0.00'])
      if (isFee) expect(await received(place, value)).toBe(value);
      else expect((await refusal(place, value)).message).toContain('must be above 0');
    for (const value of [-1, '-1', -0.01, '-0', '-0.0'])
      expect((await refusal(place, value)).message).toContain(
        isFee ? 'must be 0 or more' : 'must be above 0',
      );
  });
});
