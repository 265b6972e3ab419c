import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { type ClientOptions, ConfigurationError, type PaymentsError } from '../../src/client/index.ts';
import { approve, type Call, pay, read, requestId, transferParams } from '../client/operations.ts';
import {
  clientOf,
  cutBody,
  failure,
  hanging,
  json,
  networkFailure,
  type Step,
  scripted,
  text,
} from '../client/support.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T10:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const unknownPayment = 'This call may have made the payment: retry with the same requestId, or look it up.';

/** Runs a call to its error while the clock jumps from timer to timer. */
async function fail(call: Call, steps: readonly Step[], options = {}): Promise<PaymentsError> {
  const ended = failure(call(clientOf(scripted(...steps), { retries: 1, ...options })));
  await vi.runAllTimersAsync();
  return ended;
}

const redirected: Step = () => {
  const response = new Response('{}', { status: 200 });
  Object.defineProperty(response, 'redirected', { value: true });
  Object.defineProperty(response, 'url', { value: 'https://elsewhere.example:8443/x' });
  return response;
};

const long: Step = () => new Response('x'.repeat(11 * 1024 * 1024), { status: 200 });

const signal = () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('enough')), 50);
  return controller.signal;
};

const notSent = 'Nothing was sent: this call made no payment.';
const known =
  'The service has a request with this requestId, so the payment may have been made. Look it up; do not use a new requestId.';
const host = '127.0.0.1:4010';
const never = () => new Promise<string>(() => undefined);

/** What the options and the call of a kind are, where they are not the usual ones, and the code of its error. */
interface More {
  options?: ClientOptions;
  call?: Call;
  code?: string;
}

/** One failure of every kind, as an operation with a request id has it. The operation's name comes before each message. */
const kinds: readonly [
  what: string,
  step: Step,
  /** The class, the outcome and the number of attempts. */
  ends: string,
  message: string,
  more?: More,
][] = [
  [
    'a refusal',
    json({ error: 'USER_FROZEN' }, 403),
    'PermissionDeniedError rejected 1',
    ' failed: USER_FROZEN (HTTP 403). This call made no payment.',
  ],
  [
    'a known request id',
    json({ error: 'RESOURCE_CONFLICT' }, 400),
    'ConflictError unknown 1',
    ` failed: RESOURCE_CONFLICT (HTTP 400). ${known}`,
    { code: 'request_id_known' },
  ],
  [
    'a known request id under a status of success',
    json({ error: 'RESOURCE_CONFLICT' }, 200),
    'ConflictError unknown 1',
    ` failed: RESOURCE_CONFLICT (HTTP 200). ${known}`,
    { code: 'request_id_known' },
  ],
  [
    'a server error, twice',
    text('', 502),
    'InternalServerError unknown 2',
    ` failed (HTTP 502). ${unknownPayment}`,
  ],
  [
    'a refused connection, twice',
    networkFailure('ECONNREFUSED'),
    'ConnectionError not-sent 2',
    `: could not connect to ${host} (ECONNREFUSED). ${notSent} Check the base address and the network.`,
  ],
  [
    'a reset, twice',
    networkFailure('ECONNRESET'),
    'ConnectionError unknown 2',
    `: connection to ${host} was reset before a response arrived (ECONNRESET). ${unknownPayment}`,
  ],
  [
    'a connection that fails with another code, twice',
    networkFailure('EPIPE'),
    'ConnectionError unknown 2',
    `: connection to ${host} failed before a response arrived (EPIPE). ${unknownPayment}`,
  ],
  [
    'a certificate that is refused',
    networkFailure('CERT_HAS_EXPIRED'),
    'ConnectionError not-sent 1',
    `: the TLS handshake with ${host} failed (CERT_HAS_EXPIRED). ${notSent} The certificate has expired: check it, and the clock of this machine.`,
  ],
  [
    'a `fetch` that throws what has no code, twice',
    () => Promise.reject(new Error('what is in here may be secret')),
    'ConnectionError unknown 2',
    `: connection to ${host} failed before a response arrived. ${unknownPayment}`,
  ],
  [
    'a body cut short, twice',
    cutBody(201),
    'ConnectionError unknown 2',
    `: connection to ${host} closed before the response was complete (HTTP 201). ${unknownPayment}`,
  ],
  [
    'a response that is too large',
    long,
    'ResponseValidationError unknown 1',
    `: the response is larger than 10 MiB. ${unknownPayment}`,
  ],
  [
    'a redirect that `fetch` followed',
    redirected,
    'ConnectionError unknown 1',
    `: the \`fetch\` option followed a redirect to elsewhere.example:8443, which has received the request. ${unknownPayment} Use a fetch that honors \`redirect: 'manual'\`.`,
    { code: 'redirect_followed' },
  ],
  [
    'attempts that run out of time, twice',
    hanging,
    'TimeoutError unknown 2',
    ` timed out: no response from ${host} within 1500 ms (\`timeout\`). ${unknownPayment}`,
    { options: { timeout: 1_500 } },
  ],
  [
    'a deadline',
    hanging,
    'TimeoutError unknown 1',
    ` timed out: no response from ${host} within 900 ms (\`deadline\`). ${unknownPayment}`,
    { options: { deadline: 900 } },
  ],
  [
    'a token that does not come in time',
    json({}),
    'TimeoutError not-sent 0',
    ` timed out: the \`accessToken\` function returned no token within 1500 ms (\`timeout\`). ${notSent}`,
    { options: { timeout: 1_500, accessToken: never } },
  ],
  [
    'a call that its caller aborts',
    hanging,
    'AbortedError unknown 1',
    ` was aborted by the caller's signal. ${unknownPayment}`,
    { call: (client) => client.transfers.create(transferParams, { signal: signal() }) },
  ],
];

