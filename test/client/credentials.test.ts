import { describe, expect, it, vi } from 'vitest';
import { type AccessTokenContext, type ClientOptions, isPaymentsError } from '../../src/client/index.ts';
import { bridge, clientOf, failure, json, type Seen, scripted } from './support.ts';

const kyc = { userId: 'u1', kycInfo: {} };

/** A service that takes one token and responds with 401 to all others. */
function serviceTaking(valid: (seen: Seen) => boolean) {
  return scripted((seen) =>
    valid(seen) ? Response.json(kyc) : Response.json({ code: 401, error: 'Unauthorized' }, { status: 401 }),
  );
}

const bearer = ({ headers }: Seen) => headers.authorization?.replace('Bearer ', '');

/** What is no token, and what is said of it. */
const notTokens: [unknown, string][] = [
  [7, 'must be a string, but is a number.'],
  [{}, 'must be a string, but is an object.'],
  ['', 'is empty.'],
  ...['BEARER planted', 'bearer\tplanted'].map((token): [string, string] => [
    token,
    'must be the bare token, without the "Bearer " prefix.',
  ]),
  ...[' ', ' planted', ' bearer planted', 'planted ', 'planted\n'].map((token): [string, string] => [
    token,
    'begins or ends with white space: trim it.',
  ]),
  ...['"planted"', "'planted'", '`planted`', '""'].map((token): [string, string] => [
    token,
    'is in quotes: remove them.',
  ]),
  ...['undefined', 'null', ' NaN\n', '[object Object]'].map((token): [string, string] => [
    token,
    `is the text "${token.trim()}": a value was missing where it was made.`,
  ]),
  ...['plan\r\nted', 'planted\x7f', 'plänted'].map((token): [string, string] => [
    token,
    'contains a character that HTTP does not allow.',
  ]),
];
const goodTokens = [
  '!',
  '~',
  'a',
  'bearer',
  'Bearer-x',
  'xbearer',
  'a.b_c-d+e/f==',
  '"a',
  'a"',
  `'a"`,
  'aba',
  `a'b'`,
  `'b'a`,
  '"',
];

/** A token function whose runs end when the test says so. */
function slowTokens() {
  const reasons: string[] = [];
  const runs = Array.from({ length: 3 }, () => Promise.withResolvers<string>());
  const accessToken = ({ reason }: AccessTokenContext) =>
    runs[reasons.push(reason) - 1]?.promise ?? Promise.reject(new Error('one run too many'));
  return { accessToken, reasons, runs };
}

