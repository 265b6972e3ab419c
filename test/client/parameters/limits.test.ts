import type { ClientOptions, RequestOptions } from 'stablecoin-payments';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientOf, failure, json, scripted, token } from '../support.ts';

const kyc = { userId: 'u1', kycInfo: {} };

/** The error of a call with such options, which sends nothing. */
async function refused(options: unknown) {
  const fetch = scripted(json(kyc));
  const error = await failure(clientOf(fetch).kyc.retrieve('u1', options as RequestOptions));
  expect(fetch.seen).toEqual([]);
  return error;
}

/** The one request of a call with such options. */
async function sentWith(options: unknown) {
  const fetch = scripted(json(kyc));
  await clientOf(fetch).kyc.retrieve('u1', options as RequestOptions);
  expect(fetch.seen).toHaveLength(1);
  return fetch.seen[0];
}

/** What an option is refused with. */
const refusal = (message: string) =>
  expect.objectContaining({
    name: 'InvalidRequestError',
    operation: 'kyc.retrieve',
    field: 'options',
    message: `kyc.retrieve: ${message}`,
  });

describe('a limit', () => {
  it.each([undefined, 100, 100.5, 30_000, 2_147_483_647])('may be %s', (value) => {
    // JavaScript passes undefined, too.
    const options = { timeout: value } as ClientOptions;
    expect(() => clientOf(scripted(json(kyc)), options)).not.toThrow();
    expect(() => clientOf(scripted(json(kyc))).withOptions(options)).not.toThrow();
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
  ])('may not be %s', async (value, what) => {
    expect(await refused({ timeout: value })).toEqual(
      refusal(`\`timeout\` must be a number of milliseconds from 100 to 2147483647, but is ${what}.`),
    );
  });
});

describe('retries', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    // No jitter.
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** The waits of a call that a service refuses for ever. */
  async function waitsWith(retries: unknown): Promise<number[]> {
    const waits: number[] = [];
    const fetch = scripted(json({}, 500));
    const client = clientOf(fetch, { hooks: { retry: ({ delay }) => void waits.push(delay) } });
    const call = failure(client.kyc.retrieve('u1', { retries } as RequestOptions));
    await vi.runAllTimersAsync();
    expect((await call).attempts).toBe(waits.length + 1);
    expect(fetch.seen).toHaveLength(waits.length + 1);
    return waits;
  }

  const doubled = [500, 1_000, 2_000, 4_000, 8_000];
  it.each<[unknown, number[]]>([
    [undefined, [500, 1_000]],
    [{}, [500, 1_000]],
    [0, []],
    [100, [...doubled, ...Array<number>(95).fill(8_000)]],
    [{ limit: 5 }, doubled],
    [{ limit: undefined, minDelay: undefined, maxDelay: undefined }, [500, 1_000]],
    [{ minDelay: 0 }, [0, 0]],
    [{ minDelay: 600_000 }, [600_000, 600_000]],
    [{ minDelay: 8_001 }, [8_001, 8_001]],
    [{ maxDelay: 100 }, [100, 100]],
    [{ maxDelay: 600 }, [500, 600]],
    [{ minDelay: 7, maxDelay: 7 }, [7, 7]],
    [{ minDelay: 0.5, maxDelay: 1.5, limit: 3 }, [0.5, 1, 1.5]],
    [Object.assign(Object.create(null), { limit: 3 }), [500, 1_000, 2_000]],
  ])('%j waits %j ms', async (retries, waits) => {
    expect(await waitsWith(retries)).toEqual(waits);
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
    [{ minDelay: 2, maxDelay: 1 }, '`retries.maxDelay` must be at least `retries.minDelay`, 2, but is 1.'],
    [
      { limit: 1, count: 2 },
      '`retries`: `count` is not an option. Possible names: `limit`, `minDelay`, `maxDelay`.',
    ],
    [
      { ['x'.repeat(50)]: 1 },
      '`retries`: A name that was given is not an option. Possible names: `limit`, `minDelay`, `maxDelay`.',
    ],
  ])('may not be %j', async (retries, message) => {
    expect(await refused({ retries })).toEqual(refusal(message));
  });
});