describe('an error of a call', () => {
  it.each(kinds)('tells all of %s', async (_what, step, ends, message, more = {}) => {
    const { options, call = pay, code } = more;
    const error = await fail(call, [step], options);
    expect(error).toMatchObject({ operation: 'transfers.create', requestId });
    expect(`${error.name} ${error.outcome} ${error.attempts}`).toBe(ends);
    expect(error.message).toBe(`transfers.create${message}`);
    if (code !== undefined) expect(error.code).toBe(code);
  });

  it('tells all of a token function that fails', async () => {
    const error = await fail(pay, [json({})], { accessToken: () => Promise.reject(new Error('down')) });
    expect(error).toMatchObject({
      name: 'ConfigurationError',
      code: 'access_token',
      outcome: 'not-sent',
      attempts: 0,
    });
    expect(error).toMatchObject({ operation: 'transfers.create', requestId });
    expect(error.message).toBe(
      `The \`accessToken\` function failed. \`originalError\` is what it threw. ${notSent}`,
    );
  });

  it.each([
    ['a refusal', json({ error: 'USER_FROZEN' }, 400), 'rejected'],
    ['a reset', networkFailure('ECONNRESET'), 'unknown'],
    ['a body cut short', cutBody(), 'unknown'],
  ])('holds no request id where the call has none: %s', async (_what, step, outcome) => {
    const error = await fail(approve, [step]);
    expect(error).toMatchObject({ operation: 'approvals.approve', attempts: 1, outcome });
    expect(error.requestId).toBeUndefined();
  });

  it('passes on what was thrown, and why the caller stopped', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    controller.abort(reason);
    const aborted = await fail(
      (client) => client.kyc.retrieve('u1', { signal: controller.signal }),
      [hanging],
    );
    expect(aborted).toMatchObject({ name: 'AbortedError', outcome: 'not-sent', attempts: 0 });
    expect(aborted.originalError).toBe(reason);
    const refused = await fail(read, [networkFailure('ECONNREFUSED')]);
    expect(refused.originalError).toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    const failing = await fail(read, [json({})], { accessToken: () => Promise.reject(reason) });
    expect(failing.originalError).toBe(reason);
  });

  it('names no address where the followed redirect hides it', async () => {
    const hidden: Step = () => Object.defineProperty(new Response('{}'), 'redirected', { value: true });
    expect((await fail(pay, [hidden])).message).toContain('followed a redirect to another address, which');
  });

  it('keeps the seconds that the service asked to wait', async () => {
    const error = await fail(pay, [json({}, 429, { 'retry-after': '90' })]);
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfter: 90, attempts: 1 });
    expect(await fail(pay, [json({}, 429)])).toMatchObject({ retryAfter: undefined, attempts: 2 });
  });
});

