import { describe, expect, it } from 'vitest';
import { usParams } from '../operations.ts';
import { clientOf, failure, json, scripted, text } from '../support.ts';

type Client = ReturnType<typeof client>;
const client = (fetch: ReturnType<typeof scripted>, baseUrl = 'https://pay.example') =>
  clientOf(fetch, { baseUrl });

type AnyPath = Record<string, { get: { parameters: { path: Record<string, string> } } }>;
/** Reads a path whose placeholders get these values. */
const fill =
  (path: string, values: Record<string, unknown>) =>
  (payments: Client): PromiseLike<unknown> =>
    payments.api<AnyPath>().GET(path, { params: { path: values as Record<string, string> } });

/** The address of the one request that a call sends. */
async function sentTo(call: (payments: Client) => PromiseLike<unknown>, baseUrl?: string) {
  const fetch = scripted(text('{}'));
  await call(client(fetch, baseUrl));
  expect(fetch.seen).toHaveLength(1);
  return fetch.seen[0]?.url;
}

/** The error of a call that sends nothing. */
async function refused(call: (payments: Client) => PromiseLike<unknown>) {
  const fetch = scripted(text('{}'));
  const error = await failure(call(client(fetch)));
  expect(fetch.seen).toEqual([]);
  expect(error).toMatchObject({ name: 'InvalidRequestError', outcome: 'not-sent' });
  return error;
}

const get =
  (path: unknown, query?: object, extra?: object) =>
  (payments: Client): PromiseLike<unknown> =>
    payments.request(
      { method: 'GET', path: path as string, query: query as never },
      { query: extra as never },
    );
const one = (a: unknown) => fill('/x/{a}', { a });

describe('an address', () => {
  it.each([
    ['https://pay.example', '/v2/x', 'https://pay.example/v2/x'],
    ['https://pay.example/base', '/v2/x', 'https://pay.example/base/v2/x'],
    ['https://pay.example/v2', '/v2/x', 'https://pay.example/v2/x'],
    ['https://pay.example/base/v2', '/v2/x', 'https://pay.example/base/v2/x'],
    ['https://pay.example/v2', '/v1/x', 'https://pay.example/v2/v1/x'],
    ['https://pay.example/v2', '/v2x', 'https://pay.example/v2/v2x'],
    ['https://pay.example/v2', '/x/v2', 'https://pay.example/v2/x/v2'],
    ['https://v2', '/x', 'https://v2/x'],
    ['https://pay.example/v2/x', '/v2/y', 'https://pay.example/v2/x/v2/y'],
    ['https://pay.example/xv2', '/v2/y', 'https://pay.example/xv2/v2/y'],
  ])('%s and %s', async (base, path, url) => {
    expect(await sentTo(get(path), base)).toBe(url);
    expect(await sentTo(get(path, { a: 1 }), base)).toBe(`${url}?a=1`);
  });

  it.each<[object | undefined, object | undefined, string]>([
    [undefined, undefined, ''],
    [{}, undefined, ''],
    [undefined, {}, ''],
    [{ a: undefined }, { b: undefined }, ''],
    [{ a: [] }, undefined, ''],
    [{ a: 'x y', b: 7, c: true, d: '' }, undefined, '?a=x+y&b=7&c=true&d='],
    [{ a: ['1', 2, false] }, undefined, '?a=1&a=2&a=false'],
    [undefined, { a: 1 }, '?a=1'],
    [{ a: 1 }, { a: 2, b: 3 }, '?b=3&a=1'],
    [{ a: undefined }, { a: 2 }, '?a=2'],
    [{ a: [1, 2] }, { a: [3, 4] }, '?a=1&a=2'],
  ])('with the query %j and %j', async (query, extra, text) => {
    expect(await sentTo(get('/v2/x', query, extra))).toBe(`https://pay.example/v2/x${text}`);
  });

  it.each<[unknown, string]>([
    [null, 'is null'],
    [Number.NaN, 'is NaN'],
    [Number.POSITIVE_INFINITY, 'is infinite'],
    [{ x: 1 }, 'is an object'],
    [7n, 'is a BigInt'],
    [() => 7, 'is a function'],
    [[1, null], 'contains null'],
    [[Number.NaN, 1], 'contains NaN'],
    [[[1]], 'contains an array'],
    [['a', undefined], 'contains missing'],
  ])('has no query parameter that is %s', async (value, what) => {
    const message = `request: the query parameter \`a\` must be a string, a finite number, a boolean or a list of these, but ${what}.`;
    for (const call of [get('/v2/x', { a: value }), get('/v2/x', undefined, { a: value })]) {
      expect(await refused(call)).toMatchObject({ operation: 'request', field: 'a', message });
    }
  });
});

