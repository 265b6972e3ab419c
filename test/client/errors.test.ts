import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as sdk from '../../src/index.ts';
import { APIError, type PaymentsError } from '../../src/index.ts';
import { internalError, notFound, unauthorized } from '../fixtures/index.ts';
import { operations } from './operations.ts';
import {
  batch,
  bridge,
  clientOf,
  cutBody,
  failure,
  json,
  type Step,
  scripted,
  serve,
  text,
  token,
} from './support.ts';

const failing = (...steps: Step[]) =>
  failure(clientOf(scripted(...steps), { retries: 0 }).kyc.retrieve('u1'));

const service = (error: PaymentsError) => (error instanceof APIError ? error.service : undefined);

describe('a status that is no success', () => {
  const statuses: readonly [status: number, name: string, code: string, outcome: string][] = [
    [300, 'APIError', 'api', 'unknown'],
    [304, 'APIError', 'api', 'unknown'],
    [400, 'BadRequestError', 'bad_request', 'rejected'],
    [401, 'AuthenticationError', 'authentication', 'rejected'],
    [402, 'APIError', 'api', 'rejected'],
    [403, 'PermissionDeniedError', 'permission_denied', 'rejected'],
    [404, 'NotFoundError', 'not_found', 'rejected'],
    [408, 'APIError', 'api', 'rejected'],
    [409, 'ConflictError', 'conflict', 'rejected'],
    [418, 'APIError', 'api', 'rejected'],
    [422, 'UnprocessableEntityError', 'unprocessable_entity', 'rejected'],
    [429, 'RateLimitError', 'rate_limit', 'rejected'],
    [500, 'InternalServerError', 'internal_server', 'unknown'],
    [501, 'InternalServerError', 'internal_server', 'rejected'],
    [502, 'InternalServerError', 'internal_server', 'unknown'],
    [503, 'InternalServerError', 'internal_server', 'unknown'],
    [504, 'InternalServerError', 'internal_server', 'unknown'],
    [520, 'InternalServerError', 'internal_server', 'unknown'],
    [599, 'InternalServerError', 'internal_server', 'unknown'],
  ];

  it.each(statuses)('%i is a %s', async (status, name, code, outcome) => {
    const error = await failing(text(null, status, { 'x-trace': 'trace-1' }));
    expect(error).toBeInstanceOf(Reflect.get(sdk, name));
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ name, code, outcome, status, operation: 'kyc.retrieve', attempts: 1 });
    expect(error.message).toContain(`kyc.retrieve failed (HTTP ${status}).`);
    expect((error as APIError).headers.get('x-trace')).toBe('trace-1');
    expect((error as APIError).body).toBe('');
    expect(error.requestId).toBeUndefined();
  });

  it.each(operations.filter(({ repeats }) => repeats === 'keyed'))(
    '$name names the request id that was sent',
    async (operation) => {
      const client = clientOf(scripted(json({ error: 'INSUFFICIENT_BALANCE' }, 400)));
      const error = await failure(operation.call(client));
      expect(error).toMatchObject({ requestId: '6fa459ea-ee8a-4ca4-894e-db77e160355e', outcome: 'rejected' });
    },
  );
});

