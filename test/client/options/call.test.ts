import type { ClientOptions, RequestOptions } from 'stablecoin-payments';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { keyHints, requestOptionFields, requestOptions } from '../../../src/client/call/call-options.ts';
import { InvalidRequestError, type PaymentsClient } from '../../../src/client/index.ts';
import { optionFault, ownOptions } from '../../../src/shared/schema/option-fault.ts';
import { milliseconds } from '../../../src/shared/schema/option-values.ts';
import { strictObject } from '../../../src/shared/schema/schema.ts';
import { operations, transferParams } from '../operations.ts';
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

describe('an option of a call that does not exist', () => {
  it.each<[given: string, meant: string]>([
    ['idempotencyKey', '`requestId` in the parameters'],
    ['idempotency_key', '`requestId` in the parameters'],
    ['Idempotency-Key', '`requestId` in the parameters'],
    ['idempotencyId', '`requestId` in the parameters'],
    ['userAgent', 'Possible names: `signal`'],
    ['requestId', '`requestId` in the parameters'],
    ['request_id', '`requestId` in the parameters'],
    ['requestID', '`requestId` in the parameters'],
    ['maxRetries', 'Did you mean `retries`?'],
    ['maxNetworkRetries', 'Did you mean `retries`?'],
    ['retires', 'Did you mean `retries`?'],
    ['timeOut', 'Did you mean `timeout`?'],
    ['timeoutMs', 'Did you mean `timeout`?'],
    ['dead_line', 'Did you mean `deadline`?'],
    ['abortSignal', 'Did you mean `signal`?'],
    ['header', 'Did you mean `headers`?'],
    ['extra_body', 'Did you mean `extraBody`?'],
    ['extraQuery', 'Did you mean `query`?'],
    ['token', '`accessToken`'],
    ['apiKey', '`accessToken`'],
    ['prefetch', 'Possible names: `signal`'],
    ['lookup', 'Possible names: `signal`'],
  ])('%s is refused with what is probably meant', async (given, meant) => {
    const fetch = scripted(json({}));
    const options: object = { [given]: 'b1946ac9' };
    const error = await failure(clientOf(fetch).transfers.create(transferParams, options));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ field: 'options', outcome: 'not-sent', operation: 'transfers.create' });
    expect(error.message).toContain(meant);
    expect(error.message).toContain('Nothing was sent.');
    expect(error.message).not.toContain('b1946ac9');
    expect(fetch.seen).toHaveLength(0);
  });

  it('is refused although its value is undefined', async () => {
    const options: object = { idempotencyKey: undefined };
    const error = await failure(clientOf(scripted(json({}))).kyc.retrieve('u1', options));
    expect(error.message).toContain('`idempotencyKey` is not an option');
  });

  it('is not shown when it is no word', async () => {
    const options: object = { [token]: true };
    const error = await failure(clientOf(scripted(json({}))).kyc.retrieve('u1', options));
    expect(error.message).toContain('A name that was given is not an option');
    expect(error.message).not.toContain(token);
  });

  it.each<[string, (client: PaymentsClient, options: object) => PromiseLike<unknown>]>([
    ['approvals.list', (client, options) => client.approvals.list({}, options)],
    ['accounts.list', (client, options) => client.accounts.list('u1', {}, options)],
    ['externalWallets.list', (client, options) => client.externalWallets.list('u1', {}, options)],
    ['accounts.waitUntilActive', (client, options) => client.accounts.waitUntilActive('u1', 'a1', options)],
    ['request', (client, options) => client.request({ method: 'GET', path: '/v2/x' }, options)],
    ['paginate', (client, options) => client.paginate({ path: '/v2/x', next: () => undefined }, options)],
  ])('is refused by %s', async (_name, call) => {
    const fetch = scripted(json({}));
    const error = await failure(call(clientOf(fetch), { maxRetries: 1 }));
    expect(error.message).toContain('Did you mean `retries`?');
    expect(fetch.seen).toHaveLength(0);
  });
});

