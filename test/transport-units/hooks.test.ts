import { describe, expect, it, vi } from 'vitest';
import { PaymentsError } from '../../src/index.ts';
import type { AttemptEvent, Hooks } from '../../src/transport/hooks/events.ts';
import { type LogLevel, logDrift, loggingHooks, logLevels } from '../../src/transport/hooks/logging.ts';
import { shielded, Watchers } from '../../src/transport/hooks/watchers.ts';

const event: AttemptEvent = {
  operation: 'bridges.create',
  method: 'POST',
  urlTemplate: '/v2/wallets/bridges',
  origin: 'https://pay.example',
  attempt: 1,
  call: 7,
  requestId: 'r1',
};
const responded = { ...event, status: 200, succeeded: true, duration: 12.4 };
const retried = { ...event, delay: 500.5, status: 503, reason: 'internal_server', duration: 12.4 };
const failed = {
  ...event,
  error: Object.assign(new PaymentsError('x', { code: 'bad_request', outcome: 'rejected' }), {
    name: 'BadRequestError',
    status: 400,
  }),
  duration: 12.6,
};

/** Tells all of it to the watchers. */
function tell(watchers: Watchers): Record<string, string>[] {
  const headers = watchers.request(event);
  watchers.response(responded);
  watchers.retry(retried);
  watchers.error(failed);
  return headers;
}

describe('watchers', () => {
  it('are idle where there are none', () => {
    expect(new Watchers([]).idle).toBe(true);
    expect(new Watchers([{}]).idle).toBe(false);
    expect(tell(new Watchers([]))).toEqual([]);
    expect(tell(new Watchers([{}]))).toEqual([]);
  });

  it('are all told, each by its own hook', () => {
    const spies = () => ({ request: vi.fn(), response: vi.fn(), retry: vi.fn(), error: vi.fn() });
    const [one, two] = [spies(), spies()];
    tell(new Watchers([one, two]));
    for (const { request, response, retry, error } of [one, two]) {
      expect([request, response, retry, error].map(({ mock }) => mock.calls)).toEqual([
        [[event]],
        [[responded]],
        [[retried]],
        [[failed]],
      ]);
    }
  });

  it('may give headers for the request', () => {
    const hooks: Hooks[] = [
      { request: () => ({ headers: { a: '1' } }) },
      { request: () => undefined },
      { request: () => ({}) },
      { request: () => ({ headers: { b: '2' } }) },
    ];
    expect(new Watchers(hooks).request(event)).toEqual([{ a: '1' }, { b: '2' }]);
  });

  it('break nothing, whatever they throw, and the others are told', () => {
    const boom = () => {
      throw new Error('hook failed');
    };
    const last = { request: vi.fn(), response: vi.fn(), retry: vi.fn(), error: vi.fn() };
    tell(new Watchers([{ request: boom, response: boom, retry: boom, error: boom }, last]));
    for (const hook of Object.values(last)) expect(hook).toHaveBeenCalledTimes(1);
  });
});

describe('a function of the caller’s', () => {
  it('runs, and may throw, or reject later', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const run = vi.fn();
    shielded(run);
    expect(run).toHaveBeenCalledTimes(1);
    shielded(() => {
      throw new Error('at once');
    });
    shielded(() => Promise.reject(new Error('later')));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('the log', () => {
  /** The lines that are logged at a level. */
  function linesAt(level: LogLevel, watch: (hooks: Watchers) => unknown = tell): string[] {
    const lines: string[] = [];
    const write = (name: string) => (line: string) => void lines.push(`${name}: ${line}`);
    const logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
    watch(new Watchers([loggingHooks(logger, level)]));
    return lines;
  }

  const head = '[stablecoin-payments] bridges.create POST /v2/wallets/bridges attempt 1 requestId=r1';
  const lines = {
    debug: `debug: ${head} starts`,
    info: `info: ${head} → 200 in 12 ms`,
    warn: `warn: ${head} → 503 in 12 ms: internal_server; next attempt in 501 ms`,
    error: `error: ${head} → 400 in 13 ms: BadRequestError (bad_request), outcome rejected`,
  };

  it('has the lines of its level and of those above', () => {
    expect(linesAt('off')).toEqual([]);
    expect(linesAt('error')).toEqual([lines.error]);
    expect(linesAt('warn')).toEqual([lines.warn, lines.error]);
    expect(linesAt('info')).toEqual([lines.info, lines.warn, lines.error]);
    expect(linesAt('debug')).toEqual([lines.debug, lines.info, lines.warn, lines.error]);
  });

  it('has five levels', () => {
    expect(logLevels).toEqual(['off', 'error', 'warn', 'info', 'debug']);
  });

  it('has no line for a response that did not succeed: a retry or an error follows', () => {
    expect(linesAt('info', (watchers) => watchers.response({ ...responded, succeeded: false }))).toEqual([]);
  });

  it('tells of failures without a response, and of calls without a request id', () => {
    const bare = { ...event, requestId: undefined };
    const short = '[stablecoin-payments] bridges.create POST /v2/wallets/bridges attempt 1';
    expect(
      linesAt('warn', (watchers) => {
        watchers.retry({ ...retried, ...bare, status: undefined, reason: 'timeout' });
        const error = new PaymentsError('x', { code: 'connection', outcome: 'unknown' });
        watchers.error({ ...failed, ...bare, error });
        watchers.error({ ...failed, ...bare, error: Object.assign(error, { status: 'odd' }) });
      }),
    ).toEqual([
      `warn: ${short} failed in 12 ms: timeout; next attempt in 501 ms`,
      `error: ${short} failed in 13 ms: PaymentsError (connection), outcome unknown`,
      `error: ${short} failed in 13 ms: PaymentsError (connection), outcome unknown`,
    ]);
  });

  it('shows an id of the caller’s on one line, and not more than 100 characters of it', () => {
    const requestId = `a b\nc\x7fé~!${'x'.repeat(200)}`;
    const [line] = linesAt('debug', (watchers) => watchers.request({ ...event, requestId }));
    expect(line).toBe(
      `debug: [stablecoin-payments] bridges.create POST /v2/wallets/bridges attempt 1 requestId=a?b?c??~!${'x'.repeat(91)} starts`,
    );
  });

  it('shows ten differences of a response from its schema', () => {
    const issues = (count: number) =>
      Array.from({ length: count }, (_item, index) => ({ path: index === 0 ? '' : `f${index}`, code: 'c' }));
    const ten = '(body): c, f1: c, f2: c, f3: c, f4: c, f5: c, f6: c, f7: c, f8: c, f9: c';
    const start = '[stablecoin-payments] kyc.retrieve returned a response that differs from its schema:';
    const line = (count: number) => {
      const warn = vi.fn();
      const logger = { debug: vi.fn(), info: vi.fn(), warn, error: vi.fn() };
      logDrift(logger, { operation: 'kyc.retrieve', issues: issues(count) });
      return warn.mock.calls[0]?.[0];
    };
    expect(line(1)).toBe(`${start} (body): c`);
    expect(line(10)).toBe(`${start} ${ten}`);
    expect(line(11)).toBe(`${start} ${ten} and 1 more`);
  });
});
