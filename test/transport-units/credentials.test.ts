import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCredentials } from '../../src/transport/attempt/credentials.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A token function whose runs end when the test says so. */
function tokenFunction() {
  const runs: { reason: string; end: PromiseWithResolvers<string> }[] = [];
  const credentials = createCredentials(({ reason }) => {
    const end = Promise.withResolvers<string>();
    runs.push({ reason, end });
    return end.promise;
  }, 'unused');
  const run = (number: number) => {
    const found = runs[number - 1];
    if (found === undefined) throw new Error(`the function has run ${runs.length} times`);
    return found.end;
  };
  return { credentials, run, reasons: () => runs.map(({ reason }) => reason) };
}

async function refusal(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('the token was taken');
}

describe('a token', () => {
  it('is itself, and there is no other one', () => {
    const credentials = createCredentials('abc', '`accessToken`');
    expect(credentials.renewable).toBe(false);
    expect(credentials.current()).toBe('abc');
    expect(credentials.replace('abc')).toBe('abc');
  });

  it.each(['!', '~', 'a', 'bearer', 'Bearer-x', 'xbearer', 'a.b_c-d+e/f=='])('may be %s', async (token) => {
    expect(createCredentials(token, 'x').current()).toBe(token);
    expect(await createCredentials(() => token, 'x').current()).toBe(token);
  });

  const unusual = 'a token with a space, a line break or another character that no HTTP header can carry.';
  it.each<[unknown, string, string]>([
    [undefined, 'PAY_TOKEN holds no token.', 'returned no token.'],
    [null, 'PAY_TOKEN holds no token.', 'returned no token.'],
    [7, 'PAY_TOKEN must be a string, but is a number.', 'must return a string, but returned a number.'],
    [{}, 'PAY_TOKEN must be a string, but is an object.', 'must return a string, but returned an object.'],
    ['', 'PAY_TOKEN is empty.', 'returned an empty token.'],
    [
      'BEARER planted',
      'PAY_TOKEN must be the bare token, without the "Bearer " prefix.',
      'must return the bare token, without the "Bearer " prefix.',
    ],
    [
      'bearer\tplanted',
      'PAY_TOKEN must be the bare token, without the "Bearer " prefix.',
      'must return the bare token, without the "Bearer " prefix.',
    ],
    [' ', `PAY_TOKEN holds ${unusual}`, `returned ${unusual}`],
    [' planted', `PAY_TOKEN holds ${unusual}`, `returned ${unusual}`],
    [' bearer planted', `PAY_TOKEN holds ${unusual}`, `returned ${unusual}`],
    ['planted ', `PAY_TOKEN holds ${unusual}`, `returned ${unusual}`],
    ['plan\nted', `PAY_TOKEN holds ${unusual}`, `returned ${unusual}`],
    ['planted\x7f', `PAY_TOKEN holds ${unusual}`, `returned ${unusual}`],
    ['plänted', `PAY_TOKEN holds ${unusual}`, `returned ${unusual}`],
  ])('cannot be %j', async (token, ofOption, ofFunction) => {
    const options: [() => unknown, string][] = [
      [() => createCredentials(token as string, 'PAY_TOKEN'), ofOption],
      [
        () => createCredentials(() => token as string, 'x').current(),
        `The \`accessToken\` function ${ofFunction}`,
      ],
    ];
    for (const [make, message] of options) {
      expect(await refusal(make)).toMatchObject({
        name: 'ConfigurationError',
        code: 'access_token',
        message,
      });
    }
  });
});

describe('a token function', () => {
  it('runs once for all who wait, and its token is kept', async () => {
    const { credentials, run, reasons } = tokenFunction();
    expect(credentials.renewable).toBe(true);
    const waiting = [credentials.current(), credentials.current(), credentials.replace('none')];
    run(1).resolve('one');
    expect(await Promise.all(waiting)).toEqual(['one', 'one', 'one']);
    expect(credentials.current()).toBe('one');
    expect(reasons()).toEqual(['initial']);
  });

  it('runs again for a token that was refused, and not for one that is replaced already', async () => {
    const { credentials, run, reasons } = tokenFunction();
    const first = credentials.current();
    run(1).resolve('one');
    await first;
    const fresh = [credentials.replace('one'), credentials.replace('one'), credentials.current()];
    run(2).resolve('two');
    expect(await Promise.all(fresh)).toEqual(['two', 'two', 'two']);
    expect(credentials.replace('one')).toBe('two');
    expect(credentials.current()).toBe('two');
    expect(reasons()).toEqual(['initial', 'expired']);
  });

  it('that fails is told of, and runs again for the next call', async () => {
    const { credentials, run, reasons } = tokenFunction();
    const cause = new Error('vault closed');
    const failed = refusal(() => credentials.current());
    run(1).reject(cause);
    expect(await failed).toMatchObject({
      name: 'ConfigurationError',
      code: 'access_token',
      originalError: cause,
      message: 'The `accessToken` function failed. `originalError` is what it threw.',
    });
    const next = credentials.current();
    run(2).resolve('two');
    expect(await next).toBe('two');
    expect(reasons()).toEqual(['initial', 'initial']);
  });

  it('counts as lost after half a minute, and not before', async () => {
    const { credentials, reasons } = tokenFunction();
    credentials.current();
    await vi.advanceTimersByTimeAsync(29_999);
    credentials.current();
    expect(reasons()).toEqual(['initial']);
    await vi.advanceTimersByTimeAsync(1);
    credentials.replace('none');
    expect(reasons()).toEqual(['initial', 'expired']);
    credentials.current();
    expect(reasons()).toEqual(['initial', 'expired']);
  });

  it('that was lost and still succeeds brings its token, unless a later run was quicker', async () => {
    for (const order of [
      [1, 2],
      [2, 1],
    ] as const) {
      const { credentials, run, reasons } = tokenFunction();
      const lost = credentials.current();
      await vi.advanceTimersByTimeAsync(30_000);
      const later = credentials.current();
      run(order[0]).resolve(`token-${order[0]}`);
      await vi.advanceTimersByTimeAsync(0);
      expect(credentials.current()).toBe(`token-${order[0]}`);
      run(order[1]).resolve(`token-${order[1]}`);
      expect([await lost, await later]).toEqual(['token-1', 'token-2']);
      // The later run is the current one whenever it ends.
      expect(credentials.current()).toBe('token-2');
      expect(reasons()).toEqual(['initial', 'initial']);
    }
  });

  it('that was lost does not end the run that took its place', async () => {
    for (const end of ['resolve', 'reject'] as const) {
      const { credentials, run, reasons } = tokenFunction();
      const lost = Promise.resolve(credentials.current()).catch(() => 'failed');
      await vi.advanceTimersByTimeAsync(30_000);
      const later = credentials.current();
      if (end === 'resolve') run(1).resolve('stale');
      else run(1).reject(new Error('vault closed'));
      expect(await lost).toBe(end === 'resolve' ? 'stale' : 'failed');
      const joining = credentials.replace('stale');
      expect(reasons()).toEqual(['initial', 'initial']);
      run(2).resolve('two');
      expect([await later, await joining]).toEqual(['two', 'two']);
      expect(credentials.current()).toBe('two');
    }
  });
});
