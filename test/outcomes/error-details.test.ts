import { gzipSync } from 'node:zlib';
import * as undici7 from 'undici7';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import {
  type ClientOptions,
  ConfigurationError,
  type PaymentsError,
  type StandardSchema,
} from '../../src/client/index.ts';
import { approve, type Call, pay, read, requestId, transferParams } from '../client/operations.ts';
import {
  clientAt,
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
import { useGlobally } from '../node-transport/support.ts';

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
const kept = '`error.body` has the response.';
const withoutEncoding = "Ask for none with the option `headers: { 'accept-encoding': 'identity' }`.";
const host = '127.0.0.1:4010';
const never = () => new Promise<string>(() => undefined);

/** A body that the `fetch` has not unpacked. */
const compressed =
  (status: number): Step =>
  () =>
    new Response(new Uint8Array(gzipSync('{}')), { status, headers: { 'content-encoding': 'gzip' } });

/** A compressed body whose unpacking fails with a code of zlib. */
const brokenOff =
  (code: string): Step =>
  () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error(), { code })),
    });
    return new Response(body, { headers: { 'content-encoding': 'gzip' } });
  };

/** What the options and the call of a kind are, where they are not the usual ones, and the code of its error. */
interface More {
  options?: ClientOptions;
  call?: Call;
  code?: string;
}

/** A schema of the caller's that finds this many departures. */
const departing = (count: number): StandardSchema<object> => ({
  '~standard': {
    validate: () => ({ issues: Array.from({ length: count }, (_none, index) => ({ path: [`f${index}`] })) }),
  },
});