describe('a token function', () => {
  it('is asked once and its token kept', async () => {
    const accessToken = vi.fn(async (_context: AccessTokenContext) => 'one');
    const fetch = scripted(json(kyc));
    const client = clientOf(fetch, { accessToken });
    await Promise.all(Array.from({ length: 50 }, () => client.kyc.retrieve('u1')));
    await client.kyc.retrieve('u1');
    expect(accessToken.mock.calls).toEqual([[{ reason: 'initial' }]]);
    expect(new Set(fetch.seen.map(bearer))).toEqual(new Set(['one']));
  });

  it('may be synchronous', async () => {
    const fetch = scripted(json(kyc));
    await clientOf(fetch, { accessToken: () => 'at-once' }).kyc.retrieve('u1');
    expect(fetch.seen.map(bearer)).toEqual(['at-once']);
  });

  it('is asked for a fresh token on a 401, once, whatever the retries', async () => {
    const reasons: string[] = [];
    const accessToken = ({ reason }: AccessTokenContext) => {
      reasons.push(reason);
      return reason === 'initial' ? 'old' : 'new';
    };
    const fetch = serviceTaking((seen) => bearer(seen) === 'new');
    const client = clientOf(fetch, { accessToken, retries: 0 });
    expect(await client.request({ method: 'POST', path: '/v2/x', body: { a: 1 } })).toEqual(kyc);
    expect(reasons).toEqual(['initial', 'expired']);
    expect(fetch.seen.map(bearer)).toEqual(['old', 'new']);
    expect(fetch.seen[0]?.body).toBe(fetch.seen[1]?.body);
    await client.kyc.retrieve('u1');
    expect(reasons).toHaveLength(2);
  });

  it('that brings no better token is not asked again by the same call', async () => {
    const accessToken = vi.fn(() => 'bad');
    const fetch = serviceTaking(() => false);
    const error = await failure(clientOf(fetch, { accessToken, retries: 5 }).bridges.create(bridge));
    expect(error).toMatchObject({ name: 'AuthenticationError', outcome: 'rejected', attempts: 2 });
    expect(accessToken).toHaveBeenCalledTimes(2);
  });

  it('is asked once for 50 calls that are refused together, and for stragglers not at all', async () => {
    let valid = 'one';
    let asked = 0;
    const accessToken = async () => {
      asked += 1;
      return valid;
    };
    const gate = Promise.withResolvers<void>();
    const fetch = scripted(async (seen) => {
      if (seen.headers['x-straggler'] !== undefined && bearer(seen) === 'one') await gate.promise;
      return bearer(seen) === valid ? Response.json(kyc) : Response.json({}, { status: 401 });
    });
    const client = clientOf(fetch, { accessToken });
    await client.kyc.retrieve('u1');
    valid = 'two';
    const stragglers = Array.from({ length: 5 }, () =>
      client.kyc.retrieve('u1', { headers: { 'x-straggler': '1' } }),
    );
    await Promise.all(Array.from({ length: 50 }, () => client.kyc.retrieve('u1')));
    expect(asked).toBe(2);
    gate.resolve();
    await Promise.all(stragglers);
    expect(asked).toBe(2);
    expect(fetch.seen).toHaveLength(1 + 2 * 55);
  });

  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('vault closed');
      },
      'The `accessToken` function failed. `originalError` is what it threw.',
    ],
    [
      'rejects',
      () => Promise.reject(new Error('vault closed')),
      'The `accessToken` function failed. `originalError` is what it threw.',
    ],
    [
      'rejects with nothing',
      () => Promise.reject(),
      'The `accessToken` function failed. `originalError` is what it threw.',
    ],
    ['gives nothing', () => undefined, 'The `accessToken` function returned no token.'],
    ['gives a promise of null', async () => null, 'The `accessToken` function returned no token.'],
    ...notTokens.map(([token, words]): [string, () => unknown, string] => [
      `gives ${JSON.stringify(token)}`,
      () => token,
      `The token that \`accessToken\` returned ${words}`,
    ]),
  ])('that %s sends nothing, and is asked again by the next call', async (_how, bring, words) => {
    const accessToken = vi.fn(bring).mockName('token');
    const fetch = scripted(json(kyc));
    const client = clientOf(fetch, { accessToken: accessToken as () => string });
    const errors = await Promise.all([
      failure(client.bridges.create(bridge)),
      failure(client.kyc.retrieve('u1')),
    ]);
    for (const error of errors) {
      expect(error).toMatchObject({
        name: 'ConfigurationError',
        code: 'access_token',
        outcome: 'not-sent',
        attempts: 0,
        message: expect.stringContaining(words),
      });
    }
    expect(accessToken).toHaveBeenCalledTimes(1);
    expect(fetch.seen).toHaveLength(0);
    accessToken.mockImplementation(() => 'good');
    await client.kyc.retrieve('u1');
    expect(accessToken).toHaveBeenCalledTimes(2);
  });

  it.each(goodTokens)('may bring %s', async (token) => {
    const fetch = scripted(json(kyc));
    await clientOf(fetch, { accessToken: () => token }).kyc.retrieve('u1');
    expect(fetch.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`]);
  });

  it('that fails when it is asked for a fresh token ends the call, with the outcome of the refusal', async () => {
    let asked = 0;
    const accessToken = () => (asked++ === 0 ? 'old' : Promise.reject(new Error('vault closed')));
    const error = await failure(
      clientOf(
        serviceTaking(() => false),
        { accessToken },
      ).bridges.create(bridge),
    );
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      code: 'access_token',
      attempts: 1,
      // "The strongest of its attempts": the refusal.
      outcome: 'rejected',
    });
  });

  it('is not run a second time because one caller gave up: a refresh token that rotates is spent once', async () => {
    vi.useFakeTimers();
    let running = 0;
    let most = 0;
    let refreshToken = 'refresh-0';
    const spent = new Set<string>();
    const accessToken = vi.fn(async () => {
      running += 1;
      most = Math.max(most, running);
      const own = refreshToken;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      running -= 1;
      if (spent.has(own)) throw new Error('refresh token reuse');
      spent.add(own);
      refreshToken = `refresh-${spent.size}`;
      return `token-${spent.size}`;
    });
    const client = clientOf(scripted(json(kyc)), { accessToken });
    // Nineteen callers give up, one after the other, while the twentieth waits.
    const impatient = Array.from({ length: 19 }, (_item, index) =>
      failure(client.kyc.retrieve('u1', { timeout: 100 + index })),
    );
    const patient = client.kyc.retrieve('u1');
    await vi.advanceTimersByTimeAsync(500);
    const late = client.kyc.retrieve('u1');
    await vi.advanceTimersByTimeAsync(500);
    expect(await patient).toEqual(kyc);
    expect(await late).toEqual(kyc);
    for (const call of impatient) expect(await call).toMatchObject({ limit: 'attempt', outcome: 'not-sent' });
    expect(accessToken).toHaveBeenCalledTimes(1);
    expect(most).toBe(1);
    vi.useRealTimers();
  });

  it('that hangs is run again after half a minute, and not earlier', async () => {
    vi.useFakeTimers();
    const never = new Promise<string>(() => undefined);
    const accessToken = vi
      .fn<() => string | Promise<string>>()
      .mockReturnValueOnce(never)
      .mockReturnValue('good');
    const client = clientOf(scripted(json(kyc)), { accessToken });
    for (const timeout of [10_000, 10_000, 9_900, 100]) {
      const end = failure(client.kyc.retrieve('u1', { timeout }));
      await vi.advanceTimersByTimeAsync(timeout);
      expect(await end).toMatchObject({ name: 'TimeoutError', outcome: 'not-sent', attempts: 0 });
    }
    expect(accessToken).toHaveBeenCalledTimes(1);
    expect(await client.kyc.retrieve('u1')).toEqual(kyc);
    expect(accessToken).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  it.each([
    [
      [0, 1],
      ['token-1', 'token-1', 'token-2', 'token-2'],
    ],
    [
      [1, 0],
      ['token-2', 'token-2', 'token-1', 'token-2'],
    ],
  ])(
    'that was lost and still succeeds brings its token, unless a later run was quicker (%j)',
    async (order, bearers) => {
      vi.useFakeTimers();
      const { accessToken, reasons, runs } = slowTokens();
      const fetch = scripted(json(kyc));
      const client = clientOf(fetch, { accessToken, timeout: 60_000 });
      const calls = [client.kyc.retrieve('u1').asResponse()];
      await vi.advanceTimersByTimeAsync(30_000);
      calls.push(client.kyc.retrieve('u1').asResponse());
      for (const run of order) {
        await vi.advanceTimersByTimeAsync(0);
        runs[run]?.resolve(`token-${run + 1}`);
        await vi.advanceTimersByTimeAsync(0);
        // The later run is the current one whenever it ends.
        await client.kyc.retrieve('u1');
      }
      await Promise.all(calls);
      expect(fetch.seen.map(bearer)).toEqual(bearers);
      expect(reasons).toEqual(['initial', 'initial']);
      vi.useRealTimers();
    },
  );

  it.each(['resolve', 'reject'] as const)(
    'that was lost does not end the run that took its place (%s)',
    async (end) => {
      vi.useFakeTimers();
      const { accessToken, reasons, runs } = slowTokens();
      const client = clientOf(
        serviceTaking((seen) => bearer(seen) === 'two'),
        { accessToken, timeout: 60_000 },
      );
      const lost = client.kyc.retrieve('u1').then(
        () => 'done',
        (error: unknown) => isPaymentsError(error) && error.code,
      );
      await vi.advanceTimersByTimeAsync(30_000);
      const later = client.kyc.retrieve('u1');
      await vi.advanceTimersByTimeAsync(0);
      // The service refuses the token of the lost run, and the call waits for that of the other.
      if (end === 'resolve') runs[0]?.resolve('stale');
      else runs[0]?.reject(new Error('vault closed'));
      await vi.advanceTimersByTimeAsync(0);
      const joining = client.kyc.retrieve('u1');
      await vi.advanceTimersByTimeAsync(0);
      expect(reasons).toEqual(['initial', 'initial']);
      runs[1]?.resolve('two');
      expect([await lost, await later, await joining]).toEqual([
        end === 'resolve' ? 'done' : 'access_token',
        kyc,
        kyc,
      ]);
      expect(reasons).toEqual(['initial', 'initial']);
      vi.useRealTimers();
    },
  );
});

describe('a string token', () => {
  it.each(goodTokens)('may be %s', async (token) => {
    const fetch = scripted(json(kyc));
    await clientOf(fetch, { accessToken: token }).kyc.retrieve('u1');
    expect(fetch.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${token}`]);
  });

  it.each(notTokens)('cannot be %j', async (accessToken, words) => {
    const made = failure(() => clientOf(scripted(json(kyc)), { accessToken: accessToken as string }));
    expect(await made).toMatchObject({
      name: 'ConfigurationError',
      code: 'access_token',
      message: `\`accessToken\` ${words}`,
    });
  });

  it('cannot be renewed: a 401 surfaces at once', async () => {
    const fetch = serviceTaking(() => false);
    const error = await failure(clientOf(fetch, { accessToken: 'fixed' }).bridges.create(bridge));
    expect(error).toMatchObject({ name: 'AuthenticationError', attempts: 1, outcome: 'rejected' });
  });
});

