import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { checkedParameters } from '../../../src/client/call/parameters.ts';
import { bridgeCreateParams } from '../../../src/shared/service/bridges.ts';
import { offrampCreateParams } from '../../../src/shared/service/offramps.ts';
import { onrampCreateParams } from '../../../src/shared/service/onramps.ts';
import { transferBatchCreateParams, transferCreateParams } from '../../../src/shared/service/transfers.ts';
import { having, payments } from '../../client/parameters/support.ts';

interface Place {
  readonly operation: string;
  readonly schema: z.ZodMiniType;
  readonly params: object;
  readonly path: string;
  /** How the spec shows the amount. */
  readonly form: 'number' | 'text' | 'as given';
}

const withoutSource = (params: object) => having(params, 'source.amount', undefined);
const { onramp, transfer, batch, bridge, offramp } = payments;
const withFee = (params: object) => having(params, 'fee', { type: 'FIX', value: 1 });

const onrampOf = { operation: 'onramps.create', schema: onrampCreateParams(), form: 'number' } as const;
const offrampOf = { operation: 'offramps.create', schema: offrampCreateParams(), form: 'number' } as const;
const transferOf = { operation: 'transfers.create', schema: transferCreateParams() } as const;
const batchOf = { operation: 'transfers.createBatch', schema: transferBatchCreateParams() } as const;
const bridgeOf = { operation: 'bridges.create', schema: bridgeCreateParams() } as const;

const places: readonly Place[] = [
  { ...onrampOf, params: onramp, path: 'source.amount' },
  { ...onrampOf, params: withoutSource(onramp), path: 'destination.amount' },
  { ...transferOf, params: transfer, path: 'amount', form: 'number' },
  { ...batchOf, params: batch, path: 'destination.batch.0.amount', form: 'text' },
  { ...bridgeOf, params: bridge, path: 'amount', form: 'number' },
  { ...offrampOf, params: offramp, path: 'source.amount' },
  { ...offrampOf, params: withoutSource(offramp), path: 'destination.amount' },
  { ...onrampOf, params: withFee(onramp), path: 'fee.value', form: 'as given' },
  { ...transferOf, params: withFee(transfer), path: 'fee.value', form: 'as given' },
];

const words = { options: [], more: 'extraBody' } as const;
const checked = ({ operation, schema, params, path }: Place, value: unknown) =>
  checkedParameters(operation, schema, having(params, path, value), words);

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => Object(inner)[name], value);

/** As the service receives it. */
const sent = (place: Place, value: unknown): unknown =>
  at(JSON.parse(JSON.stringify(checked(place, value))), place.path);

function refusal(place: Place, value: unknown): unknown {
  try {
    checked(place, value);
  } catch (error) {
    return error;
  }
  return 'nothing';
}

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
const refused: readonly [given: unknown, why: string][] = [
  ['.5', 'plain decimal'],
  ['5.', 'plain decimal'],
  ['00.1', 'plain decimal'],
  ['1e21', 'plain decimal'],
  [1e21, 'plain decimal'],
  [0.1 + 0.2, 'at most 15 significant digits; round it'],
  ['1234567890.1234567', 'at most 15 significant digits; round it'],
  [2 ** 53, 'at most 15 significant digits; round it'],
  [1e-7, 'plain decimal'],
  ['0.0000001', 'plain decimal'],
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
const onlyOfFees = [0, '0', '0.00'];

describe.each(places)('an amount of $operation, in $path,', (place) => {
  it.each(taken)('takes %j', (given, number, text) => {
    const forms = { number, text, 'as given': given };
    expect(sent(place, given)).toBe(forms[place.form]);
  });

  it.each(refused)('refuses %j', (given, why) => {
    expect(refusal(place, given)).toMatchObject({
      name: 'InvalidRequestError',
      outcome: 'not-sent',
      message: expect.stringContaining(why),
      field: place.path.replace(/\.(\d+)/g, '[$1]'),
    });
  });

  it('is above 0, and a fee may be 0', () => {
    for (const value of onlyOfFees)
      if (place.form === 'as given') expect(sent(place, value)).toBe(value);
      else
        expect(refusal(place, value)).toMatchObject({ message: expect.stringContaining('must be above 0') });
    for (const value of [-1, '-1', -0.01])
      expect(refusal(place, value)).toMatchObject({
        message: expect.stringContaining(place.form === 'as given' ? 'must be 0 or more' : 'must be above 0'),
      });
  });
});
