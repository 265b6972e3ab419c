import { describe, expect, it, vi } from 'vitest';
import type { ClientOptions, Hooks, LogLevel, PaymentsClient } from '../../src/client/index.ts';
import { heldTransfer } from '../fixtures/index.ts';
import {
  bridge,
  clientOf,
  cutBody,
  failure,
  json,
  networkFailure,
  type Step,
  scripted,
  text,
} from './support.ts';

const kyc = { userId: 'u1', kycInfo: {} };
const now = { 'retry-after': '0' };

type Told = [hook: string, event: Record<string, unknown>];

/** Hooks that note what they are told. */
function recorder(): { hooks: Hooks; told: Told[] } {
  const told: Told[] = [];
  const note = (hook: string) => (event: object) => {
    told.push([hook, { ...event }]);
  };
  return {
    hooks: {
      request: note('request'),
      response: note('response'),
      retry: note('retry'),
      error: note('error'),
    },
    told,
  };
}

describe('hooks', () => {
  it('are told of every attempt, its response, its repeat and the end', async () => {
    const { hooks, told } = recorder();
    const client = clientOf(scripted(json({}, 503, now), networkFailure('ECONNRESET'), json(heldTransfer)), {
      hooks,
      retries: { minDelay: 0 },
    });
    const { requestId } = await client.bridges.create(bridge).withResponse();
    const common = {
      operation: 'bridges.create',
      method: 'POST',
      urlTemplate: '/v2/wallets/bridges',
      origin: 'http://127.0.0.1:4010',
      call: expect.any(Number),
      requestId,
    };
    const duration = expect.any(Number);
    expect(told).toEqual([
      ['request', { ...common, attempt: 1 }],
      ['response', { ...common, attempt: 1, status: 503, succeeded: false, duration }],
      ['retry', { ...common, attempt: 1, status: 503, delay: 0, reason: 'internal_server', duration }],
      ['request', { ...common, attempt: 2 }],
      [
        'retry',
        {
          ...common,
          attempt: 2,
          status: undefined,
          delay: expect.any(Number),
          reason: 'connection',
          duration,
        },
      ],
      ['request', { ...common, attempt: 3 }],
      ['response', { ...common, attempt: 3, status: 200, succeeded: true, duration }],
    ]);
    expect(new Set(told.map(([, { call }]) => call)).size).toBe(1);
  });

  it('are told of the error that the caller gets', async () => {
    const { hooks, told } = recorder();
    const error = await failure(clientOf(scripted(json({}, 404)), { hooks }).kyc.retrieve('secret-user'));
    expect(told.map(([hook]) => hook)).toEqual(['request', 'response', 'error']);
    expect(told[2]?.[1].error).toBe(error);
    expect(told[2]?.[1]).toMatchObject({ urlTemplate: '/v2/users/{userId}/kyc', requestId: undefined });
    expect(JSON.stringify(told)).not.toContain('secret-user');
  });

  it.each<[string, Step[], ClientOptions, string[]]>([
    [
      'a refreshed token',
      [json({}, 401), json(kyc)],
      { accessToken: () => 'x' },
      ['request', 'response', 'retry', 'request', 'response'],
    ],
    ['a token that fails', [json(kyc)], { accessToken: () => '' }, ['error']],
    ['a response that cannot be used', [json([])], { retries: 0 }, ['request', 'response', 'error']],
    ['a cut body', [cutBody()], { retries: 0 }, ['request', 'error']],
    ['parameters that are refused: nothing', [json(kyc)], { headers: {} }, []],
  ])('are told of %s', async (what, steps, options, expected) => {
    const { hooks, told } = recorder();
    const user = what.startsWith('parameters') ? '' : 'u1';
    await clientOf(scripted(...steps), { hooks, ...options })
      .kyc.retrieve(user)
      .catch(() => undefined);
    expect(told.map(([hook]) => hook)).toEqual(expected);
  });

  it('number the calls', async () => {
    const { hooks, told } = recorder();
    const client = clientOf(scripted(json(kyc)), { hooks: [hooks] });
    await Promise.all([client.kyc.retrieve('u1'), client.kyc.retrieve('u1')]);
    expect(new Set(told.map(([, { call }]) => call)).size).toBe(2);
    expect(Number(told.at(-1)?.[1].call) - Number(told[0]?.[1].call)).toBe(1);
  });

  it.each<[what: string, step: Step, call: (client: PaymentsClient) => Promise<unknown>, succeeded: boolean]>(
    [
      ['a record', json(kyc), (client) => client.kyc.retrieve('u1'), true],
      [
        'a record without an essential field',
        json({ kycInfo: {} }),
        (client) => client.kyc.retrieve('u1'),
        false,
      ],
      [
        'the same, which the caller reads as it is',
        json({ kycInfo: {} }),
        (client) => client.kyc.retrieve('u1').asResponse(),
        true,
      ],
      ['a success that shows no payment', text('<html>'), (client) => client.bridges.create(bridge), false],
    ],
  )('are told whether the attempt has succeeded: %s', async (_what, step, call, succeeded) => {
    const { hooks, told } = recorder();
    await call(clientOf(scripted(step), { hooks, retries: 0 })).catch(() => undefined);
    expect(told.filter(([hook]) => hook === 'response').map(([, event]) => event.succeeded)).toEqual([
      succeeded,
    ]);
  });

  it('are told of a missing essential field as soon as the response arrives, and not where the caller reads it as it is', async () => {
    for (const [isRead, errors] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const { hooks, told } = recorder();
      const client = clientOf(scripted(json({ kycInfo: {} })), { hooks, retries: 0 });
      const call = client.kyc.retrieve('u1');
      await (isRead ? call.catch(() => undefined) : call.asResponse());
      expect(told.filter(([hook]) => hook === 'error')).toHaveLength(errors);
    }
  });

  it('may be many, and keep their this', async () => {
    class Counter implements Hooks {
      told: string[] = [];
      request(): void {
        this.told.push('request');
      }
      response(): void {
        this.told.push('response');
      }
      retry(): void {
        this.told.push('retry');
      }
      error(): void {
        this.told.push('error');
      }
    }
    const boom = () => {
      throw new Error('hook failed');
    };
    const failing = { request: boom, response: boom, retry: boom, error: boom };
    const [one, two] = [new Counter(), new Counter()];
    const client = clientOf(scripted(json({}, 503, now), json({}, 404)), {
      hooks: [one, failing, two],
      retries: { minDelay: 0 },
    });
    await failure(client.kyc.retrieve('u1'));
    const told = ['request', 'response', 'retry', 'request', 'response', 'error'];
    expect([one.told, two.told]).toEqual([told, told]);
  });

  it('that throw or reject break nothing', async () => {
    const rejections = vi.fn();
    process.on('unhandledRejection', rejections);
    const boom = () => {
      throw new Error('hook failed');
    };
    const later = (async () => boom()) as never;
    const client = clientOf(scripted(json({}, 503, now), json(kyc), json({}, 404)), {
      retries: { minDelay: 0 },
      hooks: [
        { request: boom, response: boom, retry: boom, error: boom },
        { request: later, response: later, retry: later, error: later },
      ],
    });
    expect(await client.kyc.retrieve('u1')).toEqual(kyc);
    expect((await failure(client.kyc.retrieve('u1'))).name).toBe('NotFoundError');
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', rejections);
    expect(rejections).not.toHaveBeenCalled();
  });

  // *One call*, zod: "Options of the client and of calls are schemas, too".
  it('that are no functions are refused', () => {
    expect(() => clientOf(scripted(), { hooks: [{ request: 7 } as never] })).toThrow(
      '`hooks[0].request` must be a function, but is a number',
    );
  });

  it('may add headers to a request, attempt by attempt', async () => {
    const fetch = scripted(json({}, 503, now), json(kyc));
    const request: Hooks['request'] = ({ attempt }) => ({ headers: { Traceparent: `00-${attempt}` } });
    await clientOf(fetch, { hooks: { request }, retries: { minDelay: 0 } }).kyc.retrieve('u1');
    expect(fetch.seen.map(({ headers }) => headers.traceparent)).toEqual(['00-1', '00-2']);
    // "Headers that cannot be sent are ignored": the others are sent.
    const more = { baggage: 'user=zoë€', Authorization: 'other', traceparent: '00-3' };
    await clientOf(fetch, { hooks: { request: () => ({ headers: more }) } }).kyc.retrieve('u1');
    expect(fetch.seen.at(-1)?.headers.traceparent).toBe('00-3');
    expect(fetch.seen.at(-1)?.headers.baggage).toBeUndefined();
  });

  it.each([
    { authorization: 'Bearer stolen' },
    { Host: 'evil.example' },
    { 'x-a': '1\r\nx-admin: 1' },
    { 'x-a': 7 },
    { 'bad name': '1' },
    'text',
    7,
  ])('cannot replace or inject what the client depends on: %j', async (headers) => {
    const fetch = scripted(json(kyc));
    const hooks: Hooks[] = [
      { request: () => ({ headers: { 'x-good': '1' } }) },
      { request: () => ({ headers }) as never },
    ];
    await clientOf(fetch, { hooks, accessToken: 'own' }).kyc.retrieve('u1');
    expect(fetch.seen[0]?.headers).toMatchObject({ authorization: 'Bearer own', 'x-good': '1' });
    expect(Object.keys(fetch.seen[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'authorization',
      'user-agent',
      'x-good',
    ]);
  });
});

describe('the logger', () => {
  const steps = [json({}, 503, now), networkFailure('ECONNRESET'), json(heldTransfer), json({}, 400)];

  async function linesAt(logLevel: LogLevel | undefined): Promise<string[]> {
    const lines: string[] = [];
    const logger = Object.fromEntries(
      ['debug', 'info', 'warn', 'error'].map((level) => [
        level,
        (line: string) => lines.push(`${level} ${line}`),
      ]),
    ) as never;
    const client = clientOf(scripted(...steps), {
      logger,
      retries: { minDelay: 1 },
      ...(logLevel !== undefined && { logLevel }),
    });
    await client.bridges.create(
      { ...bridge, requestId: '6fa459ea-ee8a-4ca4-894e-db77e160355e' },
      { retries: 3 },
    );
    await failure(client.kyc.retrieve('u1'));
    return lines.map((line) => line.replaceAll(/\d+ ms/g, 'n ms'));
  }

  const head = '[stablecoin-payments] bridges.create POST /v2/wallets/bridges';
  const all = [
    `warn ${head} attempt 1 requestId=6fa459ea-ee8a-4ca4-894e-db77e160355e → 503 in n ms: internal_server; next attempt in n ms`,
    `warn ${head} attempt 2 requestId=6fa459ea-ee8a-4ca4-894e-db77e160355e failed in n ms: connection; next attempt in n ms`,
    `info ${head} attempt 3 requestId=6fa459ea-ee8a-4ca4-894e-db77e160355e → 200 in n ms`,
    'error [stablecoin-payments] kyc.retrieve GET /v2/users/{userId}/kyc attempt 1 → 400 in n ms: BadRequestError (bad_request), outcome rejected',
  ];
  const upTo = (...levels: string[]) => all.filter((line) => levels.some((level) => line.startsWith(level)));

  it('gets one line per attempt, of what is safe to know', async () => {
    expect(await linesAt(undefined)).toEqual(all);
    expect(await linesAt('info')).toEqual(all);
  });

  it('gets what its level asks for', async () => {
    expect(await linesAt('off')).toEqual([]);
    expect(await linesAt('error')).toEqual(upTo('error'));
    expect(await linesAt('warn')).toEqual(upTo('error', 'warn'));
    const debug = await linesAt('debug');
    expect(debug.filter((line) => !line.startsWith('debug'))).toEqual(all);
    expect(debug.filter((line) => line.startsWith('debug'))).toHaveLength(4);
    expect(debug[0]).toBe(`debug ${head} attempt 1 requestId=6fa459ea-ee8a-4ca4-894e-db77e160355e starts`);
  });

  it('gets no drift below warn, and drift of the body itself by name', async () => {
    const warn = vi.fn();
    const logger = { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn() };
    await failure(clientOf(scripted(json([])), { logger }).accounts.retrieve('u1', 'a1'));
    expect(warn.mock.calls).toEqual([
      [
        '[stablecoin-payments] accounts.retrieve returned a response that differs from its schema: (body): invalid_type',
      ],
    ]);
    await failure(clientOf(scripted(json([])), { logger, logLevel: 'error' }).accounts.retrieve('u1', 'a1'));
    expect(warn).toHaveBeenCalledTimes(1);
  });

  const keyed = { method: 'POST', path: '/v2/x' } as const;

  it('gets an id without spaces, other characters and what is longer than a hundred', async () => {
    const info = vi.fn();
    const logger = { debug: vi.fn(), info, warn: vi.fn(), error: vi.fn() };
    const requestId = `a b\nc\x7fé~!${'x'.repeat(200)}`;
    await clientOf(scripted(json({})), { logger }).request({
      ...keyed,
      body: { requestId },
      retrySafety: 'keyed',
    });
    expect(info.mock.calls[0]?.[0]).toContain(` requestId=a?b?c??~!${'x'.repeat(91)} → 200 in `);
  });

  it('lists ten differences of a response from its schema', async () => {
    const warn = vi.fn();
    const logger = { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn() };
    const logged = async (count: number) => {
      const accounts = Array.from({ length: count }, () => ({ status: 7 }));
      await clientOf(scripted(json({ accounts })), { logger }).accounts.list('u1');
      return warn.mock.lastCall?.[0];
    };
    const differences = (count: number) =>
      Array.from({ length: count }, (_, index) => `accounts.${index}.status: invalid_type`).join(', ');
    const start = '[stablecoin-payments] accounts.list returned a response that differs from its schema:';
    expect(await logged(10)).toBe(`${start} ${differences(10)}`);
    expect(await logged(11)).toBe(`${start} ${differences(10)} and 1 more`);
  });

  it('may be asynchronous, or fail', async () => {
    const logger = {
      debug: vi.fn(),
      info: vi.fn().mockRejectedValue(new Error('disk full')),
      warn: vi.fn(),
      error: vi.fn(() => {
        throw new Error('disk full');
      }),
    };
    const client = clientOf(scripted(json(kyc), text('', 404)), { logger });
    expect(await client.kyc.retrieve('u1')).toEqual(kyc);
    expect((await failure(client.kyc.retrieve('u1'))).name).toBe('NotFoundError');
  });
});