/** A schema of the caller's that fails. */
const failing: StandardSchema<object> = {
  '~standard': {
    validate: () => {
      throw new Error('the schema is broken');
    },
  },
};

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
    'a refusal with the service’s own id of the request',
    json({ error: 'USER_FROZEN' }, 403, { 'x-request-id': 'trace-1' }),
    'PermissionDeniedError rejected 1',
    ' failed: USER_FROZEN (HTTP 403). This call made no payment. Trace id: trace-1.',
  ],
  [
    'a known request id, with a status that asks to come back',
    json({ error: 'RESOURCE_CONFLICT' }, 429),
    'ConflictError unknown 1',
    ` failed: RESOURCE_CONFLICT (HTTP 429). ${known}`,
    { code: 'request_id_known' },
  ],
  [
    'a known request id, with a status that is otherwise sent again',
    json({ error: 'RESOURCE_CONFLICT' }, 500),
    'ConflictError unknown 1',
    ` failed: RESOURCE_CONFLICT (HTTP 500). ${known}`,
    { code: 'request_id_known' },
  ],
  [
    'a server error that the option `refusals` calls rejected',
    json({ error: 'LIMIT_REACHED' }, 500),
    'InternalServerError rejected 1',
    ' failed: LIMIT_REACHED (HTTP 500). This call made no payment.',
    { options: { refusals: () => 'rejected' } },
  ],
  [
    'a known request id, with a token that could be replaced',
    json({ error: 'RESOURCE_CONFLICT' }, 401),
    'ConflictError unknown 1',
    ` failed: RESOURCE_CONFLICT (HTTP 401). ${known}`,
    { code: 'request_id_known', options: { accessToken: () => 'token-1' } },
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
    'a response with a status of error that is too large',
    text('x'.repeat(11 * 1024 * 1024), 503),
    'InternalServerError unknown 1',
    ` failed (HTTP 503). ${unknownPayment}`,
  ],
  [
    'a response that `fetch` has read, once',
    () => Object.defineProperty(new Response('{}'), 'bodyUsed', { value: true }),
    'ConnectionError unknown 1',
    `: the \`fetch\` option gave a Response that cannot be read: it needs \`status\`, \`headers\`, and a web stream as \`body\` or \`arrayBuffer()\`, which nobody has read. ${unknownPayment} Use the platform's \`fetch\`, or undici's, and \`response.clone()\` to read the body yourself.`,
    { code: 'unreadable_response' },
  ],
  [
    'a success that shows no record, twice',
    json({}),
    'ResponseValidationError unknown 2',
    `: the response (HTTP 200) does not prove the request (\`transferDetails.id\`: no_record). ${unknownPayment} ${kept}`,
  ],
  [
    'a success that is no JSON, twice',
    text('<html>'),
    'ResponseValidationError unknown 2',
    `: the response (HTTP 200) does not prove the request (body: invalid_json). ${unknownPayment} ${kept}`,
  ],
  [
    'an error with a name under a status of success, twice',
    json({ success: false, code: 'AMOUNT_TOO_SMALL' }),
    'ResponseValidationError unknown 2',
    `: the response (HTTP 200) does not prove the request (body: error_shape). ${unknownPayment} ${kept} \`AMOUNT_TOO_SMALL\`: a function as the option \`refusals\` can tell what it means.`,
  ],
  [
    'an error under a status of success that the option `refusals` calls rejected',
    json({ error: 'LIMIT_REACHED' }),
    'APIError rejected 1',
    ' failed: LIMIT_REACHED (HTTP 200). This call made no payment.',
    { options: { refusals: () => 'rejected' } },
  ],
  [
    'the same with the last status of success',
    json({ error: 'LIMIT_REACHED' }, 299),
    'APIError rejected 1',
    ' failed: LIMIT_REACHED (HTTP 299). This call made no payment.',
    { options: { refusals: () => 'rejected' } },
  ],
  [
    'an error under a status of success that the option `refusals` leaves open, twice',
    json({ error: 'LIMIT_REACHED' }),
    'APIError unknown 2',
    ` failed: LIMIT_REACHED (HTTP 200). ${unknownPayment}`,
    { options: { refusals: () => 'unknown' } },
  ],
  [
    'a record of another payment',
    () => Response.json({ transferDetails: { id: 't1', status: 'CREATED', requestId: 'another' } }),
    'ResponseMismatchError unknown 1',
    `: the response belongs to another request: its \`requestId\` differs. The client discarded it. ${unknownPayment}`,
  ],
  [
    'a record that departs from its schema',
    json({ transferDetails: { id: 't1', status: 7 } }),
    'ResponseValidationError succeeded 1',
    ` succeeded, but the response has an unexpected shape (\`transferDetails.status\`: invalid_type). This call made the payment: do not send it again. ${kept}`,
  ],
  [
    'a success that is still compressed, twice',
    compressed(200),
    'ResponseValidationError unknown 2',
    `: the response (HTTP 200) has the content encoding \`gzip\` that could not be undone (body: content_encoding). ${unknownPayment} ${withoutEncoding} ${kept}`,
  ],
  [
    'an error that is still compressed, twice',
    compressed(503),
    'InternalServerError unknown 2',
    ` failed (HTTP 503). ${unknownPayment} The body has the content encoding \`gzip\` that could not be undone. ${withoutEncoding}`,
  ],
  [
    'a body that is not in its encoding, twice',
    brokenOff('Z_DATA_ERROR'),
    'ConnectionError unknown 2',
    `: the response (HTTP 200) has the content encoding \`gzip\` that could not be undone. ${unknownPayment} ${withoutEncoding}`,
  ],
  [
    'a compressed body cut short, twice',
    brokenOff('Z_BUF_ERROR'),
    'ConnectionError unknown 2',
    `: connection to ${host} closed before the response was complete (HTTP 200). ${unknownPayment}`,
  ],
  [
    'a refusal for now whose body was cut, twice',
    cutBody(429),
    'RateLimitError unknown 2',
    ` failed (HTTP 429). ${unknownPayment} Try again later.`,
  ],
  [
    'a refusal for now that is still compressed, twice',
    compressed(429),
    'RateLimitError unknown 2',
    ` failed (HTTP 429). ${unknownPayment} Try again later. The body has the content encoding \`gzip\` that could not be undone. ${withoutEncoding}`,
  ],
  // Row 2: "the body is empty, and nothing shows that it arrived whole: it is compressed […]".
  [
    'a success without a body that should be compressed, twice',
    text('', 201, { 'content-encoding': 'gzip' }),
    'ConnectionError unknown 2',
    `: the body of the response (HTTP 201) is empty, and nothing shows that it arrived whole. ${unknownPayment} ${withoutEncoding}`,
  ],
  [
    'a refusal for now without a body that should be compressed, twice',
    text('', 429, { 'content-encoding': 'gzip' }),
    'RateLimitError unknown 2',
    ` failed (HTTP 429). ${unknownPayment} Try again later.`,
  ],
  ...['{"success":', ' \n{"success":', '[{"success":'].map((begun): (typeof kinds)[number] => [
    `a refusal for now whose JSON breaks off, twice: ${JSON.stringify(begun)}`,
    text(begun, 429),
    'RateLimitError unknown 2',
    ` failed (HTTP 429). ${unknownPayment} Try again later.`,
  ]),
  [
    'a refusal for now whose text has a brace, twice',
    text('Slow down {7', 429),
    'RateLimitError rejected 2',
    ' failed (HTTP 429). This call made no payment. Try again later.',
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

  it('tells all of an error that nothing expects', async () => {
    const planted = new Error('no randomness');
    vi.spyOn(Math, 'random').mockImplementationOnce(() => {
      throw planted;
    });
    const error = await fail(pay, [text('', 502)]);
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'unreadable_response', requestId });
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1, originalError: planted });
    expect(error.message).toBe(
      `transfers.create: an unexpected error ended the call, see \`originalError\`. ${unknownPayment}`,
    );
  });

  it('tells nothing for sure of one in the first attempt', async () => {
    const planted = new Error('no clock');
    vi.spyOn(Date, 'now').mockImplementationOnce(() => {
      throw planted;
    });
    const error = await fail(approve, [json({}, 400)]);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1, originalError: planted });
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
    const cut = await fail(read, [cutBody()]);
    expect(cut.originalError).toMatchObject({ message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } });
    const failing = await fail(read, [json({})], { accessToken: () => Promise.reject(reason) });
    expect(failing.originalError).toBe(reason);
  });

  it('names no address where the followed redirect hides it', async () => {
    const hidden: Step = () => Object.defineProperty(new Response('{}'), 'redirected', { value: true });
    expect((await fail(pay, [hidden])).message).toContain('followed a redirect to another address, which');
  });

  it.each<[what: string, call: Call, step: Step, message: string, options?: ClientOptions]>([
    [
      'a read without anything of use',
      read,
      json({}),
      'kyc.retrieve: the response (HTTP 200) cannot be used (body: empty). Nothing was changed: it is safe to try again. `error.body` has the response.',
    ],
    [
      'a known name of an operation without a key',
      approve,
      json({ error: 'RESOURCE_CONFLICT' }, 400),
      'approvals.approve failed: RESOURCE_CONFLICT (HTTP 400). This call may have been carried out: check before you send it again.',
    ],
    [
      'a request that has a name',
      (client) => client.request({ method: 'POST', path: '/v2/x', operation: 'quotes.accept' }),
      json({ error: 'USER_FROZEN' }, 403),
      'quotes.accept failed: USER_FROZEN (HTTP 403). This call changed nothing.',
    ],
    [
      'an earlier call of an operation without a key',
      (client) => client.approvals.approve('ap1', {}, { inDoubt: true }),
      json({ error: 'USER_FROZEN' }, 403),
      'approvals.approve failed: USER_FROZEN (HTTP 403). An earlier call may have been carried out: check before you send it again.',
    ],
    [
      'a schema of the caller’s that never ends',
      (client) =>
        client.request({
          method: 'POST',
          path: '/v2/x',
          schema: { '~standard': { validate: () => new Promise(() => undefined) } },
        }),
      json({}),
      'request timed out: the `schema` did not finish within 900 ms (`deadline`). This call may have been carried out: check before you send it again.',
      { deadline: 900 },
    ],
    [
      'a schema of the caller’s that finds a lot',
      (client) =>
        client.request({ method: 'POST', path: '/v2/x', schema: departing(6), retrySafety: 'refresh' }),
      json({}),
      'request: the response (HTTP 200) does not pass your `schema` (`f0`: schema, `f1`: schema, `f2`: schema, `f3`: schema, `f4`: schema). This call may have been carried out: it is safe to send it again. `error.body` has the response.',
    ],
    [
      'a schema of the caller’s that fails',
      (client) => client.request({ method: 'POST', path: '/v2/x', schema: failing, retrySafety: 'refresh' }),
      json({}),
      'request: the response (HTTP 200) does not pass your `schema` (body: schema_failed). This call may have been carried out: it is safe to send it again. `error.body` has the response.',
    ],
    [
      'a record with a number that looks like an error status',
      (client) => client.request({ method: 'POST', path: '/v2/x' }),
      json({ id: 'f1', status: 503 }),
      'request: the response (HTTP 200) does not prove the request (body: error_shape). This call may have been carried out: check before you send it again. `error.body` has the response. A number from 400 in `status` or `statusCode` counts as an error. If the record has such a field, give the request a `schema` that the record passes.',
    ],
  ])('says what matters of %s, after one request', async (_what, call, step, message, options = {}) => {
    const error = await fail(call, [step], { retries: 0, ...options });
    expect(error.message).toBe(message);
  });

  it.each<[call: Call, step: Step, outcome: string, issue: object]>([
    [pay, long, 'unknown', { path: '', code: 'too_large' }],
    [pay, compressed(200), 'unknown', { path: '', code: 'content_encoding' }],
    [pay, json({}), 'unknown', { path: 'transferDetails.id', code: 'no_record' }],
    [read, json({ kycInfo: {} }), 'succeeded', { path: 'userId', code: 'invalid_type' }],
  ])('has what is wrong with a response in `issues` (%#)', async (call, step, outcome, issue) => {
    expect(await fail(call, [step])).toMatchObject({ outcome, issues: [issue] });
  });

  it('names every departure that a schema of the caller’s finds', async () => {
    const { issues } = Object(
      await fail(
        (client) => client.request({ method: 'GET', path: '/v2/x', schema: departing(6) }),
        [json({})],
      ),
    );
    expect(issues).toHaveLength(6);
  });

  it.each([
    ['x-own', 'the content encoding `x-own` that'],
    ['x', 'the content encoding `x` that'],
    ['x7,x-own', 'the content encoding `x7,x-own` that'],
    ['gzip, x-own', 'the content encoding `gzip, x-own` that'],
    ['a, b, c, d, e', 'the content encoding `a, b, c, d, e` that'],
    ['a, b, c, d, e, f', 'a content encoding that'],
    ['gzip,  x-own', 'a content encoding that'],
    ['x'.repeat(20), `the content encoding \`${'x'.repeat(20)}\` that`],
    ['x'.repeat(21), 'a content encoding that'],
    [`a, ${'x'.repeat(20)}`, `the content encoding \`a, ${'x'.repeat(20)}\` that`],
    [`a, ${'x'.repeat(21)}`, 'a content encoding that'],
    ['x own', 'a content encoding that'],
    ['!x-own', 'a content encoding that'],
    ['x-own!', 'a content encoding that'],
    ['gzip, !', 'a content encoding that'],
    ['my-token', 'a content encoding that'],
  ])('names a content encoding only where it is one: %s', async (encoding, words) => {
    const step = () => new Response('\u0001', { headers: { 'content-encoding': encoding } });
    const { message } = await fail(pay, [step], { accessToken: 'my-token' });
    expect(message).toContain(`has ${words} could not be undone`);
  });

  it.each([
    ['NOT_FOUND', ''],
    ['GONE', ''],
    ['N1_', ''],
    ['NotFound', 'the path'],
    ['xNOT_FOUND', 'the path'],
    ['NOT_FOUNDx', 'the path'],
    ['Not found', 'the path'],
  ])('doubts the path of a 404 unless the service has its own name for it: %s', async (error, doubt) => {
    const { message } = await fail(read, [json({ error }, 404)]);
    const advice = 'If other calls fail with 404, too, check the path of `baseUrl`.';
    expect(message).toBe(`kyc.retrieve failed: ${error} (HTTP 404).${doubt === '' ? '' : ` ${advice}`}`);
  });

  it('keeps the seconds that the service asked to wait', async () => {
    const error = await fail(pay, [json({}, 429, { 'retry-after': '90' })]);
    expect(error).toMatchObject({ name: 'RateLimitError', retryAfter: 90, attempts: 1 });
    expect(await fail(pay, [json({}, 429)])).toMatchObject({ retryAfter: undefined, attempts: 2 });
  });
});