describe('headers', () => {
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
    [{ 'x-a': 'a\t ~\x80\xff' }, { 'x-a': 'a\t ~\x80\xff' }],
  ])('%j are sent as %j', async (headers, sent) => {
    const { headers: usual } = (await sentWith({})) ?? {};
    expect((await sentWith({ headers }))?.headers).toEqual({ ...usual, ...sent });
  });

  const name = '`headers` contains a name that HTTP does not allow.';
  const value = 'the header `x-a` contains a character that HTTP does not allow.';
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
  ])('may not be %j', async (headers, message) => {
    expect(await refused({ headers })).toEqual(refusal(message));
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
  ])('may not hold %s', async (owned) => {
    const message = `the header \`${owned}\` is set by the client.`;
    expect(await refused({ headers: { [owned.toUpperCase()]: 'x' } })).toEqual(refusal(message));
  });

  // One that cannot be sent is the hook's problem, not the payment's.
  it.each<[headers: unknown, sent: object]>([
    [{ 'x-a': 'a\nb', 'x b': 'c', 'X-D': 'd', te: 'e', 'x-f': 7 }, { 'x-d': 'd' }],
    [new Headers({ 'x-a': 'b' }), { 'x-a': 'b' }],
    ['x-a: b', {}],
    [['x-a'], {}],
    [null, {}],
    [7, {}],
  ])('of a hook are sent as far as they can be: %j', async (headers, sent) => {
    const { headers: usual } = (await sentWith({})) ?? {};
    const fetch = scripted(json(kyc));
    const hooks = { request: () => ({ headers: headers as Record<string, string> }) };
    await clientOf(fetch, { hooks }).kyc.retrieve('u1');
    expect(fetch.seen[0]?.headers).toEqual({ ...usual, ...sent });
  });

  it('may not hold a token, which has an option', async () => {
    const message = 'the header `authorization` is set by the client. Use `accessToken`.';
    expect(await refused({ headers: { Authorization: 'x' } })).toEqual(refusal(message));
  });
});

describe('the options of a call', () => {
  // *Inherited names*: what a prototype has is refused (test/shared/inherited-names.test.ts).
  it('are those at the time of the call', async () => {
    const fetch = scripted(json(kyc));
    const options: RequestOptions = { query: { a: 1 } };
    const call = clientOf(fetch, { accessToken: async () => token }).kyc.retrieve('u1', options);
    Object.assign(options, { query: { a: 2 } });
    await call;
    expect(fetch.seen[0]?.url).toMatch(/\?a=1$/);
    expect(fetch.seen[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it.each([undefined, {}, Object.create(null), { signal: undefined, query: undefined }])(
    'may be %j',
    async (options) => {
      expect(await sentWith(options)).toEqual({ ...(await sentWith({})), signal: expect.anything() });
    },
  );

  it.each<[unknown, string]>([
    [null, 'the request options must be an object, but are null.'],
    [[], 'the request options must be an object, but are an array.'],
    [7, 'the request options must be an object, but are a number.'],
    [() => 1, 'the request options must be an object, but are a function.'],
    [{ timeout: 0 }, '`timeout` must be a number of milliseconds from 100 to 2147483647, but is 0.'],
    [{ deadline: 0 }, '`deadline` must be a number of milliseconds from 100 to 2147483647, but is 0.'],
    [{ retries: -1 }, '`retries` must be a whole number from 0 to 100, but is -1.'],
    [{ signal: {} }, '`signal` must be an AbortSignal, but is an object.'],
    [{ signal: null }, '`signal` must be an AbortSignal, but is null.'],
    [{ query: [] }, '`query` must be an object, but is an array.'],
    [{ query: 'a=1' }, '`query` must be an object, but is a string.'],
  ])('may not be %j', async (options, message) => {
    expect(await refused(options)).toEqual(refusal(message));
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
    [true, 'a boolean'],
    [Symbol('x'), 'a symbol'],
    [() => 1, 'a function'],
  ])('%s is %s', async (value, kind) => {
    const { message } = await failure(clientOf(scripted(json(kyc))).kyc.retrieve(value as string));
    expect(message).toBe(`kyc.retrieve: \`userId\` must be a non-empty string, but is ${kind}.`);
  });
});