describe('the shapes of an error body', () => {
  const shapes: readonly [what: string, status: number, body: unknown, service: object][] = [
    [
      '401 of the spec',
      401,
      unauthorized,
      { code: 401, error: 'Unauthorized', details: unauthorized.errorDetails },
    ],
    [
      '404 of the spec',
      404,
      notFound,
      { code: 'TRANSFER_NOT_FOUND', error: 'TRANSFER_NOT_FOUND', details: 'No such transfer.' },
    ],
    [
      '500 of the spec',
      500,
      internalError,
      { code: 500, error: 'InternalServerError', details: 'Try again later.' },
    ],
    ['an error alone', 400, { error: 'BAD' }, { error: 'BAD' }],
    ['a message alone', 400, { message: 'Bad' }, { details: 'Bad' }],
    ['a nested error with the 500 words', 422, { error: { errorDetails: 'x' } }, { details: 'x' }],
    [
      'a nested error without words',
      422,
      { code: 7, errorDetails: 'y', error: {} },
      { code: 7, details: 'y' },
    ],
    ['words of other types', 400, { code: {}, error: 7, errorDetails: [] }, {}],
    ['null', 400, null, {}],
    ['an array', 500, [internalError], {}],
    ['a number', 400, 400, {}],
  ];

  it.each(shapes)('%s is read, and the body kept', async (_what, status, body, expected) => {
    const error = await failing(json(body, status));
    expect(error).toMatchObject({ status, body: body ?? '' });
    expect(service(error)).toEqual(expected);
  });

  const unreadable: readonly [what: string, body: string][] = [
    ['HTML', '<html><body>502 Bad Gateway</body></html>'],
    ['half of an object', '{"code":500,"err'],
  ];

  it.each(unreadable)('%s is kept as text', async (_what, body) => {
    const error = await failing(text(body, 502));
    expect(error).toMatchObject({ status: 502, body, outcome: 'unknown' });
    expect(service(error)).toEqual({});
  });

  it('may be cut, or larger than the limit: the status counts', async () => {
    expect(await failing(cutBody(404))).toMatchObject({ name: 'NotFoundError', body: '' });
    const client = clientOf(scripted(text('x'.repeat(100), 503)), { maxResponseBytes: 10, retries: 0 });
    expect(await failure(client.kyc.retrieve('u1'))).toMatchObject({ status: 503, body: '' });
  });
});

describe('Retry-After', () => {
  const headers: readonly [header: string, seconds: number | undefined][] = [
    ['61', 61],
    [' 3600 ', 3600],
    ['61.5', 61.5],
    ['-1', undefined],
    ['soon', undefined],
    ['Soon, 99 Never', undefined],
    ['2026-11-21', undefined],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ];

  it.each(headers)('%j is on the error as %j seconds', async (header, seconds) => {
    const error = await failing(json(internalError, 429, { 'retry-after': header }));
    expect((error as sdk.RateLimitError).retryAfter).toBe(seconds);
  });
});

describe('over a real socket', () => {
  it('a refused connection was not sent', async () => {
    const { url } = await new Promise<{ url: string }>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address();
        const port = typeof address === 'object' && address !== null ? address.port : 0;
        server.close(() => resolve({ url: `http://127.0.0.1:${port}` }));
      });
    });
    const client = new sdk.PaymentsClient({ baseUrl: url, accessToken: token, retries: 0 });
    const error = await failure(client.transfers.createBatch(batch));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent', attempts: 1 });
    const { host } = new URL(url);
    expect(error.message).toBe(
      `transfers.createBatch: could not connect to ${host} (ECONNREFUSED). Nothing was sent: this call made no payment. Check the base address and the network.`,
    );
    expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
    expect(error.originalError).toBeInstanceOf(Error);
  });

  it('a reset before the answer leaves the outcome open', async () => {
    const { url, count } = await serve((request) => request.socket.resetAndDestroy());
    const client = new sdk.PaymentsClient({ baseUrl: url, accessToken: token });
    expect(await failure(client.approvals.approve('a1'))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 1,
    });
    expect(count()).toBe(1);
  });

  it('a body cut short leaves the outcome open', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"approvalId":"a1"', () => response.destroy());
    });
    const client = new sdk.PaymentsClient({ baseUrl: url, accessToken: token });
    expect(await failure(client.approvals.approve('a1'))).toMatchObject({
      name: 'ConnectionError',
      message: `approvals.approve: connection to ${new URL(url).host} closed before the response was complete (HTTP 200). This call may have been carried out: check before you send it again.`,
      outcome: 'unknown',
    });
  });

  it('a chunked body cut short leaves the outcome open', async () => {
    const { url } = await serve((_request, response) => {
      response.write('{"approvalId":"a1","status":"APPROVED"}', () => response.destroy());
    });
    const client = new sdk.PaymentsClient({ baseUrl: url, accessToken: token });
    expect(await failure(client.approvals.approve('a1'))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
    });
  });

  it('what is no HTTP at all leaves the outcome open', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('220 mail.example ESMTP\r\n'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const client = new sdk.PaymentsClient({ baseUrl: `http://127.0.0.1:${port}`, accessToken: token });
    expect(await failure(client.approvals.approve('a1'))).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
      attempts: 1,
    });
  });

  it.each([301, 302, 303, 307, 308])('a redirect (%i) is an error and never followed', async (status) => {
    const elsewhere = await serve((_request, response) => response.end('{}'));
    const { url, count } = await serve((_request, response) => {
      response.writeHead(status, { location: `${elsewhere.url}/v2/wallets/transfers` }).end();
    });
    const client = new sdk.PaymentsClient({ baseUrl: url, accessToken: token });
    const error = await failure(client.bridges.create(bridge));
    // A server may redirect after it has done the work: no status of a redirect proves that it did nothing.
    expect(error).toMatchObject({ name: 'APIError', status, outcome: 'unknown', attempts: 1 });
    expect(error.message).toContain('redirects are never followed');
    expect(count()).toBe(1);
    expect(elsewhere.count()).toBe(0);
  });
});