describe('the code of the service', () => {
  it('is not in the message where it may be part of the token', async () => {
    const refusal = json({ error: 'USER_FROZEN', code: 482913 }, 400);
    expect((await fail(pay, [refusal])).message).toContain('Service code: 482913.');
    for (const accessToken of ['482913', 'x482913', '482913-y']) {
      expect((await fail(pay, [refusal], { accessToken })).message).not.toContain('482913');
    }
    const unnamed = json({ code: 482913 }, 400);
    expect((await fail(pay, [unnamed], { accessToken: '482913' })).message).not.toContain('482913');
  });
});

describe('a fresh token', () => {
  const names = () => {
    let count = 0;
    return () => `token-${++count}`;
  };
  it('takes no retry from the call', async () => {
    const steps = [json({}, 401), text('', 502), text('', 502), text('', 502)];
    const error = await fail(pay, steps, { retries: 2, accessToken: names() });
    expect(error).toMatchObject({ status: 502, attempts: 4 });
    const later = [text('', 502), json({}, 401), text('', 502), text('', 502)];
    const second = await fail(pay, later, { retries: 2, accessToken: names() });
    expect(second).toMatchObject({ status: 502, attempts: 4 });
  });

  it('is asked for once: the next 401 ends the call', async () => {
    const error = await fail(pay, [text('', 502), json({}, 401)], { retries: 5, accessToken: names() });
    expect(error).toMatchObject({ name: 'AuthenticationError', outcome: 'unknown', attempts: 3 });
  });
});

describe('what ends a call at once', () => {
  const requestsOf = async (call: Call, step: Step, options = {}) => {
    const fetch = scripted(step);
    const ended = failure(call(clientOf(fetch, options)));
    await vi.runAllTimersAsync();
    return { error: await ended, requests: fetch.seen.length };
  };

  it('a `fetch` that throws an error of this package has sent the request all the same', async () => {
    const thrown: Step = () => {
      throw new ConfigurationError('not mine', { code: 'access_token' });
    };
    const { error, requests } = await requestsOf(approve, thrown);
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    expect(requests).toBe(1);
  });

  it('a token function that fails is not asked again', async () => {
    const accessToken = vi.fn(() => Promise.reject(new Error('down')));
    await requestsOf(read, json({}), { accessToken });
    expect(accessToken).toHaveBeenCalledTimes(1);
  });

  it('an ambiguous failure of what must not be sent twice', async () => {
    for (const step of [hanging, cutBody(), text('<html>'), networkFailure('ECONNRESET')]) {
      const { error, requests } = await requestsOf(approve, step, { timeout: 500 });
      expect(error).toMatchObject({ outcome: 'unknown' });
      expect(error.message).toContain('This call may have been carried out: check before you send it again.');
      expect(requests).toBe(1);
    }
  });

  it('a response that a schema of the caller’s refuses', async () => {
    const schema = z.object({ id: z.string() });
    const { error, requests } = await requestsOf(
      (client) => client.request({ method: 'GET', path: '/v2/x', schema }),
      text('{}'),
    );
    expect(error).toMatchObject({ issues: [{ path: 'id', code: 'schema' }] });
    // "A schema that fails is `unknown`, not repeated."
    expect(error.outcome).toBe('unknown');
    expect(error.message).toBe(
      'request: the response (HTTP 200) does not pass your `schema` (`id`: schema). Nothing was changed: it is safe to try again. `error.body` has the response.',
    );
    expect(requests).toBe(1);
  });
});

it('an earlier attempt of a payment stays open after a refusal; that of a read does not', async () => {
  const steps = [text('', 502), json({ error: 'USER_FROZEN' }, 403)];
  expect(await fail(read, steps)).toMatchObject({ status: 403, outcome: 'rejected' });
  expect(await fail(pay, steps)).toMatchObject({ status: 403, outcome: 'unknown' });
});