describe('tenants', () => {
  it('never mix, with a token per call', async () => {
    const fetch = scripted(async ({ url, headers }) => {
      await Promise.resolve();
      return Response.json({
        userId: new URL(url).pathname.split('/')[3],
        kycInfo: { bearer: headers.authorization },
      });
    });
    const client = clientOf(fetch, { accessToken: () => 'shared' });
    const records = await Promise.all(
      Array.from({ length: 200 }, (_item, index) => {
        const own = index % 2 === 0 ? `t${index}` : async () => `t${index}`;
        return client.kyc.retrieve(`u${index}`, index % 5 === 0 ? {} : { accessToken: own });
      }),
    );
    records.forEach(({ userId, kycInfo }, index) => {
      expect(userId).toBe(`u${index}`);
      expect(kycInfo).toHaveProperty('bearer', `Bearer ${index % 5 === 0 ? 'shared' : `t${index}`}`);
    });
  });

  it('never mix, with a client each, also while tokens are refreshed', async () => {
    const fetch = serviceTaking((seen) => bearer(seen)?.endsWith('-expired') === true);
    const base = clientOf(fetch);
    const tenants = Array.from({ length: 20 }, (_item, index) =>
      base.withOptions({ accessToken: async ({ reason }) => `t${index}-${reason}` }),
    );
    await Promise.all(
      tenants.flatMap((tenant, index) =>
        Array.from({ length: 5 }, () => tenant.kyc.retrieve('u1', { headers: { 'x-tenant': `t${index}` } })),
      ),
    );
    for (const seen of fetch.seen) expect(bearer(seen)?.split('-')[0]).toBe(seen.headers['x-tenant']);
    expect(fetch.seen).toHaveLength(200);
  });

  it('a token of one call is refreshed for that call alone', async () => {
    const shared = vi.fn(() => 'shared');
    const own = vi.fn(({ reason }: AccessTokenContext) => `own-${reason}`);
    const fetch = serviceTaking((seen) => bearer(seen) !== 'own-initial');
    const client = clientOf(fetch, { accessToken: shared } satisfies ClientOptions);
    await client.kyc.retrieve('u1', { accessToken: own });
    await client.kyc.retrieve('u1');
    expect(fetch.seen.map(bearer)).toEqual(['own-initial', 'own-expired', 'shared']);
    expect(shared).toHaveBeenCalledTimes(1);
  });
});
