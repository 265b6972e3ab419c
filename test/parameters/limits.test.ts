import { describe, expect, it } from 'vitest';
import { isRecord, kindOf } from '../../src/shared/values.ts';
import {
  checkHeaders,
  checkLimit,
  checkRequestOptions,
  failWith,
  resolveRetries,
  usualRetries,
} from '../../src/transport/request/options.ts';

const fail = failWith('kyc.retrieve');

/** What an option is refused with. */
const refusal = (message: string) =>
  expect.objectContaining({
    name: 'InvalidRequestError',
    operation: 'kyc.retrieve',
    field: 'options',
    message: `kyc.retrieve: ${message}`,
  });

describe('a limit', () => {
  it.each([undefined, 0.001, 1, 30_000, 2_147_483_647])('may be %s', (value) => {
    expect(checkLimit(value, 'timeout', fail)).toBe(value);
  });

  it.each([
    [0, '0'],
    [-1, '-1'],
    [2_147_483_648, '2147483648'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['5', 'a string'],
    [null, 'null'],
    [5n, 'a BigInt'],
  ])('may not be %s', (value, what) => {
    expect(() => checkLimit(value, 'timeout', fail)).toThrow(
      refusal(`\`timeout\` must be a number above 0 and at most 2147483647, but is ${what}.`),
    );
  });
});

describe('retries', () => {
  const usual = { limit: 2, minDelay: 500, maxDelay: 8_000 };
  const resolve = (given: unknown) => resolveRetries(given, usual, fail);

  it.each([
    [undefined, usual],
    [{}, usual],
    [0, { ...usual, limit: 0 }],
    [100, { ...usual, limit: 100 }],
    [{ limit: 5 }, { ...usual, limit: 5 }],
    [{ limit: undefined, minDelay: undefined, maxDelay: undefined }, usual],
    [{ minDelay: 0 }, { ...usual, minDelay: 0 }],
    [{ minDelay: 600_000 }, { limit: 2, minDelay: 600_000, maxDelay: 600_000 }],
    [{ minDelay: 8_001 }, { limit: 2, minDelay: 8_001, maxDelay: 8_001 }],
    [{ maxDelay: 100 }, { limit: 2, minDelay: 100, maxDelay: 100 }],
    [{ maxDelay: 600 }, { limit: 2, minDelay: 500, maxDelay: 600 }],
    [
      { minDelay: 7, maxDelay: 7 },
      { limit: 2, minDelay: 7, maxDelay: 7 },
    ],
    [
      { minDelay: 0.5, maxDelay: 1.5 },
      { limit: 2, minDelay: 0.5, maxDelay: 1.5 },
    ],
  ])('%j is %j', (given, settings) => {
    expect(resolve(given)).toEqual(settings);
  });

  const count = 'must be a whole number from 0 to 100, but is';
  const delay = 'must be a number of milliseconds from 0 to 600000, but is';
  it.each<[unknown, string]>([
    [-1, `\`retries\` ${count} -1.`],
    [101, `\`retries\` ${count} 101.`],
    [1.5, `\`retries\` ${count} 1.5.`],
    ['2', `\`retries\` ${count} a string.`],
    [null, `\`retries\` ${count} null.`],
    [[1], `\`retries\` ${count} an array.`],
    [{ limit: '2' }, `\`retries.limit\` ${count} a string.`],
    [{ limit: -1 }, `\`retries.limit\` ${count} -1.`],
    [{ minDelay: -1 }, `\`retries.minDelay\` ${delay} -1.`],
    [{ minDelay: null }, `\`retries.minDelay\` ${delay} null.`],
    [{ maxDelay: 600_001 }, `\`retries.maxDelay\` ${delay} 600001.`],
    [{ maxDelay: '1' }, `\`retries.maxDelay\` ${delay} a string.`],
    [{ maxDelay: Number.NaN }, `\`retries.maxDelay\` ${delay} NaN.`],
    [
      { minDelay: 2, maxDelay: 1 },
      '`retries.maxDelay` must not be less than `retries.minDelay`, but 1 is less than 2.',
    ],
    [
      { limit: 1, count: 2 },
      '`retries`: `count` is not an option. Possible names: `limit`, `minDelay`, `maxDelay`.',
    ],
    [
      { ['x'.repeat(50)]: 1 },
      '`retries`: A name that was given is not an option. Possible names: `limit`, `minDelay`, `maxDelay`.',
    ],
  ])('may not be %j', (given, message) => {
    expect(() => resolve(given)).toThrow(refusal(message));
  });

  it('are two by default, after half a second and more', () => {
    expect(usualRetries).toEqual({ limit: 2, minDelay: 500, maxDelay: 8_000 });
  });

  it('takes nothing from a prototype', () => {
    expect(resolve(Object.assign(Object.create({ minDelay: 1 }), { limit: 7 }))).toEqual({
      ...usual,
      limit: 7,
    });
  });
});

describe('headers', () => {
  const check = (headers: unknown) => ({ ...checkHeaders(headers, fail) });

  it.each<[unknown, object]>([
    [undefined, {}],
    [{}, {}],
    [
      { 'X-Team': 'a', 'x-b': undefined, "!#$%&'*+.^_`|~-9": '' },
      { 'x-team': 'a', "!#$%&'*+.^_`|~-9": '' },
    ],
    [new Headers({ 'X-Team': 'a' }), { 'x-team': 'a' }],
    [
      { accept: 'a/b', 'user-agent': 'x' },
      { accept: 'a/b', 'user-agent': 'x' },
    ],
    [{ 'x-a': '\t ~\x80\xff' }, { 'x-a': '\t ~\x80\xff' }],
  ])('%j are %j', (headers, checked) => {
    expect(check(headers)).toEqual(checked);
  });

  it('have no prototype', () => {
    expect(Object.getPrototypeOf(checkHeaders({ a: 'b' }, fail))).toBeNull();
  });

  const name = '`headers` holds a name that HTTP does not allow.';
  const value = 'the header `x-a` holds a line break or another character that HTTP does not allow.';
  it.each<[unknown, string]>([
    [null, '`headers` must be an object, but is null.'],
    ['x-a: 1', '`headers` must be an object, but is a string.'],
    [{ '': 'a' }, name],
    [{ 'x a': 'a' }, name],
    [{ ' x': 'a' }, name],
    [{ 'x:': 'a' }, name],
    [{ 'x-ü': 'a' }, name],
    [{ 'X-A': 7 }, 'the header `x-a` must be a string, but is a number.'],
    [{ 'x-a': null }, 'the header `x-a` must be a string, but is null.'],
    [{ 'x-a': 'a\nb' }, value],
    [{ 'x-a': '\r' }, value],
    [{ 'x-a': 'a\x7f' }, value],
    [{ 'x-a': '€a' }, value],
  ])('may not be %j', (headers, message) => {
    expect(() => check(headers)).toThrow(refusal(message));
  });

  it.each([
    'connection',
    'content-length',
    'content-type',
    'cookie',
    'expect',
    'host',
    'keep-alive',
    'proxy-authorization',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ])('may not hold %s', (owned) => {
    const message = `the header \`${owned}\` is set by the client and cannot be given.`;
    expect(() => check({ [owned.toUpperCase()]: 'x' })).toThrow(refusal(message));
  });

  it('may not hold a token, which has an option', () => {
    const message = 'the header `authorization` is set by the client and cannot be given. Use `accessToken`.';
    expect(() => check({ Authorization: 'x' })).toThrow(refusal(message));
  });
});

describe('the options of a call', () => {
  const check = (options: unknown) => checkRequestOptions(options, 'kyc.retrieve');

  it('are copied, without what a prototype holds', () => {
    expect(check(undefined)).toBeUndefined();
    const { signal } = new AbortController();
    const options = { timeout: 5, deadline: 7, retries: { limit: 1 }, query: { a: 1 }, signal };
    const copy = check(Object.assign(Object.create({ accessToken: 'planted' }), options));
    expect({ ...copy }).toEqual(options);
    expect(copy?.accessToken).toBeUndefined();
    expect(copy).not.toBe(options);
    expect({ ...check({ signal: undefined, query: undefined }) }).toEqual({});
  });

  it.each<[unknown, string]>([
    [null, 'the request options must be an object, but are null.'],
    [[], 'the request options must be an object, but are an array.'],
    [7, 'the request options must be an object, but are a number.'],
    [{ timeout: 0 }, '`timeout` must be a number above 0 and at most 2147483647, but is 0.'],
    [{ deadline: 0 }, '`deadline` must be a number above 0 and at most 2147483647, but is 0.'],
    [{ retries: -1 }, '`retries` must be a whole number from 0 to 100, but is -1.'],
    [{ signal: {} }, '`signal` must be an AbortSignal, but is an object.'],
    [{ signal: null }, '`signal` must be an AbortSignal, but is null.'],
    [{ query: [] }, '`query` must be an object, but is an array.'],
    [{ query: 'a=1' }, '`query` must be an object, but is a string.'],
  ])('may not be %j', (options, message) => {
    expect(() => check(options)).toThrow(refusal(message));
  });

  it('that cannot be read are refused, with what was thrown', () => {
    const planted = new Error('planted');
    const options = {
      get timeout(): never {
        throw planted;
      },
    };
    const expected = refusal('the request options cannot be read. Nothing was sent.');
    expect(() => check(options)).toThrow(expected);
    expect(() => check(options)).toThrow(expect.objectContaining({ originalError: planted }));
  });
});

describe('what a value is called in messages', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [undefined, 'missing'],
    [[], 'an array'],
    [Number.NaN, 'NaN'],
    [7, 'a number'],
    [Number.POSITIVE_INFINITY, 'infinite'],
    [{}, 'an object'],
    [7n, 'a BigInt'],
    ['x', 'a string'],
    [true, 'a boolean'],
    [Symbol('x'), 'a symbol'],
    [() => 1, 'a function'],
  ])('%s is %s', (value, kind) => {
    expect(kindOf(value)).toBe(kind);
  });

  it('an object with named fields is neither null nor a list', () => {
    const values = [{}, Object.create(null), null, [], 'x', undefined, () => 1];
    expect(values.map(isRecord)).toEqual([true, true, false, false, false, false, false]);
  });
});