describe('options of a call', () => {
  const bad: readonly [what: string, options: unknown, words: string][] = [
    ['no object', 7, 'the request options must be an object, but are a number'],
    ['null', null, 'the request options must be an object, but are null'],
    ['timeout NaN', { timeout: Number.NaN }, 'but is NaN'],
    ['retries -1', { retries: -1 }, '`retries` must be a whole number from 0 to 100'],
    ['a signal that is none', { signal: {} }, '`signal` must be an AbortSignal, but is an object'],
    ['a query of objects', { query: { a: {} } }, 'the query parameter `a` must be a string'],
  ];

  it.each(bad)('%s is refused', async (_what, options, words) => {
    const fetch = scripted(json({}));
    const client = clientOf(fetch);
    const attempts = [
      ...operations.map(({ call }) => call(client, options as never)),
      client.accounts.waitUntilActive('u1', 'a1', options as never),
      client.request({ method: 'GET', path: '/v2/x' }, options as never),
    ];
    for (const attempt of attempts) {
      const error = await failure(attempt);
      expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
      expect(error.message).toContain(words);
    }
    expect(fetch.seen).toHaveLength(0);
  });

  it.each([{ interval: 0 }, { interval: '1' }])('%j is no interval to wait', async (options) => {
    const client = clientOf(scripted(json({})));
    const error = await failure(client.accounts.waitUntilActive('u1', 'a1', options as never));
    expect(error).toMatchObject({ name: 'InvalidRequestError', operation: 'accounts.waitUntilActive' });
    expect(error.message).toContain('`interval` must be a number above 0');
  });

  it('query adds to what the method sends, and never drops or replaces it', async () => {
    const fetch = scripted(json({ approvals: [] }));
    const client = clientOf(fetch);
    await client.approvals.list({}, { query: { limit: 7, status: 'PENDING', flag: true, gone: undefined } });
    await client.approvals.list({ limit: 3 }, { query: { limit: 7 } });
    await client.kyc.retrieve('u1', { query: { gone: undefined } }).asResponse();
    expect(fetch.seen.map(({ url }) => new URL(url).search)).toEqual([
      '?limit=7&status=PENDING&flag=true',
      '?limit=3',
      '',
    ]);
  });
});

/** What is wrong with the options of a call, by their schema. */
const ofCall = (given: unknown) =>
  optionFault(requestOptions(), ownOptions(requestOptions(), given), {
    subject: 'the request options',
    verb: 'are',
    hints: keyHints,
  })?.sentence;

const longest = 2_147_483_647;
const plain = 'must be a plain object: convert it with `Object.fromEntries()`';
const limit = `must be a number of milliseconds from 100 to ${longest}, but is`;
const count = 'must be a whole number from 0 to 100, but is';
const delay = 'must be a number of milliseconds from 0 to 600000, but is';
const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined };

describe('the schema of the options of a call', () => {
  it.each([undefined, 100, 100.5, longest])('may have a limit of %s', (value) => {
    expect(ofCall({ timeout: value, deadline: value })).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [null, 'the request options must be an object, but are null.'],
    [[], 'the request options must be an object, but are an array.'],
    [7, 'the request options must be an object, but are a number.'],
    [{ timeout: 0 }, `\`timeout\` ${limit} 0.`],
    [{ timeout: 30 }, `\`timeout\` ${limit} 30. For 30 seconds, write 30000.`],
    [{ timeout: 1 }, `\`timeout\` ${limit} 1. For 1 second, write 1000.`],
    [{ deadline: 99.5 }, `\`deadline\` ${limit} 99.5. For 99.5 seconds, write 99500.`],
    [{ timeout: Number.NaN }, `\`timeout\` ${limit} NaN.`],
    [{ timeout: Number.POSITIVE_INFINITY }, `\`timeout\` ${limit} Infinity.`],
    [{ timeout: '5' }, `\`timeout\` ${limit} a string.`],
    [{ deadline: null }, `\`deadline\` ${limit} null.`],
    [{ retries: -1 }, `\`retries\` ${count} -1.`],
    [{ retries: 1.5 }, `\`retries\` ${count} 1.5.`],
    [{ retries: '2' }, `\`retries\` ${count} a string.`],
    [{ retries: null }, `\`retries\` ${count} null.`],
    [{ retries: [1] }, `\`retries\` ${count} an array.`],
    [{ retries: { limit: '2' } }, `\`retries.limit\` ${count} a string.`],
    [{ retries: { limit: 101 } }, `\`retries.limit\` ${count} 101.`],
    [{ retries: { minDelay: -1 } }, `\`retries.minDelay\` ${delay} -1.`],
    [{ retries: { maxDelay: 600_001 } }, `\`retries.maxDelay\` ${delay} 600001.`],
    [{ retries: { limit: 1.5 } }, `\`retries.limit\` ${count} 1.5.`],
    [
      { retries: { minDelay: 2, maxDelay: 1 } },
      '`retries.maxDelay` must be at least `retries.minDelay`, 2, but is 1.',
    ],
    [{ retries: { limt: 1 } }, '`retries`: `limt` is not an option. Did you mean `limit`?'],
    [{ signal: { aborted: 0, ...listeners } }, '`signal` must be an AbortSignal, but is an object.'],
    [
      { signal: { aborted: false, removeEventListener: () => undefined } },
      '`signal` must be an AbortSignal, but is an object.',
    ],
    [{ signal: new EventTarget() }, '`signal` must be an AbortSignal, but is an object.'],
    [
      { signal: { aborted: false, addEventListener: () => undefined } },
      '`signal` must be an AbortSignal, but is an object.',
    ],
    [{ signal: {} }, '`signal` must be an AbortSignal, but is an object.'],
    [{ signal: 'x' }, '`signal` must be an AbortSignal, but is a string.'],
    [{ signal: null }, '`signal` must be an AbortSignal, but is null.'],
    [{ query: [] }, '`query` must be an object, but is an array.'],
    [{ query: new URLSearchParams('a=1') }, `\`query\` ${plain}.`],
    [{ headers: new Map([['idempotency-key', 'k']]) }, `\`headers\` ${plain}.`],
    [{ query: 'a=1' }, '`query` must be an object, but is a string.'],
    [{ inDoubt: 1 }, '`inDoubt` must be true or false, but is a number.'],
    [{ timeOut: undefined }, '`timeOut` is not an option. Did you mean `timeout`?'],
    [
      { idempotencyKey: 'k' },
      '`idempotencyKey` is not an option. Did you mean `requestId` in the parameters of the call?',
    ],
    [{ maxRetries: 'x', timeout: 1 }, '`maxRetries` is not an option. Did you mean `retries`?'],
    [{ 'eyJ.x/y=': 1 }, 'A name that was given is not an option.'],
  ])('%j are refused', (given, sentence) => {
    expect(ofCall(given)).toContain(sentence);
  });

  it('may be more in one operation', () => {
    const schema = strictObject({ ...requestOptionFields(), interval: z.optional(milliseconds(1)) });
    const words = { subject: 'the request options' };
    expect(optionFault(schema, ownOptions(schema, { interval: 5, timeout: 100 }), words)).toBeUndefined();
    expect(optionFault(schema, ownOptions(schema, { intervall: 5 }), words)).toEqual({
      path: 'intervall',
      sentence: '`intervall` is not an option. Did you mean `interval`?',
      isUnknownName: true,
    });
  });

  // *Inherited names*: a known one is refused (test/shared/inherited-names.test.ts).
  it('are own properties alone', () => {
    expect(ofCall(Object.assign(Object.create({ hold: 1 }), { retries: 0 }))).toBeUndefined();
    expect(ofCall({ retries: Object.assign(Object.create(null), { limit: 3 }) })).toBeUndefined();
  });

  it('may hold what is checked elsewhere, as it is', () => {
    const { signal } = new AbortController();
    // Of another realm or library.
    expect(ofCall({ signal: { aborted: false, ...listeners } })).toBeUndefined();
    for (const retries of [0, 100, {}, { minDelay: 1 }, { maxDelay: 600_000 }, { minDelay: 7, maxDelay: 7 }])
      expect(ofCall({ retries })).toBeUndefined();
    const headers = new Headers();
    expect(ownOptions(requestOptions(), { signal, headers })).toEqual({ signal, headers });
    expect(
      ofCall({ signal, headers, query: { a: 1 }, accessToken: () => 't', extraBody: {} }),
    ).toBeUndefined();
  });
});