describe('the message of an open refusal', () => {
  const flat = (error: string, errorDetails = 'x') => ({ code: 400017, error, errorDetails });
  const messageOf = async (status: number, body: unknown) =>
    (await fail(pay, [json(body, status)], { retries: 0 })).message;

  it.each([
    flat('AMOUNT_TOO_SMALL'),
    { status: 'error', error: { code: 'AMOUNT_TOO_SMALL', message: 'x' } },
    { code: 'AMOUNT_TOO_SMALL', message: 'x' },
  ])('names both lists: %j', async (body) => {
    expect(await messageOf(400, body)).toContain(
      '`AMOUNT_TOO_SMALL`: add it to `refusals.sure` only if nothing was made, to `refusals.known` if the service had seen the request.',
    );
  });

  it.each([flat('ORDER_DUPLICATED'), flat('AMOUNT_TOO_SMALL', 'The order already exists.')])(
    'names only `refusals.known` where the words may be about an earlier request: %j',
    async (body) => {
      const message = await messageOf(409, body);
      expect(message).toContain('add it to `refusals.known` if the service had seen the request.');
      expect(message).not.toContain('refusals.sure');
    },
  );

  it('names the function where the body has no name, and nothing where nothing is open', async () => {
    for (const body of [{ message: 'No' }, { statusCode: 400, error: 'Bad Request', message: 'x' }])
      expect(await messageOf(400, body)).toContain(
        'The body has no name: a function as the option `refusals` can tell what it means.',
      );
    for (const body of [flat('INSUFFICIENT_BALANCE'), flat('RESOURCE_CONFLICT')])
      expect(await messageOf(400, body)).not.toContain('`refusals');
    expect(await messageOf(500, flat('LIMIT_REACHED'))).not.toContain('`refusals');
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

describe('a connection that does not stand in time', () => {
  it('has sent nothing: also a decision is made again', async () => {
    useGlobally(new undici7.Agent({ connect: () => undefined }), undici7);
    const client = clientAt(`http://${host}`, { timeout: 1_500, retries: 1 });
    const ended = failure(client.approvals.approve('ap1'));
    await vi.runAllTimersAsync();
    const error = await ended;
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'not-sent', attempts: 2 });
    expect(error.message).toBe(
      `approvals.approve timed out: no connection to ${host} within 1500 ms (\`timeout\`). Nothing was sent.`,
    );
  });
});

describe('a wait that the caller ends', () => {
  it('leaves the payment where the last attempt left it', async () => {
    const refused = json({}, 429, { 'retry-after': '10' });
    const call: Call = (client) => client.transfers.create(transferParams, { signal: signal() });
    expect(await fail(call, [refused])).toMatchObject({ name: 'AbortedError', outcome: 'rejected' });
    expect(await fail(call, [text('', 503)])).toMatchObject({ name: 'AbortedError', outcome: 'unknown' });
    // "A read has come to its last attempt."
    const get: Call = (client) => client.kyc.retrieve('u1', { signal: signal() });
    const ended = await fail(get, [text('', 502), refused], { retries: { minDelay: 0 } });
    expect(ended).toMatchObject({ name: 'AbortedError', outcome: 'rejected', attempts: 2 });
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

  it('a token that does not come in time is not asked for again', async () => {
    const accessToken = vi.fn(never);
    const { error } = await requestsOf(read, json({}), { accessToken, timeout: 500 });
    expect(error).toMatchObject({ name: 'TimeoutError', limit: 'attempt', outcome: 'not-sent' });
    expect(accessToken).toHaveBeenCalledTimes(1);
  });

  it('a deadline, also where its timer is early', async () => {
    vi.useRealTimers();
    // The clock of the process stands still while the timers run.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { error, requests } = await requestsOf(pay, hanging, { deadline: 900, retries: { minDelay: 0 } });
    expect(error).toMatchObject({ name: 'TimeoutError', limit: 'deadline' });
    expect(error.message).toContain(`no response from ${host} within 900 ms (\`deadline\`)`);
    expect(requests).toBe(1);
  });

  it('a record of something else, or a schema that fails', async () => {
    const other = () => Response.json({ userId: 'u2', kycInfo: {} });
    const mismatch = await requestsOf(read, other);
    expect(mismatch.error).toMatchObject({ name: 'ResponseMismatchError', path: 'userId' });
    expect(mismatch.requests).toBe(1);
    const get = { method: 'GET', path: '/v2/x', schema: failing } as const;
    expect((await requestsOf((client) => client.request(get), json({}))).requests).toBe(1);
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

describe('a call that is refused before it is sent', () => {
  const unreadable = {
    headers: {
      get 'x-a'(): string {
        throw new Error('planted');
      },
    },
  };
  it.each<[what: string, params: object, options: object, error: object]>([
    [
      'a parameter',
      { amount: -1 },
      {},
      { name: 'InvalidRequestError', code: 'invalid_request', field: 'amount', originalError: undefined },
    ],
    [
      'what cannot be read',
      {},
      unreadable,
      {
        name: 'InvalidRequestError',
        message: 'transfers.create: the parameters or options cannot be read. Nothing was sent.',
        originalError: expect.objectContaining({ message: 'planted' }),
      },
    ],
    ['its token', {}, { accessToken: '' }, { name: 'ConfigurationError', code: 'access_token' }],
  ])('has the operation and the key in its error: %s', async (_what, params, options, error) => {
    const call: Call = (client) => client.transfers.create({ ...transferParams, ...params }, options);
    expect(await fail(call, [json({})])).toMatchObject({
      operation: 'transfers.create',
      requestId,
      outcome: 'not-sent',
      attempts: 0,
      ...error,
    });
  });

  it('has no key where the call has none', async () => {
    const call: Call = (client) => client.kyc.retrieve('u1', { accessToken: '' });
    const error = await fail(call, [json({})]);
    expect(error).toMatchObject({ operation: 'kyc.retrieve', outcome: 'not-sent' });
    expect(error.requestId).toBeUndefined();
  });
});