describe('a path with placeholders', () => {
  it('gets its values in their places', async () => {
    expect(await sentTo(fill('/{a}/{b}/x/{c}', { a: '1', b: '2', c: '3' }))).toBe(
      'https://pay.example/1/2/x/3',
    );
    expect(await sentTo(fill('/v2/{a}/x', { a: 'b' }))).toBe('https://pay.example/v2/b/x');
  });

  it.each([
    ['Ab-9_', 'Ab-9_'],
    ['a b', 'a%20b'],
    ['100%', '100%25'],
    ['a?b#c', 'a%3Fb%23c'],
    ['ü@', '%C3%BC%40'],
    ['...', '...'],
  ])('gets the value %j as %s', async (value, segment) => {
    expect(await sentTo(one(value))).toBe(`https://pay.example/x/${segment}`);
  });

  it('is not filled without any values', async () => {
    const error = await refused((payments) => payments.api<AnyPath>().GET('/x/{a}', {} as never));
    expect(error).toMatchObject({
      field: 'a',
      message: 'GET /x/{a}: `a` must be a non-empty string, but is missing.',
    });
  });

  it('has no place in a brace that is not closed', async () => {
    expect(await sentTo(fill('/x/{a', { a: '1' }))).toBe('https://pay.example/x/{a');
  });

  it.each([
    [[], 'a'],
    [[''], 'a'],
    [['..'], 'a'],
    [['b', '/'], 'c'],
  ])('is not filled with %j', async (values, field) => {
    const [a, c] = values as [string, string];
    expect(await refused(fill('/x/{a}/{c}', { a, c }))).toMatchObject({
      operation: 'GET /x/{a}/{c}',
      field,
    });
  });
});

describe('a segment of a path', () => {
  const slash = 'contains a slash or a backslash, which would reach another resource';
  const relative = 'is `.` or `..`, which would reach another resource';
  const control = 'contains a control character';
  const deep = 'is percent-encoded more than three times';
  it.each<[unknown, string | undefined]>([
    ['a', undefined],
    ['a b', undefined],
    ['.a', undefined],
    ['...', undefined],
    ['a..', undefined],
    ['50%', undefined],
    ['50%41', undefined],
    ['%zz%41', undefined],
    [undefined, 'must be a non-empty string, but is missing'],
    [null, 'must be a non-empty string, but is null'],
    ['', 'must be a non-empty string, but is empty'],
    [' \t', 'must be a non-empty string, but is empty'],
    ['a\uD83D', 'has half of a surrogate pair'],
    ['.', relative],
    ['..', relative],
    ['%2e', relative],
    ['%2E.', relative],
    ['%252e%252e', relative],
    ['a/b', slash],
    ['a\\b', slash],
    ['a%2fb', slash],
    ['a%5Cb', slash],
    ['a%255Cb', slash],
    ['%zz%2fb', slash],
    ['%zz%5Cb', slash],
    ['%zz%00', control],
    ['%zz%0d', control],
    ['%zz%0A', control],
    ['a\nb', control],
    ['a%0ab', control],
    ['a%25252fb', slash],
    ['a%2525252fb', deep],
    ['a%2525253fb', deep],
    ['a%25253fb', undefined],
  ])('%j: %s', async (value, fault) => {
    if (fault === undefined) expect(await sentTo(one(value))).toMatch(/^https:\/\/pay\.example\/x\/[^/]+$/);
    else expect((await refused(one(value))).message).toBe(`GET /x/{a}: \`a\` ${fault}.`);
  });

  it('of encoded dots is none where another part of it cannot be decoded', async () => {
    expect((await refused(one('%2e%2e'))).message).toContain(relative);
    expect(await sentTo(one('%zz'))).toBe('https://pay.example/x/%25zz');
  });
});

describe('control characters', () => {
  it.each(['\u0000', '\u001f', '\u007f', '\u009f', '\u2028', '\u2029'])(
    'are refused in an id: %j',
    async (character) => {
      expect((await refused(one(`a${character}b`))).message).toContain('contains a control character');
    },
  );

  it.each([' ', '~', '\u00a0', 'é', '', '\u2027', '\u202a'])('do not include %j', async (character) => {
    const segment = encodeURIComponent(`a${character}b`);
    expect(await sentTo(one(`a${character}b`))).toBe(`https://pay.example/x/${segment}`);
  });
});