describe('a failure below HTTP', () => {
  const failures: readonly [what: string, cause: object, outcome: string][] = [
    ['the resolver finds no host', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'not-sent'],
    ['no route while connecting', { code: 'EHOSTUNREACH', syscall: 'connect' }, 'not-sent'],
    ['no route on a connection that stood', { code: 'EHOSTUNREACH', syscall: 'read' }, 'unknown'],
    ['no network on a connection that stood', { code: 'ENETUNREACH', syscall: 'write' }, 'unknown'],
    ['a timeout while connecting', { code: 'ETIMEDOUT', syscall: 'connect' }, 'not-sent'],
    ['a timeout on a connection that stood', { code: 'ETIMEDOUT', syscall: 'read' }, 'unknown'],
    ['a connect timeout of undici', { code: 'UND_ERR_CONNECT_TIMEOUT' }, 'not-sent'],
    ['a certificate that is refused', { code: 'CERT_HAS_EXPIRED' }, 'not-sent'],
    ['plain text where TLS is spoken', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'not-sent'],
    ['a handshake that fails', { code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE' }, 'not-sent'],
    ['a TLS alert that may come late', { code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR' }, 'unknown'],
    ['a damaged TLS record', { code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' }, 'unknown'],
    ['a reset', { code: 'ECONNRESET', syscall: 'read' }, 'unknown'],
    ['headers that do not come', { code: 'UND_ERR_HEADERS_TIMEOUT' }, 'unknown'],
    ['words of a refusal without a code', { message: 'tcp connect error: dns error: refused' }, 'unknown'],
    ['a port that fetch refuses', { message: 'bad port' }, 'unknown'],
    ['no route, nobody says when', { code: 'EHOSTUNREACH' }, 'unknown'],
    ['a refusal as Bun tells it', { code: 'ConnectionRefused' }, 'not-sent'],
    ['no code at all', {}, 'unknown'],
  ];

  it.each(failures)('%s', async (_what, cause, outcome) => {
    const fetch = scripted(() => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), cause) });
    });
    const error = await failure(clientOf(fetch, { retries: 0 }).approvals.approve('a1'));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome, attempts: 1 });
  });

  it('counts the first of several addresses', async () => {
    const fetch = scripted(() => {
      const tried = ['::1', '127.0.0.1'].map((address) =>
        Object.assign(new Error(address), { code: 'ECONNREFUSED', syscall: 'connect' }),
      );
      throw new TypeError('fetch failed', { cause: new AggregateError(tried) });
    });
    expect(await failure(clientOf(fetch, { retries: 0 }).approvals.approve('a1'))).toMatchObject({
      outcome: 'not-sent',
    });
  });

  it('is an error of this package whatever fetch throws or returns', async () => {
    const odd: unknown[] = [undefined, null, 'text', 7, Symbol('s'), {}, Object.create(null)];
    for (const thrown of odd) {
      const throwing = clientOf(() => Promise.reject(thrown), { retries: 0 });
      expect(await failure(throwing.kyc.retrieve('u1'))).toMatchObject({ name: 'ConnectionError' });
      const returning = clientOf(async () => thrown as Response, { retries: 0 });
      expect(await failure(returning.kyc.retrieve('u1'))).toMatchObject({ name: 'ConnectionError' });
    }
    const synchronous = clientOf(
      () => {
        throw new Error('at once');
      },
      { retries: 0 },
    );
    expect(await failure(synchronous.kyc.retrieve('u1'))).toMatchObject({ name: 'ConnectionError' });
  });
});