describe('a path for messages', () => {
  it.each([
    ['/v2/users/u1/kyc', '/v2/users/{…}/kyc'],
    ['/V2/Users', '/V2/Users'],
    ['/v123/x', '/v123/x'],
    ['/v1234/x', '/{…}/x'],
    ['/v/x', '/v/x'],
    ['/xv2/v2x', '/{…}/{…}'],
    ['/transfer-rules/-rules', '/transfer-rules/{…}'],
    [`/a${'b'.repeat(40)}`, `/a${'b'.repeat(40)}`],
    [`/a${'b'.repeat(41)}`, '/{…}'],
    ['/a%20b', '/{…}'],
  ])('%s is %s', async (path, shown) => {
    const failing = client(scripted(json({}, 404)));
    const { message } = await failure(get(path)(failing));
    expect(message).toContain(`request GET ${shown} failed (HTTP 404).`);
  });
});

describe('a path of the caller’s', () => {
  it.each([
    ['/v2/x', '/v2/x'],
    ['/v2/a b', '/v2/a%20b'],
    ['/v2/a%20b', '/v2/a%20b'],
    ['/v2/{a}', '/v2/%7Ba%7D'],
    ['/v2/50%', '/v2/50%'],
    ['/v2/ü', '/v2/%C3%BC'],
  ])('%s may be sent as %s', async (path, sent) => {
    expect(await sentTo(get(path))).toBe(`https://pay.example${sent}`);
  });

  it.each<[unknown, string]>([
    [undefined, 'must be a string such as `/v2/…`, but is missing'],
    [7, 'must be a string such as `/v2/…`, but is a number'],
    ['', 'must start with a single `/`'],
    ['/', 'has a segment that must be a non-empty string, but is empty'],
    ['/v2/x/', 'has a segment that must be a non-empty string, but is empty'],
    ['v2/x', 'must start with a single `/`'],
    ['//x', 'must start with a single `/`'],
    ['/v2/x?a', 'must not have a query or a fragment; use `query`'],
    ['/v2/x#a', 'must not have a query or a fragment; use `query`'],
    ['/v2//x', 'has a segment that must be a non-empty string, but is empty'],
    ['/v2/..', 'has a segment that is `.` or `..`, which would reach another resource'],
    ['/v2/a%252fb', 'has a segment that contains a slash or a backslash, which would reach another resource'],
    ['/v2/a\tb', 'has a segment that contains a control character'],
  ])('%j may not', async (path, why) => {
    const wrong = { name: 'InvalidRequestError', operation: 'request', field: 'path' };
    const message = `request: \`path\` ${why}.`;
    expect(await refused(get(path))).toMatchObject({ ...wrong, message });
    const named = { method: 'GET', path: path as string, operation: 'rules.list' } as const;
    expect(await refused((payments) => payments.request(named))).toMatchObject({
      operation: 'rules.list',
      message: `rules.list: \`path\` ${why}.`,
    });
  });
});

describe('a path segment of each operation', () => {
  const bad: readonly [value: unknown, words: string][] = [
    ['', 'must be a non-empty string, but is empty'],
    [undefined, 'but is missing'],
    [7, 'but is a number'],
    ['%2E%2e', 'is `.` or `..`'],
    ['a%2Fb', 'slash'],
  ];

  it.each(bad)('%j is not sent', async (value, words) => {
    const id = value as string;
    const fetch = scripted(json({}));
    const payments = clientOf(fetch);
    const attempts: [string, PromiseLike<unknown>][] = [
      ['transferId', payments.onramps.refreshQuote(id)],
      ['userId', payments.accounts.create(id, usParams)],
      ['userId', payments.accounts.list(id)],
      ['userId', payments.accounts.retrieve(id, 'a1')],
      ['accountId', payments.accounts.retrieve('u1', id)],
      ['accountId', payments.accounts.delete('u1', id)],
      ['accountId', payments.accounts.waitUntilActive('u1', id)],
      ['approvalId', payments.approvals.approve(id)],
      ['approvalId', payments.approvals.reject(id)],
      ['id', payments.reporting.retrieveResults(id)],
      ['userId', payments.kyc.retrieve(id)],
      ['userId', payments.externalWallets.list(id)],
    ];
    for (const [field, attempt] of attempts) {
      const error = await failure(attempt);
      expect(error).toMatchObject({ name: 'InvalidRequestError', field, outcome: 'not-sent' });
      expect(error.message).toContain(words);
    }
    expect(fetch.seen).toHaveLength(0);
  });
});
